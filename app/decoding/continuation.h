/* Continues a score, or fills a hole in it: from a snapshot of the score to new notes, of one
 * take or of several that are decoded side by side.
 *
 * A continuation goes from the end of the music to the bar line `bars` bars later. It begins
 * with a bar if the music ends up to a beat before or after the bar line; else the
 * bar that has begun is completed in addition. The model reads the last bars that fit its
 * context, and reads it again when it is full. An answer (app/editor/perform/answer.h) goes
 * from one tick to another. A take has the same notes alone or beside others. Takes share the
 * reading of the music.
 *
 * A hole is a rectangle of time, pitch and tracks. Notes of the score stay, also those
 * inside: to rewrite some, remove them from the snapshot. The model reads the nearest bars
 * on both sides (app/decoding/context.h); a large hole is filled part by part. With a
 * rhythm or pitches to keep (midi/tokens/hole_plan.h) only the rest is generated. The model
 * does not read muted tracks, and nothing is written over them. New notes stay in the range
 * that a track's instrument can play or has played. A track that has been a single line
 * stays one, unless more voices are requested.
 *
 * A motif that returns is placed in the music before the rest is written, like notes that
 * stay in a hole, and the model writes around it. Its notes are part of the take.
 *
 * Controls are read by the model as tokens. With guidance above 1 it is run twice for each
 * token, with and without them, and their difference is multiplied (classifier-free
 * guidance: Ho & Salimans 2022; of language models: Sanchez et al. 2023). Logits are biased
 * towards the controls (app/biases/control_bias.c) and towards takes that were liked
 * (app/biases/taste.h). The reported probabilities are the model's own, with controls,
 * without guidance or bias.
 *
 * The same score, model and options give the same notes, whatever the pool and the requests
 * before. One thread at a time; blocks while it works. */
#ifndef APP_CONTINUATION_H
#define APP_CONTINUATION_H

#include "midi/edit/held.h"
#include "midi/score/chord.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/hole_plan.h"
#include "model/decoder/attention_probe.h"
#include "model/weights/model.h"
#include "model/base/pool.h"
#include "model/decoder/sampler.h"

#include <stdatomic.h>

enum { CRITIC_WORDS = 3 };

/* The critic's verdict on a take (app/critic/critic.h); all zeros: none. */
struct critic_verdict {
    bool is_judged;
    float merit;  /* more is better; about a figure's difference on a reader's ten */
    int n_faults; /* features for which a musician would blame it */
    int words[CRITIC_WORDS]; /* for critic_word(), the most important first; 0: none */
};

enum {
    CONTINUATION_STYLE_GUESS = -1,
    CONTINUATION_MAX_BARS = 256,
    CONTINUATION_MAX_TAKES = 8, /* that a user asks for at a time */
    CONTINUATION_AT_ONCE = 16,  /* that are drawn side by side */
    CONTINUATION_CHORDS = 256,  /* of one take; what comes after them is not told */
};

/* How a phrase of the music returns in the take (app/decoding/motif.h). */
enum motif_kind {
    MOTIF_NONE,
    MOTIF_EXACT,      /* the same notes */
    MOTIF_TRANSPOSED, /* moved by steps of the key */
    MOTIF_VARIED,     /* the same rhythm and contour; the model chooses the pitches */
    N_MOTIF_KINDS,
};

/* The place where a motif returns. MOTIF_NONE: nowhere. */
struct motif_place {
    enum motif_kind kind;
    int64_t tick; /* of its first note */
    int steps;    /* of the key, up */
};
enum { MOTIF_MOST_STEPS = 7 }; /* an octave */

/* The phrase: the notes that begin in [from_tick, to_tick), of these pitches and tracks.
 * kind MOTIF_NONE, or an answer: no motif returns. */
struct continuation_motif {
    enum motif_kind kind;
    int64_t from_tick, to_tick;
    uint8_t pitch_lo, pitch_hi;
    uint64_t tracks;       /* bit i: score track i */
    struct motif_place at; /* its place; MOTIF_NONE: the take's seed chooses one */
};

/* The hole that is requested. Controls are levels of midi/tokens/fill.h, or FILL_ANY. A continuation
 * may have them, too; it is then a hole after the music. */
struct continuation_hole {
    int64_t from_tick, to_tick; /* to_tick 0: there is none, the music is continued */
    uint8_t pitch_lo, pitch_hi;
    int min_notes; /* of each part of it; 0: as the model likes */
    int density, polyphony, length, height;
    bool close; /* the piece ends with it */
};

