/* Attention made again: queries that were kept against the keys of the cache, with the
 * kernels and tables of a step, so that a step's weights come out to the bit. */
#include "model/decoder/attention_rows.h"
#include "model/decoder/decoder_step.h"
#include "model/kernels/fourier.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What is made of a few queries, in a thread's scratch. */
struct work {
    const struct looking *l;
    int query, n;   /* the first of them; how many */
    int first, end; /* keys that any of them sees */
    float *q;       /* [TOGETHER][ldq], scaled */
    float *scores;  /* [TOGETHER][ld], of key `first` on */
    uint8_t *times; /* rows of a time table, [TOGETHER][ld_times], likewise; or NULL */
    size_t ldq, ld, ld_times;
    struct relation relation;
};

static bool is_there(const struct decoder *d, struct attention_head h)
{
    return h.layer >= 0 && h.layer < d->c.n_layers && h.head >= 0 &&
           h.head < d->c.n_heads &&
           (h.of == ATTENTION_PAST ||
            (h.of == ATTENTION_SOURCE && d->source.length > 0));
}

static bool was_watched(const struct decoder *d, int from, int n)
{
    for (int i = from; i < from + n; i++)
        if (d->watch->stamps[i] != d->stamps[i])
            return false;
    return true;
}

enum model_status looking_init(struct looking *l, struct decoder *d,
                               struct attention_head h, int from, int n)
{
    if (!is_there(d, h) || from < 0 || n < 0 || from > d->length - n)
        return MODEL_NO_HEAD;
    if (!d->watch || !was_watched(d, from, n))
        return MODEL_NOT_WATCHED;
    *l = (struct looking){.d = d, .h = h};
    if (attention_is_fixed(d))
        return MODEL_OK;
    const struct packed_layer *w = &d->packed->layers[h.layer];
    const bool past = h.of == ATTENTION_PAST;
    l->m = past ? memory_of_past(d, h.layer, d->length) : memory_of_source(d, h.layer);
    l->index_table = past ? w->relative_key : NULL;
    l->time_table = past ? w->time_key : w->cross_time_key;
    return MODEL_OK;
}

/* Local blocks are whole groups: MODEL_LOCAL_BLOCK is. */
_Static_assert((int)MODEL_LOCAL_BLOCK % (int)TOGETHER == 0,
               "groups see from one key on");

int looking_group(int query, int end)
{
    int next = (query / TOGETHER + 1) * TOGETHER;
    return (next < end ? next : end) - query;
}

/* Whole lines: what is made ready starts on one. */
static float *take(float **scratch, size_t n)
{
    float *here = *scratch;
    *scratch += (n + 15) / 16 * 16;
    return here;
}

/* Not a power of two apart: see decoder_step_attend.c, whose scratch holds all this,
 * too. */
static void lay_out(struct work *w, int thread, float **scratch)
{
    const struct decoder *d = w->l->d;
    w->ldq = ((size_t)d->d_head + 15) / 16 * 16;
    w->ld_times = (size_t)d->step.n_rows;
    w->ld = (size_t)d->n_tiles * KEY_TILE + 16;
    *scratch = thread_scratch(d, thread);
    w->q = take(scratch, TOGETHER * w->ldq);
    w->scores = take(scratch, TOGETHER * w->ld);
    if (d->watch->time_rows)
        w->times =
            d->watch->time_rows + (size_t)thread * TOGETHER * (size_t)d->step.n_rows;
}

static void fetch_queries(struct work *w)
{
    const struct looking *l = w->l;
    const struct decoder *d = l->d;
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    const float *kept = watch_queries(d, l->h.of, l->h.layer) + (size_t)w->query * n +
                        (size_t)l->h.head * e;
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

static void look_up_times(const struct work *w)
{
    for (int r = 0; w->times && r < w->n; r++)
        relation_time_rows(w->l->d, times_of(w, r), &w->l->m, w->query + r, w->first,
                           w->end - w->first);
}

/* Scores by content, and the products that distances are looked up in. */
static void begin(struct work *w, const struct looking *l, int query, int n, int thread)
{
    struct decoder *d = l->d;
    const int last = query + n - 1;
    float *scratch;
    *w = (struct work){.l = l, .query = query, .n = n};
    assert(n > 0 && n <= TOGETHER);
    lay_out(w, thread, &scratch);
    attention_seen(l->d, l->h, last, &w->first, &w->end);
    float *room =
        take(&scratch,
             TOGETHER * packed_vector_size(WEIGHTS_BF16, d->d_head) / sizeof *room);
    relation_init(&w->relation, d, &l->m, &scratch, n, last);
    assert(scratch <= thread_scratch(d, thread) + d->n_scratch);
    fetch_queries(w);
    score_content(w);
    relation_multiply_few(&w->relation, l->h.head, l->index_table, l->time_table, w->q,
                          (int)w->ldq, n, room);
    look_up_times(w);
}

static void weigh_row(const struct work *w, int r, struct weighed *row)
{
    const struct kernels *k = w->l->d->k;
    float *scores = w->scores + (size_t)r * w->ld;
    attention_seen(w->l->d, w->l->h, w->query + r, &row->first, &row->end);
    const int n = row->end - row->first;
    relation_add(&w->relation, r, w->query + r, row->first, n, times_of(w, r), scores);
    row->weights = scores;
    row->by = 1.0f / k->exp_sum(scores, n, k->highest(scores, n));
}

/* Of the last W tokens there is always one whose cosine is 1. */
void looking_weigh_fixed(const struct decoder *d, int query, float *room,
                         struct weighed *row)
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

void looking_weigh(const struct looking *l, int query, int n, int thread,
                   struct weighed *rows)
{
    struct work w = {.l = l};
    float *scratch;
    if (attention_is_fixed(l->d)) {
        lay_out(&w, thread, &scratch);
        for (int r = 0; r < n; r++)
            looking_weigh_fixed(l->d, query + r, w.scores + (size_t)r * w.ld, &rows[r]);
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

static void fixed_scores(const struct looking *l, int query, float *cosines,
                         float *sines)
{
    const int w = l->d->c.block;
    int first, end;
    attention_seen(l->d, l->h, query, &first, &end);
    fill(cosines, l->d->length, 0.0f);
    for (int j = first; j < end; j++) {
        int step = fourier_step(query, j, w);
        if (cosines)
            cosines[j] = l->d->circle[step];
        if (sines)
            sines[j] = -l->d->circle[w + step];
    }
}

void looking_scores(const struct looking *l, int query, float *content, float *index,
                    float *time)
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
    struct relation by_index = w.relation, by_time = w.relation;
    by_index.by_time = NULL;
    by_time.by_index = NULL;
    if (index)
        relation_add(&by_index, 0, query, w.first, n, w.times, index + w.first);
    if (time)
        relation_add(&by_time, 0, query, w.first, n, w.times, time + w.first);
}
