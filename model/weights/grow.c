/* See grow.h. Each tensor of the larger model is matched by name with one of the smaller. */
#include "model/weights/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS "layers."
static const char EMBEDDING[] = "token_embedding.weight", HEAD[] = "head.weight";

bool model_grows_into(const struct model_config *small,
                      const struct model_config *large)
{
    struct model_config c = *small;
    bool grows = large->vocab >= small->vocab &&
                 (large->time == small->time ||
                  (small->time == TIME_NONE && large->time == TIME_BUCKETS));
    grows = grows && (large->tied == small->tied || small->tied);
    c.vocab = large->vocab;
    c.time = large->time;
    c.tied = large->tied;
    grows = grows && (large->state == small->state || !small->state) &&
            (large->values || !small->values);
    c.state = large->state;
    c.values = large->values;
    if (large->norm == NORM_PRE && large->n_layers >= small->n_layers)
        c.n_layers = large->n_layers;
    return grows && model_config_equal(&c, large);
}

/* Stores the name of the tensor from which this one starts. An untied head starts from
 * the token embedding if the head was tied. Layer i starts from layer i * before / now.
 * Returns false if the tensor starts at zero: an output projection of a further copy of a
 * layer. */
static bool find_source(char *name, size_t n_name, const struct model_tensor *t,
                        const struct model_config *before, const struct model_config *c)
{
    const bool is_head = before->tied && strcmp(t->name, HEAD) == 0;
    snprintf(name, n_name, "%s", is_head ? EMBEDDING : t->name);
    if (strncmp(t->name, LAYERS, strlen(LAYERS)) != 0)
        return true;
    char *rest; /* the name after the layer's number; begins with a dot */
    const int layer = (int)strtol(t->name + strlen(LAYERS), &rest, 10);
    const int from = layer * before->n_layers / c->n_layers;
    const bool is_copy =
        layer > 0 && (layer - 1) * before->n_layers / c->n_layers == from;
    snprintf(name, n_name, LAYERS "%d%s", from, rest);
    return !is_copy ||
           (strncmp(rest, ".attn.out", 9) != 0 && strncmp(rest, ".ff2", 4) != 0 &&
            strncmp(rest, ".cross.out", 10) != 0);
}

/* Copies the tensor from which this one starts, which may have fewer rows. `source` is
 * the list of the smaller model's n tensors. */
static void grow_tensor(float *to, const struct model_tensor *t,
                        const struct model_tensor *source, size_t n,
                        const struct model_config *before, const struct model_config *c)
{
    char name[sizeof t->name];
    const bool is_zero = !find_source(name, sizeof name, t, before, c);
    for (size_t i = 0; i < n && !is_zero; i++) {
        if (strcmp(source[i].name, name) != 0)
            continue;
        memcpy(to, source[i].at, model_tensor_size(&source[i]) * sizeof *to);
        return;
    }
    if (is_zero || strstr(t->name, "time_key") != NULL)
        memset(to, 0, model_tensor_size(t) * sizeof *to);
}

/* Adds, to each row from `first` on, the row of the token that `like` names. */
static void add_likeness(float *rows, const struct model_config *c, int first,
                         const int32_t *like)
{
    const size_t d = (size_t)c->d_model;
    for (int i = first; like && i < c->vocab; i++)
        for (size_t k = 0; like[i] >= 0 && k < d; k++)
            rows[(size_t)i * d + k] += rows[(size_t)like[i] * d + k];
}

enum model_status model_grow(float *block, const struct model_config *c,
                             const struct model *from, const int32_t *like,
                             uint64_t seed)
{
    const struct model_config *before = &from->config;
    struct model_tensor *tensors, *source;
    size_t n_floats,
        n = model_tensors(c, NULL, &tensors, &n_floats),
        n_source = model_tensors(before, &from->weights, &source, &n_floats);
    enum model_status st = n && n_source ? MODEL_OK : MODEL_NO_MEMORY;
    if (!st)
        model_init_block(block, c, seed);
    for (size_t i = 0; !st && i < n; i++) {
        float *to = block + tensors[i].offset;
        grow_tensor(to, &tensors[i], source, n_source, before, c);
        if (strcmp(tensors[i].name, EMBEDDING) == 0)
            add_likeness(to, c, before->tied && !c->tied ? 0 : before->vocab, like);
        else if (strstr(tensors[i].name, "value_embedding"))
            add_likeness(to, c, before->vocab, like);
    }
    free(tensors);
    free(source);
    return st;
}
