/* The edits of a change that concern whole tracks and chunks: their name and
 * program, removing and moving them. For midi/edit/apply.c only.
 *
 * Forwards it runs after notes and events are edited, so that a removed track is
 * empty; backwards before, so that a restored track can be filled. */
#ifndef MIDI_ARRANGE_H
#define MIDI_ARRANGE_H

#include "midi/edit/apply.h"

/* Makes room for the tracks that undoing will restore. false: out of memory. */
bool arrange_make_room(const struct change *c, struct score *s);

/* All or nothing, without memory. The caller rebuilds the timeline (of tempos or
 * meters at one tick, the last chunk's holds). The event bytes of removed chunks go
 * into `bin`, which the caller owns: staged events may use them. MIDI_BAD_EDIT: the
 * score is not what the change expects. */
enum midi_status arrange(struct change *c, struct score *s, bool is_forwards,
                         struct chunk *bin);

#endif
