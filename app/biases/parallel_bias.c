/* The rule of parallel passages: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>

/* A passage is parallel if at least this share of the notes around the gap is also around it.
 * Then half of its notes and more are those of the gap, in held-out music; below, a fifth. */
#define ALIKE       0.5
#define NATS        6.0f

/* A phrase returns over chords of which at least this share is its own: guesses err, of film piano
 * (A16) in one of the opening's four bars. */
#define SAME_CHORDS 0.7

enum {
    BARS_AROUND = 2,
    MOST_AWAY = 256, /* bars */
    LEAST = 8,       /* notes around both: fewer say nothing */
    PHRASE = 8,      /* bars: what returns is so many, or a multiple, */
    OPENING = 16,    /* at most these, */
    OTHERS = 8,      /* after so many others */
};

/* Returns the next note of the passage behind the last one written; NULL: none is left. */
static const struct grid_note *next_of(const struct parallel_bias *b,
                                       const struct piece *p, int64_t step)
{
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, b->tracks, larger(step, b->from) + b->by,
                          b->to + b->by)) &&
           compare_notes_at(n, n->step - b->by, &b->last, b->last.step) <= 0)
        ;
    return n;
}

struct parallel_bias parallel_bias_of(const struct piece *p, int64_t from, int64_t to,
                                      uint64_t tracks)
{
    struct parallel_bias b = {.is_gap = true, .from = from, .to = to, .tracks = tracks},
                         best = {0};
    const int64_t bar = piece_bar_at(p, from), first = piece_bar_start(p, bar),
                  end_bar = piece_bar_at(p, to - 1) + 1,
                  before = piece_bar_start(p, larger(bar - BARS_AROUND, 0)),
                  after = piece_bar_start(p, end_bar + BARS_AROUND);
    double most = ALIKE;
    b.last.step = (int32_t)from - 1;
    const int64_t end = smaller(p->n_bars, bar + MOST_AWAY);
    for (int64_t other = larger(bar - MOST_AWAY, 0); other < end; other++) {
        b.by = piece_bar_start(p, other) - first;
        if (b.by < to - from && b.by > from - to)
            continue; /* the gap itself */
        /* The share of the notes around the gap, and of those around the passage, that both have. The
         * passage's notes, for which the gap has none, do not count. */
        const struct likeness all =
                                  compare_passages(p, UINT64_MAX, before, after, b.by),
                              gap = compare_passages(p, tracks, from, to, b.by);
        const int n = all.n - gap.n + gap.n_alike;
        const double alike = n >= LEAST ? (double)all.n_alike / n : 0;
        const bool is_nearer = !best.to || llabs(b.by) < llabs(best.by);
        if ((alike > most || (alike == most && is_nearer)) && next_of(&b, p, from)) {
            most = alike;
            best = b;
        }
    }
    return best;
}

struct parallel_bias parallel_bias_repeat(const struct piece *p, int64_t bar,
                                          int64_t back, int64_t n)
{
    const int64_t from = piece_bar_start(p, bar),
                  model = piece_bar_start(p, bar - back);
    struct parallel_bias b = {.from = from,
                              .to = piece_bar_start(p, bar + n),
                              .by = model - from,
                              .tracks = UINT64_MAX};
    b.last.step = (int32_t)from - 1;
    for (int64_t i = 0; i <= n; i++)
        if (piece_bar_start(p, bar + i) - from !=
            piece_bar_start(p, bar - back + i) - model)
            return (struct parallel_bias){0};
    return b;
}

struct parallel_bias parallel_bias_of_return(const struct piece *p, int64_t from,
                                             int64_t to)
{
    const int64_t first = piece_bar_at(p, from - 1) + 1,
                  end = piece_bar_at(p, to - 1) + 1,
                  most = smaller(smaller(first, OPENING), end - first - OTHERS),
                  n = most / PHRASE * PHRASE;
    return n > 0 ? parallel_bias_repeat(p, end - n, end - n, n)
                 : (struct parallel_bias){0};
}

bool parallel_bias_fits(const struct parallel_bias *b, const struct grid_chord *chords,
                        size_t n)
{
    return grid_chords_alike(chords, n, b->from, b->to, b->by) >= SAME_CHORDS;
}

void parallel_bias_add(struct parallel_bias *b, const struct grid_note *n)
{
    b->last = *n;
}

/* Biases the length of the note whose pitch the tokens said. */
static void bias_length(const struct parallel_bias *b, const struct piece *p,
                        const struct place *at)
{
    const int64_t there = at->step + b->by;
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, UINT64_C(1) << at->track, there, there + 1))) {
        const int32_t rest = n->length - (int32_t)at->held;
        if (n->pitch != at->pitch || rest < 1)
            continue;
        if (rest <= TOKEN_RADIX)
            bias_add(at, NATS, TOKEN_DUR + rest - 1, 1);
        else if (!at->held && rest <= TOKEN_RADIX * (TOKEN_MAX_DURX + 1))
            bias_add(at, NATS, TOKEN_DURX + (rest - 1) / TOKEN_RADIX - 1, 1);
        return;
    }
}

void parallel_bias_apply(const struct parallel_bias *b, const struct place *at)
{
    const struct piece *p = at->p;
    const enum token last = token_kind(at->last);
    if (!b->to || at->next_bar <= b->from)
        return;
    if (last == TOKEN_PITCH || last == TOKEN_DURX) {
        bias_length(b, p, at);
        return;
    }
    const struct grid_note *n = next_of(b, p, at->step);
    if (!n) {
        if (b->is_gap || at->step < b->to)
            bias_add(at, NATS, b->is_gap ? TOKEN_FILL_END : TOKEN_BAR, 1);
        return;
    }
    /* chords change as they do in the passage */
    const int64_t there = at->step + b->by, place = n->step - b->by,
                  in_bar = place - at->bar;
    const size_t n_chords = grid_chords_until(p->chords, p->n_chords, there);
    const struct grid_chord *c = n_chords ? &p->chords[n_chords - 1] : NULL;
    bias_add(at, -NATS, TOKEN_CHORD, 12 * CHORD_QUALITIES);
    if (c && c->root < 12 && (c->step == there || at->step == b->from))
        bias_add(at, 3 * NATS, TOKEN_CHORD + c->root * CHORD_QUALITIES + c->quality, 1);
    /* the tokens on the way to the note: its step, then its track, then its pitch */
    if (place >= at->next_bar)
        bias_add(at, NATS, TOKEN_BAR, 1);
    else if (in_bar < TOKEN_RADIX || at->base)
        bias_onset(at, NATS, in_bar);
    else
        bias_add(at, NATS, TOKEN_POSX + (int)(in_bar / TOKEN_RADIX) - 1, 1);
    if (place != at->step)
        return;
    if (n->track != at->track)
        bias_add(at, NATS, TOKEN_TRACK + n->track, 1);
    else {
        bias_add(at, NATS, TOKEN_VEL, TOKEN_VELOCITIES);
        (piece_is_hit(p, n) ? bias_hit : bias_pitch)(at, NATS, n->pitch);
    }
}
