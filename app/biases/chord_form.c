/* The changes of a form that repeats: see chord_plan.h. */
#include "app/biases/analysis.h"
#include "app/biases/chord_plan.h"
#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>

enum { MOST_BARS = 32, MOST_PERIOD = 16, MOST_BEATS = 512, CHORUS = 12, ENOUGH = 8 };

/* The share of beats that must have the chord of one period before: in a piece with drums, of a period
 * heard three times, or twice. MORE_ALIKE is how much more than other periods it must have, on the
 * mean. From the share NEVER_CHANGES on one chord stays. */
#define ALIKE_OF_BAND  0.75
#define ALIKE_OF_THREE 0.85
#define ALIKE_OF_TWO   0.92
#define MORE_ALIKE     0.15
#define NEVER_CHANGES  0.95
/* The same share of a verse: phrases of four or eight bars that begin alike and end unlike, and return
 * together. */
#define ALIKE_OF_VERSE 0.45
/* The share of bars of a blues with a chord that its place may have. */
#define ALIKE_OF_BLUES 0.75

/* The chords above the tonic that each bar of a blues may have, the usual one first. */
static const uint8_t BLUES[CHORUS][3] = {{0, 0, 0}, {0, 5, 0}, {0, 0, 0}, {0, 0, 0},
                                         {5, 5, 5}, {5, 6, 5}, {0, 0, 0}, {0, 9, 4},
                                         {7, 2, 8}, {5, 7, 7}, {0, 0, 0}, {0, 7, 2}};
enum { SUPERTONIC = 8 /* a bar that may have II */, SUBDOMINANT = 5 };
static const uint8_t TURNAROUND = 7; /* the last bar's, to go on from */

/* The beats of the bars in the meter in force before the take, and the chord in force at each. */
struct heard_form {
    int32_t first, bar, beat; /* steps: where they begin, of a bar, of a beat */
    int in_bar, n;            /* beats */
    const struct grid_chord *chords[MOST_BEATS]; /* NULL: none yet */
};

/* Reads the bars before a take [from, to), and their chords, n of `heard`. false: they have no form. */
static bool hear_form(struct heard_form *h, const struct piece *p,
                      const struct grid_chord *heard, size_t n, int64_t from,
                      int64_t to)
{
    if (!p->n_meters || from <= 0)
        return false;
    const struct grid_meter *m = &p->meters[p->n_meters - 1];
    if (m->step >= from && m->step < to)
        return false;
    m = meter_at(p, from - 1);
    h->bar = meter_steps(m->numerator, m->denominator);
    h->beat =
        h->bar % STEPS_PER_QUARTER ? meter_steps(1, m->denominator) : STEPS_PER_QUARTER;
    h->in_bar = h->bar / h->beat;
    const int64_t n_bars = smaller((from - m->step) / h->bar, MOST_BARS);
    h->n = (int)n_bars * h->in_bar;
    h->first = (int32_t)from - h->n * h->beat;
    for (int i = 0; i < h->n && i < MOST_BEATS; i++) {
        const size_t k = grid_chords_until(heard, n, h->first + i * h->beat);
        h->chords[i] = k ? &heard[k - 1] : NULL;
    }
    return (from - m->step) % h->bar == 0 && h->n > 0 && h->n <= MOST_BEATS;
}

static bool is_minor(const struct grid_chord *c)
{
    return c->quality == CHORD_MINOR || c->quality == CHORD_MINOR7 ||
           c->quality == CHORD_DIMINISHED || c->quality == CHORD_HALF_DIMINISHED7 ||
           c->quality == CHORD_DIMINISHED7;
}

static bool are_alike(const struct grid_chord *a, const struct grid_chord *b)
{
    return a && b && a->root == b->root && is_minor(a) == is_minor(b);
}

