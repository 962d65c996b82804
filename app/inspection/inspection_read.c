/* Keeps the tokens that a decoder has read, so that the next sequence is read only from the
 * first different token on. See inspection_internal.h. */
#include "app/inspection/inspection_internal.h"

#include "app/base/draw.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 256 }; /* tokens read before cancelling costs them */

enum model_status read_so_far_init(struct read_so_far *r, const struct model *m,
                                   struct pool *pool, bool watches)
{
    const struct model_config *c = &m->config;
    const size_t n = (size_t)c->context;
    r->ids = calloc(n, sizeof *r->ids);
    r->times = calloc(n, sizeof *r->times);
    r->source_ids = calloc(n, sizeof *r->source_ids);
    r->logits = calloc(n * (size_t)c->vocab, sizeof *r->logits);
    r->nats = calloc(n, sizeof *r->nats);
    if (!r->ids || !r->times || !r->source_ids || !r->logits || !r->nats)
        return MODEL_NO_MEMORY;
    enum model_status st = decoder_create(&r->decoder, m, pool);
    return st ? st : decoder_keep_queries(r->decoder, watches);
}

void read_so_far_fini(struct read_so_far *r)
{
    decoder_destroy(r->decoder);
    free(r->ids);
    free(r->times);
    free(r->source_ids);
    free(r->logits);
    free(r->nats);
    *r = (struct read_so_far){0};
}

static bool is_heard(const struct read_so_far *r, const struct reading *what)
{
    return what->n_source == r->n_source &&
           !memcmp(what->source_ids, r->source_ids,
                   (size_t)what->n_source * sizeof *r->source_ids);
}

static int n_in_common(const struct read_so_far *r, const struct reading *what, int n)
{
    int k = 0;
    while (k < n && k < r->n && what->ids[k] == r->ids[k] &&
           what->times[k] == r->times[k])
        k++;
    return k;
}

enum model_status read_so_far_share(struct read_so_far *r,
                                    const struct read_so_far *from,
                                    const struct reading *what, int n, int vocab)
{
    int common = n_in_common(from, what, n);
    if (!is_heard(from, what) || common <= n_in_common(r, what, n))
        return MODEL_OK;
    enum model_status st = decoder_copy(r->decoder, from->decoder, common);
    r->n = st ? 0 : common;
    if (st)
        return st;
    memcpy(r->ids, from->ids, (size_t)common * sizeof *r->ids);
    memcpy(r->times, from->times, (size_t)common * sizeof *r->times);
    memcpy(r->source_ids, from->source_ids,
           (size_t)from->n_source * sizeof *r->source_ids);
    r->n_source = from->n_source;
    memcpy(r->logits, from->logits, (size_t)common * (size_t)vocab * sizeof *r->logits);
    return MODEL_OK;
}

enum model_status read_so_far_read(struct read_so_far *r, const struct inspection *i,
                                   const struct reading *what, int n)
{
    enum model_status st = MODEL_OK;
    if (!is_heard(r, what)) {
        r->n = r->n_source = 0;
        st = decoder_encode(r->decoder, what->source_ids, what->source_times,
                            what->n_source);
        if (st)
            return st;
        memcpy(r->source_ids, what->source_ids,
               (size_t)what->n_source * sizeof *r->source_ids);
        r->n_source = what->n_source;
    }
    decoder_set_cancel(r->decoder, i->cancel);
    r->n = n_in_common(r, what, n);
    r->n_nats = at_most(r->n_nats, r->n);
    decoder_truncate(r->decoder, r->n);
    while (!st && r->n < n) {
        int now = at_most(n - r->n, AT_ONCE);
        st = decoder_prefill(r->decoder, what->ids + r->n, what->times + r->n, now,
                             true, r->logits + (size_t)r->n * (size_t)i->c.vocab);
        if (st)
            break;
        memcpy(r->ids + r->n, what->ids + r->n, (size_t)now * sizeof *r->ids);
        memcpy(r->times + r->n, what->times + r->n, (size_t)now * sizeof *r->times);
        r->n += now;
    }
    return st;
}

double read_so_far_nats(const struct read_so_far *r, int vocab, int at)
{
    return -likelihood_log(read_so_far_logits(r, vocab, at - 1), vocab, r->ids[at]);
}

void read_so_far_mute(struct read_so_far *r, const struct inspection *i, bool is_muted)
{
    for (size_t k = 0; r->decoder && k < i->n_muted; k++)
        decoder_mute_head(r->decoder, i->muted[k], is_muted);
    r->n = 0;
}

/* -- windows: tokens are counted bar by bar in one encoding of the whole piece; each window
 * needs a few more, for repeated state -- */

enum { SAID_AGAIN = 6 }; /* BOS STYLE NUM DEN TRACK VEL */

/* at [n_bars + 1]: the tokens before each bar, the last: all of them. */
static enum midi_status count_tokens(const struct piece *p, size_t **at)
{
    struct tokens t;
    enum midi_status st = tokens_encode(&t, p, false);
    if (st)
        return st;
    *at = calloc((size_t)p->n_bars + 1, sizeof **at);
    int32_t bar = 0;
    for (size_t i = 0; *at && i < t.n; i++)
        if (t.id[i] == TOKEN_BAR && bar < p->n_bars)
            (*at)[bar++] = i;
    while (*at && bar <= p->n_bars)
        (*at)[bar++] = t.n;
    tokens_fini(&t);
    return *at ? MIDI_OK : MIDI_NO_MEMORY;
}

static bool lay_out(struct inspection_windows *w, const size_t *at, size_t room)
{
    const int32_t n_bars = w->piece.n_bars;
    for (int32_t own = 0, end; own < n_bars; own = end) {
        const size_t most = own ? room / 4 : room; /* but one bar at least */
        int32_t first = own;
        for (end = own + 1; end < n_bars && at[end + 1] - at[own] <= most;)
            end++;
        while (first > 0 && at[end] - at[first - 1] <= room)
            first--;
        if (!ARRAY_GROW(w->list, (size_t)w->n, w->cap))
            return false;
        w->list[w->n++] = (struct inspection_window){first, end, own};
    }
    return true;
}

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens)
{
    size_t *at = NULL;
    *w = (struct inspection_windows){.ticks_per_quarter = s->ticks_per_quarter};
    enum midi_status st = piece_from_score(&w->piece, s, STYLE_ANY, w->track_map, 0);
    if (!st)
        st = count_tokens(&w->piece, &at);
    if (!st && !lay_out(w, at, (size_t)max_tokens - SAID_AGAIN))
        st = MIDI_NO_MEMORY;
    free(at);
    if (st)
        inspection_windows_fini(w);
    return st;
}

void inspection_windows_fini(struct inspection_windows *w)
{
    piece_fini(&w->piece);
    free(w->list);
    *w = (struct inspection_windows){0};
}

int inspection_windows_at(const struct inspection_windows *w, int64_t tick)
{
    int64_t step = step_from_tick(tick < 0 ? 0 : tick, w->ticks_per_quarter);
    int64_t bar = piece_bar_at(&w->piece, step);
    size_t after;
    ARRAY_PASS(after, (size_t)w->n, w->list[after].own_bar <= bar);
    return after ? (int)after - 1 : 0;
}
