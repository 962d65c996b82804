/* A chunk's events and the notes lifted out of it, as one sequence again: the
 * order in which they stand in a file. Saving writes it, comparing compares it. */
#ifndef MIDI_MERGE_H
#define MIDI_MERGE_H

#include "midi/score/score.h"

enum merged_kind { MERGED_EVENT, MERGED_NOTE_ON, MERGED_NOTE_OFF };

/* Borrows from the score: good until it changes. */
struct merged {
    int64_t tick;
    uint32_t order;
    uint8_t kind, rank, channel;
    const struct event *event; /* MERGED_EVENT */
    const struct note *note;   /* the others */
};

/* *out is the caller's to free, also when it holds nothing. */
enum midi_status merge_chunk(const struct score *s, int chunk, struct merged **out,
                             size_t *n_out);

#endif