/* Returns the beats after which the chords repeat; 0: they do not. */
static int find_period(const struct heard_form *h, bool has_drums)
{
    double sum = 0, least = 1, alike[MOST_PERIOD + 1];
    int n = 0;
    while (n < MOST_PERIOD && 2 * (n + 1) * h->in_bar <= h->n) {
        n++;
        const int lag = n * h->in_bar;
        int n_alike = 0;
        for (int i = lag; i < h->n; i++)
            n_alike += are_alike(h->chords[i], h->chords[i - lag]);
        alike[n] = (double)n_alike / (h->n - lag);
        sum += alike[n];
        least = alike[n] < least ? alike[n] : least;
    }
    if (n > 1 && least >= NEVER_CHANGES)
        return h->in_bar;
    for (int bars = 1; bars <= n; bars++) {
        const bool is_three = 3 * bars * h->in_bar <= h->n;
        const double wanted = has_drums  ? ALIKE_OF_BAND
                              : is_three ? ALIKE_OF_THREE
                                         : ALIKE_OF_TWO;
        if (alike[bars] >= wanted && alike[bars] - sum / n >= MORE_ALIKE)
            return bars * h->in_bar;
    }
    for (int bars = 4; bars <= 8 && bars <= n; bars *= 2)
        if (alike[bars] >= ALIKE_OF_VERSE &&
            are_alike(h->chords[h->n - bars * h->in_bar],
                      h->chords[h->n - 2 * bars * h->in_bar]))
            return 2 * bars * h->in_bar;
    return 0;
}

/* -- the twelve bars of a blues -- */

struct blues {
    int tonic, first; /* a bar, 0..11, that begins a chorus; -1: it is none */
    bool is_minor;
};

static bool may_have(int place, int above)
{
    return above == BLUES[place][0] || above == BLUES[place][1] ||
           above == BLUES[place][2];
}

/* The root above the tonic that a chord has as one of those of its place; -1: it is none of them. A
 * diminished chord may be the upper part of a dominant, or its inversion, and IV that of II. */
static int root_there(const struct grid_chord *c, int tonic, int place)
{
    const int above = (c->root - tonic + 12) % 12, third = 4, minor_third = 3;
    const bool is_upper =
        c->quality == CHORD_DIMINISHED || c->quality == CHORD_HALF_DIMINISHED7;
    if (may_have(place, above))
        return above;
    if (is_upper && may_have(place, (above + 12 - third) % 12))
        return (above + 12 - third) % 12;
    if (place == SUPERTONIC && c->quality == CHORD_MAJOR && above == SUBDOMINANT)
        return (above + 12 - minor_third) % 12;
    for (int i = 1; c->quality == CHORD_DIMINISHED7 && i < 4; i++)
        if (may_have(place, (above + i * minor_third) % 12))
            return (above + i * minor_third) % 12;
    return -1;
}

/* The share of bars that fit, the first beat of each; 0: its fourth degree is not heard where a
 * chorus has it, or its tonic seldom. */
static double fit_blues(const struct heard_form *h, int tonic, int first)
{
    int n = 0, n_bars = h->n / h->in_bar, n_fourth = 0, n_tonic = 0;
    for (int b = 0; b < n_bars; b++) {
        const struct grid_chord *c = h->chords[b * h->in_bar];
        const int place = (b - first + CHORUS) % CHORUS,
                  above = c && c->root < 12 ? root_there(c, tonic, place) : -1;
        n += above >= 0;
        n_fourth += (place == 4 || place == 5) && above == 5;
        n_tonic += (place == 0 || place == 6) && above == 0;
    }
    return n_fourth && n_tonic > 1 ? (double)n / n_bars : 0;
}

static struct blues find_blues(const struct heard_form *h)
{
    struct blues best = {.first = -1};
    double most = ALIKE_OF_BLUES;
    if (h->n < ENOUGH * h->in_bar)
        return best;
    /* a piece begins with a chorus, so that earlier bars come first */
    for (int first = 0; first < CHORUS; first++)
        for (int tonic = 0; tonic < 12; tonic++)
            if (fit_blues(h, tonic, first) > most) {
                most = fit_blues(h, tonic, first);
                best = (struct blues){.tonic = tonic, .first = first};
            }
    for (int b = 0; best.first >= 0 && b < h->n; b += h->in_bar)
        if (h->chords[b] && h->chords[b]->root == best.tonic &&
            (b / h->in_bar - best.first + CHORUS) % CHORUS == 0)
            best.is_minor = is_minor(h->chords[b]);
    if (best.is_minor && h->n < CHORUS * h->in_bar) /* may be any vamp */
        best.first = -1;
    return best;
}

