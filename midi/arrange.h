/* The part of applying a change that speaks of tracks and chunks as wholes: what they
 * are called and play, which there are, and where they stand. An inner part of
 * midi/apply.h.
 *
 * Forwards it comes after notes and events have been edited, so that what leaves is
 * empty; backwards before, so that what comes back can be filled again. */
#ifndef MIDI_ARRANGE_H
#define MIDI_ARRANGE_H

#include "midi/apply.h"

/* All or nothing. MIDI_BAD_EDIT: the score is not what the change says it is. */
enum midi_status arrange(struct change *c, struct score *s, bool is_forwards);

#endif
