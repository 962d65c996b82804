/* Keeping queries, and muting heads. See attention_probe.h and query_cache.h. */
#include "model/decoder/query_cache.h"
#include "model/base/arena.h"

#include <string.h>
#include <sys/mman.h>

static bool has_heads(const struct decoder *d, enum attention_kind kind)
{
    if (d->c.mixing == MIXING_FOURIER && kind == ATTENTION_SELF)
        return false;
    return kind == ATTENTION_SELF || (kind == ATTENTION_CROSS && d->c.n_encoder_layers);
}

/* Points w's parts into a block, after a place for w; returns the bytes they take. */
static size_t lay_out(const struct decoder *d, void *block, struct query_cache *w)
{
    const size_t context = (size_t)d->c.context;
    const size_t n = (size_t)d->c.n_layers * context * (size_t)d->c.d_model;
    struct arena at = {.block = block};
    arena_bytes(&at, sizeof *w);
    w->stamps = arena_bytes(&at, context * sizeof *w->stamps);
    for (int kind = 0; kind < 2; kind++)
        w->queries[kind] =
            has_heads(d, (enum attention_kind)kind) ? arena_floats(&at, n) : NULL;
    if (d->c.time == TIME_BUCKETS)
        w->time_rows = arena_bytes(&at, (size_t)pool_n_threads(d->pool) * MAX_BATCH *
                                            (size_t)d->step.n_rows);
    return at.n_bytes;
}

static enum model_status start(struct decoder *d)
{
    struct query_cache w = {0};
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

enum model_status decoder_keep_queries(struct decoder *d, bool on)
{
    if (on)
        return d->query_cache ? MODEL_OK : start(d);
    if (d->query_cache)
        munmap(d->query_cache, d->query_cache->n_bytes);
    d->query_cache = NULL;
    return MODEL_OK;
}

void query_cache_expect(struct decoder *d, uint64_t stamp, int n)
{
    for (int i = 0; d->query_cache && i < n; i++)
        d->query_cache->stamps[d->length + i] = stamp;
}

void query_cache_put(struct decoder *d, enum attention_kind kind, int layer,
                     int position, const float *q, int ld, int rows)
{
    const size_t n = (size_t)d->c.d_model;
    if (!d->query_cache)
        return;
    float *to = query_cache_layer(d, kind, layer) + (size_t)position * n;
    for (int r = 0; r < rows; r++, to += n, q += ld)
        memcpy(to, q, n * sizeof *to);
}

void query_cache_put_head(struct decoder *d, enum attention_kind kind, int layer,
                          int head, const float *q)
{
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    if (d->query_cache)
        memcpy(query_cache_layer(d, kind, layer) + (size_t)d->length * n +
                   (size_t)head * e,
               q, e * sizeof *q);
}

enum model_status decoder_show_row(struct decoder *d, struct attention_head h,
                                   float *row)
{
    const bool is_there =
        attention_is_fixed(d) ? h.kind == ATTENTION_SELF : has_heads(d, h.kind);
    const bool wrong = !is_there || h.layer < 0 || h.layer >= d->c.n_layers ||
                       h.head < 0 || h.head >= d->c.n_heads;
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
    memset(row, 0, (size_t)n * sizeof *row);
    memcpy(row + first, weights, (size_t)(end - first) * sizeof *row);
    d->k->scale(row + first, by, end - first);
    d->shown.stamp = d->stamps[d->length];
}

static void copy_queries(struct decoder *to, const struct decoder *from,
                         enum attention_kind kind, int at, int n)
{
    const size_t width = (size_t)to->c.d_model, first = (size_t)at * width;
    if (!has_heads(to, kind))
        return;
    for (int layer = 0; layer < to->c.n_layers; layer++)
        memcpy(query_cache_layer(to, kind, layer) + first,
               query_cache_layer(from, kind, layer) + first,
               (size_t)(n - at) * width * sizeof(float));
}

void query_cache_copy(struct decoder *to, const struct decoder *from, int n)
{
    int at = 0;
    if (!to->query_cache || !from->query_cache || to == from)
        return;
    while (at < n && to->query_cache->stamps[at] == to->stamps[at])
        at++;
    copy_queries(to, from, ATTENTION_SELF, at, n);
    copy_queries(to, from, ATTENTION_CROSS, at, n);
    memcpy(to->query_cache->stamps + at, from->query_cache->stamps + at,
           (size_t)(n - at) * sizeof *to->query_cache->stamps);
}

/* NULL: there is no such head. */
static bool *muting(const struct decoder *d, struct attention_head h)
{
    if (!has_heads(d, h.kind) || h.layer < 0 || h.layer >= d->c.n_layers ||
        h.head < 0 || h.head >= d->c.n_heads)
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

bool decoder_head_is_muted(const struct decoder *d, struct attention_head h)
{
    const bool *at = muting(d, h);
    return at && *at;
}
