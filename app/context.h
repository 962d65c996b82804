/* The music a continuation goes on from, as the model will read it: the score
 * on the grid, the hole after its end, and windows of its last bars in tokens.
 * Generated notes join the music, so a later window holds them too.
 *
 * Steps here count from the start of the music; a window's from its first bar. */
#ifndef APP_CONTEXT_H
#define APP_CONTEXT_H

#include "app/continuation.h"
#include "midi/hole.h"
#include "midi/tokens.h"

struct context {
    struct piece music;
    size_t cap_notes;
    struct hole hole;
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int ticks_per_quarter;
};

struct context_window {
    struct tokens tokens; /* BOS STYLE BAR ..., open at the end */
    int64_t origin;       /* step of its first bar */
    size_t first_note;    /* of the music's, those before it are not in the tokens */
    int32_t n_bars;
};

/* c need not be initialised; on failure nothing is kept. MIDI_TOO_LONG: the
 * music, or the hole, ends past what the grid can hold. */
enum midi_status context_init(struct context *c, const struct score *s,
                              const struct continuation_options *o);
void context_fini(struct context *c); /* also when zeroed */

/* A note after all others in canonical order, within the bars so far. */
enum midi_status context_add_note(struct context *c, const struct grid_note *n);
void context_add_bar(struct context *c);

/* As many of the last bars as max_tokens hold, at least eight; of a bar that is
 * too full alone, its last notes. Finish with tokens_fini. */
enum midi_status context_encode(const struct context *c, size_t max_tokens,
                                struct context_window *out);

#endif
