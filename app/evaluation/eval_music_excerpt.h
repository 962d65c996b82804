/* Some bars of a piece, and the way between them and the score that a
 * continuation takes: the score counts in steps, so that nothing is rounded. */
#ifndef APP_EVAL_MUSIC_EXCERPT_H
#define APP_EVAL_MUSIC_EXCERPT_H

#include "app/decoding/continuation.h"

uint64_t excerpt_tracks(const struct piece *p); /* bit t: track t has notes */

/* As piece_window, but of the tracks in `tracks` only, and with notes that
 * would ring past the end cut there. */
enum midi_status excerpt_cut(struct piece *out, const struct piece *p,
                             int32_t first_bar, int32_t n_bars, uint64_t tracks);

/* Each track of the piece as that of the same number. NULL: out of memory. */
struct score *excerpt_score(const struct piece *p);

/* What goes on from `context`, empty as yet: n_bars in its last meter. Notes
 * continued from its score join it from its end on; sort it when all have. */
enum midi_status excerpt_begin(struct piece *out, const struct piece *context,
                               int32_t n_bars);
enum midi_status excerpt_add(struct piece *p, const struct piece *context,
                             const struct continued_note *n);

#endif
