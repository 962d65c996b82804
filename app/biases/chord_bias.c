/* See chord_bias.h. */
#include "app/biases/chord_bias.h"

#include "midi/tokens/grid_chord.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

/* Nats. */
#define OUTSIDE_ON_BEAT 3.0f
#define OUTSIDE         1.5f
#define OWN_BASS        2.0f
#define PASSED_BY       2.0f
#define TOO_LONG        4.0f

/* The number of chords that begin at or before the step. */
static size_t chords_until(const struct piece *p, int64_t step)
{
    size_t n = 0;
    while (n < p->n_chords && p->chords[n].step <= step)
        n++;
    return n;
}

/* false: the chord has no notes. */
static bool read_chord(const struct grid_chord *chord, struct chord_symbol *says)
{
    char name[CHORD_TEXT];
    return chord_symbol_read(grid_chord_name(chord, false, name), says) &&
           says->classes;
}

static bool has(const struct chord_symbol *says, int pitch)
{
    return says->classes >> pitch % 12 & 1;
}

static void bias_pitches(const struct piece *p, const struct grid_chord *chord,
                         bool is_bass, int64_t step, const uint8_t *allowed,
                         float *logits)
{
    struct chord_symbol says;
    const int64_t in_bar = step - piece_bar_start(p, (int32_t)piece_bar_at(p, step));
    const float outside = in_bar % STEPS_PER_QUARTER ? OUTSIDE : OUTSIDE_ON_BEAT;
    const bool begins = in_bar == 0 || step == chord->step;
    if (!read_chord(chord, &says))
        return;
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        if (allowed[TOKEN_PITCH + pitch]) {
            const bool is_own = is_bass && begins && pitch % 12 == says.bass;
            logits[TOKEN_PITCH + pitch] += is_own              ? OWN_BASS
                                           : has(&says, pitch) ? 0
                                                               : -outside;
        }
}

/* The cost of a note, by the steps that it may sound before a chord without it. */
static void bias_lengths(int64_t most, const uint8_t *allowed, float *logits)
{
    for (int i = 0; i < TOKEN_RADIX; i++)
        if (allowed[TOKEN_DUR + i] && i + 1 > most)
            logits[TOKEN_DUR + i] -= TOO_LONG;
    for (int i = 0; i < TOKEN_HIT - TOKEN_DURX; i++)
        if (allowed[TOKEN_DURX + i] && TOKEN_RADIX * (i + 1) > most)
            logits[TOKEN_DURX + i] -= TOO_LONG;
}

void chord_bias_apply(const struct piece *p, bool is_bass, int64_t step, int pitch,
                      const uint8_t *allowed, float *logits)
{
    struct chord_symbol next;
    size_t i = chords_until(p, step);
    if (i)
        bias_pitches(p, &p->chords[i - 1], is_bass, step, allowed, logits);
    while (i < p->n_chords && (!read_chord(&p->chords[i], &next) || has(&next, pitch)))
        i++;
    if (i < p->n_chords && pitch >= 0)
        bias_lengths(p->chords[i].step - step, allowed, logits);
}

/* The first step from `step` on where the bar or a chord begins, after `last`. */
static int64_t next_beginning(const struct piece *p, int64_t step, int64_t bar,
                              int64_t last)
{
    size_t i = chords_until(p, step > last ? step - 1 : last);
    if (step == bar && last < bar)
        return bar;
    return i < p->n_chords ? p->chords[i].step : INT64_MAX;
}

void chord_bias_onsets(const struct piece *p, int64_t step, int64_t bar, int64_t last,
                       int64_t base, const uint8_t *allowed, float *logits)
{
    const int64_t at = next_beginning(p, step, bar, last) - bar,
                  length = piece_bar_start(p, (int32_t)piece_bar_at(p, bar) + 1) - bar;
    if (at >= length)
        return;
    for (int i = 0; i < TOKEN_RADIX; i++)
        if (allowed[TOKEN_POS + i] && base + i > at)
            logits[TOKEN_POS + i] -= PASSED_BY;
    for (int i = 0; i < TOKEN_TRACK - TOKEN_POSX; i++)
        if (allowed[TOKEN_POSX + i] && TOKEN_RADIX * (i + 1) > at)
            logits[TOKEN_POSX + i] -= PASSED_BY;
    if (allowed[TOKEN_BAR])
        logits[TOKEN_BAR] -= PASSED_BY;
    if (allowed[TOKEN_FILL_END])
        logits[TOKEN_FILL_END] -= PASSED_BY;
}
