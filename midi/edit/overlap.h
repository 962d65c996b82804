/* Notes of one pitch on one track must not overlap: MIDI cannot tell whose note-off is whose,
 * and the file would come back different. Our edits never make such notes; those that a file
 * holds stay as they are. UI thread only. */
#ifndef MIDI_OVERLAP_H
#define MIDI_OVERLAP_H

#include "midi/edit/edit.h"

/* What becomes of a change of which notes would overlap others of their pitch. */
enum overlap_rule {
    /* It fails with MIDI_OVERLAP, unless these notes overlap already. */
    OVERLAP_REFUSE,
    /* As on an instrument, an earlier note ends where a later one of its pitch begins; its
     * played length is kept (midi/score/notes.h). Two that would begin together make the
     * change fail with MIDI_UNISON; change.clash is one of them. */
    OVERLAP_TRUNCATE,
    /* Of a change that only adds and removes: notes that would overlap are not added. */
    OVERLAP_SKIP,
};

/* Applies the rule to all notes of the change; call it when they are complete. Takes a few
 * passes over the tracks of these notes. Returns how many notes it shortened that the change
 * did not edit before, or left out. */
size_t change_settle(struct change *c, const struct score *s, enum overlap_rule rule);

#endif
