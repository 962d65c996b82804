/* Keeping queries, and muting heads. See attention.h and decoder_watch.h. */
#include "model/decoder/decoder_watch.h"

#include <string.h>
#include <sys/mman.h>

enum { LINE = 64 };

static size_t lines(size_t n_bytes)
{
    return (n_bytes + LINE - 1) / LINE * LINE;
}

static bool has_heads(const struct decoder *d, enum attention_of of)
{
    if (d->c.mixing == MIXING_FOURIER && of == ATTENTION_PAST)
        return false;
    return of == ATTENTION_PAST || (of == ATTENTION_SOURCE && d->c.n_encoder_layers);
}

/* A part of so many bytes; with no block yet, only counts. */
static void *part(struct watch *block, size_t *at, size_t n_bytes)
{
    void *here = block ? (uint8_t *)block + *at : NULL;
    *at += lines(n_bytes);
    return here;
}

/* Returns the bytes that all take. The bounds of model_config_valid keep the products
 * far from overflow. */
static size_t lay_out(const struct decoder *d, struct watch *block, struct watch *w)
{
    const size_t context = (size_t)d->c.context;
    const size_t n = (size_t)d->c.n_layers * context * (size_t)d->c.d_model;
    size_t at = lines(sizeof *w);
    w->stamps = part(block, &at, context * sizeof *w->stamps);
    for (int of = 0; of < 2; of++)
        w->queries[of] = has_heads(d, (enum attention_of)of)
                             ? part(block, &at, n * sizeof(float))
                             : NULL;
    if (d->c.time == TIME_BUCKETS)
        w->time_rows =
            part(block, &at,
                 (size_t)pool_n_threads(d->pool) * TOGETHER * (size_t)d->step.n_rows);
    return at;
}

static enum model_status start(struct decoder *d)
{
    struct watch w = {0};
    w.n_bytes = lay_out(d, NULL, &w);
    void *block = mmap(NULL, w.n_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return MODEL_NO_MEMORY;
    lay_out(d, block, &w);
    d->watch = block;
    *d->watch = w;
    return MODEL_OK;
}

enum model_status decoder_watch(struct decoder *d, bool on)
{
    if (on)
        return d->watch ? MODEL_OK : start(d);
    if (d->watch)
        munmap(d->watch, d->watch->n_bytes);
    d->watch = NULL;
    return MODEL_OK;
}

bool decoder_watches(const struct decoder *d)
{
    return d->watch != NULL;
}

void watch_expect(struct decoder *d, uint64_t stamp, int n)
{
    for (int i = 0; d->watch && i < n; i++)
        d->watch->stamps[d->length + i] = stamp;
}

void watch_keep(struct decoder *d, enum attention_of of, int layer, int position,
                const float *q, int ld, int rows)
{
    const size_t n = (size_t)d->c.d_model;
    if (!d->watch)
        return;
    float *to = watch_queries(d, of, layer) + (size_t)position * n;
    for (int r = 0; r < rows; r++, to += n, q += ld)
        memcpy(to, q, n * sizeof *to);
}

void watch_keep_head(struct decoder *d, enum attention_of of, int layer, int head,
                     const float *q)
{
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    if (d->watch)
        memcpy(watch_queries(d, of, layer) + (size_t)d->length * n + (size_t)head * e,
               q, e * sizeof *q);
}

enum model_status decoder_show_row(struct decoder *d, struct attention_head h,
                                   float *row)
{
    const bool is_there =
        attention_is_fixed(d) ? h.of == ATTENTION_PAST : has_heads(d, h.of);
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

void watch_show(struct decoder *d, struct attention_head h, const float *weights,
                int first, int end, int n, float by)
{
    const struct attention_head *wanted = &d->shown.head;
    float *row = d->shown.row;
    if (!row || wanted->layer != h.layer || wanted->head != h.head ||
        wanted->of != h.of)
        return;
    memset(row, 0, (size_t)n * sizeof *row);
    memcpy(row + first, weights, (size_t)(end - first) * sizeof *row);
    d->k->scale(row + first, by, end - first);
    d->shown.stamp = d->stamps[d->length];
}

static void copy_queries(struct decoder *to, const struct decoder *from,
                         enum attention_of of, int at, int n)
{
    const size_t width = (size_t)to->c.d_model, first = (size_t)at * width;
    if (!has_heads(to, of))
        return;
    for (int layer = 0; layer < to->c.n_layers; layer++)
        memcpy(watch_queries(to, of, layer) + first,
               watch_queries(from, of, layer) + first,
               (size_t)(n - at) * width * sizeof(float));
}

void watch_copy(struct decoder *to, const struct decoder *from, int n)
{
    int at = 0;
    if (!to->watch || !from->watch || to == from)
        return;
    while (at < n && to->watch->stamps[at] == to->stamps[at])
        at++;
    copy_queries(to, from, ATTENTION_PAST, at, n);
    copy_queries(to, from, ATTENTION_SOURCE, at, n);
    memcpy(to->watch->stamps + at, from->watch->stamps + at,
           (size_t)(n - at) * sizeof *to->watch->stamps);
}

/* NULL: there is no such head. */
static bool *muting(const struct decoder *d, struct attention_head h)
{
    if (!has_heads(d, h.of) || h.layer < 0 || h.layer >= d->c.n_layers || h.head < 0 ||
        h.head >= d->c.n_heads)
        return NULL;
    return decoder_muting(d, h.of == ATTENTION_SOURCE, h.layer) + h.head;
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
