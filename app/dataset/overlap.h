/* Two notes of one pitch on one track never overlap by our hand: MIDI cannot tell
 * whose note-off is whose, and the file would come back different. Files may hold
 * such notes all the same; they are left as they are. Pure functions. */
#ifndef APP_OVERLAP_H
#define APP_OVERLAP_H

#include "midi/score/score.h"

/* How often notes of one pitch would meet if `with` stood in the track in the place
 * of `without`, counting only where one of `with` takes part. Both lists are sorted
 * by start; `without` are the track's own, in its order. is_bad[i] becomes true for
 * each of `with` that cannot stay; NULL: not wanted. One pass over the track. */
size_t overlap_count(const struct track *t, const struct note *without,
                     size_t n_without, const struct note *with, size_t n_with,
                     bool *is_bad);

#endif
