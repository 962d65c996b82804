#include "app/document/chord_texts.h"

#include "app/biases/chord_plan.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/general_midi.h"
#include "midi/score/scale_guess.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/tokens.h"

#include <stdlib.h>
#include <string.h>

enum { LOWEST_OF_TUNES = 55 }; /* a violin's */

enum midi_status chords_guess(struct chord_mark **out, size_t *n, const struct score *s,
                              bool harmonises)
{
    static const struct signature NONE;
    struct piece p;
    struct scale scale;
    const bool flats = scale_guess(s, 0, INT64_MAX, &scale) && scale_sharps(&scale) < 0;
    *out = NULL;
    *n = 0;
    enum midi_status st = piece_from_score(&p, s, STYLE_ANY, NULL, 0);
    if (st)
        return st;
    /* A tune plays alone, without low notes and without two at once. */
    bool is_tune = true, is_high = true;
    int64_t end = 0;
    for (size_t i = 0; i < p.n_notes; i++) {
        const struct grid_note *note = &p.notes[i];
        if (piece_is_hit(&p, note))
            continue;
        is_high &= note->pitch >= LOWEST_OF_TUNES;
        is_tune &= is_high && note->step >= end;
        end = (int64_t)note->step + note->length;
    }
    if (harmonises && is_tune && end) {
        struct grid_chord *chords;
        size_t n_chords;
        const int64_t first = piece_bar_start(&p, piece_bar_at(&p, p.notes[0].step));
        st = chord_tune(&chords, &n_chords, &p, &NONE, first,
                        piece_bar_start(&p, p.n_bars));
        if (!st) {
            free(p.chords);
            p.chords = chords;
            p.n_chords = n_chords;
        }
    } else {
        st = chord_guess(&p);
    }
    /* The lowest note of high music is no bass, so the root is taken for it. A chord continues during
     * rests. */
    size_t n_sounding = 0;
    for (size_t i = 0; is_high && i < p.n_chords; i++) {
        p.chords[i].bass = p.chords[i].root;
        if (p.chords[i].root != CHORD_NO_ROOT)
            p.chords[n_sounding++] = p.chords[i];
    }
    if (is_high)
        p.n_chords = n_sounding;
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
                                     int64_t from, int64_t to, bool harmonises)
{
    struct chord_mark *marks;
    size_t n;
    enum midi_status st = chords_guess(&marks, &n, s, harmonises);
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

enum midi_status change_add_band(struct change *c, const struct score *s,
                                 const struct band *band, uint64_t *tracks)
{
    int n_channels = 0;
    struct timeline_events written;
    *tracks = 0;
    if (s->n_tracks + (size_t)band->n > TOKEN_MAX_TRACKS)
        return MIDI_TOO_LONG;
    enum midi_status st =
        timeline_events_collect(&written, s, TIMELINE_BIT(TIMELINE_CHORD));
    if (st || !written.n)
        st = change_guess_chords(c, s, 0, INT64_MAX, true);
    timeline_events_fini(&written);
    if (st == MIDI_EMPTY) /* no chord sounds */
        st = MIDI_OK;
    for (int i = 0; !st && i < band->n; i++) {
        const struct band_part *p = &band->parts[i];
        uint8_t program = p->program;
        const uint8_t channel = p->is_drums ? score_drum_channel(s, &program)
                                            : score_free_channel(s, n_channels++);
        *tracks |= UINT64_C(1) << (s->n_tracks + (size_t)i);
        st = change_add_track(c, s, band_part_name(p), channel, program);
    }
    return st;
}

void band_bars(const struct score *s, int track, int64_t *from, int64_t *to)
{
    const struct track *t = &s->tracks[track];
    int64_t end = 0;
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start + t->notes[i].length > end)
            end = t->notes[i].start + t->notes[i].length;
    const int64_t begin = t->notes[0].start;
    const struct bar first = timeline_bar_at(&s->timeline, begin),
                     last = timeline_bar_at(&s->timeline, end - 1);
    const bool is_pickup =
        last.index > first.index && begin - first.start > first.length / 2;
    *from = is_pickup ? first.start + first.length : first.start;
    *to = last.start + last.length;
}
