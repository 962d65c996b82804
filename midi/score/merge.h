/* A chunk's events and notes merged into one sequence, in the order of a file.
 * Saving writes this sequence; score_equal compares it. */
#ifndef MIDI_MERGE_H
#define MIDI_MERGE_H

#include "midi/score/score.h"

enum merged_kind { MERGED_EVENT, MERGED_NOTE_ON, MERGED_NOTE_OFF };

/* Borrows from the score; valid until the score changes. */
struct merged {
    int64_t tick;
    uint32_t order;
    uint8_t kind, rank, channel;
    const struct event *event; /* MERGED_EVENT */
    const struct note *note;   /* the others */
};

/* The caller frees *out, also when it is empty. */
enum midi_status merge_chunk(const struct score *s, int chunk, struct merged **out,
                             size_t *n_out);

#endif
