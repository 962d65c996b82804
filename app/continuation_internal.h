/* The state of a continuation, shared by the two files that make one: how the music is
 * put before the model (continuation_read.c), and how notes are drawn
 * (continuation.c). */
#ifndef APP_CONTINUATION_INTERNAL_H
#define APP_CONTINUATION_INTERNAL_H

#include "app/context.h"
#include "app/model_reader.h"
#include "app/style_guess.h"
#include "midi/grammar.h"

/* What was drawn, of a take or of a note. */
struct tally {
    int n_tokens;
    double log_prob, masked; /* sums */
};

struct continuation {
    /* constant after create */
    struct model_reader *reader;
    struct style_guess *guess;
    struct grammar *grammar;

    /* of this request */
    struct context music;
    struct sampler *sampler;
    enum style style;
    int64_t origin;             /* step where the tokens in the cache begin */
    int64_t part_from, part_to; /* of the hole, being filled; all of it, in general */
    bool after_bar;             /* the last token drawn was a bar line */
    struct tally take, note;
    enum continuation_state state;
    const char *error;

    uint8_t allowed[TOKEN_COUNT];
};

/* Each leaves c->state, and returns it. */
enum continuation_state continuation_end(struct continuation *c,
                                         enum continuation_state state,
                                         const char *error);
enum continuation_state continuation_end_midi(struct continuation *c,
                                              enum midi_status st);
enum continuation_state continuation_end_model(struct continuation *c,
                                               enum model_status st);

/* Reads the end of the music, to go on from for so many bars; or what is around the
 * hole from this step on, as much of it as is filled at once. BEGUN when it stands at
 * the end of that. */
enum continuation_state continuation_read_end(struct continuation *c, int bars);
enum continuation_state continuation_read_hole(struct continuation *c, int64_t from);
/* Between notes: reads less, and afresh, where the model's context may not hold the
 * next one. */
enum continuation_state continuation_make_room(struct continuation *c);

#endif
