/* See eval_hole.h. A piece and a bar are drawn until a hole can be there. */
#include "app/evaluation/eval_hole.h"

#include "app/base/draw.h"
#include "app/evaluation/eval_music_excerpt.h"

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
    q.tracks = h->kind.is_one_track ? UINT64_C(1) << any : excerpt_tracks(p);
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

static const struct piece *draw_piece(const struct corpus *c, enum corpus_split split,
                                      int group, struct rng *r)
{
    int k = draw_below(r, c->groups[group].n_pieces[split]), i = 0;
    while (c->pieces[split][i].group != group || k-- > 0)
        i++;
    return &c->pieces[split][i].piece;
}

enum midi_status eval_hole_draw(struct eval_hole *h, const struct corpus *c,
                                enum corpus_split split, int group,
                                const struct eval_hole_kind *kind, struct rng *r)
{
    enum midi_status st = MIDI_EMPTY;
    if (c->groups[group].n_pieces[split] == 0)
        return st;
    for (int i = 0; i < TRIES && st == MIDI_EMPTY; i++) {
        const struct piece *p = draw_piece(c, split, group, r);
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
