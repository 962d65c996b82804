/* Notes of one pitch on one track must not overlap, since MIDI cannot tell which note a
 * note-off ends, and a saved file would come back different. Our edits never make such
 * notes. Those that a file holds stay as they are. UI thread only. */
#ifndef MIDI_OVERLAP_H
#define MIDI_OVERLAP_H

#include "midi/edit/edit.h"

/* What happens if notes of a change would overlap others of their pitch. */
enum overlap_rule {
    /* The change fails with MIDI_OVERLAP, unless these notes overlap already. */
    OVERLAP_REFUSE,
    /* As on an instrument, the earlier note ends where a later one of its pitch begins.
     * It keeps its played length (midi/score/notes.h). If two would begin together, the
     * change fails with MIDI_UNISON, and change.clash is one of them. */
    OVERLAP_TRUNCATE,
    /* For a change that only adds and removes: a note that would overlap is not
     * added. */
    OVERLAP_SKIP,
};

/* Applies the rule to all notes of the change. Call it when the change is complete.
 * Takes a few passes over the tracks of these notes. Returns how many notes it left
 * out, or how many it shortened that the change had not edited. */
size_t change_settle(struct change *c, const struct score *s, enum overlap_rule rule);

#endif
