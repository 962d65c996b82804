/* See chord_bias.h. */
#include "app/biases/chord_bias.h"

#include "app/biases/bias_add.h"
#include "midi/base/larger.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

#include <stdlib.h>
#include <string.h>

/* Nats, at weight 1. */
#define OUTSIDE_ON_BEAT 3.0f
#define OUTSIDE         1.5f
#define OWN_BASS        2.0f
#define PASSED_BY       2.0f
#define TOO_LONG        4.0f

/* For so many steps before a chord, pitch classes so near its bass lead to it. */
enum { APPROACH = STEPS_PER_QUARTER, NEAR = 2 };

/* The notes of the other tracks, of these bars and those around them. */
enum { AROUND = 8 };

static size_t copy_others(struct grid_note *to, const struct piece *p, uint64_t tracks,
                          int64_t from, int64_t end)
{
    size_t n = 0;
    for (size_t i = piece_note_at(p, from); i < p->n_notes && p->notes[i].step < end;
         i++)
        if (!(tracks >> p->notes[i].track & 1) && !piece_is_hit(p, &p->notes[i]))
            to[n++] = p->notes[i];
    return n;
}

enum midi_status chord_bias_guess(const struct piece *p, uint64_t tracks, int64_t from,
                                  int64_t to, struct grid_chord **out, size_t *n)
{
    struct piece others = *p;
    size_t n_first = 0, n_here;
    *out = NULL;
    *n = 0;
    others.chords = NULL;
    others.n_chords = 0;
    others.notes = calloc(p->n_notes + 1, sizeof *others.notes);
    if (!others.notes)
        return MIDI_NO_MEMORY;
    const int64_t first = piece_bar_at(p, from), last = piece_bar_at(p, to - 1);
    others.n_notes = copy_others(others.notes, p, tracks,
                                 piece_bar_start(p, larger(first - AROUND, 0)),
                                 piece_bar_start(p, last + 1 + AROUND));
    others.n_bars = (int32_t)larger(p->n_bars, last + 1);
    n_here = piece_note_at(&others, to) - piece_note_at(&others, from);
    enum midi_status st = MIDI_OK;
    if (n_here >= 2 * (size_t)(last + 1 - first))
        st = chord_guess(&others);
    free(others.notes);
    while (n_first + 1 < others.n_chords && others.chords[n_first + 1].step <= from)
        n_first++; /* the one in force */
    while (n_first + *n < others.n_chords && others.chords[n_first + *n].step < to)
        ++*n;
    for (size_t i = 0; i < *n; i++) {
        others.chords[i] = others.chords[n_first + i];
        others.chords[i].bass = others.chords[i].root;
    }
    *out = others.chords;
    return st;
}

/* The number of chords that begin at or before the step. */
static size_t chords_until(const struct chord_bias *b, int64_t step)
{
    size_t n = 0;
    while (n < b->n && b->chords[n].step <= step)
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

/* Bit c: pitch class c leads to a chord's bass. */
static uint16_t approaches(const struct grid_chord *next)
{
    unsigned classes = 0;
    for (int c = -NEAR; next->root < 12 && c <= NEAR; c++)
        classes |= 1u << (next->bass + 12 + c) % 12;
    return (uint16_t)classes;
}

/* Whether the track has begun a note there; the first is its lowest. */
static bool has_begun(const struct piece *p, int track, int64_t step)
{
    for (size_t i = piece_note_at(p, step); i < p->n_notes && p->notes[i].step == step;
         i++)
        if (p->notes[i].track == track)
            return true;
    return false;
}

void chord_bias_pitches(const struct chord_bias *b, const struct piece *p, int track,
                        int64_t step, const uint8_t *allowed, float *logits)
{
    struct chord_symbol says;
    const size_t i = chords_until(b, step);
    if (b->weight == 0 || i == 0 || !read_chord(&b->chords[i - 1], &says))
        return;
    const int64_t in_bar = step - piece_bar_start(p, piece_bar_at(p, step));
    const bool begins = in_bar == 0 || step == b->chords[i - 1].step,
               is_bass = begins && track == b->bass && !has_begun(p, track, step);
    const float outside = in_bar % STEPS_PER_QUARTER ? OUTSIDE : OUTSIDE_ON_BEAT;
    const uint16_t leads = !begins && i < b->n && step + APPROACH >= b->chords[i].step
                               ? approaches(&b->chords[i])
                               : 0;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const bool is_free = has(&says, pitch) || leads >> pitch % 12 & 1;
        const float nats = is_bass && pitch % 12 == says.bass ? OWN_BASS
                           : is_free                          ? 0
                                                              : -outside;
        bias_add(b->weight * nats, TOKEN_PITCH + pitch, 1, allowed, logits);
    }
}

void chord_bias_lengths(const struct chord_bias *b, int64_t step, int pitch,
                        const uint8_t *allowed, float *logits)
{
    struct chord_symbol next;
    size_t i = chords_until(b, step);
    if (b->weight == 0 || pitch < 0)
        return;
    while (i < b->n && (!read_chord(&b->chords[i], &next) || has(&next, pitch)))
        i++;
    if (i == b->n)
        return;
    const float cost = -b->weight * TOO_LONG;
    const int64_t most = b->chords[i].step - step; /* before a chord without it */
    for (int k = 0; k < TOKEN_RADIX; k++)
        if (k + 1 > most)
            bias_add(cost, TOKEN_DUR + k, 1, allowed, logits);
    for (int k = 0; k < TOKEN_HIT - TOKEN_DURX; k++)
        if (TOKEN_RADIX * (k + 1) > most)
            bias_add(cost, TOKEN_DURX + k, 1, allowed, logits);
}

void chord_bias_onsets(const struct chord_bias *b, const struct piece *p, int64_t step,
                       int64_t bar, int64_t last, int64_t base, const uint8_t *allowed,
                       float *logits)
{
    /* The first place from `step` on where the bar or a chord begins, after `last`. */
    const float cost = -b->weight * PASSED_BY;
    const size_t next = chords_until(b, step > last ? step - 1 : last);
    const int64_t at = step == bar && last < bar ? 0
                       : next < b->n             ? b->chords[next].step - bar
                                                 : INT64_MAX;
    if (at >= piece_bar_start(p, piece_bar_at(p, bar) + 1) - bar)
        return;
    for (int i = 0; i < TOKEN_RADIX; i++)
        if (base + i > at)
            bias_add(cost, TOKEN_POS + i, 1, allowed, logits);
    for (int i = 0; i < TOKEN_TRACK - TOKEN_POSX; i++)
        if (TOKEN_RADIX * (i + 1) > at)
            bias_add(cost, TOKEN_POSX + i, 1, allowed, logits);
    bias_add(cost, TOKEN_BAR, 1, allowed, logits);
    bias_add(cost, TOKEN_FILL_END, 1, allowed, logits);
}
