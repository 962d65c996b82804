/* A take written again as it was drawn, without a model: which tokens were laid before it,
 * which were drawn, and where it was read anew, as app/decoding/strand.h has it. So that what is said
 * of a take's notes is said of the very sequence that they came from.
 *
 * One thread; blocks for a millisecond or so. */
#ifndef APP_REPLAY_H
#define APP_REPLAY_H

#include "app/inspection/inspection.h"

struct replay {
    /* The reading in which the wanted note was drawn: all its tokens, and how many of them
     * were drawn. */
    int32_t *ids;
    int n_ids, n_drawn;
    int64_t origin; /* step of the music where those begin */
    int track_map[TOKEN_MAX_TRACKS];
    /* The music it stands in, and the take's notes as they join it, canonical; ids are
     * those of the score and of the take. */
    struct grid_note *known;
    bool *is_take; /* [n_known] */
    size_t n_known;

    int32_t *drawn;      /* all tokens that were drawn, of all readings */
    int32_t *drawn_note; /* and the take's note, by index, that each is of; -1: none */
    uint64_t *ids_of;    /* of those notes */
    /* What might have come where the wanted note says each part first. */
    uint8_t allowed[INSPECTED_NOTE_PARTS][TOKEN_COUNT];
    bool is_said[INSPECTED_NOTE_PARTS];
    size_t n_all_drawn;
};

/* r need not be initialised; on failure nothing is kept. MIDI_BAD_TOKEN: those notes
 * cannot have come of that; MIDI_EMPTY: the wanted note, by id, is not the take's. */
enum midi_status replay_take(struct replay *r, const struct score *s,
                             const struct inspected_take *take, uint64_t note,
                             int context, int vocab);
void replay_fini(struct replay *r); /* also when zeroed */

#endif
