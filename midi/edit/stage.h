/* The notes, events and taps of a score as a change leaves them, made beside the present ones:
 * an inner part of midi/edit/apply.c. Making them may fail; putting them in the place of the
 * others, and back, cannot. */
#ifndef MIDI_STAGE_H
#define MIDI_STAGE_H

#include "midi/edit/apply.h"

/* Some notes, sorted by track and then as tracks keep them. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* at: those before have been merged */
};

struct stage {
    struct score *score; /* borrowed, as are the indices of its tracks and chunks */
    bool is_forwards;
    struct note_list added, removed;
    struct staged_track *tracks; /* those touched, once each */
    size_t n_tracks;
    struct staged_chunk *chunks;
    size_t n_chunks;
    struct taps taps;
};

/* In one pass over each track and each chunk that is touched. MIDI_BAD_EDIT: the score
 * does not hold what the change says it does. To be finished also on failure. */
enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards);
/* Staged and present arrays trade places; a second call trades them back. Tracks and
 * chunks must stand where they stood at init. */
void stage_swap(struct stage *g);
void stage_fini(struct stage *g);

#endif
