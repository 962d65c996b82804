/* See head_names.h. The files are small and may hold anything. */
#include "app/inspection/head_names.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADS = 256, MOST_LAYERS = 256, MOST_BYTES = 4 << 20 };

/* Malformed entries and heads that attend to a source get no name. */
bool head_names_read(struct head_names *out, const char *path)
{
    cJSON *json = json_read_file(path, MOST_BYTES, NULL);
    const cJSON *model = json_get(json, "model"), *head;
    const char *hash = json_text(model, "hash");
    char *end = NULL;
    *out = (struct head_names){0};
    errno = 0;
    out->hash = hash && strlen(hash) == 16 ? strtoull(hash, &end, 16) : 0;
    if (end && !errno && !*end &&
        json_count(model, "layers", 1, MOST_LAYERS, &out->n_layers) &&
        json_count(model, "heads", 1, MOST_HEADS, &out->n_heads))
        out->names =
            calloc((size_t)out->n_layers * (size_t)out->n_heads, HEAD_NAME_BYTES);
    cJSON_ArrayForEach(head, json_get(json, "heads"))
    {
        const char *name = json_text(head, "name"), *of = json_text(head, "of");
        int layer, index;
        if (out->names && name && json_count(head, "layer", 1, out->n_layers, &layer) &&
            json_count(head, "head", 1, out->n_heads, &index) &&
            (!of || !strcmp(of, "past")))
            say_copy(out->names[(layer - 1) * out->n_heads + index - 1],
                     HEAD_NAME_BYTES, name);
    }
    cJSON_Delete(json);
    if (!out->names)
        head_names_fini(out);
    return out->names != NULL;
}

/* The names lie beside a model, "x.heads.json" for "x.safetensors". */
bool head_names_find(struct head_names *out, uint64_t hash)
{
    static const char ending[] = ".safetensors";
    char path[4096];
    glob_t models;
    bool found = false;
    *out = (struct head_names){0};
    paths_list_models(&models);
    for (size_t k = 0; !found && k < models.gl_pathc; k++) {
        struct head_names names = {0};
        const char *model = models.gl_pathv[k];
        const size_t length = strlen(model) - (sizeof ending - 1);
        found = snprintf(path, sizeof path, "%.*s.heads.json", (int)length, model) <
                    (int)sizeof path &&
                head_names_read(&names, path) && names.hash == hash;
        if (found)
            *out = names;
        else
            head_names_fini(&names);
    }
    globfree(&models);
    return found;
}

void head_names_fini(struct head_names *n)
{
    free(n->names);
    *n = (struct head_names){0};
}

const char *head_names_of(const struct head_names *n, int layer, int head)
{
    if (!n->names || layer < 0 || layer >= n->n_layers || head < 0 ||
        head >= n->n_heads)
        return "";
    return n->names[layer * n->n_heads + head];
}

static const struct {
    const char *name, *meaning;
} MEANINGS[] = {
    {"last token", "the token that was read last"},
    {"token before", "the token before the last"},
    {"own note", "earlier tokens of the same note"},
    {"previous note", "the note written just before"},
    {"chord", "notes that begin together with it"},
    {"same voice", "other notes of its track"},
    {"voice's last note", "the note before it on its track"},
    {"same pitch", "other notes of its pitch"},
    {"octave", "notes whole octaves away"},
    {"bass", "the lowest of notes that begin together"},
    {"previous bar", "notes a bar earlier"},
    {"same place in the bar", "notes at its place in earlier bars"},
    {"after the same pitch", "the notes that followed the same pitch"},
    {"bar lines", "bar lines and meters"},
    {"beginning", "the beginning: it finds nothing to attend to"},
    {"broad", "nearly all notes, evenly"},
    {"mixed", "different tokens at different times"},
};

const char *head_name_meaning(const char *name)
{
    for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; i++)
        if (!strcmp(name, MEANINGS[i].name))
            return MEANINGS[i].meaning;
    return "";
}
