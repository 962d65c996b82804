/* What the actions that change notes share. UI thread only. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/editor/session/session.h"
#include "midi/edit/edit.h"

static inline int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

/* A new note, which has no id yet. start and length: ticks. */
struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity);
/* A new note on the active track from the cursor to `end`, or to the next note of its pitch.
 * It has no length where one of its pitch sounds. */
struct note edit_new_note_here(const struct session *s, int pitch, int64_t end);
/* A new note like *n. */
struct note edit_copy_note(const struct note *n);

/* A note that an edit acts on, as it is in the score, and its track. */
struct target {
    int track;
    struct note note;
};

/* Lists the notes that an edit acts on: the selected notes of all tracks, else the note under
 * the cursor. They are sorted by track, then in the track's order. The caller owns the array,
 * also if it is empty. Returns the number of notes; 0: there are none, and the user was told. */
size_t edit_targets(struct session *s, struct target **out);
struct edit_span {
    int64_t from, to; /* ticks */
};
/* Returns the time from the first start to the last end. */
struct edit_span edit_targets_span(const struct target *t, size_t n);

enum { EDIT_LABEL_BYTES = 200 };
/* An empty change whose label is formatted. A label that is too long is cut after a whole
 * letter. NULL: out of memory. */
struct change *edit_begin(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Takes a change and does it. false: it could not be built or done, and the user was told.
 * If change_settle refused it, the message is "cannot LABEL: it would overlap ...": so a label is a
 * verb and its object. */
bool edit_do(struct session *s, struct change *c);
/* Does a change, and then tells the user its label. */
bool edit_do_aloud(struct session *s, struct change *c);
/* Does a change that has edits. Tells the user `nothing` if it has none. */
bool edit_do_some(struct session *s, struct change *c, const char *nothing);

/* after[i].pitch is PITCH_GONE: the note is removed. */
enum { PITCH_GONE = 255 };
/* Does a change that replaces before[i] by after[i], [n] each; takes the change, which may add
 * notes already. Each note stays on its track. Lyrics go where their notes go. If bars are
 * selected and all notes move by the same time, or are removed, the gestures (midi/edit/held.h)
 * go, too. Hits of a kit are truncated by any rule, since the length of a hit means nothing.
 * *n_cut receives the number of other notes that were shortened; it may be NULL. false: as
 * edit_do, or nothing changes. */
bool edit_replace(struct session *s, struct change *c, const struct target *before,
                  const struct note *after, size_t n, enum overlap_rule rule,
                  size_t *n_cut);

/* If `removes`, deletes the note under the cursor. If not, or if there is none, adds a note
 * there, n_steps of the grid long but at most up to the next note of its pitch; in draw mode the
 * cursor moves to the end of the note. On the rows of a kit, adds a hit at each of n_steps grid
 * steps that has none yet, and moves the cursor past them. */
void edit_put_note(struct session *s, int n_steps, bool removes);

/* Puts the chord that `o` shows. */
void edit_put_chord(struct session *s);

/* Puts a text at a tick in one step of the history, or removes it if the text is empty;
 * tells the user (tempo.c). kind: TIMELINE_MARKER or one after it. */
void edit_set_text(struct session *s, enum timeline_kind kind, int64_t tick,
                   const char *text);

/* Sounds the pitch for a moment on the active track, unless music plays. */
void edit_sound(struct session *s, int pitch, int velocity);

#endif
