/* A picture of the roll: bars and beats across, pitches up, notes as bars of their track's
 * colour with velocity as strength; generated notes are hatched on a lighter ground, after
 * a line. */
#ifndef APP_PICTURE_H
#define APP_PICTURE_H

#include "midi/score/score.h"

/* Draws the last 64 bars. Notes that start at generated_from or later, in ticks, are the
 * generated ones. On failure errno may say why, and nothing is left at path. */
enum midi_status picture_save(const struct score *s, int64_t generated_from,
                              const char *path);

#endif