/* All pitches, and no controls. */
#define CONTINUATION_HOLE_DEFAULT                                                      \
    ((struct continuation_hole){.pitch_hi = 127, FILL_ANYTHING})

struct continued_note {
    int take;         /* from 0 */
    int track;        /* of the score */
    bool is_hit;      /* of a drum, as long as it may be: see continued_cut */
    struct note note; /* in the score's ticks; id 0; its order is after other events */
    int n_tokens;     /* that speak of it */
    float log_prob;   /* summed over them, in nats, under the mask */
    float masked;     /* probability the mask took away, mean over them */
};

/* A hit ends the previous hit of its key on its track if that still sounds. */
static inline void continued_cut(struct note *before, const struct continued_note *hit)
{
    const int64_t left = hit->note.start - before->start;
    if (hit->is_hit && before->pitch == hit->note.pitch && left > 0 &&
        left < before->length)
        before->length = left;
}

/* A chord that was decided for a take, in force from there on. */
struct planned_chord {
    int64_t tick;
    uint8_t root, quality, bass; /* as struct grid_chord */
    bool flats;                  /* it is spelt with flats */
};

/* Its symbol; returns buf. */
const char *planned_chord_name(const struct planned_chord *c, char buf[CHORD_TEXT]);

/* Compares by start, track and pitch: negative, zero or positive. */
int continued_compare(const struct continued_note *a, const struct continued_note *b);

/* An earlier take: liked (above 0), disliked (below 0), or neither (0); the last kind shows
 * what all takes have in common (app/biases/taste.h). */
struct continuation_mark {
    const struct continued_note *notes;
    size_t n_notes;
    float how_much;
};

struct continuation_options {
    int bars;                      /* 1..CONTINUATION_MAX_BARS */
    struct continuation_hole hole; /* instead of a continuation */
    /* For a continuation: it begins at begin_tick or after the last note that has begun,
     * and ends by end_tick; the model reads music from the bar of hear_tick on. All 0: it
     * begins where the music ends, and reads what fits its context. */
    int64_t begin_tick, end_tick, hear_tick;
    int style;            /* an enum style, or a guess */
    uint64_t tracks;      /* bit i: score track i may receive notes; 0: all with notes.
                          Of a hole also tracks without notes, when they are named */
    int max_polyphony;    /* notes sounding at once per track; 0: no limit */
    int n_takes, n_draws; /* shown, and drawn (app/generation/draws.h); not used here */
    /* Weight of the difference that controls make: 1 as learnt, 0 none. The model runs twice a token
     * unless it is 1. */
    float guidance;
    uint16_t scale; /* pitch classes that new notes may have, bit 0 is C; 0: all */
    struct continuation_motif motif;
    uint32_t without; /* bits of rules_bits() (app/biases/rules.h) */

    /* Whether the tracks of a hole are a band that accompanies the rest. They are filled some bars
     * at a time, one track after the other, so that each fits those before it. Each keeps to its
     * register as an accompaniment, and a bass to one line. */
    bool is_band;
    /* For a hole: what is kept of its old notes, which are no longer in the score: their
     * rhythm or their pitches. Ignored if there were none. */
    enum hole_plan_kind keep;
    float stays;         /* share of the notes that stay (app/document/rewrite.h), */
    uint64_t stays_seed; /* chosen by this */

    /* The notes that the hole held, which a motif may have, too. Borrowed until begin returns. */
    const struct continued_note *replaced;
    size_t n_replaced;
    const struct continuation_mark *marks;
    size_t n_marks;
    /* The first tokens of each take, such as the first ones of another; the rest is drawn by
     * the seed. They are read one by one, like drawn tokens, so that this part
     * of the take is the same to the bit. A token that the grammar forbids is an error. */
    const int32_t *given;
    size_t n_given;
    const struct attention_head *muted; /* heads that give nothing to the writing */
    size_t n_muted;
    struct sampling sampling; /* its seed is that of the first take that is shown */
};

#define CONTINUATION_DEFAULT                                                           \
    ((struct continuation_options){.bars = 4,                                          \
                                   .hole = CONTINUATION_HOLE_DEFAULT,                  \
                                   .style = CONTINUATION_STYLE_GUESS,                  \
                                   .n_takes = 1,                                       \
                                   .guidance = 1.0f,                                   \
                                   .sampling = SAMPLING_DEFAULT})

/* Whether any control is set. */
bool continuation_has_controls(const struct continuation_options *o);

/* Copies options with the data that they borrow. *to need not be initialised. false: out of memory,
 * and nothing is in it. */
