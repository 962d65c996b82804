/* How many bytes a frame sends to the terminal, which matters on a slow line: the difference
 * between the frames before and after a small event. Main thread. */
#ifndef APP_BENCH_BYTES_H
#define APP_BENCH_BYTES_H

#include "midi/score/score.h"
#include "tui/cells/theme.h"

enum bytes_event {
    BYTES_WHOLE, /* the first frame, or Ctrl-L */
    BYTES_RIGHT, /* the cursor */
    BYTES_UP,
    BYTES_COLUMN, /* the view scrolls by one */
    BYTES_ROW,
    BYTES_PLAYHEAD, /* it moves by a column */
    BYTES_GHOST,    /* one more arrives */
    BYTES_IDLE,     /* a frame with nothing new */
    BYTES_EVENTS,
};

struct bytes {
    int columns, rows;
    enum depth depth;
    size_t n[BYTES_EVENTS];
};

/* Measures frames of `score` on a screen of *b's size and depth. false: out of memory. */
bool bytes_measure(struct bytes *b, const struct score *score);

#endif
