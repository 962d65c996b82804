/* Decodes one take. It owns a copy of the music, the grammar's state, a random number
 * generator and a reader of the model. A continuation has a decoder for each take and draws a
 * token of each in turn.
 *
 * A decoder that has ended stays so until the next request. One thread at a time. */
#ifndef APP_TAKE_DECODER_H
#define APP_TAKE_DECODER_H

#include "app/decoding/context.h"
#include "app/decoding/model_reader.h"
#include "app/decoding/motif.h"
#include "app/decoding/rules_aim.h"
#include "midi/tokens/grammar.h"

/* The sums over the tokens drawn for a take or a note. */
struct tally {
    int n_tokens;
    double log_prob, own_log_prob,
        masked; /* as in struct continuation_stats, but sums */
};

/* The part of a band's hole that is filled now: some bars on one track, and then the next track of the
 * same bars. */
struct take_turn {
    int64_t from, to;
    int track;                 /* the token track that is written */
    uint64_t later;            /* tracks whose turn in these bars is still to come */
    struct fill_request asked; /* the request for all turns */
};

struct take_decoder {
    /* constant after create */
    const struct model *model;
    struct pool *pool;
    struct grammar *grammar;
    const atomic_bool *cancel;

    /* The second, for guidance, reads no request; it is made when first needed. */
    struct model_reader *readers[2];
    int n_readers; /* that this request uses */

    /* of this request */
    struct context music;
    struct sampler *sampler;
    float guidance;        /* 1: one reader serves */
    struct hole_plan plan; /* the part of the plan still to come */
    struct rules rules;
    /* The planned chords. They move to the music; those of an answer stay here. */
    struct chord_plan harmony;
    bool flats;     /* the planned chords are spelt with flats */
    float bold;     /* factor of the temperature, in a take of many bars */
    int pitch;      /* the last pitch in the tokens; -1: none */
    int32_t *given; /* [n_given] tokens that the take begins with; a copy, or NULL */
    size_t n_given;
    struct take *out; /* gets notes, tokens and stats; borrowed */
    int32_t last;     /* token drawn */
    int64_t origin;   /* step where the tokens in the cache begin */
    struct take_turn turn;
    int64_t part_from, part_to; /* the part of the hole being filled; usually all */
    int32_t n_bars;             /* bars before the hole */
    int32_t n_bars_read;        /* those of them that the model read at first */
    bool after_bar;             /* the last token drawn was a bar line */
    struct tally take, note;
    enum continuation_state state; /* BEGUN while there is more to come */
    const char *error;

    float biased[TOKEN_COUNT]; /* logits with guidance and all biases */
    uint8_t allowed[TOKEN_COUNT];
};

/* *t is zeroed before. Call take_decoder_fini also after a failure. pool NULL: the take is all given,
 * and without guidance; the model reads nothing, and of it only context and vocabulary count. */
enum model_status take_decoder_init(struct take_decoder *t, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel);
void take_decoder_fini(struct take_decoder *t);

/* Takes the music (and zeroes it), reads it, and is ready for the first note of a take, by its seed and
 * style. `out` is borrowed until the take ends. What the readers of `from` have read is copied from there;
 * NULL: they read it themselves. */
enum continuation_state take_decoder_begin(struct take_decoder *t,
                                           struct context *music,
                                           const struct continuation_options *o,
                                           struct take *out,
                                           const struct take_decoder *from);
/* Call before each token: reads again where the context is full; ends when all is done. */
enum continuation_state take_decoder_prepare(struct take_decoder *t);
/* Takes the next given token, or draws one from the logits of its readers. `allowed` then has the tokens
 * that could have come instead. logits NULL: there is a given token, and no tally counts it. */
enum continuation_state take_decoder_draw(struct take_decoder *t,
                                          const float *const *logits);

/* End the take: set t->state and t->error, a text that lasts, and return the state. */
enum continuation_state take_decoder_end(struct take_decoder *t,
                                         enum continuation_state state,
                                         const char *error);
enum continuation_state take_decoder_end_midi(struct take_decoder *t,
                                              enum midi_status st);
enum continuation_state take_decoder_end_model(struct take_decoder *t,
                                               enum model_status st);

/* Adds a note to the take, after those of its motif that come before it; NULL: only the latter, all that are
 * left. */
enum midi_status take_decoder_add(struct take_decoder *t,
                                  const struct continued_note *n);
/* Sets the stats of the take: how far it is, its sums and its chords, and no verdict. */
void take_decoder_stats(struct take_decoder *t);

#endif