bool continuation_options_copy(struct continuation_options *to,
                               const struct continuation_options *from);
/* Frees the data of a copy and clears it; a zeroed one is fine. */
void continuation_options_fini(struct continuation_options *o);

struct continuation_stats {
    int64_t from_tick, to_tick; /* the hole */
    int64_t at_tick;            /* how far the take has come */
    int32_t n_bars;             /* bars of the music before the hole */
    int32_t n_bars_read;        /* those of them that the model read at first */
    int n_tokens;               /* tokens sampled so far */
    double log_prob;     /* the sum of their logarithms under the mask, in nats */
    double own_log_prob; /* the same without the mask, as the model has it */
    double masked;       /* mean probability that the mask took */
    bool is_done;
    struct motif_place motif;
    struct critic_verdict verdict; /* for who judges it (app/generation/draws.h) */
    /* The chords that were planned for it, or written with it so far, from the one in force where it
     * begins, which may have begun before. There are none if it has no plan, or if its chords are
     * written in the score. */
    int n_chords;
    struct planned_chord chords[CONTINUATION_CHORDS];
};

/* A take that is being drawn, or was. Zero-initialise all but the seed; take_fini frees what it
 * owns. */
struct take {
    uint64_t seed;
    enum style style;             /* used, or guessed */
    struct continued_note *notes; /* by time, but for a band's; hits are cut */
    size_t n_notes, cap_notes;
    int32_t *tokens; /* [n_tokens] as drawn; the take can be repeated from them */
    size_t n_tokens;
    struct continuation_stats stats;
    /* Of who draws it (app/generation/draws.h): */
    int rank;                   /* 1: the best of those made with it; 0: not ranked */
    struct held_kinds restored; /* after the music that it follows, by who applies it */
    double seconds;             /* of its round, in all, */
    double seconds_to_read;     /* of them before the first token, */
    double seconds_to_first;    /* until the first note; 0: none came */
};
void take_fini(struct take *t);         /* also when zeroed */
void takes_free(struct take *t, int n); /* malloc'd ones, and all that they own */

enum continuation_state {
    CONTINUATION_BEGUN, /* there is more to come */
    CONTINUATION_DONE,
    CONTINUATION_CANCELLED,
    CONTINUATION_ERROR, /* continuation_error says why */
};

struct continuation;

/* model, pool and flag are borrowed. While *cancel is true, begin and next come back CANCELLED within one
 * layer of the model; NULL: they never do. MODEL_OTHER_TOKENS: not a model of score tokens;
 * MODEL_BAD_CONFIG: one of too short a context. */
enum model_status continuation_create(struct continuation **out,
                                      const struct model *model, struct pool *pool,
                                      const atomic_bool *cancel);
void continuation_destroy(struct continuation *c); /* NULL is fine */

/* Returns how many of n takes may be drawn side by side: CONTINUATION_AT_ONCE at most, fewer if there
 * is no memory for more, and one at least. */
int continuation_room(struct continuation *c, int n);

/* Begins n takes, CONTINUATION_AT_ONCE at most, each by its own seed. Reads the music; the score is
 * not needed afterwards. A score without notes is begun at its first bar, on its first track that is
 * not drums, in a style that its instruments suggest; one without tracks as if it had track 0, which
 * the caller adds. The takes are borrowed until the last call of continuation_next. Returns BEGUN,
 * CANCELLED or ERROR. */
enum continuation_state continuation_begin(struct continuation *c,
                                           const struct score *s,
                                           const struct continuation_options *options,
                                           struct take *takes, int n);

/* Draws one token of each take that is not done, and adds the notes that are complete. Any other
 * state than BEGUN stays until the next begin. */
enum continuation_state continuation_next(struct continuation *c);

/* ", the model read 12 of 40 bars" if it did not read all bars before a continuation; else
 * "". Returns buf. */
enum { CONTINUATION_READ_TEXT = 64 };
const char *continuation_say_read(const struct continuation_stats *s,
                                  const struct continuation_options *o,
                                  char buf[CONTINUATION_READ_TEXT]);
/* How far it is, 0..1. */
double continuation_share(const struct continuation_stats *s);
/* The model's own nats per token; a forced take is penalised. */
double continuation_nats(const struct continuation_stats *s);
/* Returns 1, 0 or -1: a is better than b, as good, worse; by the critic's merit, or without one by
 * nats per token. A judged take is better than one that is not. */
int continuation_compare(const struct continuation_stats *a,
                         const struct continuation_stats *b);
const char *continuation_error(const struct continuation *c); /* a plain phrase */

#endif
