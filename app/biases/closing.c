/* See cadence.h. */
#include "app/biases/cadence.h"

#include "midi/base/larger.h"

#include <math.h>

/* What each part of a close is worth; 1 together. */
#define BASS       0.55
#define CHORD      0.15
#define BEAT       0.1
#define HELD       0.1
#define IN_BAR     0.1 /* it reaches the last bar */

/* Weight of the first bar's bass, as a share of all that sounds: pieces end in the key in
 * which they begin. */
#define FIRST_BASS 0.1
/* A pitch class with at least this share of the bass is the tonic: in a blues, or over a
 * drone. Found among the first MANY notes. */
#define MOST_BASS  0.6
enum { MANY = 512 };
/* Sound that is so many steps away counts half, and never less than the least: a dance that ends
 * with its trio ends in the trio's key. */
#define HALVED (32.0 * STEPS_PER_QUARTER)
#define LEAST  0.1

/* Of Albrecht & Shanahan, "The Use of Large Corpora to Train a New Type of Key-Finding Algorithm"
 * (Music Perception 31(1), 2013): they find the end of 50 of 60 held-out chorales, KEY_PROFILES
 * that of 40. */
const double KEY_SHARES[2][12] = {
    {.238, .006, .111, .006, .137, .094, .016, .214, .009, .080, .008, .081},
    {.220, .006, .104, .123, .019, .103, .012, .214, .062, .022, .061, .052},
};

static int64_t end_of(const struct grid_note *n)
{
    return (int64_t)n->step + n->length;
}

/* How much sound counts that is so many steps away. */
static double weight_of(int64_t steps)
{
    return LEAST + (1 - LEAST) * exp2(-(double)larger(steps, 0) / HALVED);
}

/* How long each pitch class sounds in [from, to), nearest to step `end`. */
static void add_near_sounds(double sounds[12], const struct piece *p, int64_t from,
                            int64_t to, int64_t end)
{
    for (size_t i = 0; i < p->n_notes && p->notes[i].step < to; i++) {
        const struct grid_note *n = &p->notes[i];
        int64_t length = smaller(end_of(n), to) - larger(n->step, from);
        if (length > 0 && !piece_is_hit(p, n))
            sounds[n->pitch % 12] += (double)length * weight_of(end - n->step);
    }
}

/* It sounds there, and has a pitch. */
static bool is_heard(const struct piece *p, const struct grid_note *n, int64_t from,
                     int64_t to)
{
    return !piece_is_hit(p, n) && n->step < to && end_of(n) > from;
}

/* How long each pitch class is the bass of the first n notes, with nothing lower that sounds
 * when it begins; returns the sum. */
static double bass_of(double low[12], const struct piece *p, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct grid_note *note = &p->notes[i];
        bool is_bass = !piece_is_hit(p, note);
        for (const struct grid_note *k = p->notes; is_bass && k < p->notes + n; k++)
            is_bass = k->pitch >= note->pitch ||
                      !is_heard(p, k, note->step, (int64_t)note->step + 1);
        low[note->pitch % 12] += is_bass ? note->length : 0;
        sum += is_bass ? note->length : 0;
    }
    return sum;
}

static double sum_classes(const double sounds[12])
{
    double all = 0;
    for (int i = 0; i < 12; i++)
        all += sounds[i];
    return all;
}

/* Of the four quarters from the first note on. */
static void add_first_bass(double sounds[12], const struct piece *p, int64_t to)
{
    double low[12] = {0}, all = sum_classes(sounds);
    int64_t first = p->n_notes ? p->notes[0].step : 0;
    double n_low = bass_of(low, p, piece_note_at(p, smaller(to, first + TOKEN_RADIX)));
    for (int i = 0; i < 12 && n_low > 0; i++)
        sounds[i] += FIRST_BASS * all * low[i] / n_low;
}

/* Its root and fifth outweigh all else; the other notes decide between major and minor. */
static void add_steady_bass(double sounds[12], const struct piece *p, int64_t to)
{
    double low[12] = {0}, all = sum_classes(sounds);
    size_t n = piece_note_at(p, to);
    double n_low = bass_of(low, p, n < MANY ? n : MANY);
    for (int i = 0; i < 12 && n_low > 0; i++)
        if (low[i] >= MOST_BASS * n_low) {
            sounds[i] += all;
            sounds[(i + 7) % 12] += all;
        }
}

bool closing_key(const struct piece *p, const struct signature *signature, int64_t from,
                 int64_t to, struct scale *out)
{
    double sounds[12] = {0};
    add_near_sounds(sounds, p, INT64_MIN, from, from);
    add_near_sounds(sounds, p, to, INT64_MAX, from);
    add_first_bass(sounds, p, from);
    if (!signature_weigh(signature, sounds))
        add_steady_bass(sounds, p, from);
    if (scale_guess_by(sounds, KEY_SHARES, out))
        return true;
    add_near_sounds(sounds, p, from, to, from);
    return scale_guess_by(sounds, KEY_SHARES, out);
}

bool key_is_minor(const struct scale *key)
{
    return scale_mask(key) >> (scale_tonic(key) + 3) % 12 & 1;
}

/* The last chord, from the first step of its last note on. */
struct last {
    int64_t from, end;
    const struct grid_note *bass; /* NULL: there are no notes */
    int n_notes, n_of_triad;
};

static struct last find_last(const struct piece *p, int64_t from, int64_t to,
                             const struct scale *key)
{
    const int tonic = scale_tonic(key);
    const bool is_minor = key_is_minor(key);
    struct last l = {.from = from};
    for (size_t i = 0; i < p->n_notes; i++)
        if (is_heard(p, &p->notes[i], from, to))
            l.from = larger(l.from, p->notes[i].step);
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        const int above = (n->pitch - tonic + 12) % 12;
        if (!is_heard(p, n, l.from, to))
            continue;
        if (!l.bass || n->pitch < l.bass->pitch)
            l.bass = n;
        l.end = larger(l.end, smaller(end_of(n), to));
        l.n_notes++;
        l.n_of_triad +=
            above == 0 || above == 7 || above == 4 || (is_minor && above == 3);
    }
    return l;
}

/* 1 on the first beat, less in the middle of a bar and on other quarters. */
static double measure_strength(const struct piece *p, int64_t step)
{
    const int64_t bar = piece_bar_at(p, step), start = piece_bar_start(p, bar),
                  length = piece_bar_start(p, bar + 1) - start, at = step - start;
    return at == 0                       ? 1
           : 2 * at == length            ? 0.75
           : at % STEPS_PER_QUARTER == 0 ? 0.5
                                         : 0;
}

double closing_worth(const struct piece *p, int64_t from, int64_t to,
                     const struct scale *key)
{
    const struct last l = find_last(p, from, to, key);
    if (!l.bass)
        return 0;
    bool is_tonic = l.bass->pitch % 12 == scale_tonic(key);
    bool is_held = end_of(l.bass) >= l.end &&
                   smaller(end_of(l.bass), to) - l.bass->step >= STEPS_PER_QUARTER;
    bool is_in_bar = l.end > piece_bar_start(p, piece_bar_at(p, to - 1));
    return BASS * is_tonic + CHORD * l.n_of_triad / l.n_notes +
           BEAT * measure_strength(p, l.bass->step) + HELD * is_held +
           IN_BAR * is_in_bar;
}
