/* See control_bias.h. A token between notes gives the earliest start of the next note. The
 * notes so far and that time give a rate. */
#include "app/biases/control_bias.h"

#include <math.h>
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
static float bounded(const struct control_bias *n, double off)
{
    return fminf(n->weight * (float)off, CONTROL_BIAS_BOUND);
}

/* The earliest start of the next note if this token comes between notes; -1: unknown. */
static int64_t next_onset(const struct control_position *at, int32_t id)
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

/* The notes so far, by the time the next begins, against those that should be: how many
 * are missing or too many, and how far off the rate is. */
static double density_off(const struct control_bias *n, int64_t onset)
{
    double quarters = (double)(onset - n->from) / STEPS_PER_QUARTER;
    double due = n->density * fmax(quarters, 0), have = (double)n->n_notes;
    double octaves = log2((have + 0.5) / (due + 0.5));
    return fabs(due - have) + octaves * octaves;
}

/* One voice too few or too many is as an octave. */
static double off_at(const struct control_bias *n, const struct control_position *at,
                     int64_t onset)
{
    const int off = at->n_sounding - n->voices;
    const bool is_wrong = onset == at->step ? off >= 0 : off < 0;
    const double voices = is_wrong ? fmin(1 + abs(off), 2) : 0;
    return (n->density > 0 ? density_off(n, onset) : 0) +
           (n->voices > 0 && n->n_notes > 0 ? voices * voices : 0);
}

/* What is least off stays as it is. */
static void bias_between(const struct control_bias *n,
                         const struct control_position *at, const uint8_t *allowed,
                         float *logits)
{
    double least = INFINITY;
    for (int32_t id = 0; id < TOKEN_FILL_END + 1; id++)
        if (allowed[id] && next_onset(at, id) >= 0)
            least = fmin(least, off_at(n, at, next_onset(at, id)));
    for (int32_t id = 0; id < TOKEN_FILL_END + 1; id++)
        if (allowed[id] && next_onset(at, id) >= 0)
            logits[id] -= bounded(n, off_at(n, at, next_onset(at, id)) - least);
}

static double squared(double x)
{
    return x * x;
}

static void bias_notes(const struct control_bias *n, const uint8_t *allowed,
                       float *logits)
{
    for (int p = 0; n->pitch > 0 && p < 128; p++)
        if (allowed[TOKEN_PITCH + p])
            logits[TOKEN_PITCH + p] -= bounded(n, squared((p - n->pitch) / 12));
    for (int d = 1; n->length > 0 && d <= TOKEN_RADIX; d++)
        if (allowed[TOKEN_DUR + d - 1])
            logits[TOKEN_DUR + d - 1] -= bounded(n, squared(log2(d / n->length)));
    for (int k = 1; n->length > 0 && k <= TOKEN_MAX_DURX; k++)
        if (allowed[TOKEN_DURX + k - 1])
            logits[TOKEN_DURX + k - 1] -=
                bounded(n, squared(log2((double)TOKEN_RADIX * k / n->length)));
}

void control_bias_add(const struct control_bias *n, const struct control_position *at,
                      const uint8_t *allowed, float *logits)
{
    if (!control_bias_is_needed(n))
        return;
    bias_notes(n, allowed, logits);
    /* Between notes some token moves on in time. */
    if (allowed[TOKEN_BAR] || allowed[TOKEN_FILL_END] ||
        memchr(allowed + TOKEN_POS, 1, TOKEN_TRACK - TOKEN_POS))
        bias_between(n, at, allowed, logits);
}
