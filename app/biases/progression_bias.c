/* See progression_bias.h. */
#include "app/biases/progression_bias.h"

#include "app/base/draw.h"
#include "app/biases/analysis.h"
#include <string.h>

/* The part of the piece that is read, and how long before it notes may have begun. */
enum { MOST_BARS = 32, MOST_BEATS = 256, LONGEST = 16 * STEPS_PER_QUARTER };

/* How similar beats one progression apart must be (1: the same) if it occurred three times,
 * or twice, or in a piece with drums, where a bass and a soloist seldom repeat their notes;
 * and how much more similar than others. Lower values were useless on held-out music. */
#define ALIKE_OF_THREE 0.8f
#define ALIKE_OF_TWO   0.9f
#define ALIKE_OF_BAND  0.6f
#define MORE_ALIKE     0.15f
/* Phrases are unlike if a bar of one is no more similar to that of the other: then what comes is
 * the phrase after the last, of a progression twice as long. Their sum, G F# E D of G F# E C and
 * G F# A D, is a line that the piece never has. */
#define UNLIKE         0.5f
/* A longer progression must be better than a shorter one by this much. */
#define LONGER         0.02f
/* Notes of a beat sound together, for more than a slip, if they last for more than it: a single
 * line has no chords. */
#define CHORD          1.05f
/* The smallest share of a beat that counts; the bias as a factor of the logarithm; and the
 * steps after which the bias is halved. */
#define FLOOR          0.05f
#define WEIGHT         1.0f
#define OWN_WEIGHT     3.0f
/* How similar a track's own beats must be for its own notes to count. */
#define OWN_ALIKE      0.9f
/* What a pitch class costs that the track's chord has already: the others are to come. */
#define DOUBLED        2.0f
/* How similar the bars of a bass must be, but for its moves, in a blues. */
#define BLUES_ALIKE    0.9f
#define HALVED_AFTER   (48.0f * STEPS_PER_QUARTER)

/* The beats before a bar line, and for how much of each every pitch class sounds. */
struct heard {
    int32_t to, beat; /* steps: the bar line; of a beat */
    int bar, n;       /* beats of a bar; of all */
    int bass;         /* track; -1: none */
    bool has_drums;
    float classes[MOST_BEATS][12];
    float own[PROGRESSION_TRACKS][MOST_BEATS][12]; /* by track */
};

/* Of bars in the meter in force, up to the last bar line. */
static void lay_out(struct heard *h, const struct piece *p, int64_t from)
{
    if (!p->n_meters)
        return; /* or there are no bars */
    const struct grid_meter *m = meter_at(p, from - 1);
    const int32_t bar = meter_steps(m->numerator, m->denominator),
                  unit = meter_steps(1, m->denominator),
                  n_bars = (int32_t)(from - m->step) / bar;
    h->beat = bar % STEPS_PER_QUARTER ? unit : STEPS_PER_QUARTER;
    h->bar = bar / h->beat;
    h->to = m->step + n_bars * bar;
    h->n = h->bar * (n_bars < MOST_BARS ? n_bars : MOST_BARS);
    while (h->n > MOST_BEATS)
        h->n -= h->bar;
}

/* Returns the track whose notes from `first` to before `end` are the lowest on the mean; -1:
 * fewer than two pitched tracks play. */
static int find_bass(const struct piece *p, size_t first, size_t end)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    int bass = -1, n_playing = 0;
    analyse_tracks(tracks, p, first, end);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!tracks[t].n || p->families[t] == FAMILY_DRUMS)
            continue;
        n_playing++;
        if (bass < 0 || track_mean(&tracks[t]) < track_mean(&tracks[bass]))
            bass = t;
    }
    return n_playing > 1 ? bass : -1;
}

