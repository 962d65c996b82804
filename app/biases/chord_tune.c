/* A tune that plays alone is harmonised: see chord_plan.h. */
#include "app/biases/chord_plan.h"

#include "app/biases/analysis.h"

#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"
#include <math.h>
#include <stdlib.h>

/* A chord of the search: root * KINDS + kind. */
enum kind { MAJOR, MINOR, SEVENTH, DIMINISHED, KINDS };
enum { CHORDS = 12 * KINDS, KEYS = 24 };

static const uint16_t CLASSES[KINDS] = {0x091, 0x089, 0x491, 0x049};
static const uint8_t QUALITIES[KINDS] = {CHORD_MAJOR, CHORD_MINOR, CHORD_DOMINANT7,
                                         CHORD_DIMINISHED};

/* Worths, roughly nats; chosen by hand on songs of set A. */
#define FITS                                                                           \
    2.4f /* of a chord that has all of a half bar's sound; less what it lacks */
#define FIRST      0.6f  /* of the note that the half bar begins with */
#define OUT_OF_KEY 4.5f  /* of a chord that is none of the key's */
#define MID_BAR    1.0f  /* cost of a change within the bar, */
#define SAME       0.35f /* and of none at a bar line */
#define FIFTH      0.5f  /* of a root that falls by a fifth; */
#define RESOLVES   0.6f  /* more, of a seventh that does; and its cost if it does not */
#define BACKWARDS  0.7f  /* cost of V before IV or II */
#define ENDS       1.2f /* of the tonic at the end, and of V or I at the end of four bars */
#define ENDS_FOUR  0.4f
#define BEGINS     1.8f /* of the tonic at the beginning */
/* Of keys: of that of the piece, a half bar; the cost of another than before; and what is added to
 * the share of each degree. Of 143 lead sheets, eight bars of which were transposed by 2, 3, 4 or 5
 * semitones, the chords of these were right in 0.37, 0.19, 0.21 and 0.41 of the beats by the key of
 * four bars on either side, and in 0.48, 0.48, 0.48 and 0.47 by these; as written 0.52 and 0.51. */
#define HOME       0.05f
#define MOVES      3.0f
#define RARE       0.01f

/* Half a bar, or a bar whose beats do not halve; the last but one of three beats ends with a unit of
 * one, where the cadence may have its dominant. */
struct unit {
    int32_t from, to;
    bool begins_bar, ends_four;
    float classes[12]; /* share of its sound */
    int first;         /* class of the note that it begins with; -1: none */
    int key;           /* tonic, + 12 in minor */
    int state;         /* the key or the chord that was found last */
};

struct search {
    struct unit *units;
    int n;
    int home;                  /* the key of the piece */
    int32_t last_bar;          /* step */
    int last;                  /* class of the last note */
    float (*score)[CHORDS];    /* [n] the best way to each state of a unit, */
    uint8_t (*before)[CHORDS]; /* and the state before it */
};

/* The worth of a state in unit k, and of a change to it. A state is a key or a chord. */
typedef float worth_fn(const struct search *s, int k, int state);
typedef float change_fn(const struct search *s, int k, int from, int to);

/* The cost of each degree's chord in a key; the rest is OUT_OF_KEY. */
static const struct common {
    uint8_t degree, kind;
    float cost;
} COMMON[2][14] = {
    {{0, MAJOR, 0},
     {7, MAJOR, 0.3f},
     {7, SEVENTH, 0.3f},
     {5, MAJOR, 0.4f},
     {2, MINOR, 0.8f},
     {9, MINOR, 0.8f},
     {4, MINOR, 1.6f},
     {11, DIMINISHED, 2},
     {2, SEVENTH, 1.6f},
     {0, SEVENTH, 2.2f},
     {4, SEVENTH, 1.8f},
     {9, SEVENTH, 1.9f},
     {10, MAJOR, 2.6f},
     {5, MINOR, 2.8f}},
    {{0, MINOR, 0},
     {7, SEVENTH, 0.3f},
     {7, MAJOR, 0.4f},
     {5, MINOR, 0.4f},
     {8, MAJOR, 0.8f},
     {3, MAJOR, 0.9f},
     {10, MAJOR, 1},
     {2, DIMINISHED, 1.4f},
     {10, SEVENTH, 1.3f},
     {7, MINOR, 1.8f},
     {0, SEVENTH, 2},
     {5, MAJOR, 2.2f},
     {2, SEVENTH, 2.2f},
     {11, DIMINISHED, 2.2f}},
};