bool chord_form_is_blues(const struct piece *p, const struct grid_chord *heard,
                         size_t n_heard, int64_t from)
{
    struct heard_form h = {0};
    return hear_form(&h, p, heard, n_heard, from, from) && find_blues(&h).first >= 0;
}

struct grid_chord chord_form_blues(int tonic, bool is_minor, int64_t bar)
{
    const int place = (int)(bar % CHORUS);
    const int above = place == CHORUS - 1 ? TURNAROUND : BLUES[place][0];
    const uint8_t root = (uint8_t)((tonic + above) % 12);
    return (struct grid_chord){
        .root = root,
        .quality = is_minor && above != TURNAROUND ? CHORD_MINOR7 : CHORD_DOMINANT7,
        .bass = root};
}

/* The chord of the bar as it was heard, if its place may have it. */
static struct grid_chord chord_there(const struct grid_chord *heard,
                                     const struct blues *b, int place)
{
    const int above = root_there(heard, b->tonic, place);
    if (above < 0)
        return chord_form_blues(b->tonic, b->is_minor, place);
    struct grid_chord c = *heard;
    c.root = c.bass = (uint8_t)((b->tonic + above) % 12);
    if (c.root != heard->root && c.quality == CHORD_MAJOR)
        c.quality = CHORD_MINOR7;
    else if (c.quality == CHORD_MAJOR ||
             (c.root != heard->root && c.quality != CHORD_DIMINISHED7))
        c.quality = CHORD_DOMINANT7;
    return c;
}

/* -- what follows -- */

/* That of beat i, counted from the first, which is not heard; false: none is known. */
static bool find_chord(struct grid_chord *out, const struct heard_form *h, int period,
                       const struct blues *b, int i)
{
    const int place = b->first >= 0 ? (i / h->in_bar - b->first + CHORUS) % CHORUS : -1;
    int at = i;
    while (period && at >= h->n)
        at -= period;
    const struct grid_chord *heard = at >= 0 && at < h->n ? h->chords[at] : NULL;
    if (place >= 0) {
        *out = heard && heard->root < 12
                   ? chord_there(heard, b, place)
                   : chord_form_blues(b->tonic, b->is_minor, place);
        return true;
    }
    if (heard)
        *out = *heard;
    return heard;
}

enum midi_status chord_form(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct grid_chord *heard, size_t n_heard,
                            int64_t from, int64_t to, bool *is_section)
{
    struct heard_form h = {0};
    struct blues blues = {.first = -1};
    int period = 0;
    *n = 0;
    *out = NULL;
    *is_section = false;
    if (hear_form(&h, p, heard, n_heard, from, to)) {
        blues = find_blues(&h);
        period =
            blues.first >= 0 ? CHORUS * h.in_bar : find_period(&h, piece_drums(p) != 0);
        *is_section = !period;
        /* eight, twelve or sixteen bars with which the music begins */
        const int bars = h.in_bar > 0 ? h.n / h.in_bar : 0;
        if (!period && h.first == 0 && bars % 4 == 0 && bars >= 8 && bars <= 16)
            period = h.n;
    }
    const int all = period ? h.n + (int)((to - from + h.beat - 1) / h.beat) : h.n;
    *out = calloc((size_t)(all - h.n) + 1, sizeof **out);
    if (!*out)
        return MIDI_NO_MEMORY;
    for (int i = h.n; i < all; i++) {
        const bool is_known = find_chord(*out + *n, &h, period, &blues, i);
        (*out)[*n].step = h.first + i * h.beat;
        *n += is_known;
    }
    *n = grid_chords_join(*out, *n);
    return MIDI_OK;
}
