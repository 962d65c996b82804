/* The music that a critic judges: the notes of a take and the bars around them, on the grid of
 * app/biases/analysis.h. Instruments are token tracks of the piece; a track without notes is there
 * if it was to be written.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "app/biases/analysis.h"
#include "app/decoding/continuation.h"

enum {
    SCENE_BARS_BEFORE = 16, /* at most so many bars before the take are read, */
    SCENE_BARS_AFTER = 8,   /* and after it */
    SCENE_BARS = SCENE_BARS_BEFORE + CONTINUATION_MAX_BARS + 1 + SCENE_BARS_AFTER,
    SCENE_PARTS = 2 * SCENE_BARS,
};

struct scene {
    struct piece all;   /* the bars that are read, with the chords that are written */
    struct piece given; /* the same bars with the given notes, */
    struct piece now;   /* and with those of the take; only their notes are their own */
    uint64_t first_id;  /* notes from this id on are the take's */
    int32_t bars[SCENE_BARS + 1];   /* the steps where bars begin */
    int n_bars, first_new, end_new; /* bars [first_new, end_new) are new */
    int64_t written_to; /* the step up to which written chords are in force */
    struct track_facts tracks[TOKEN_MAX_TRACKS], tracks_given[TOKEN_MAX_TRACKS];
    uint64_t asked; /* bit t: track t was to be written */
    /* That of the asked pitched tracks whose given notes lie highest; -1: there is none. */
    int tune;
    /* The chords that the notes of all tracks but one spell, by that track; the last: of all. */
    struct chord_list {
        struct grid_chord *of;
        size_t n;
    } chords[TOKEN_MAX_TRACKS + 1];
    int tonic; /* of the key, 0..11 */
    bool is_minor;
    uint16_t scale; /* bit 0 is C; of minor with the raised sixth and seventh */
    bool is_hole, close;
};

/* The scene of `s` with the notes of a take, from from_tick to to_tick of its stats. Of the options, which
 * asked for it, the tracks, the scale, the close, and whether it is a hole count. scene need not be
 * initialised; on failure nothing is kept. MIDI_EMPTY: there is no note, or no time to judge. */
enum midi_status scene_init(struct scene *scene, const struct score *s,
                            const struct continuation_options *o,
                            const struct take *take);
void scene_fini(struct scene *scene); /* also when zeroed */

static inline bool scene_is_new(const struct scene *c, const struct grid_note *n)
{
    return n->id >= c->first_id;
}

/* Finds the chord at a step that a track is heard against: the one that is written, or else that
 * the other tracks spell, or all, with its root as its bass. false: there is none. */
bool scene_chord_beside(const struct scene *c, int track, int64_t step,
                        struct grid_chord *out);

#endif
