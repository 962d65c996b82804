/* The windows in which a piece too long for a model is read, all of it: each has as many
 * bars as the model's context holds, and goes a quarter of that further than the one
 * before. A note belongs to the first window that has it, so that some three quarters of
 * the context, or all there is, come before it; for that each token is read four times. Half
 * the steps would be read in half the time, and a sonata whose themes come back would
 * surprise by 3 % more. Pure functions of the piece. */
#ifndef APP_INSPECTION_WINDOWS_H
#define APP_INSPECTION_WINDOWS_H

#include "midi/tokens/tokens.h"

/* -- inspection_windows -- */

/* The windows in which a piece too long for a model is read, all of it: each has as many
 * bars as the model's context holds, and goes a quarter of that further than the one
 * before. A note belongs to the first window that has it, so that some three quarters of
 * the context, or all there is, come before it; for that each token is read four times. Half
 * the steps would be read in half the time, and a sonata whose themes come back would
 * surprise by 3 % more. Pure functions of the piece. */

struct inspection_window {
    int32_t first_bar, end_bar;
    int32_t own_bar; /* from here on no earlier window has it */
};

struct inspection_windows {
    struct piece piece;              /* all of it */
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int ticks_per_quarter;
    struct inspection_window *list;
    int n, cap;
};

/* w need not be initialised; on failure nothing is kept. max_tokens is 16 at least. */
enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens);
void inspection_windows_fini(struct inspection_windows *w); /* also when zeroed */
int inspection_windows_at(const struct inspection_windows *w, int64_t tick);

#endif
