/* One take being written: its own copy of the music, its place in the grammar, its dice
 * and its reader of the model. A continuation has as many as takes were asked for, and
 * draws a token of each in turn. strand_read.c puts the music before the model,
 * strand_draw.c draws notes, strand_show.c tells where they looked.
 *
 * A strand that ends, in whatever way, stays so until the next request. */
#ifndef APP_STRAND_H
#define APP_STRAND_H

#include "app/decoding/cadence.h"
#include "app/decoding/context.h"
#include "app/decoding/live_row.h"
#include "app/decoding/model_reader.h"
#include "app/decoding/nudge.h"
#include "app/decoding/taste.h"
#include "midi/tokens/grammar.h"

/* What was drawn, of a take or of a note. */
struct tally {
    int n_tokens;
    double log_prob, own_log_prob, masked; /* sums, as struct continuation_stats */
};

enum { STRAND_ENDS = 32 };

struct strand {
    /* constant after create */
    const struct model *model;
    struct pool *pool;
    struct model_reader *reader;
    struct grammar *grammar;
    float *leaned; /* [vocab] logits, guided, and leaning to what was liked */
    float *row;    /* [context] that the newest token leaves, */
    struct live_choice shown; /* of this head; layer -1: none */
    const atomic_bool *cancel;

    struct model_reader *unasked; /* hears no wishes; made when first wanted */

    /* of this request */
    struct context music;
    struct sampler *sampler;
    float guidance;        /* 1: `unasked` is not asked */
    struct taste *taste;   /* or NULL */
    struct hole_plan plan; /* what there is still to come of it */
    struct nudge nudge;
    struct cadence cadence;
    int track, pitch; /* the tokens' last; -1: none */
    int32_t *given;   /* [n_given] tokens it begins with, or NULL; copied */
    size_t n_given, n_given_drawn;
    int64_t ends[STRAND_ENDS]; /* of its newest notes, steps, round and round */
    int32_t last;              /* token drawn */
    enum style style;
    int64_t origin;             /* step where the tokens in the cache begin */
    int64_t part_from, part_to; /* of the hole, being filled; all of it, in general */
    bool after_bar;             /* the last token drawn was a bar line */
    struct tally take, note;
    double closes;                 /* once done, 0..1; of one that was asked to */
    enum continuation_state state; /* BEGUN while there is more to come */
    const char *error;

    uint8_t allowed[TOKEN_COUNT];
};

/* Zeroed before; also after a failure it wants strand_fini. */
enum model_status strand_init(struct strand *t, const struct model *model,
                              struct pool *pool);
/* Without a model: for strand_force alone, and with no guidance. */
enum model_status strand_init_dry(struct strand *t, int context, int vocab);
void strand_fini(struct strand *t);
void strand_set_cancel(struct strand *t, const atomic_bool *flag);

/* Has read what another strand has, so far. */
enum model_status strand_copy(struct strand *to, const struct strand *from);
/* Takes the music, which is zeroed, and stands where its notes begin. */
enum continuation_state strand_begin(struct strand *t, struct context *music,
                                     enum style style, uint64_t seed,
                                     const struct continuation_options *o);
/* Before a token is drawn: reads anew where it must, or finds that all is done. */
enum continuation_state strand_prepare(struct strand *t);
/* The readers whose logits it wants for a token: one or two, in order; how many. */
enum { STRAND_READERS = 2 };
int strand_readers(const struct strand *t, struct model_reader **readers);
/* The row that the token read last has left goes there; those that come leave one where
 * `take`, which it is, is looked at. */
void strand_show(struct strand *t, struct live_rows *live, struct live_choice choice,
                 int take);
/* Draws one token from what those say; *has_note: it completed `out`, whose take the
 * caller sets. */
enum continuation_state strand_draw(struct strand *t, const float *const *logits,
                                    struct continued_note *out, bool *has_note);

/* As if that token had been drawn, of which nothing is counted. */
enum continuation_state strand_force(struct strand *t, int32_t token,
                                     struct continued_note *out, bool *has_note);
/* Whether a head that gives nothing is one of the model's; see model_reader_mute. */
enum model_status strand_mute(struct strand *t, const struct attention_head *heads,
                              size_t n);

/* Each leaves t->state, and returns it. */
enum continuation_state strand_end(struct strand *t, enum continuation_state state,
                                   const char *error);
enum continuation_state strand_end_midi(struct strand *t, enum midi_status st);
enum continuation_state strand_end_model(struct strand *t, enum model_status st);

/* strand_read.c. Reads the end of the music, to go on from for so many bars; or what is
 * around the hole from this step on, as much of it as is filled at once. BEGUN when it
 * stands at the end of that. */
enum continuation_state strand_read_end(struct strand *t, int bars);
enum continuation_state strand_read_hole(struct strand *t, int64_t from);
/* Between notes: reads less, and afresh, where the model's context may not hold the
 * next one. */
enum continuation_state strand_make_room(struct strand *t);

#endif
