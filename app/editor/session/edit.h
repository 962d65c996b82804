/* What the actions that change notes share. UI thread only. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/editor/session/session.h"
#include "midi/edit/edit.h"

static inline int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity);
struct note edit_copy_note(const struct note *n); /* another note, which is like it */

/* A note that an edit acts on, as it is in the score, and its track. */
struct target {
    int track;
    struct note note;
};

/* Lists what an edit acts on: the selected notes of all tracks, else the note under the
 * cursor. By track, then in the track's order. The caller owns the array, also when it
 * is empty. Returns the number; 0: there are none, and the user was told. */
size_t edit_targets(struct session *s, struct target **out);
struct edit_span {
    int64_t from, to; /* ticks */
};
/* From the first beginning to the last end. */
struct edit_span edit_targets_span(const struct target *t, size_t n);
/* How many targets, from the first on, are on its track: at least 1 unless n is 0. */
size_t edit_targets_run(const struct target *t, size_t n);

/* Takes a change and does it. false: it could not be built or done, and the user was told.
 * If change_settle refused it, the message is "cannot LABEL: it would overlap ...": so a label is a
 * verb and its object. */
bool edit_do(struct session *s, struct change *c);
/* Likewise. A change without edits is not done: the user is told `nothing`. */
bool edit_do_some(struct session *s, struct change *c, const char *nothing);

/* Adds the removal of targets, with the lyrics of these notes and, of selected bars, with
 * the gestures (midi/edit/held.h). */
void edit_remove_targets(const struct session *s, struct change *c,
                         const struct target *t, size_t n);

/* after[i].pitch is PITCH_GONE: the note is removed, as it became one with another. */
enum { PITCH_GONE = 255 };
/* Replaces before[i] by after[i], [n] each, in one step that undo calls `label`. Each note
 * stays on its track, with its lyric; if bars are selected and all of it moves, with its
 * gestures. Hits of a kit are truncated by any rule: their length is in nobody's way.
 * *n_cut: other notes that were shortened; may be NULL. As edit_do. */
bool edit_replace(struct session *s, const char *label, const struct target *before,
                  const struct note *after, size_t n, enum overlap_rule rule,
                  size_t *n_cut);

/* Adds a note at the cursor, n_steps of the grid long but at most up to the next of its
 * pitch. In draw mode the cursor moves to its end. On a kit's row adds n_steps hits, one a
 * step, and the cursor moves past them. */
void edit_put_note(struct session *s, int n_steps);

/* Puts the chord that is shown for it; false: none is. */
bool edit_put_chord(struct session *s);

/* Pastes in one step of the history; `label` ("paste") names it and begins the message.
 * The clipboard's first track goes to `track`, the others to those after it; missing
 * tracks are added. origin: ticks; from: not empty; times > 0. Notes that would overlap
 * one of their pitch are left out; the cursor goes to the first pitch that is not. */
void paste_clipboard(struct session *s, const struct clipboard *from, int track,
                     int64_t origin, int times, const char *label);

/* Sounds the pitch for a moment on the active track, unless music plays. */
void edit_sound(struct session *s, int pitch, int velocity);

#endif
