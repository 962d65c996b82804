/* continuo quantise: a model again, with weights of fewer bits. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "model/weights/quantise.h"
#include "app/base/json_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The provenance with an entry for this in the list of all quantisations, the oldest first;
 * malloc'd, NULL: out of memory. If it is missing or not a JSON object, a new one is started. */
static char *make_provenance(const struct model *m, const struct model *other,
                             const char *weights)
{
    const char *text = model_metadata(m, "provenance");
    cJSON *all = text ? cJSON_Parse(text) : NULL;
    if (!cJSON_IsObject(all)) {
        cJSON_Delete(all);
        all = cJSON_CreateObject();
    }
    cJSON *list = cJSON_GetObjectItemCaseSensitive(all, "quantised");
    if (!cJSON_IsArray(list)) {
        cJSON_DeleteItemFromObjectCaseSensitive(all, "quantised");
        list = cJSON_AddArrayToObject(all, "quantised");
    }
    const unsigned long long from = model_hash(m);
    cJSON *one =
        other ? json_add(json_item(list), "from %016llx mean_with %016llx weights %s",
                         from, (unsigned long long)model_hash(other), weights)
              : json_add(json_item(list), "from %016llx weights %s", from, weights);
    char *told = json_text(one, "weights") ? cJSON_PrintUnformatted(all) : NULL;
    cJSON_Delete(all);
    return told;
}

/* The metadata of m without the provenance. *list is malloc'd; 0: out of memory. */
static size_t list_metadata(const struct model *m, const char *provenance,
                            struct metadata **list)
{
    struct metadata *had;
    size_t n = 0, n_had = model_list_metadata(m, &had);
    *list = n_had ? calloc(n_had + 1, sizeof **list) : NULL;
    for (size_t i = 0; *list && i < n_had; i++)
        if (strcmp(had[i].key, "provenance") != 0)
            (*list)[n++] = had[i];
    if (*list)
        (*list)[n++] = (struct metadata){"provenance", provenance};
    free(had);
    return n;
}

static enum model_status save(const struct model *m, const struct model *other,
                              const struct options *o, struct quantise_error *error)
{
    struct metadata *metadata = NULL;
    char *provenance = make_provenance(m, other, OPTION_WEIGHT_TYPES[o->weights]);
    size_t n = provenance ? list_metadata(m, provenance, &metadata) : 0;
    const enum tensor_type type = o->weights ? TENSOR_I8 : TENSOR_BF16;
    errno = 0;
    enum model_status st =
        n ? quantise_save(m, other, o->output, type, metadata, n, error)
          : MODEL_NO_MEMORY;
    free(metadata);
    cJSON_free(provenance);
    return st;
}

static void print_size(const char *path)
{
    struct stat s;
    say_safe(stdout, path);
    if (!stat(path, &s))
        printf(": %lld bytes", (long long)s.st_size);
    putchar('\n');
}

static int quantise(const struct options *o, const char *path, const struct model *m,
                    const struct model *other)
{
    struct quantise_error e;
    if (other && !model_config_equal(&m->config, &other->config))
        return say_error(o->mean_with, "has another shape");
    enum model_status st = save(m, other, o, &e);
    if (st)
        return say_model_error(o->output, st, NULL);
    print_size(path);
    print_size(o->output);
    printf("largest error of a row %.3g", e.largest);
    if (*e.tensor)
        printf(" (%s, row %lld)", e.tensor, (long long)e.row);
    printf(" of its length, mean %.3g, %zu rows\n", e.mean, e.n_rows);
    return 0;
}

static int cmd_quantise(struct options *o)
{
    struct model *m = NULL, *other = NULL;
    char path[4096], other_path[4096];
    int status = verb_model_open(&m, o->file, path, sizeof path);
    if (!status && o->mean_with)
        status = verb_model_open(&other, o->mean_with, other_path, sizeof other_path);
    if (!status)
        status = quantise(o, path, m, other);
    model_close(other);
    model_close(m);
    return status;
}

const struct verb VERB_QUANTISE = {
    .name = "quantise",
    .summary = "write a model with 8-bit or 16-bit weights",
    .run = cmd_quantise,
    .arguments = "MODEL -o OUT.safetensors [--weights TYPE] [--mean-with MODEL]",
    .about =
        "Writes a model with smaller weights: its matrices in 8 bits with a scale\n"
        "for each row, or every tensor in 16 bits. Metadata is kept, and the hash of\n"
        "the original is added. Prints both sizes and the errors of the rows.\n"
        "Two runs from the same weights often have a mean that is better than both.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_WEIGHTS,
    .needs = OPTION_OUTPUT,
};
