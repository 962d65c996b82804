/* The part of applying a change that speaks of tracks and chunks as wholes: what they
 * are called and play, which there are, and where they stand. An inner part of
 * midi/edit/apply.h.
 *
 * Forwards it comes after notes and events have been edited, so that what leaves is
 * empty; backwards before, so that what comes back can be filled again. */
#ifndef MIDI_ARRANGE_H
#define MIDI_ARRANGE_H

#include "midi/edit/apply.h"

/* Room for the tracks that come back backwards, before they do; what left forwards has left
 * its own. false: out of memory. */
bool arrange_make_room(const struct change *c, struct score *s);

/* All or nothing, and without memory; the timeline is the caller's to bring up to date: of tempos or meters
 * at one tick the last chunk's holds. MIDI_BAD_EDIT: the score is not what the change says
 * it is. The bytes of events that chunks have held which are gone go into `bin`, the
 * caller's: events that are staged may have them. */
enum midi_status arrange(struct change *c, struct score *s, bool is_forwards,
                         struct chunk *bin);

#endif
