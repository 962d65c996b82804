/* The rule of control: see rules.h. A token between notes gives the earliest start of the next
 * note. The notes so far and that time give a rate. */
#include "app/biases/rules.h"

#include <stdlib.h>
#include <string.h>

/* The inverse of the levels of midi/tokens/fill.c. */
static double octave_halves(int level)
{
    return exp2(level / 2.0);
}

struct control_bias control_bias_for(const struct fill_request *w, int64_t from,
                                     float weight)
{
    struct control_bias n = {.from = from, .weight = weight};
    const int n_tracks = __builtin_popcountll(w->tracks);
    if (w->density != FILL_ANY)
        n.density = octave_halves(w->density - 6) * n_tracks;
    if (w->length != FILL_ANY)
        n.length = 3 * octave_halves(w->length);
    if (w->height != FILL_ANY)
        n.pitch = 24 + 6 * w->height;
    if (w->polyphony != FILL_ANY)
        n.voices = w->polyphony + 1;
    return n;
}

bool control_bias_is_needed(const struct control_bias *n)
{
    return n->weight > 0.0f &&
           (n->density > 0 || n->length > 0 || n->pitch > 0 || n->voices > 0);
}

/* What being so far off costs. */
static float bound_cost(const struct control_bias *n, double off)
{
    return fminf(n->weight * (float)off, CONTROL_BIAS_BOUND);
}

/* The earliest start of the next note if this token comes between notes; -1: unknown. */
static int64_t next_onset(const struct place *at, int32_t id)
{
    switch (token_kind(id)) {
    case TOKEN_POS:
        return at->bar + at->base + (id - TOKEN_POS);
    case TOKEN_POSX:
        return at->bar + (int64_t)TOKEN_RADIX * (id - TOKEN_POSX + 1);
    case TOKEN_BAR:
        return at->next_bar;
    case TOKEN_FILL_END:
        return at->end;
    case TOKEN_TRACK:
    case TOKEN_VEL:
    case TOKEN_PITCH:
    case TOKEN_HIT:
        return at->step;
    default:
        return -1;
    }
}

/* Biases tokens between notes. What is least off stays as it is. */
static void bias_between(const struct control_bias *n, const struct place *at)
{
    double off[TOKEN_FILL_END + 1], least = INFINITY;
    int n_sounding = 0;
    for (int64_t i = 0; i < n->n_notes && i < CONTROL_BIAS_ENDS; i++)
        n_sounding += n->ends[i] > at->step;
    for (int32_t id = 0; id <= TOKEN_FILL_END; id++) {
        const int64_t onset = next_onset(at, id);
        if (!at->allowed[id] || onset < 0)
            continue;
        /* One voice too few or too many is as an octave. */
        const int beyond = n_sounding - n->voices;
        const bool is_wrong = onset == at->step ? beyond >= 0 : beyond < 0;
        const double voices = is_wrong ? fmin(1 + abs(beyond), 2) : 0;
        /* The notes so far, by the time the next begins, against those that should be: how many are
         * missing or too many, and how far off the rate is. */
        const double quarters = (double)(onset - n->from) / STEPS_PER_QUARTER,
                     due = n->density * fmax(quarters, 0), have = (double)n->n_notes,
                     octaves = log2((have + 0.5) / (due + 0.5));
        off[id] = (n->density > 0 ? fabs(due - have) + octaves * octaves : 0) +
                  (n->voices > 0 && n->n_notes > 0 ? voices * voices : 0);
        least = fmin(least, off[id]);
    }
    for (int32_t id = 0; id <= TOKEN_FILL_END; id++)
        if (at->allowed[id] && next_onset(at, id) >= 0)
            at->logits[id] -= bound_cost(n, off[id] - least);
}

static double squared(double x)
{
    return x * x;
}

void control_bias_add(struct control_bias *n, const struct piece *p,
                      const struct grid_note *note)
{
    n->ends[n->n_notes++ % CONTROL_BIAS_ENDS] =
        piece_is_hit(p, note) ? 0 : (int64_t)note->step + note->length;
}

void control_bias_apply(struct rules *r, const struct place *at)
{
    const struct control_bias *n = &r->controls;
    if (!control_bias_is_needed(n))
        return;
    for (int p = 0; n->pitch > 0 && p < N_PITCHES; p++)
        bias_pitch(at, -bound_cost(n, squared((p - n->pitch) / 12)), p);
    for (int d = 1; n->length > 0 && d <= TOKEN_RADIX; d++)
        bias_add(at, -bound_cost(n, squared(log2((double)(at->held + d) / n->length))),
                 TOKEN_DUR + d - 1, 1);
    for (int k = 1; n->length > 0 && k <= TOKEN_MAX_DURX; k++)
        bias_add(at, -bound_cost(n, squared(log2((double)TOKEN_RADIX * k / n->length))),
                 TOKEN_DURX + k - 1, 1);
    /* Between notes some token moves on in time. */
    if (at->allowed[TOKEN_BAR] || at->allowed[TOKEN_FILL_END] ||
        memchr(at->allowed + TOKEN_POS, 1, TOKEN_TRACK - TOKEN_POS))
        bias_between(n, at);
}
