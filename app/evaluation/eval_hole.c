/* See eval_hole.h. A piece and a bar are drawn until a hole can be there. */
#include "app/evaluation/eval_hole.h"

#include "app/base/draw.h"
#include "app/decoding/context.h"
#include "midi/tokens/token_time.h"
#include "model/decoder/decoder.h"

#include <stdlib.h>

enum {
    TRIES = 200,
    LEAST_NOTES = 3,  /* inside: fewer say little */
    MOST_NOTES = 128, /* in the bars, on all tracks: they must fit a context */
};

/* In one meter, the last bar not cut short either. */
static bool is_regular(const struct piece *p, int32_t first_bar, int32_t end_bar)
{
    int64_t from = piece_bar_start(p, first_bar), to = piece_bar_start(p, end_bar);
    for (size_t i = 0; i < p->n_meters; i++)
        if (p->meters[i].step > from && p->meters[i].step <= to)
            return false;
    return true;
}

static enum midi_status split(struct eval_hole *h, struct rng *r)
{
    const struct piece *p = &h->music;
    struct fill_request q = {
        .from = (int32_t)piece_bar_start(p, h->first_bar),
        .to = (int32_t)piece_bar_start(p, h->first_bar + h->kind.n_bars),
        .pitch_hi = 127,
        .density = FILL_ANY,
        .polyphony = FILL_ANY,
        .length = FILL_ANY,
        .height = FILL_ANY};
    size_t first = piece_note_at(p, q.from), n = piece_note_at(p, q.to) - first;
    if (n < LEAST_NOTES || n > MOST_NOTES)
        return MIDI_EMPTY;
    int any = p->notes[first + (size_t)draw_below(r, (int)n)].track;
    q.tracks = h->kind.is_one_track ? UINT64_C(1) << any : piece_tracks(p);
    if (!fill_request_valid(&q))
        return MIDI_EMPTY;
    enum midi_status st = fill_split(&h->parts, p, &q, NULL);
    return !st && h->parts.inside.n_notes < LEAST_NOTES ? MIDI_EMPTY : st;
}

enum midi_status eval_hole_cut(struct eval_hole *h, const struct piece *p, int32_t bar,
                               const struct eval_hole_kind *kind, struct rng *r)
{
    const int n = kind->n_bars;
    *h = (struct eval_hole){.kind = *kind};
    if (bar < n || bar > p->n_bars - 2 * n || !is_regular(p, bar - n, bar + 2 * n))
        return MIDI_EMPTY;
    int32_t first = at_least(bar - EVAL_HOLE_BESIDE, 0);
    int32_t end = at_most(bar + n + EVAL_HOLE_BESIDE, p->n_bars);
    h->first_bar = bar - first;
    enum midi_status st = piece_window(&h->music, p, first, end - first);
    if (!st)
        st = split(h, r);
    if (st)
        eval_hole_fini(h);
    return st;
}

enum midi_status eval_hole_draw(struct eval_hole *h, const struct corpus *c,
                                enum corpus_split split, int group,
                                const struct eval_hole_kind *kind, struct rng *r)
{
    enum midi_status st = MIDI_EMPTY;
    if (c->groups[group].n_pieces[split] == 0)
        return st;
    for (int i = 0; i < TRIES && st == MIDI_EMPTY; i++) {
        const int k = draw_below(r, c->groups[group].n_pieces[split]);
        const struct piece *p = &corpus_nth_piece(c, split, group, k)->piece;
        int32_t bar = kind->n_bars + draw_below(r, p->n_bars);
        st = eval_hole_cut(h, p, bar, kind, r);
    }
    return st;
}

void eval_hole_fini(struct eval_hole *h)
{
    piece_fini(&h->music);
    fill_fini(&h->parts);
}

/* -- as tokens -- */

/* [first, end) of the bars there are. Before a hole there is one at least: tokens have
 * no bars but after some bar. */
static void choose_bars(const struct eval_hole *h, enum eval_hole_view view,
                        int32_t beside, int32_t *first, int32_t *end)
{
    int32_t hole_end = h->first_bar + h->kind.n_bars;
    *first = h->first_bar;
    *end = hole_end;
    if (view == HOLE_ALONE)
        return;
    *first = at_least(h->first_bar - beside, 0);
    int32_t after = context_bars_after(beside, h->first_bar - *first);
    *end =
        view == HOLE_BEFORE ? h->first_bar : at_most(hole_end + after, h->music.n_bars);
}

