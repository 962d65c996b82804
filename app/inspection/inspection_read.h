/* The windows in which a piece is read that is too long for a model. Each has as many bars as
 * the context holds, and begins a quarter of that after the one before. A note belongs to the
 * first window that has it, so three quarters of the context, or all there is, come before it.
 * Each token is read four times for that; with half the windows a sonata whose themes return
 * would surprise by 3 % more. Pure functions. */
#ifndef APP_INSPECTION_WINDOWS_H
#define APP_INSPECTION_WINDOWS_H

#include "midi/tokens/tokens.h"

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
