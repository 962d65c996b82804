/* Attention made again: queries that were kept against the keys of the cache, with the
 * kernels and tables of a step, so that a step's weights come out to the bit. */
#include "model/decoder/attention_recompute.h"
#include "model/kernels/fourier.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What is made of a few queries, in a thread's scratch. */
struct work {
    const struct recompute *l;
    int query, n;   /* the first of them; how many */
    int first, end; /* keys that any of them sees */
    float *q;       /* [MAX_BATCH][ldq], scaled */
    float *scores;  /* [MAX_BATCH][ld], of key `first` on */
    uint8_t *times; /* rows of a time table, [MAX_BATCH][ld_times], likewise; or NULL */
    size_t ldq, ld, ld_times;
    struct relative_scores relation;
};

static bool is_there(const struct decoder *d, struct attention_head h)
{
    return h.layer >= 0 && h.layer < d->c.n_layers && h.head >= 0 &&
           h.head < d->c.n_heads &&
           (h.kind == ATTENTION_SELF ||
            (h.kind == ATTENTION_CROSS && d->source.length > 0));
}

static bool has_queries(const struct decoder *d, int from, int n)
{
    for (int i = from; i < from + n; i++)
        if (d->query_cache->stamps[i] != d->stamps[i])
            return false;
    return true;
}

enum model_status recompute_init(struct recompute *l, struct decoder *d,
                                 struct attention_head h, int from, int n)
{
    if (!is_there(d, h) || from < 0 || n < 0 || from > d->length - n)
        return MODEL_NO_HEAD;
    if (!d->query_cache || !has_queries(d, from, n))
        return MODEL_NO_QUERIES;
    *l = (struct recompute){.d = d, .h = h};
    if (attention_is_fixed(d))
        return MODEL_OK;
    const struct packed_layer *w = &d->packed->layers[h.layer];
    const bool past = h.kind == ATTENTION_SELF;
    l->m =
        past ? kv_view_of_past(d, h.layer, d->length) : kv_view_of_source(d, h.layer);
    l->index_table = past ? w->relative_key : NULL;
    l->time_table = past ? w->time_key : w->cross_time_key;
    return MODEL_OK;
}

/* Local blocks are whole groups: MODEL_LOCAL_BLOCK is. */
_Static_assert((int)MODEL_LOCAL_BLOCK % (int)MAX_BATCH == 0,
               "groups see from one key on");

int recompute_group(int query, int end)
{
    int next = (query / MAX_BATCH + 1) * MAX_BATCH;
    return (next < end ? next : end) - query;
}

/* Not a power of two apart: see attention_step.c, whose scratch holds all this,
 * too. */
static void lay_out(struct work *w, int thread, struct arena *scratch)
{
    const struct decoder *d = w->l->d;
    w->ldq = ((size_t)d->d_head + 15) / 16 * 16;
    w->ld_times = (size_t)d->step.n_rows;
    w->ld = (size_t)d->n_tiles * KEY_TILE + 16;
    *scratch = decoder_scratch(d, thread);
    w->q = arena_floats(scratch, MAX_BATCH * w->ldq);
    w->scores = arena_floats(scratch, MAX_BATCH * w->ld);
    if (d->query_cache->time_rows)
        w->times = d->query_cache->time_rows +
                   (size_t)thread * MAX_BATCH * (size_t)d->step.n_rows;
}

static void fetch_queries(struct work *w)
{
    const struct recompute *l = w->l;
    const struct decoder *d = l->d;
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    const float *kept = query_cache_layer(d, l->h.kind, l->h.layer) +
                        (size_t)w->query * n + (size_t)l->h.head * e;
    for (size_t r = 0; r < (size_t)w->n; r++, kept += n) {
        memcpy(w->q + r * w->ldq, kept, e * sizeof *kept);
        d->k->scale(w->q + r * w->ldq, d->scale, d->d_head);
    }
}

static void score_content(const struct work *w)
{
    const struct decoder *d = w->l->d;
    decoder_score(
        d, &(struct scoring){.scores = w->scores,
                             .ld = w->ld,
                             .q = w->q,
                             .ldq = w->ldq,
                             .keys = decoder_keys(d, &w->l->m, w->l->h.head, w->first),
                             .n_rows = w->n,
                             .n = w->end - w->first,
                             .d = d->d_head});
}

static uint8_t *times_of(const struct work *w, int r)
{
    return w->times ? w->times + (size_t)r * w->ld_times : NULL;
}

