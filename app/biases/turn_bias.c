/* The rule of turns: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

#include <string.h>

/* Nats for a hit that the turn has and the groove does not, and against one of the groove's alone.
 * In takes of pop, rock, funk and drums (set A, two seeds, ten bars that were to turn) 2 of the 72
 * hits of the turns came without the rule, 41 with it; of the 72 of the grooves alone 70, then 8. */
#define TURN  5.0f
/* Nats against a hit where no given bar has it, within a phrase. A fill that the model had drawn came
 * again in two of the next three bars of a funk take (A05). */
#define STRAY 2.5f

/* Hits by which a turn differs from the groove, at least; the bars that are read for it, and for the
 * groove; and given bars that say nothing of it. */
enum { LEAST = 3, MOST_BARS = 16, GROOVE_BARS = 8, TOO_FEW = 3 };

/* Returns the track's hits at this step; bit k: the key HIT_FIRST + k. */
static uint64_t hits_at(const struct piece *p, int track, int64_t step)
{
    const struct grid_note *n = NULL;
    uint64_t hits = 0;
    while ((n = next_note(p, n, UINT64_C(1) << track, step, step + 1)))
        hits |= is_hit_key(n->pitch) ? UINT64_C(1) << (n->pitch - HIT_FIRST) : 0;
    return hits;
}

/* Returns how many of the track's hits only one of two bars has. */
static int count_differences(const struct piece *p, int track, int64_t a, int64_t b)
{
    const int64_t from = piece_bar_start(p, a);
    const struct likeness l =
        compare_passages(p, UINT64_C(1) << track, from, piece_bar_start(p, a + 1),
                         piece_bar_start(p, b) - from);
    return l.n - l.n_alike;
}

/* Returns the more similar one of the two bars before: a groove may have two bars. */
static int64_t find_groove(const struct piece *p, int track, int64_t bar)
{
    return count_differences(p, track, bar, bar - 2) <
                   count_differences(p, track, bar, bar - 1)
               ? bar - 2
               : bar - 1;
}

static bool is_turn(const struct piece *p, int track, int64_t bar)
{
    if (bar < PHRASE_BARS - 1)
        return false;
    for (int64_t i = bar - PHRASE_BARS + 1; i < bar; i++)
        if (bar_length(p, i) != bar_length(p, bar))
            return false;
    const int64_t before = bar - 1;
    const int n = count_differences(p, track, bar, find_groove(p, track, bar)),
              usual =
                  count_differences(p, track, before, find_groove(p, track, before));
    return n >= LEAST && n > 2 * usual;
}

struct turn_bias turn_bias_of(const struct piece *p, int64_t from)
{
    const uint64_t drums = piece_drums(p);
    struct turn_bias b = {.end = piece_bar_at(p, from)};
    for (int64_t bar = larger(b.end - GROOVE_BARS, 0); bar < b.end; bar++)
        b.n += (tracks_begin(p, piece_bar_start(p, bar), piece_bar_start(p, bar + 1)) &
                drums) != 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        /* differences from the bar before, and from the second before */
        int n_next = 0, n_second = 0;
        for (int64_t bar = larger(b.end - GROOVE_BARS, 0) + 2;
             drums >> t & 1 && bar < b.end; bar++) {
            n_next += count_differences(p, t, bar, bar - 1);
            n_second += count_differences(p, t, bar, bar - 2);
        }
        b.pairs |= (uint64_t)(n_next > 2 * n_second) << t;
    }
    for (int64_t bar = b.end - 1; bar >= larger(b.end - MOST_BARS, 0);
         bar -= PHRASE_BARS)
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            if (drums >> t & 1 && is_turn(p, t, bar)) {
                b.period =
                    is_turn(p, t, bar - PHRASE_BARS) ? PHRASE_BARS : 2 * PHRASE_BARS;
                b.track = t;
                b.turn = bar;
                b.groove = find_groove(p, t, bar);
                return b;
            }
    return b;
}

