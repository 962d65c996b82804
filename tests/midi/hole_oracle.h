/* What fits a hole, told by trying: nothing is kept, and every note is compared with
 * every other. Slow, and not made as the grammar is. */
#ifndef TESTS_MIDI_HOLE_ORACLE_H
#define TESTS_MIDI_HOLE_ORACLE_H

#include "midi/tokens/hole.h"
#include "tests/midi/random_fill.h"

enum { ASKED_MAX_BLOCKED = 4 };

struct asked {
    struct fill fill;
    struct hole hole; /* as the grammar is given it */
    struct grid_note blocked[ASKED_MAX_BLOCKED];
    size_t n_blocked;
};

static inline bool overlaps_any(const struct grid_note *notes, size_t n,
                                const struct grid_note *other)
{
    for (size_t i = 0; i < n; i++)
        if (notes_overlap(&notes[i], other))
            return true;
    return false;
}

/* Notes of a track at that step; they are in canonical order. */
static inline int count_sounding(const struct piece *p, int track, int32_t step)
{
    int n = 0;
    for (size_t i = 0; i < p->n_notes && p->notes[i].step <= step; i++)
        n += p->notes[i].track == track && p->notes[i].step + p->notes[i].length > step;
    return n;
}

static inline bool is_in_scale(uint16_t scale, int pitch)
{
    return scale == 0 || (scale & 1 << pitch % 12) != 0;
}

/* Of hits the scale and the pitches of all tracks say nothing. */
static inline bool is_pitch_of(const struct hole *h, const struct piece *p,
                               const struct grid_note *n)
{
    bool is_in_reach = n->pitch >= h->low[n->track] && n->pitch <= h->high[n->track];
    return is_in_reach &&
           (piece_is_hit(p, n) || (n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi &&
                                   is_in_scale(h->scale, n->pitch)));
}

/* Beside the notes already inside; of voices nothing is said. */
static inline bool fits(const struct asked *a, const struct piece *inside,
                        const struct grid_note *n)
{
    const struct hole *h = &a->hole;
    const struct piece *around = &a->fill.around;
    return piece_note_valid(around, n) &&
           fill_contains(&a->fill.request, around->families, n) && n->step >= h->from &&
           n->step + n->length <= h->to && is_pitch_of(h, around, n) &&
           h->tracks[n->track] && !overlaps_any(around->notes, around->n_notes, n) &&
           !overlaps_any(a->blocked, a->n_blocked, n) &&
           !overlaps_any(inside->notes, inside->n_notes, n);
}

/* Some note does, after the last one inside in canonical order. */
static inline bool another_fits(const struct asked *a, const struct piece *inside)
{
    const struct fill_request *q = &a->fill.request;
    struct grid_note n = {.step = q->from, .length = 1};
    if (inside->n_notes > 0)
        n = inside->notes[inside->n_notes - 1];
    int key = n.track * 128 + n.pitch + (inside->n_notes > 0);
    for (n.length = 1; n.step < q->to; n.step++, key = 0)
        for (; key < TOKEN_MAX_TRACKS * 128; key++) {
            n.track = (uint8_t)(key / 128);
            int voices = a->hole.max_polyphony[n.track];
            n.pitch = (uint8_t)(key % 128);
            if (fits(a, inside, &n) &&
                (!voices || count_sounding(inside, n.track, n.step) < voices))
                return true;
        }
    return false;
}

#endif
