/* What the actions that change notes share. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/session.h"

static inline int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity);

/* What an edit acts on: the selected notes, else the one under the cursor. The
 * array is the caller's; 0 when there is nothing, which is said. */
size_t edit_targets(struct session *s, struct note **out);

/* Takes a change and how building it went: does it, or says that it could not be
 * built. c NULL: out of memory. */
bool edit_do(struct session *s, struct change *c, enum midi_status st);

/* A new note at the cursor, n_steps of the grid long or until the next of its pitch.
 * In draw mode the cursor moves to its end. */
void edit_put_note(struct session *s, int n_steps);

/* One note of the active track, by hand: refused where it would overlap. */
bool edit_move_note(struct session *s, const struct note *before, struct note after);

#endif