uint64_t turn_bias_due(const struct turn_bias *b, const struct piece *p, int64_t bar)
{
    if (!b->period)
        return 0;
    const int64_t index = piece_bar_at(p, bar);
    const bool turns = (index - b->turn) % b->period == 0 &&
                       bar_length(p, index) == bar_length(p, b->turn);
    return (uint64_t)turns << b->track;
}

/* Biases hits where no given bar of this length has them, but for crashes on the first beat, and hits
 * that pass by one that each given bar has but a turn; hits come in ascending order. A kick on each
 * beat, but in the given fill, lost its fourth beat in eight of 32 bars of a take (A25). */
static void bias_strays(const struct turn_bias *b, const struct place *at)
{
    const int64_t place = at->step - at->bar, length = at->next_bar - at->bar,
                  by = b->pairs >> at->track & 1 ? 2 : 1,
                  last = b->end - by + (piece_bar_at(at->p, at->bar) - b->end) % by;
    const float stray = by == 2 ? TURN : STRAY;
    uint64_t usual = 0, due = UINT64_MAX;
    float passed = 0;
    if (!memchr(at->allowed + TOKEN_HIT, 1, HIT_COUNT))
        return;
    for (int64_t bar = last; bar >= 0 && bar >= b->end - GROOVE_BARS; bar -= by)
        if (bar_length(at->p, bar) == length) {
            const uint64_t hits =
                hits_at(at->p, at->track, piece_bar_start(at->p, bar) + place);
            const bool turns = b->period && (bar - b->turn) % b->period == 0;
            usual |= hits;
            due &= turns ? due : hits;
        }
    due &= usual;
    for (const struct grid_note *n = NULL; (n = note_here(at, n));)
        due &=
            is_hit_key(n->pitch) ? ~((UINT64_C(2) << (n->pitch - HIT_FIRST)) - 1) : due;
    for (int k = 0; k < HIT_COUNT; k++) {
        const float cost = passed + (usual >> k & 1 ? 0 : stray);
        bias_hit(at, place || !is_crash(k + HIT_FIRST) ? -cost : 0, k + HIT_FIRST);
        passed += due >> k & 1 ? stray : 0;
    }
}

static void bias_turn(const struct turn_bias *b, const struct place *at)
{
    const struct piece *p = at->p;
    const uint64_t drums = UINT64_C(1) << b->track;
    const int64_t place = at->step - at->bar, length = at->next_bar - at->bar,
                  turn = piece_bar_start(p, b->turn),
                  groove = piece_bar_start(p, b->groove);
    const uint64_t of_turn = hits_at(p, b->track, turn + place),
                   of_groove = hits_at(p, b->track, groove + place);
    if (!of_turn)
        bias_add(at, -TURN, TOKEN_TRACK + b->track, 1);
    for (int k = 0; at->track == b->track && k < HIT_COUNT; k++)
        bias_hit(at,
                 TURN * (float)((int)(of_turn >> k & 1) - (int)(of_groove >> k & 1)),
                 k + HIT_FIRST);
    for (int64_t k = place + 1; k < length; k++) {
        const uint64_t before = tracks_begin(p, groove + k, groove + k + 1);
        const bool has_turn = hits_at(p, b->track, turn + k),
                   is_new = has_turn && !(before & drums),
                   is_left = !has_turn && !(before & ~drums);
        bias_onset(at, TURN * (float)(is_new - is_left), k);
    }
}

void turn_bias_apply(struct rules *r, const struct place *at)
{
    const struct turn_bias *b = &r->turn;
    const uint64_t rests = form_rests(&r->form, at->p, at->bar);
    const int64_t index = piece_bar_at(at->p, at->bar);
    if (turn_bias_due(b, at->p, at->bar) & ~rests)
        bias_turn(b, at);
    else if (b->n > TOO_FEW && at->track >= 0 && piece_drums(at->p) >> at->track & 1 &&
             index >= b->end && (index - b->end) % PHRASE_BARS != PHRASE_BARS - 1)
        bias_strays(b, at);
}
