/* A model of random weights, small enough for a test, in memory or as a file;
 * and a folder that is removed with all that is in it. */
#ifndef TESTS_APP_TINY_MODEL_H
#define TESTS_APP_TINY_MODEL_H

#include "app/base/paths.h"
#include "app/decoding/metadata.h"
#include "tests/app/auto.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline struct model_config tiny_config(int context)
{
    return (struct model_config){
        .vocab = TOKEN_COUNT,
        .context = context,
        .d_model = 32,
        .n_heads = 2,
        .n_layers = 2,
        .d_ff = 64,
        .position = POSITION_LEARNED,
        .tied = true,
    };
}

/* provenance: JSON, or NULL for none. false: something went wrong. */
static inline bool tiny_model_save_from(const char *path, int context, int vocab,
                                        uint64_t seed, const char *provenance)
{
    struct model_config c = tiny_config(context);
    c.vocab = vocab;
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(&c, NULL, &list, &n_floats);
    float *block = calloc(n_floats, sizeof *block);
    struct tensor *tensors = calloc(n, sizeof *tensors);
    char *config = model_config_json(&c), *tokenizer = tokenizer_json(NULL);
    bool ok = n && block && tensors && config && tokenizer;
    if (ok)
        model_init_block(block, &c, seed);
    for (size_t i = 0; ok && i < n; i++) {
        struct tensor *t = &tensors[i];
        int64_t size = 1;
        snprintf(t->name, sizeof t->name, "%s", list[i].name);
        t->type = TENSOR_F32;
        t->n_dims = list[i].n_dims;
        for (int d = 0; d < t->n_dims; d++)
            size *= t->shape[d] = list[i].shape[d];
        t->data = block + list[i].offset;
        t->n_bytes = (size_t)size * sizeof *block;
    }
    struct metadata metadata[] = {
        {"config", config}, {"tokenizer", tokenizer}, {"provenance", provenance}};
    ok = ok &&
         safetensors_save(path, tensors, n, metadata, provenance ? 3 : 2) == MODEL_OK;
    free(list);
    free(block);
    free(tensors);
    free(config);
    free(tokenizer);
    return ok;
}

static inline bool tiny_model_save(const char *path, int context, uint64_t seed)
{
    return tiny_model_save_from(path, context, TOKEN_COUNT, seed, NULL);
}

/* The bundled model of that name, or NULL for the usual one, or the one at that path. */
static inline struct model *bundled_model(const char *name)
{
    struct model *m = NULL;
    char path[4096], detail[96];
    if (!paths_model(path, sizeof path, name) ||
        model_file_open(&m, path, detail, sizeof detail))
        abort();
    return m;
}

/* malloc'd, NULL on failure. */
static inline char *temp_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/continuo-test-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(path) ? strdup(path) : NULL;
}

static inline int remove_entry(const char *path, const struct stat *st, int type,
                               struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline void remove_folder(char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(path);
}

#endif
