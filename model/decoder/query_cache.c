/* Keeping queries, and muting heads. See attention_probe.h and query_cache.h. */
#include "model/decoder/query_cache.h"
#include "model/base/arena.h"

#include <string.h>
#include <sys/mman.h>

static bool has_heads(const struct decoder *d, enum attention_kind kind)
{
    return kind == ATTENTION_SELF
               ? !attention_is_fixed(d)
               : kind == ATTENTION_CROSS && d->c.n_encoder_layers > 0;
}

/* Points w's parts into a block, after a place for w; returns the bytes they take. */
static size_t lay_out(const struct decoder *d, void *block, struct query_cache *w)
{
    const size_t context = (size_t)d->c.context;
    const size_t n = (size_t)d->c.n_layers * context * d->c.d_model;
    struct arena at = {.block = block};
    arena_bytes(&at, sizeof *w);
    w->stamps = arena_bytes(&at, context * sizeof *w->stamps);
    for (int kind = 0; kind < 2; kind++)
        w->queries[kind] =
            has_heads(d, (enum attention_kind)kind) ? arena_floats(&at, n) : NULL;
    if (d->c.time == TIME_BUCKETS)
        w->time_rows = arena_bytes(&at, (size_t)pool_n_threads(d->pool) * MAX_BATCH *
                                            d->step.n_rows);
    return at.n_bytes;
}

enum model_status decoder_keep_queries(struct decoder *d, bool on)
{
    struct query_cache w = {0};
    if (on == (d->query_cache != NULL))
        return MODEL_OK;
    if (!on) {
        munmap(d->query_cache, d->query_cache->n_bytes);
        d->query_cache = NULL;
        return MODEL_OK;
    }
    w.n_bytes = lay_out(d, NULL, &w);
    void *block = mmap(NULL, w.n_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return MODEL_NO_MEMORY;
    lay_out(d, block, &w);
    d->query_cache = block;
    *d->query_cache = w;
    return MODEL_OK;
}

void query_cache_expect(struct decoder *d, uint64_t stamp, int n)
{
    for (int i = 0; d->query_cache && i < n; i++)
        d->query_cache->stamps[d->length + i] = stamp;
}

void query_cache_put(struct decoder *d, enum attention_kind kind, int layer,
                     int position, int head, int n_heads, const float *q, int ld,
                     int rows)
{
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    if (!d->query_cache)
        return;
    float *to = query_cache_layer(d, kind, layer) + (size_t)position * n + head * e;
    for (int r = 0; r < rows; r++, to += n, q += ld)
        memcpy(to, q, n_heads * e * sizeof *to);
}

enum model_status decoder_show_row(struct decoder *d, struct attention_head h,
                                   float *row)
{
    const bool is_there =
        attention_is_fixed(d) ? h.kind == ATTENTION_SELF : has_heads(d, h.kind);
    const bool wrong = !is_there || !has_head(d, h);
    d->shown.row = wrong ? NULL : row;
    d->shown.head = h;
    d->shown.stamp = 0;
    return row && wrong ? MODEL_NO_HEAD : MODEL_OK;
}

bool decoder_row_is_shown(const struct decoder *d)
{
    return d->shown.row && d->length > 0 && d->shown.stamp == d->stamps[d->length - 1];
}

void decoder_write_shown_row(struct decoder *d, struct attention_head h,
                             const float *weights, int first, int end, int n, float by)
{
    const struct attention_head *wanted = &d->shown.head;
    float *row = d->shown.row;
    if (!row || wanted->layer != h.layer || wanted->head != h.head ||
        wanted->kind != h.kind)
        return;
    memset(row, 0, n * sizeof *row);
    memcpy(row + first, weights, (end - first) * sizeof *row);
    d->k->scale(row + first, by, end - first);
    d->shown.stamp = d->stamps[d->length];
}

void query_cache_copy(struct decoder *to, const struct decoder *from, int n)
{
    const size_t width = (size_t)to->c.d_model;
    int at = 0;
    if (!to->query_cache || !from->query_cache || to == from)
        return;
    while (at < n && to->query_cache->stamps[at] == to->stamps[at])
        at++;
    for (int kind = ATTENTION_SELF; kind <= ATTENTION_CROSS; kind++)
        for (int i = 0; to->query_cache->queries[kind] && i < to->c.n_layers; i++)
            memcpy(query_cache_layer(to, (enum attention_kind)kind, i) + at * width,
                   query_cache_layer(from, (enum attention_kind)kind, i) + at * width,
                   (size_t)(n - at) * width * sizeof(float));
    memcpy(to->query_cache->stamps + at, from->query_cache->stamps + at,
           (n - at) * sizeof *to->query_cache->stamps);
}

/* NULL: there is no such head. */
static bool *muting(const struct decoder *d, struct attention_head h)
{
    if (!has_heads(d, h.kind) || !has_head(d, h))
        return NULL;
    return decoder_muting(d, h.kind == ATTENTION_CROSS, h.layer) + h.head;
}

enum model_status decoder_mute_head(struct decoder *d, struct attention_head h,
                                    bool is_muted)
{
    bool *at = muting(d, h);
    if (!at)
        return MODEL_NO_HEAD;
    *at = is_muted;
    return MODEL_OK;
}
