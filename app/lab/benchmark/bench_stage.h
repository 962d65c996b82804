/* The workstation without a user: the real session with its model thread, its player and its
 * screen, in a terminal that nobody sees. Collects how long its frames take. Main thread. */
#ifndef APP_BENCH_STAGE_H
#define APP_BENCH_STAGE_H

#include "app/lab/benchmark/bench.h"
#include "app/editor/shell/ui_loop.h"

/* The invisible terminal; one at a time, of the main thread. */
struct bench_terminal;

/* Starts or stops typing: l and h in turn every 20 ms, but no key before the last one was
 * drawn. */
void bench_terminal_type(struct bench_terminal *t, bool types);
/* Presses one key. Not while it types by itself. */
void bench_terminal_press(struct bench_terminal *t, char key);

struct stage {
    struct ui_loop loop;
    struct bench_terminal *terminal;
    int wake[2];
    double began;               /* when the screen was opened; monotonic seconds */
    double pressed;             /* when a key not drawn yet was pressed; monotonic; 0 */
    struct delays frames, keys; /* from waking, or the key, to the end of the frame */
};

/* Opens a screen of 200x50 with an empty score and draws the first frame. Returns the exit
 * status, after saying what went wrong; then nothing is kept. */
int stage_open(struct stage *g, const struct bench *b);
void stage_close(struct stage *g);

/* One turn of the ui loop. */
void stage_turn(struct stage *g, int most_ms);
void stage_run(struct stage *g, double seconds);
bool stage_is_ready(struct stage *g); /* the model is loaded, or cannot be */
/* Runs until is_so after a frame; false: it was not so within half a minute. */
bool stage_run_until(struct stage *g, bool (*is_so)(struct stage *g));
/* Presses a key and runs as stage_run_until. Returns the seconds from the key to the end of
 * that frame; negative: it never came. */
double stage_answer(struct stage *g, char key, bool (*is_so)(struct stage *g));

/* Opens the eight bars of the bundled example twice over. false: it failed. */
bool stage_open_example(struct stage *g);
/* Opens a copy of the music from a file. *ms: from opening to the end of its first frame.
 * false: it failed. */
bool stage_open_score(struct stage *g, const struct score *music, double *ms);

#endif
