#include "app/document/chord_texts.h"

#include "midi/edit/timeline_events.h"
#include "midi/score/scale_guess.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>
#include <string.h>

/* The lowest note of a tune is not its bass, and during its rests the chord continues. */
static void hear_as_tune(struct piece *p)
{
    enum { LOWEST_OF_TUNES = 55 }; /* a violin's */
    size_t n = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        if (p->notes[i].pitch < LOWEST_OF_TUNES && !piece_is_hit(p, &p->notes[i]))
            return;
    for (size_t i = 0; i < p->n_chords; i++) {
        p->chords[i].bass = p->chords[i].root;
        if (p->chords[i].root != CHORD_NO_ROOT)
            p->chords[n++] = p->chords[i];
    }
    p->n_chords = n;
}

enum midi_status chords_guess(struct chord_mark **out, size_t *n, const struct score *s)
{
    struct piece p;
    struct scale scale;
    bool flats = scale_guess(s, 0, INT64_MAX, &scale) && scale_sharps(&scale) < 0;
    *out = NULL;
    *n = 0;
    enum midi_status st = piece_from_score(&p, s, STYLE_ANY, NULL, 0);
    if (st)
        return st;
    st = chord_guess(&p);
    hear_as_tune(&p);
    if (!st && !p.n_chords)
        st = MIDI_EMPTY;
    if (!st && !(*out = calloc(p.n_chords, sizeof **out)))
        st = MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < p.n_chords; i++) {
        struct chord_mark *m = &(*out)[*n];
        m->tick = tick_from_step(p.chords[i].step, s->ticks_per_quarter);
        grid_chord_name(&p.chords[i], flats, m->symbol);
        *n += !*n || strcmp(m[-1].symbol, m->symbol) != 0;
    }
    piece_fini(&p);
    return st;
}

enum midi_status change_guess_chords(struct change *c, const struct score *s,
                                     int64_t from, int64_t to)
{
    struct chord_mark *marks;
    size_t n;
    enum midi_status st = chords_guess(&marks, &n, s);
    if (!st)
        st = change_remove_timeline(c, s, TIMELINE_CHORD, from, to);
    for (size_t i = 0; !st && i < n; i++) {
        bool is_before = marks[i].tick < from; /* and may be in force there */
        if (is_before && (i + 1 == n || marks[i + 1].tick > from))
            marks[i].tick = from;
        if (marks[i].tick >= from && marks[i].tick < to)
            st = change_add_chord(c, s, marks[i].tick, marks[i].symbol);
    }
    free(marks);
    return st;
}