/* The hole's notes, moved to where the bars begin. */
static enum midi_status move_inside(struct piece *to, const struct piece *inside,
                                    int32_t origin)
{
    to->notes = calloc(inside->n_notes + 1, sizeof *to->notes);
    if (!to->notes)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < inside->n_notes; i++) {
        to->notes[i] = inside->notes[i];
        to->notes[i].step -= origin;
    }
    to->n_notes = inside->n_notes;
    return MIDI_OK;
}

static enum midi_status cut_view(struct fill *f, const struct eval_hole *h,
                                 enum eval_hole_view view, int32_t beside)
{
    int32_t first, end;
    choose_bars(h, view, beside, &first, &end);
    int32_t origin = (int32_t)piece_bar_start(&h->music, first);
    *f = (struct fill){.request = h->parts.request};
    f->request.from -= origin;
    f->request.to -= origin;
    enum midi_status st =
        piece_window(&f->around, &h->parts.around, first, end - first);
    if (!st && view == HOLE_ALONE)
        f->around.n_notes = 0;
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++)
        if (f->request.tracks >> t & 1) /* also without notes around */
            f->around.families[t] = h->music.families[t];
    return st ? st : move_inside(&f->inside, &h->parts.inside, origin);
}

/* From *first on, where the hole's own notes begin, t->note numbers only these. */
static enum midi_status encode_view(struct tokens *t, size_t *first,
                                    const struct eval_hole *h, enum eval_hole_view view,
                                    int32_t beside)
{
    struct fill f;
    enum midi_status st = cut_view(&f, h, view, beside);
    if (!st)
        st = fill_encode(t, &f, true);
    if (!st) {
        size_t at = 0;
        while (t->id[at] != TOKEN_FILL)
            at++;
        while (t->note[at] < 0 && t->id[at] != TOKEN_BAR)
            at++;
        *first = at;
        for (; at < t->n; at++)
            t->note[at] -= t->note[at] < 0 ? 0 : (int32_t)f.around.n_notes;
    }
    fill_fini(&f);
    return st;
}

enum midi_status eval_hole_encode(struct tokens *t, size_t *first,
                                  const struct eval_hole *h, enum eval_hole_view view,
                                  size_t max_tokens)
{
    const int32_t least = view == HOLE_BEFORE;
    for (int32_t beside = EVAL_HOLE_BESIDE; beside >= least; beside--) {
        enum midi_status st = encode_view(t, first, h, view, beside);
        if (st || t->n <= max_tokens)
            return st;
        tokens_fini(t);
    }
    return MIDI_TOO_LONG;
}

/* -- what its notes cost a model -- */

enum model_status eval_hole_meter_init(struct eval_hole_meter *m,
                                       const struct model *model, struct pool *pool,
                                       const atomic_bool *cancel)
{
    *m = (struct eval_hole_meter){.context = (size_t)model->config.context,
                                  .vocab = (size_t)model->config.vocab};
    m->times = calloc(m->context, sizeof *m->times);
    m->logits = calloc(m->context * m->vocab, sizeof *m->logits);
    if (!m->times || !m->logits)
        return MODEL_NO_MEMORY;
    enum model_status st = decoder_create(&m->decoder, model, pool);
    if (!st)
        decoder_set_cancel(m->decoder, cancel);
    return st;
}

void eval_hole_meter_fini(struct eval_hole_meter *m)
{
    decoder_destroy(m->decoder);
    free(m->times);
    free(m->logits);
}

enum model_status eval_hole_measure(struct eval_hole_meter *m, const struct tokens *t,
                                    size_t first, struct eval_hole_cost *cost)
{
    const size_t before = first - 1; /* read without logits */
    enum model_status st = MODEL_OK;
    *cost = (struct eval_hole_cost){0};
    if (t->n > m->context)
        return MODEL_TOO_LONG;
    decoder_truncate(m->decoder, 0);
    token_times(t->id, t->n, m->times);
    if (before > 0)
        st = decoder_prefill(m->decoder, t->id, m->times, (int)before, false, NULL);
    if (!st)
        st = decoder_prefill(m->decoder, t->id + before, m->times + before,
                             (int)(t->n - first), true, m->logits);
    for (size_t i = first; !st && i < t->n; i++) {
        const float *row = m->logits + (i - first) * m->vocab;
        double nats = -likelihood_log(row, (int)m->vocab, t->id[i]);
        cost->nats += nats;
        cost->note_nats += t->note[i] >= 0 ? nats : 0;
    }
    return st;
}