static void list_units(struct search *s, const struct piece *p, int64_t from,
                       int64_t to)
{
    const int64_t first = piece_bar_at(p, from), last = piece_bar_at(p, to - 1);
    s->last_bar = (int32_t)piece_bar_start(p, last);
    for (int64_t bar = first; bar <= last; bar++) {
        const int64_t start = piece_bar_start(p, bar),
                      end = piece_bar_start(p, bar + 1);
        /* two halves, of quarters or of dotted ones */
        const struct grid_meter *m = meter_at(p, start);
        const bool halves = (end - start) % (2 * STEPS_PER_QUARTER) == 0 ||
                            (m->denominator == 8 && m->numerator % 6 == 0 &&
                             (end - start) % 2 == 0),
                   ends = bar + 1 == last && m->numerator % 3 == 0;
        const int64_t second =
            start + (halves ? (end - start) / 2 : (end - start) * 2 / 3);
        const int n = halves || ends ? 2 : 1;
        for (int i = 0; i < n; i++)
            s->units[s->n++] =
                (struct unit){.from = (int32_t)(i ? second : start),
                              .to = (int32_t)(i == n - 1 ? end : second),
                              .begins_bar = !i,
                              .ends_four = i == n - 1 && (bar - first) % 4 == 3,
                              .first = -1};
    }
}

static void hear_notes(struct search *s, const struct piece *p)
{
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (s->n && n->step < s->units[s->n - 1].to && !piece_is_hit(p, n))
            s->last = n->pitch % 12;
        for (int k = 0; k < s->n && !piece_is_hit(p, n); k++) {
            struct unit *u = &s->units[k];
            const int64_t lasts =
                smaller((int64_t)n->step + n->length, u->to) - larger(n->step, u->from);
            if (lasts > 0)
                u->classes[n->pitch % 12] += (float)lasts;
            if (n->step == u->from)
                u->first = n->pitch % 12;
        }
    }
}

/* Finds the states with the most worth, by dynamic programming. first: the state before; -1: any. */
static void find_way(struct search *s, int n_states, int first, worth_fn *worth,
                     change_fn *change)
{
    int best = 0;
    for (int k = 0; k < s->n; k++)
        for (int state = 0; state < n_states; state++) {
            float most = k ? -INFINITY : first < 0 ? 0 : change(s, k, first, state);
            for (int from = 0; k && from < n_states; from++) {
                const float way = s->score[k - 1][from] + change(s, k, from, state);
                if (way > most) {
                    most = way;
                    s->before[k][state] = (uint8_t)from;
                }
            }
            s->score[k][state] = most + worth(s, k, state);
        }
    for (int i = 1; i < n_states; i++)
        best = s->score[s->n - 1][i] > s->score[s->n - 1][best] ? i : best;
    for (int k = s->n - 1; k >= 0; k--) {
        s->units[k].state = best;
        best = s->before[k][best];
    }
}

static float worth_of_key(const struct search *s, int k, int key)
{
    float worth = key == s->home ? HOME : 0;
    for (int c = 0; c < 12; c++)
        worth += s->units[k].classes[c] / STEPS_PER_QUARTER *
                 logf((float)KEY_SHARES[key / 12][(c - key % 12 + 12) % 12] + RARE);
    return worth;
}

/* A key stays unless others fit better for some bars. */
static float change_of_key(const struct search *s, int k, int from, int to)
{
    (void)s;
    (void)k;
    return from == to ? 0 : -MOVES;
}

