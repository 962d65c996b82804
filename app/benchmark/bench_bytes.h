/* How many bytes a frame sends, which a slow line has to carry: the difference between
 * the frame before and the one after something small happened. */
#ifndef APP_BENCH_BYTES_H
#define APP_BENCH_BYTES_H

#include "app/benchmark/bench.h"
#include "midi/score/score.h"
#include "tui/cells/theme.h"

enum bytes_event {
    BYTES_WHOLE, /* the first frame, or Ctrl-L */
    BYTES_RIGHT, /* the cursor */
    BYTES_UP,
    BYTES_COLUMN, /* the view scrolls by one */
    BYTES_ROW,
    BYTES_PLAYHEAD, /* a column on */
    BYTES_GHOST,    /* one more arrives */
    BYTES_IDLE,     /* a frame of nothing new */
    BYTES_EVENTS,
};

struct bytes {
    int columns, rows;
    enum depth depth;
    size_t n[BYTES_EVENTS];
};

/* Of `score`, on a screen of that size and depth. false: out of memory. */
bool bytes_measure(struct bytes *b, const struct score *score);

#endif
