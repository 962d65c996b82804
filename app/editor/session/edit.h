/* What the actions that change notes share. UI thread only. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/editor/session/session.h"

static inline int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity);

/* A note that an edit acts on, as it is in the score, and where it is. */
struct target {
    int track;
    struct note note;
};

/* What an edit acts on: the selected notes, of all tracks, else the one under the
 * cursor. By track, then as in the track. The array is the caller's, also when it is
 * empty; 0 when there is nothing, which is said. */
size_t edit_targets(struct session *s, struct target **out);
/* How many of these n, from the first on, are of its track: at least 1 unless n is 0. */
size_t edit_targets_run(const struct target *t, size_t n);

/* Takes a change and how building it went: does it, or says that it could not be
 * built. c NULL: out of memory. */
bool edit_do(struct session *s, struct change *c, enum midi_status st);

/* Puts after[i] in the place of before[i], [n] each, in one step that undo calls
 * `label`. before is as edit_targets gives it; what comes after may stand in any order
 * and stays on its track. Refused, and said ("cannot LABEL: ..."), where more notes of
 * one pitch on one track would overlap than do now. */
bool edit_replace(struct session *s, const char *label, const struct target *before,
                  const struct note *after, size_t n);

/* Changes a note; false: it cannot be changed so far. */
typedef bool edit_transform_fn(const struct session *s, struct note *n, int64_t amount);
/* Replaces every target by its transform, or says why it cannot. */
bool edit_transform(struct session *s, const char *label, edit_transform_fn *fn,
                    int64_t amount);

/* A new note at the cursor, n_steps of the grid long or until the next of its pitch.
 * In draw mode the cursor moves to its end. */
void edit_put_note(struct session *s, int n_steps);

/* Sounds it for a moment on the active track, unless music plays. */
void edit_sound(struct session *s, int pitch, int velocity);

#endif