static bool has_class(int chord, int class)
{
    return CLASSES[chord % KINDS] >> (class - chord / KINDS + 12) % 12 & 1;
}

static float worth_in_key(int chord, int key)
{
    const int degree = (chord / KINDS - key % 12 + 12) % 12;
    for (size_t i = 0; i < sizeof COMMON[0] / sizeof COMMON[0][0]; i++) {
        const struct common *c = &COMMON[key / 12][i];
        if (c->degree == degree && c->kind == chord % KINDS)
            return -c->cost;
    }
    return -OUT_OF_KEY;
}

static float worth_of_chord(const struct search *s, int k, int chord)
{
    const struct unit *u = &s->units[k];
    const int degree = (chord / KINDS - u->key % 12 + 12) % 12;
    /* The last note is one of the dominant's: a half close. */
    const int last = (s->last - u->key % 12 + 12) % 12;
    const bool ends_open = last == 7 || last == 2 || last == 11;
    const bool is_home = degree == 0 && chord % KINDS == u->key / 12;
    float worth = worth_in_key(chord, u->key), in = 0, all = 0;
    for (int c = 0; c < 12; c++) {
        in += has_class(chord, c) ? u->classes[c] : -u->classes[c];
        all += u->classes[c];
    }
    if (all > 0)
        worth += FITS * in / all;
    if (u->first >= 0)
        worth += has_class(chord, u->first) ? FIRST : -FIRST;
    if (k == 0)
        worth += is_home ? BEGINS : 0;
    else if (u->from >= s->last_bar && ends_open)
        worth += degree == 7 ? ENDS : 0;
    else if (u->from >= s->last_bar)
        worth += is_home ? ENDS : 0;
    else if (u->ends_four && (is_home || degree == 7))
        worth += ENDS_FOUR;
    return worth;
}

static float change_of_chord(const struct search *s, int k, int before, int chord)
{
    const struct unit *u = &s->units[k];
    const int moves = (chord / KINDS - before / KINDS + 12) % 12,
              was = (before / KINDS - u->key % 12 + 12) % 12,
              is = (chord / KINDS - u->key % 12 + 12) % 12;
    if (before == chord)
        return u->begins_bar ? -SAME : 0;
    float worth = u->begins_bar ? 0 : -MID_BAR;
    if (moves == 5)
        worth += FIFTH;
    if (before % KINDS == SEVENTH && moves)
        worth += moves == 5 ? RESOLVES : -RESOLVES;
    if (was == 7 && (is == 5 || is == 2))
        worth -= BACKWARDS;
    return worth;
}

enum midi_status chord_tune(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct signature *signature, int64_t from, int64_t to)
{
    const size_t most =
        2 * (size_t)(piece_bar_at(p, to - 1) - piece_bar_at(p, from) + 1) + 1;
    struct search s = {.units = calloc(most, sizeof *s.units),
                       .score = calloc(most, sizeof *s.score),
                       .before = calloc(most, sizeof *s.before)};
    *out = calloc(most, sizeof **out);
    *n = 0;
    const bool ok = s.units && s.score && s.before && *out;
    if (ok) {
        list_units(&s, p, from, to);
        hear_notes(&s, p);
    }
    const struct piece_key key = piece_key(p, signature, to, to);
    if (ok && key.tonic >= 0) {
        s.home = key.tonic + 12 * key.is_minor;
        find_way(&s, KEYS, s.home, worth_of_key, change_of_key);
        for (int k = 0; k < s.n; k++)
            s.units[k].key = s.units[k].state;
        find_way(&s, CHORDS, -1, worth_of_chord, change_of_chord);
        for (int k = 0; k < s.n; k++) {
            const uint8_t root = (uint8_t)(s.units[k].state / KINDS);
            (*out)[k] = (struct grid_chord){s.units[k].from, root,
                                            QUALITIES[s.units[k].state % KINDS], root};
        }
        *n = grid_chords_join(*out, (size_t)s.n);
    }
    free(s.units);
    free(s.score);
    free(s.before);
    if (!ok) {
        free(*out);
        *out = NULL;
    }
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}
