/* The workstation as it is, without a user: the real session, with its model thread, its
 * player and its screen, at the end of a terminal nobody looks at (bench_terminal.h).
 * What its frames take is gathered as they are shown. Main thread only. */
#ifndef APP_BENCH_STAGE_H
#define APP_BENCH_STAGE_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_sample.h"
#include "app/benchmark/bench_terminal.h"
#include "app/editor/shell/desk.h"

struct stage {
    struct desk desk;
    struct bench_terminal *terminal;
    int wake[2];
    double began;               /* when the screen was opened; monotonic seconds */
    double pressed;             /* a key whose frame is not drawn yet; monotonic; 0 */
    struct delays frames, keys; /* from waking, from the key, to the end of the frame */
};

/* A screen of 200x50, an empty score, the first frame. Exit status; what went wrong has
 * been said, and nothing is kept. */
int stage_open(struct stage *g, const struct bench *b);
void stage_close(struct stage *g);

/* One turn of the ui loop. */
void stage_turn(struct stage *g, int most_ms);
void stage_run(struct stage *g, double seconds);
/* Until it is so after a frame; false: it was not within half a minute. */
bool stage_run_until(struct stage *g, bool (*is_so)(struct stage *g));
/* Presses a key, and goes on as stage_run_until. Seconds from the key to the end of that
 * frame; negative: it never came. */
double stage_answer(struct stage *g, char key, bool (*is_so)(struct stage *g));

/* Opens the bundled example, as often in a row as makes `bars`. false: it could not be. */
bool stage_open_music(struct stage *g, int bars);
/* Opens a copy of the music from a file; milliseconds from there to the end of its first
 * frame. false: it could not be. */
bool stage_open_score(struct stage *g, const struct score *music, double *ms);

#endif
