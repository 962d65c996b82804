/* What fits into a hole, found by trying: every note is compared with every other.
 * Slow, and independent of the grammar's method. */
#ifndef TESTS_MIDI_HOLE_ORACLE_H
#define TESTS_MIDI_HOLE_ORACLE_H

#include "tests/midi/random_fill.h"

enum { ASKED_MAX_BLOCKED = 4 };

struct asked {
    struct fill fill;
    struct hole hole; /* as given to the grammar */
    struct grid_note blocked[ASKED_MAX_BLOCKED];
    size_t n_blocked;
};

/* On the first n tracks, with these pitches. */
static inline struct hole hole_of(int from, int to, int low, int high, int n_tracks)
{
    struct hole h = {.from = from, .to = to};
    h.pitch_lo = (uint8_t)low;
    h.pitch_hi = (uint8_t)high;
    for (int t = 0; t < n_tracks; t++) {
        h.tracks[t] = true;
        h.high[t] = 127;
    }
    return h;
}

/* The largest number of sampled tokens before a hole is done: BAR for every bar up to `to`,
 * and FILL_END; six tokens a note, one note for each step, track and pitch; DURX for every
 * 96 steps of each pitch. */
static inline int64_t hole_max_tokens(const struct hole *h)
{
    const struct hole clipped = hole_clip(h);
    int64_t span = clipped.to > clipped.from ? clipped.to - clipped.from : 0;
    int64_t n_pitches = 0; /* on all tracks */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (clipped.tracks[t] && clipped.low[t] <= clipped.high[t])
            n_pitches += clipped.high[t] - clipped.low[t] + 1;
    return clipped.to + 1 + n_pitches * (6 * span + span / TOKEN_RADIX);
}

/* The n-th token of a mask; -1: it has fewer. */
static inline int32_t nth_allowed(const uint8_t *allowed, int n)
{
    for (int32_t id = 0; id < TOKEN_COUNT; id++)
        if (allowed[id] && n-- == 0)
            return id;
    return -1;
}

static inline bool overlaps_any(const struct grid_note *notes, size_t n,
                                const struct grid_note *other)
{
    for (size_t i = 0; i < n; i++)
        if (notes_overlap(&notes[i], other))
            return true;
    return false;
}

/* Counts a track's notes at that step; they are in canonical order. */
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

/* The scale and the common pitch range do not apply to hits. */
static inline bool is_pitch_of(const struct hole *h, const struct piece *p,
                               const struct grid_note *n)
{
    bool is_in_reach = n->pitch >= h->low[n->track] && n->pitch <= h->high[n->track];
    return is_in_reach &&
           (piece_is_hit(p, n) || (n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi &&
                                   is_in_scale(h->scale, n->pitch)));
}

/* Beside the notes already inside; does not check voices. */
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

/* Each note inside fits as if it were put there last, voices too. */
static inline bool all_fit(const struct asked *a, const struct piece *inside)
{
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *n = &inside->notes[i];
        const struct piece before = {.notes = inside->notes, .n_notes = i};
        int voices = a->hole.max_polyphony[n->track];
        if (!fits(a, &before, n) ||
            (voices && count_sounding(inside, n->track, n->step) > voices))
            return false;
    }
    return true;
}

/* Whether another note fits after the last one inside, in canonical order. */
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