static void hear_all(struct heard *h, const struct piece *p)
{
    const int32_t from = h->to - h->n * h->beat;
    const size_t first = piece_note_at(p, from - LONGEST),
                 last = piece_note_at(p, h->to);
    h->bass = find_bass(p, first, last);
    for (size_t i = first; h->n && i < last; i++) {
        const struct grid_note *n = &p->notes[i];
        const int32_t start = at_least(n->step, from) - from,
                      end = n->step + n->length - from;
        if (piece_is_hit(p, n)) {
            h->has_drums = true;
            continue;
        }
        for (int k = start / h->beat; k < h->n && k * h->beat < end; k++) {
            const int32_t beat = k * h->beat;
            const int lasts = at_most(end, beat + h->beat) - at_least(start, beat);
            h->classes[k][n->pitch % 12] += (float)lasts / (float)h->beat;
            if (n->track < PROGRESSION_TRACKS)
                h->own[n->track][k][n->pitch % 12] += (float)lasts / (float)h->beat;
        }
    }
}

static float sum_of(const float classes[12])
{
    float sum = 0;
    for (int c = 0; c < 12; c++)
        sum += classes[c];
    return sum;
}

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

/* The mean similarity of beats that are `lag` apart and have more than this much sound; 0:
 * there are none. */
static float likeness_at(const float (*classes)[12], int n, int lag, float least)
{
    float sum = 0;
    int n_heard = 0;
    for (int i = lag; i < n; i++)
        if (sum_of(classes[i]) > least && sum_of(classes[i - lag]) > least) {
            sum += likeness(classes[i], classes[i - lag]);
            n_heard++;
        }
    return n_heard ? sum / (float)n_heard : 0;
}

/* Returns the beats after which they repeat; 0: they do not. */
static int find_lag(const struct heard *h)
{
    int best = 0, n_lags = 0;
    float most = 0, sum = 0;
    for (int lag = h->bar; lag && 2 * lag <= h->n && lag <= PROGRESSION_BEATS;
         lag += h->bar, n_lags++) {
        const float alike = likeness_at(h->classes, h->n, lag, CHORD);
        sum += alike;
        if (alike > most + LONGER) {
            most = alike;
            best = lag;
        }
    }
    const float least = h->has_drums       ? ALIKE_OF_BAND
                        : 3 * best <= h->n ? ALIKE_OF_THREE
                                           : ALIKE_OF_TWO;
    return most >= least && most - sum / (float)n_lags >= MORE_ALIKE ? best : 0;
}

/* Whether some bar is unlike the one `lag` beats before. */
static bool has_unlike_bars(const struct heard *h, int lag)
{
    for (int first = lag; first < h->n; first += h->bar) {
        float sum = 0;
        int n = 0;
        for (int i = first; i < first + h->bar; i++)
            if (sum_of(h->classes[i]) > CHORD && sum_of(h->classes[i - lag]) > CHORD) {
                sum += likeness(h->classes[i], h->classes[i - lag]);
                n++;
            }
        if (n && sum < UNLIKE * (float)n)
            return true;
    }
    return false;
}

/* The beats of the phrases that return together, of a progression of `lag`. */
static int find_form(const struct heard *h, int lag)
{
    while (lag && 2 * lag <= h->n && 2 * lag <= PROGRESSION_BEATS &&
           has_unlike_bars(h, lag))
        lag *= 2;
    return lag;
}

/* By how much each class has more of a beat than an even share. The last of n_heard beats is
 * the progression's last, too. */
static void learn(float (*biases)[12], int n, const float (*classes)[12], int n_heard,
                  float weight)
{
    for (int i = 0; i < n_heard; i++)
        for (int c = 0; c < 12; c++)
            biases[(i + n - n_heard % n) % n][c] += classes[i][c];
    for (int k = 0; k < n; k++) {
        float *bias = biases[k];
        const float sum = sum_of(bias);
        for (int c = 0; c < 12 && sum > 0; c++)
            bias[c] = weight * logf((bias[c] / sum + FLOOR) / (1 / 12.0f + FLOOR));
    }
}

/* -- the twelve bars of a blues -- */

enum { CHORUS = 12, ENOUGH = 8 }; /* bars; those by which a blues is known */
static const uint8_t BLUES[CHORUS] = {0, 0, 0, 0, 5, 5,
                                      0, 0, 7, 5, 0, 0}; /* semitones */

