/* See band_bias.h. */
#include "app/biases/band_bias.h"

#include "app/biases/bias_add.h"
#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

/* Nats. */
#define OUTSIDE_ON_BEAT 3.0f
#define OUTSIDE         1.5f
#define OWN_BASS        2.0f
#define PASSED_BY       2.0f
#define TOO_LONG        4.0f
#define GROOVE          1.5f /* the most */

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
    const int64_t in_bar = step - piece_bar_start(p, piece_bar_at(p, step));
    const float outside = in_bar % STEPS_PER_QUARTER ? OUTSIDE : OUTSIDE_ON_BEAT;
    const bool begins = in_bar == 0 || step == chord->step;
    if (!read_chord(chord, &says))
        return;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const bool is_own = is_bass && begins && pitch % 12 == says.bass;
        bias_add(is_own              ? OWN_BASS
                 : has(&says, pitch) ? 0
                                     : -outside,
                 TOKEN_PITCH + pitch, 1, allowed, logits);
    }
}

void chord_bias_apply(const struct piece *p, bool is_bass, int64_t step, int pitch,
                      const uint8_t *allowed, float *logits)
{
    struct chord_symbol next;
    size_t i = chords_until(p, step);
    if (i)
        bias_pitches(p, &p->chords[i - 1], is_bass, step, allowed, logits);
    if (pitch < 0)
        return;
    while (i < p->n_chords && (!read_chord(&p->chords[i], &next) || has(&next, pitch)))
        i++;
    if (i == p->n_chords)
        return;
    const int64_t most = p->chords[i].step - step; /* before a chord without it */
    for (int k = 0; k < TOKEN_RADIX; k++)
        if (k + 1 > most)
            bias_add(-TOO_LONG, TOKEN_DUR + k, 1, allowed, logits);
    for (int k = 0; k < TOKEN_HIT - TOKEN_DURX; k++)
        if (TOKEN_RADIX * (k + 1) > most)
            bias_add(-TOO_LONG, TOKEN_DURX + k, 1, allowed, logits);
}

void chord_bias_onsets(const struct piece *p, int64_t step, int64_t bar, int64_t last,
                       int64_t base, const uint8_t *allowed, float *logits)
{
    /* The first place from `step` on where the bar or a chord begins, after `last`. */
    const size_t next = chords_until(p, step > last ? step - 1 : last);
    const int64_t at = step == bar && last < bar ? 0
                       : next < p->n_chords      ? p->chords[next].step - bar
                                                 : INT64_MAX;
    if (at >= piece_bar_start(p, piece_bar_at(p, bar) + 1) - bar)
        return;
    for (int i = 0; i < TOKEN_RADIX; i++)
        if (base + i > at)
            bias_add(-PASSED_BY, TOKEN_POS + i, 1, allowed, logits);
    for (int i = 0; i < TOKEN_TRACK - TOKEN_POSX; i++)
        if (TOKEN_RADIX * (i + 1) > at)
            bias_add(-PASSED_BY, TOKEN_POSX + i, 1, allowed, logits);
    bias_add(-PASSED_BY, TOKEN_BAR, 1, allowed, logits);
    bias_add(-PASSED_BY, TOKEN_FILL_END, 1, allowed, logits);
}

/* -- the groove of drums -- */

enum { MOST_BARS = 4, LEAST_BARS = 2, MOST_PLACES = 2 * TOKEN_RADIX };

/* The bars before, of the same length. */
struct groove {
    int n_bars;              /* with hits */
    int length;              /* steps of a bar */
    uint8_t at[MOST_PLACES]; /* in how many bars there are hits at a place, */
    uint8_t keys[MOST_PLACES][HIT_COUNT]; /* and of a key */
};

static void hear_bar(struct groove *g, const struct piece *p, int track, int64_t from)
{
    int last = -1;
    for (size_t i = piece_note_at(p, from);
         i < p->n_notes && p->notes[i].step < from + g->length; i++) {
        const struct grid_note *n = &p->notes[i];
        const int place = (int)(n->step - from);
        if (n->track != track || !is_hit_key(n->pitch))
            continue;
        g->keys[place][n->pitch - HIT_FIRST]++;
        g->at[place] += place != last;
        last = place;
    }
    g->n_bars += last >= 0;
}

/* A bar of what drummers play where there is no groove yet: a kick on the first beat, snare
 * and kick in turn on the others, in odd meters snares; a hat on each half or third of them. */
static void add_backbeat(struct groove *g, const struct piece *p, int64_t bar)
{
    enum { KICK = 36 - HIT_FIRST, SNARE = 38 - HIT_FIRST, HAT = 42 - HIT_FIRST };
    const struct grid_meter *m = &p->meters[p->n_meters - 1];
    while (m > p->meters && m->step > bar)
        m--;
    const bool is_compound = m->denominator == 8 && m->numerator % 3 == 0;
    const int beat = meter_steps(is_compound ? 3 : 1, m->denominator),
              hat = (int)larger(is_compound ? beat / 3 : beat / 2, 1);
    const bool is_even = g->length / beat % 2 == 0;
    for (int place = 0; place < g->length; place += hat) {
        const int n = place / beat;
        g->at[place]++;
        g->keys[place][HAT]++;
        if (place % beat == 0)
            g->keys[place][n == 0 || (is_even && n % 2 == 0) ? KICK : SNARE]++;
    }
    g->n_bars++;
}

/* From the most that is taken to the most that is added. */
static float bias_of(const struct groove *g, int count)
{
    return GROOVE * (2 * (float)count / (float)g->n_bars - 1);
}

/* The highest key of the track's hits at a step; -1: it has none. */
static int last_key(const struct piece *p, int track, int64_t step)
{
    int key = -1;
    for (size_t i = piece_note_at(p, step); i < p->n_notes && p->notes[i].step == step;
         i++)
        if (p->notes[i].track == track)
            key = p->notes[i].pitch - HIT_FIRST;
    return key;
}

void groove_bias_apply(const struct piece *p, int track, int64_t step, int64_t bar,
                       int64_t base, const uint8_t *allowed, float *logits)
{
    const int64_t index = piece_bar_at(p, bar),
                  length = piece_bar_start(p, index + 1) - bar;
    struct groove g = {.length = (int)length};
    for (int64_t b = index - 1;
         b >= 0 && b >= index - MOST_BARS && length <= MOST_PLACES; b--) {
        const int64_t from = piece_bar_start(p, b);
        if (piece_bar_start(p, b + 1) - from == length)
            hear_bar(&g, p, track, from);
    }
    if (step - bar >= g.length || length > MOST_PLACES)
        return;
    while (g.n_bars < LEAST_BARS)
        add_backbeat(&g, p, bar);
    const int reached = last_key(p, track, step);
    float passed = 0; /* keys of each bar, which come in ascending order */
    for (int k = 0; k < HIT_COUNT; k++) {
        bias_add(bias_of(&g, g.keys[step - bar][k]) - passed, TOKEN_HIT + k, 1, allowed,
                 logits);
        passed += k > reached && g.keys[step - bar][k] == g.n_bars ? PASSED_BY : 0;
    }
    for (int i = 0; i < TOKEN_RADIX && base + i < g.length; i++)
        bias_add(bias_of(&g, g.at[base + i]) - (base + i > step - bar ? passed : 0),
                 TOKEN_POS + i, 1, allowed, logits);
    bias_add(-passed, TOKEN_BAR, 1, allowed, logits);
    bias_add(-passed, TOKEN_FILL_END, 1, allowed, logits);
}
