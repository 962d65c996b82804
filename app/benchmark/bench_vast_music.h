/* Music of as many notes as are asked for, to measure with: what nobody would wish to
 * hear, but as dense and as various as a long film score. */
#ifndef APP_BENCH_VAST_MUSIC_H
#define APP_BENCH_VAST_MUSIC_H

#include "midi/score/score.h"

enum { VAST_TRACKS = 8 };

/* Of 8 tracks in 4/4; the first, which is edited, holds half of the notes, and one note of
 * it lasts from the beginning to the end. The same for the same number. The caller's;
 * NULL: out of memory. */
struct score *vast_music(size_t n_notes);

#endif