/* Whether the bass plays in a chorus that begins at this bar what it plays in its first bar,
 * moved by the chords. The second bar may have another one. */
static bool is_chorus(const struct heard *h, int first)
{
    float tonic[12] = {0};
    for (int i = 0; i < ENOUGH; i++) {
        float bar[12] = {0};
        for (int k = (first + i) * h->bar; k < (first + i + 1) * h->bar; k++)
            for (int c = 0; c < 12; c++)
                bar[c] += h->own[h->bass][k][(c + BLUES[i]) % 12];
        if (i == 0)
            memcpy(tonic, bar, sizeof tonic);
        if (sum_of(bar) == 0 || (i != 1 && likeness(tonic, bar) < BLUES_ALIKE))
            return false;
    }
    return true;
}

/* The chorus to come, as it was heard; and where it was not, as its first bar, moved. */
static void lay_chorus(float (*to)[12], const float (*heard)[12], const struct heard *h,
                       int first)
{
    for (int i = 0; i < CHORUS * h->bar; i++) {
        const int at = (h->n - first * h->bar + i) % (CHORUS * h->bar);
        const bool is_heard = first * h->bar + at < h->n;
        const float *from = heard[first * h->bar + (is_heard ? at : at % h->bar)];
        const int by = is_heard ? 0 : BLUES[at / h->bar];
        for (int c = 0; c < 12; c++)
            to[i][(c + by) % 12] = from[c];
    }
}

/* Of the last chorus of a blues whose bass is heard. */
static void learn_blues(struct progression_bias *b, const struct heard *h)
{
    float chorus[PROGRESSION_BEATS][12];
    int first = h->bar ? h->n / h->bar - ENOUGH : -1;
    if (CHORUS * h->bar > PROGRESSION_BEATS || h->bass < 0 ||
        h->bass >= PROGRESSION_TRACKS)
        return;
    while (first >= 0 && !is_chorus(h, first))
        first--;
    if (first < 0)
        return;
    b->n = CHORUS * h->bar;
    b->own = (uint16_t)(1u << h->bass);
    lay_chorus(chorus, h->classes, h, first);
    learn(b->bias, b->n, chorus, b->n, WEIGHT);
    lay_chorus(chorus, h->own[h->bass], h, first);
    learn(b->own_bias[h->bass], b->n, chorus, b->n, OWN_WEIGHT);
}

struct progression_bias progression_bias_of(const struct piece *p, int64_t from)
{
    struct heard h = {0};
    lay_out(&h, p, from);
    hear_all(&h, p);
    struct progression_bias b = {
        .n = find_form(&h, find_lag(&h)), .beat = h.beat, .from = h.to};
    if (!b.n) {
        learn_blues(&b, &h);
        return b;
    }
    learn(b.bias, b.n, h.classes, h.n, WEIGHT);
    for (int t = 0; t < PROGRESSION_TRACKS; t++)
        if (t == h.bass || likeness_at(h.own[t], h.n, b.n, 0) >= OWN_ALIKE) {
            b.own |= (uint16_t)(1u << t);
            learn(b.own_bias[t], b.n, h.own[t], h.n, OWN_WEIGHT);
        }
    return b;
}

void progression_bias_apply(const struct progression_bias *b, const struct place *at)
{
    if (!b->n)
        return;
    const int track = at->track;
    const int64_t steps = at->step - b->from, beat = steps / b->beat % b->n;
    const bool is_own =
        track >= 0 && track < PROGRESSION_TRACKS && (b->own >> track & 1);
    const float *bias = is_own ? b->own_bias[track][beat] : b->bias[beat];
    const float weight = 1 - 0.5f * fminf((float)steps / HALVED_AFTER, 1);
    uint16_t doubled = 0;
    for (const struct grid_note *n = note_here(at, NULL); is_own && n;
         n = note_here(at, n))
        doubled |= (uint16_t)(1u << n->pitch % 12);
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        bias_pitch(
            at, weight * (bias[pitch % 12] - (doubled >> pitch % 12 & 1 ? DOUBLED : 0)),
            pitch);
}
