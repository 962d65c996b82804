/* What the actions that change notes share. UI thread only. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/editor/session/session.h"

static inline int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity);

/* A note that an edit acts on, as it is in the score, and its track. */
struct target {
    int track;
    struct note note;
};

/* Lists what an edit acts on: the selected notes of all tracks, else the note under the
 * cursor. By track, then in the track's order. The caller owns the array, also when it is
 * empty. Returns the number; 0: there are none, and the user was told. */
size_t edit_targets(struct session *s, struct target **out);
/* The number of targets, from the first on, that are on its track: 1 or more unless n is 0. */
size_t edit_targets_run(const struct target *t, size_t n);

/* Takes a change and the status of building it. Does it, or tells the user that it could not
 * be built. c NULL: out of memory. */
bool edit_do(struct session *s, struct change *c, enum midi_status st);

/* Replaces before[i] by after[i], [n] each, in one step that undo calls `label`. before is as
 * edit_targets gives it; after may be in any order, and each note stays on its track. Refuses,
 * and tells the user ("cannot LABEL: ..."), if more notes of one pitch on one track would
 * overlap than do now. */
bool edit_replace(struct session *s, const char *label, const struct target *before,
                  const struct note *after, size_t n);

/* Changes a note by `amount`; false: it cannot be changed that far. */
typedef bool edit_transform_fn(const struct session *s, struct note *n, int64_t amount);
/* Replaces every target by its transform, or tells the user why it cannot. */
bool edit_transform(struct session *s, const char *label, edit_transform_fn *fn,
                    int64_t amount);

/* Adds a note at the cursor, n_steps of the grid long but at most up to the next of its pitch.
 * In draw mode the cursor moves to its end. */
void edit_put_note(struct session *s, int n_steps);

/* Sounds the pitch for a moment on the active track, unless music plays. */
void edit_sound(struct session *s, int pitch, int velocity);

#endif
