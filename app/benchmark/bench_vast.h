/* The music that `continuo bench vast` measures with: nobody would wish to hear it, but it
 * is as dense and as various as a long film score. */
#ifndef APP_BENCH_VAST_H
#define APP_BENCH_VAST_H

#include "midi/score/score.h"

enum { VAST_TRACKS = 8 };

/* A score of eight tracks in 4/4. The first track, which is edited, has half of the notes,
 * and one note of it lasts from the beginning to the end. The same number gives the same
 * music. The caller owns it; NULL: out of memory. */
struct score *vast_music(size_t n_notes);

#endif
