/* See activity_bias.h. */
#include "app/decoding/activity_bias.h"

#include "midi/tokens/tokens.h"

#include <math.h>

enum { HEARD_BARS = 8 };

/* Nats for each bar of rest, and the most. */
#define A_BAR 1.0f
#define MOST  3.0f

/* In how many of the bars from `first` to `from` each track begins notes. */
static void count_bars(struct activity_bias *a, const struct piece *p, int64_t from,
                       int32_t first, int bars[TOKEN_MAX_TRACKS])
{
    int32_t bar = first, counted[TOKEN_MAX_TRACKS] = {0};
    for (size_t i = 0; i < p->n_notes && p->notes[i].step < from; i++) {
        const struct grid_note *n = &p->notes[i];
        a->last[n->track] = n->step;
        while (piece_bar_start(p, bar + 1) <= n->step)
            bar++;
        if (n->step >= piece_bar_start(p, first) && counted[n->track] != bar + 1) {
            counted[n->track] = bar + 1;
            bars[n->track]++;
        }
    }
}

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {0};
    int bars[TOKEN_MAX_TRACKS] = {0};
    const int32_t to = (int32_t)piece_bar_at(p, from);
    const int32_t first = to > HEARD_BARS ? to - HEARD_BARS : 0;
    a.bar = piece_bar_start(p, to + 1) - piece_bar_start(p, to);
    count_bars(&a, p, from, first, bars);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (bars[t] > 1 && 3 * bars[t] >= 2 * (to - first))
            a.steady |= UINT64_C(1) << t;
    return a;
}

void activity_bias_hear(struct activity_bias *a, const struct grid_note *n)
{
    a->last[n->track] = n->step;
}

static float bias_of(const struct activity_bias *a, int track, int64_t step)
{
    const int64_t rest = step - a->last[track];
    if (!(a->steady >> track & 1) || rest < a->bar)
        return 0;
    return fminf(A_BAR * (float)rest / (float)a->bar, MOST);
}

bool activity_bias_is_needed(const struct activity_bias *a, int64_t step)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (bias_of(a, t, step) > 0)
            return true;
    return false;
}

void activity_bias_apply(const struct activity_bias *a, int64_t step,
                         const uint8_t *allowed, float *logits)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (allowed[TOKEN_TRACK + t])
            logits[TOKEN_TRACK + t] += bias_of(a, t, step);
}