/* Scores by content, and the products that distances are looked up in. */
static void begin(struct work *w, const struct recompute *l, int query, int n,
                  int thread)
{
    struct decoder *d = l->d;
    const int last = query + n - 1;
    struct arena scratch;
    *w = (struct work){.l = l, .query = query, .n = n};
    assert(n > 0 && n <= MAX_BATCH);
    lay_out(w, thread, &scratch);
    attention_visible(l->d, l->h, last, &w->first, &w->end);
    float *room =
        arena_floats(&scratch, MAX_BATCH * packed_vector_size(WEIGHTS_F32, d->d_head) /
                                   sizeof *room);
    relative_init(&w->relation, d, &l->m, &scratch, n, last);
    assert(scratch.n_bytes <= d->n_scratch * sizeof(float));
    fetch_queries(w);
    score_content(w);
    relative_multiply_few(&w->relation, l->h.head, l->index_table, l->time_table, w->q,
                          (int)w->ldq, n, room);
    for (int r = 0; w->times && r < w->n; r++)
        relative_time_rows(w->l->d, times_of(w, r), &w->l->m, w->query + r, w->first,
                           w->end - w->first);
}

static void weigh_row(const struct work *w, int r, struct attention_row *row)
{
    const struct kernels *k = w->l->d->k;
    float *scores = w->scores + (size_t)r * w->ld;
    attention_visible(w->l->d, w->l->h, w->query + r, &row->first, &row->end);
    const int n = row->end - row->first;
    relative_add(&w->relation, r, w->query + r, row->first, n, times_of(w, r), scores);
    row->weights = scores;
    row->by = 1.0f / k->exp_sum(scores, n, k->highest(scores, n));
}

/* Of the last W tokens there is always one whose cosine is 1. */
void recompute_fixed_row(const struct decoder *d, int query, float *room,
                         struct attention_row *row)
{
    const int w = d->c.block;
    float sum = 0.0f;
    row->first = fourier_first(query, w);
    row->end = query + 1;
    for (int j = row->first; j < row->end; j++) {
        float weight = fabsf(d->circle[fourier_step(query, j, w)]);
        room[j - row->first] = weight;
        sum += weight;
    }
    row->weights = room;
    row->by = 1.0f / sum;
}

void recompute_rows(const struct recompute *l, int query, int n, int thread,
                    struct attention_row *rows)
{
    struct work w = {.l = l};
    struct arena scratch;
    if (attention_is_fixed(l->d)) {
        lay_out(&w, thread, &scratch);
        for (int r = 0; r < n; r++)
            recompute_fixed_row(l->d, query + r, w.scores + (size_t)r * w.ld, &rows[r]);
        return;
    }
    begin(&w, l, query, n, thread);
    for (int r = 0; r < n; r++)
        weigh_row(&w, r, &rows[r]);
}

static void fill(float *x, int n, float value)
{
    for (int i = 0; x && i < n; i++)
        x[i] = value;
}

static void fixed_scores(const struct recompute *l, int query, float *cosines,
                         float *sines)
{
    const int w = l->d->c.block;
    int first, end;
    attention_visible(l->d, l->h, query, &first, &end);
    fill(cosines, l->d->length, 0.0f);
    for (int j = first; j < end; j++) {
        int step = fourier_step(query, j, w);
        if (cosines)
            cosines[j] = l->d->circle[step];
        if (sines)
            sines[j] = -l->d->circle[w + step];
    }
}

void recompute_scores(const struct recompute *l, int query, float *content,
                      float *index, float *time)
{
    const int n_keys = attention_n_keys(l->d, l->h);
    struct work w;
    fill(content, n_keys, -INFINITY);
    fill(index, n_keys, 0.0f);
    fill(time, n_keys, 0.0f);
    if (attention_is_fixed(l->d)) {
        fixed_scores(l, query, content, index);
        return;
    }
    begin(&w, l, query, 1, 0);
    const int n = w.end - w.first;
    if (content)
        memcpy(content + w.first, w.scores, (size_t)n * sizeof *content);
    struct relative_scores by_index = w.relation, by_time = w.relation;
    by_index.by_time = NULL;
    by_time.by_index = NULL;
    if (index)
        relative_add(&by_index, 0, query, w.first, n, w.times, index + w.first);
    if (time)
        relative_add(&by_time, 0, query, w.first, n, w.times, time + w.first);
}
