/* See progression_bias.h. */
#include "app/decoding/progression_bias.h"

#include "midi/tokens/chord_beats.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

#include <math.h>

enum { MOST_BARS = 32 };

/* How alike beats must be that are a progression apart (1: the same shares of the pitch
 * classes) where it was heard three times, or twice; and how much more so than others. Measured
 * on held-out music: less than that tells nothing of the bars to come. */
#define ALIKE_OF_THREE 0.8f
#define ALIKE_OF_TWO   0.9f
#define MORE_ALIKE     0.15f
/* A longer progression must be so much better than a shorter one. */
#define LONGER         0.02f
/* Shares of a beat are told apart down to this; the bias is so many times their logarithm, and
 * half as much after so many steps. */
#define FLOOR          0.05f
#define WEIGHT         1.0f
#define HALVED_AFTER   (48.0f * STEPS_PER_QUARTER)

/* The cosine of two beats' classes. */
static float likeness(const float a[12], const float b[12])
{
    float ab = 0, aa = 0, bb = 0;
    for (int c = 0; c < 12; c++) {
        ab += a[c] * b[c];
        aa += a[c] * a[c];
        bb += b[c] * b[c];
    }
    return ab / sqrtf(aa * bb);
}

/* Whether notes sound together: a single line has no chords to repeat. */
static bool has_chord(const struct chord_beat *b)
{
    return b->bass < 12;
}

/* The mean likeness of beats that are `lag` apart; 0: none of them has a chord. */
static float likeness_at(const struct chord_beat *beats, int n, int lag)
{
    float sum = 0;
    int n_heard = 0;
    for (int i = lag; i < n; i++)
        if (has_chord(&beats[i]) && has_chord(&beats[i - lag])) {
            sum += likeness(beats[i].classes, beats[i - lag].classes);
            n_heard++;
        }
    return n_heard ? sum / (float)n_heard : 0;
}

/* Returns the beats after which the n beats, of bars of `bar`, repeat; 0: they do not. */
static int find_lag(const struct chord_beat *beats, int n, int bar)
{
    int best = 0, n_lags = 0;
    float most = 0, sum = 0;
    for (int lag = bar; 2 * lag <= n && lag <= PROGRESSION_BEATS;
         lag += bar, n_lags++) {
        const float alike = likeness_at(beats, n, lag);
        sum += alike;
        if (alike > most + LONGER) {
            most = alike;
            best = lag;
        }
    }
    const float least = 3 * best <= n ? ALIKE_OF_THREE : ALIKE_OF_TWO;
    return most >= least && most - sum / (float)n_lags >= MORE_ALIKE ? best : 0;
}

/* By how much each class has more of a beat than an even share. */
static void learn(struct progression_bias *b, const struct chord_beat *beats, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 12; c++) /* the last beat is the progression's last, too */
            b->bias[(i - n % b->n + b->n) % b->n][c] += beats[i].classes[c];
    for (int k = 0; k < b->n; k++) {
        float *bias = b->bias[k], sum = 0;
        for (int c = 0; c < 12; c++)
            sum += bias[c];
        for (int c = 0; c < 12 && sum > 0; c++)
            bias[c] = WEIGHT * logf((bias[c] / sum + FLOOR) / (1 / 12.0f + FLOOR));
    }
}

static int32_t length_of(const struct chord_beat *b)
{
    return b->to - b->from;
}

struct progression_bias progression_bias_of(const struct piece *p, int64_t from)
{
    struct progression_bias b = {0};
    struct chord_beats all;
    if (chord_beats_hear(&all, p))
        return b;
    int end = 0, bar = 0, n = 0;
    for (int i = 1; i <= all.n && all.at[i - 1].to <= from; i++)
        if (i == all.n || all.at[i].strength == CHORD_BAR_LINE) {
            bar = i - end;
            end = i;
        }
    /* Bars like the last: a bar line every `bar` beats of one length. */
    while (bar && n < MOST_BARS * bar && end - n >= bar &&
           all.at[end - n - bar].strength == CHORD_BAR_LINE &&
           length_of(&all.at[end - n - 1]) == length_of(&all.at[end - 1]))
        n += bar;
    if (n) {
        b.from = all.at[end - 1].to;
        b.beat = length_of(&all.at[end - 1]);
        b.n = find_lag(&all.at[end - n], n, bar);
    }
    if (b.n)
        learn(&b, &all.at[end - n], n);
    chord_beats_fini(&all);
    return b;
}

void progression_bias_apply(const struct progression_bias *b, int64_t step,
                            const uint8_t *allowed, float *logits)
{
    if (!b->n)
        return;
    const int64_t steps = step - b->from;
    const float *bias = b->bias[steps / b->beat % b->n];
    const float weight = 1 - 0.5f * fminf((float)steps / HALVED_AFTER, 1);
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        if (allowed[TOKEN_PITCH + pitch])
            logits[TOKEN_PITCH + pitch] += weight * bias[pitch % 12];
}
