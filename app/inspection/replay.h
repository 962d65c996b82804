/* Repeats how a take was drawn, without a model: the tokens before it, those that were drawn,
 * and where it was read anew (app/decoding/take_decoder.h). So a take's notes are inspected in
 * the very sequence that they came from. One thread; takes about a millisecond. */
#ifndef APP_REPLAY_H
#define APP_REPLAY_H

#include "app/inspection/inspection.h"

struct replay {
    /* The sequence in which the wanted note was drawn, and how many of its tokens were
     * drawn. */
    int32_t *ids;
    int n_ids, n_drawn;
    int64_t origin; /* step of the music where those begin */
    int track_map[TOKEN_MAX_TRACKS];
    /* The music around it with the take's notes, in canonical order, with their ids. */
    struct grid_note *known;
    bool *is_take; /* [n_known] */
    size_t n_known;

    int32_t *drawn;      /* all tokens that were drawn, of all readings */
    int32_t *drawn_note; /* and the take's note, by index, that each is of; -1: none */
    uint64_t *ids_of;    /* of those notes */
    /* The tokens that were allowed at the first token of each part of the wanted note. */
    uint8_t allowed[INSPECTED_NOTE_PARTS][TOKEN_COUNT];
    bool is_said[INSPECTED_NOTE_PARTS];
    size_t n_all_drawn;
};

/* Initialises r; on failure nothing is kept. MIDI_BAD_TOKEN: the request cannot have given
 * these notes; MIDI_EMPTY: the take has no note with that id. */
enum midi_status replay_take(struct replay *r, const struct score *s,
                             const struct inspected_take *take, uint64_t note,
                             int context, int vocab);
void replay_fini(struct replay *r); /* also when zeroed */

#endif
