/* continuo models: those that can be named with --model. */
#include "app/cli/verbs.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "app/decoding/metadata.h"

#include <stdlib.h>
#include <string.h>

struct listing {
    cJSON *json; /* NULL: print lines */
    char bundled[4096];
    int n;
};

static void list_model(struct listing *l, const char *path)
{
    struct model *m;
    char found[4096], buf[1024];
    if (verb_model_open(&m, path, found, sizeof found))
        return;
    l->n++;
    if (l->json) {
        cJSON_AddItemToArray(l->json, describe_model(m, path));
    } else {
        printf("%c ", strcmp(path, l->bundled) == 0 ? '*' : ' ');
        say_safe(stdout, path);
        printf("\n    %s\n", describe_model_size(m, buf, sizeof buf));
        if (*describe_provenance(m, buf, sizeof buf))
            printf("    from %s\n", buf);
    }
    model_close(m);
}

static int cmd_models(struct options *o)
{
    struct listing l = {.json = o->json ? cJSON_CreateArray() : NULL};
    glob_t models;
    if (!paths_model(l.bundled, sizeof l.bundled, NULL))
        l.bundled[0] = '\0';
    paths_list_models(&models);
    for (size_t k = 0; k < models.gl_pathc; k++)
        list_model(&l, models.gl_pathv[k]);
    globfree(&models);
    if (l.json && !say_json_once(stdout, l.json))
        puts("[]");
    else if (!l.json && l.n == 0)
        puts("no model was found; continuo train can make one");
    return 0;
}

const struct verb VERB_MODELS = {
    .name = "models",
    .summary = "list the models that can be found",
    .run = cmd_models,
    .arguments = "[--json]",
    .about =
        "Lists all models. A star marks the bundled one, which is the default. Models\n"
        "made by :learn are in the user's data folder.",
    .takes = OPTION_JSON,
};
