/* The music a continuation goes on from, as the model will read it: the score
 * on the grid, the hole after its end, and windows of its last bars in tokens.
 * Generated notes join the music, so a later window holds them too.
 *
 * Steps here count from the start of the music; a window's from its first bar. */
#ifndef APP_CONTEXT_H
#define APP_CONTEXT_H

#include "app/decoding/continuation.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

/* A note of the score in steps it touches at all, where it is not on the grid. */
struct standing {
    int64_t from, to;
    uint8_t track, pitch;
};

struct context {
    struct piece music;
    size_t cap_notes;
    struct hole hole;
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int ticks_per_quarter;
    struct fill_request wishes; /* of a hole: what is asked but for its place */
    bool is_hole;               /* else the music is continued after its end, */
    bool begins_there;          /* or from where the hole begins, with a note; */
    int32_t first_bar;          /* the first that is heard then */
    struct standing *standing; /* notes that stay in a hole, or sound into an answer, */
    size_t n_standing;
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
/* to need not be initialised; MIDI_NO_MEMORY keeps nothing. */
enum midi_status context_copy(struct context *to, const struct context *from);
void context_fini(struct context *c); /* also when zeroed */

/* A note of the bars so far, or of a hole. */
enum midi_status context_add_note(struct context *c, const struct grid_note *n);
void context_add_bar(struct context *c);
/* There are bars up to this step. */
void context_add_bars_to(struct context *c, int64_t step);

/* Of a model's context, what serves a hole and the music around it; and of `beside` bars
 * wanted on each side, of which there are `left` before it, how many are read after it:
 * two, and what those before leave. The nearest bars tell most of a hole, and the last of
 * the context is better left alone: measured with the shipped model (models/README.md). */
enum { CONTEXT_BARS_AFTER = 2 };
static inline int context_for_hole(int context)
{
    return context * 5 / 6;
}
static inline int32_t context_bars_after(int32_t beside, int32_t left)
{
    int32_t most = CONTEXT_BARS_AFTER + (beside - left);
    return beside < most ? beside : most;
}

/* Bars around [from, to), a part of the hole, as many as max_tokens hold with
 * what is asked of it; where its own bars are too full, some of their notes.
 * MIDI_TOO_LONG: not even their lines fit. */
enum midi_status context_encode_hole(const struct context *c, int64_t from, int64_t to,
                                     size_t max_tokens, struct context_window *out);

/* Of what begins with a note: it does a step later. false: it would end there. */
bool context_begin_later(struct context *c);

/* Of what goes on after the bars that are heard: it keeps the meter of the last one, since
 * it hears of no other, though notes may sound beyond where another begins. */
void context_keep_meter(struct context *c);

/* After that, where it begins with a note, the place of it. On failure w is whole. */
enum midi_status context_say_where(const struct context *c, struct context_window *w);

/* As many of the last bars as max_tokens hold, at least eight; of a bar that is
 * too full alone, its last notes. Finish with tokens_fini. */
enum midi_status context_encode(const struct context *c, size_t max_tokens,
                                struct context_window *out);

#endif
