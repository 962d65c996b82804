/* The notes, events and taps of a score as a change leaves them, prepared beside the
 * present ones; for midi/edit/apply.c only. Preparing may fail; swapping them in,
 * and back, cannot. */
#ifndef MIDI_STAGE_H
#define MIDI_STAGE_H

#include "midi/edit/apply.h"

/* Notes sorted by track, then as in tracks. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* at: notes before this are merged */
};

struct stage {
    struct score *score; /* borrowed; its tracks and chunks keep their indices */
    bool is_forwards;
    struct note_list added, removed;
    struct staged_track *tracks; /* the tracks touched, once each */
    size_t n_tracks;
    struct staged_chunk *chunks;
    size_t n_chunks;
    struct taps taps;
};

/* Takes one pass over each track and chunk that the change touches. MIDI_BAD_EDIT:
 * the score is not what the change expects. Call stage_fini also on failure. */
enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards);
/* Swaps the staged and the present arrays; a second call swaps them back. Tracks and
 * chunks must have the indices they had at init. */
void stage_swap(struct stage *g);
void stage_fini(struct stage *g);

#endif
