/* The controllers, bends and pressure of copied bars: out of a score into a passage, and
 * from there into another place, where they stand for what those say there. */
#ifndef APP_PASSAGE_CONTROLS_H
#define APP_PASSAGE_CONTROLS_H

#include "app/document/passage.h"
#include "midi/edit/edit.h"

/* Adds to a passage, which has none yet, what n_tracks tracks from first_track on say for
 * themselves in [from, to); of banks, programs and modes nothing. false: no memory. */
bool passage_take_controls(struct passage *p, const struct score *s, int first_track,
                           int n_tracks, int64_t from, int64_t to);
/* So often in a row from `origin` on; on tracks that the score does not have yet, none
 * are put. */
enum midi_status passage_put_controls(const struct passage *p, struct change *c,
                                      const struct score *s, int first_track,
                                      int64_t origin, int times);

#endif
