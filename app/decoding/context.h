/* The model's context: the score on the grid, the hole to fill or the end to continue, and
 * windows of it as tokens. Generated notes join the music, so later windows have them too.
 * Plain data, one owner.
 *
 * Steps count from the start of the music; those in a window from its first bar. */
#ifndef APP_CONTEXT_H
#define APP_CONTEXT_H

#include "app/biases/rules.h"
#include "app/decoding/continuation.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

/* Sets the controls that are any to the register, the number of voices and the density of a
 * band's instrument. */
void band_role_ask(enum band_role role, struct fill_request *r);

/* -- the context -- */

/* The steps [from, to) that a note of the score touches, also if it is off the grid. */
struct standing {
    int64_t from, to;
    uint8_t track, pitch;
};

/* A note of a motif. */
struct motif_note {
    struct grid_note grid;     /* where it was, and later where it returns; in steps */
    struct continued_note out; /* the same note in ticks, as it is handed out */
    uint8_t pitch_was;         /* its pitch in the score */
    bool is_set;               /* its new pitch is known */
};

/* The phrase that returns (app/decoding/motif.h). */
struct motif {
    struct motif_place place;
    struct motif_note *notes; /* [n] canonical order */
    size_t n;
    size_t n_told;  /* notes that were handed out */
    size_t n_heard; /* notes that the rules have counted */
    uint16_t scale; /* pitch classes of the key in which it returns */
    /* Set by motif_begin: */
    int64_t from, to; /* steps: the span of all its notes */
    uint64_t tracks;  /* bit t: token track t */
    uint64_t seed;    /* of the take */

    /* Whether the model is choosing the pitches of a varied motif. The hole and the request below then wait
     * for the rest of the take. */
    bool is_varying;
    struct hole hole;
    struct fill_request request;
    struct hole_plan plan; /* the rhythm of the motif */
};

struct context {
    struct piece music;
    size_t cap_notes;
    struct hole hole;
    int track_map[TOKEN_MAX_TRACKS];     /* token track to score track; -1: none */
    struct gate gates[TOKEN_MAX_TRACKS]; /* of the given notes, and of the new ones */
    /* A kit that is split over tracks (score_split_kit) is one token track. */
    struct {
        int first;       /* its first score track; -1: there is no such kit */
        int home[128];   /* the score track of each key */
        uint64_t tracks; /* all its score tracks */
        uint64_t wanted; /* score tracks that may receive notes; 0: all */
    } kit;
    /* The roles of a band's tracks, and of some tracks that have no notes. */
    enum band_role roles[TOKEN_MAX_TRACKS];
    int ticks_per_quarter;
    struct signature signature;  /* in force where the hole begins */
    struct fill_request request; /* of a hole, without its place */
    int64_t open_to;             /* the end of all that is still to be written */
    bool is_hole;                /* false: the music is continued after its end */
    bool is_band;                /* each track of the hole has a role in a band */
    bool guesses_chords;         /* a band's chords are guessed from its tune */
    /* Chords of the music from this step to the hole's end are not in windows: they are
     * written with the hole's notes. INT64_MAX: all are there. */
    int64_t chords_to_come;
    bool begins_there; /* an answer: its first note begins where the hole does */
    int32_t first_bar; /* of an answer: the first bar to encode */
    /* Notes that stay in a hole, or sound into what is new. */
    struct standing *standing;
    size_t n_standing;
    struct motif motif;
};

struct context_window {
    struct tokens tokens; /* BOS STYLE BAR ..., open at the end */
    int64_t origin;       /* step of its first bar */
    size_t first_note;    /* index in the music; the tokens lack earlier notes */
    int32_t n_bars;
};

/* c need not be initialised; on failure nothing is kept. MIDI_TOO_LONG: the
 * music, or the hole, ends past what the grid can hold. */
enum midi_status context_init(struct context *c, const struct score *s,
                              const struct continuation_options *o);
/* to need not be initialised; MIDI_NO_MEMORY keeps nothing. */
enum midi_status context_copy(struct context *to, const struct context *from);
void context_fini(struct context *c); /* also when zeroed */

/* Gives a piece of the score, which has none, the score's chord symbols before step `end`; the
 * last one at a step counts. MIDI_NO_MEMORY: some are missing. */
enum midi_status context_read_chords(struct piece *p, const struct score *s,
                                     int64_t end);

/* Adds a note in the bars so far, or in the hole. */
enum midi_status context_add_note(struct context *c, const struct grid_note *n);
/* Puts a chord in place of one at its step, or between the others; one like that before it, which a
 * model may say again behind its window, is no change. */
enum midi_status context_set_chord(struct context *c, const struct grid_chord *chord);
/* The score track of a note: of a split kit, that of its sound. -1: none that is wanted. */
int context_score_track(const struct context *c, int token_track, int pitch);
/* Adds bars up to this step. */
void context_add_bars_to(struct context *c, int64_t step);

/* Encodes as many bars as max_tokens (8 or more) hold: around [from, to), a part of the hole, and for
 * that part the request; or without a hole, the last bars. `before` is the origin of the window of the
 * part before it, 0: of none. A window that begins there, too, repeats what the model has read; if
 * that is at least half of what it may hold, it does. Some notes of bars that are too full are
 * left out. MIDI_TOO_LONG: not even the bar lines of the part fit. Finish with tokens_fini. */
enum midi_status context_encode(const struct context *c, int64_t from, int64_t to,
                                int64_t before, size_t max_tokens,
                                struct context_window *out);

/* The note on the grid, on that token track. */
struct grid_note context_grid_note(const struct context *c, const struct note *n,
                                   int token_track);

/* The token track of a track of the score; -1: the tokens cannot name it. */
int context_token_track(const struct context *c, int track);

/* The first step not before a tick. */
int64_t context_step_after(int64_t tick, int ticks_per_quarter);

/* -- for context.c, which calls them in this order -- */

/* Whether the tracks of an empty score are a band's: drums or a bass, and others. */
bool context_forms_band(const struct context *c, const struct score *s);
/* Takes the phrase that is requested from the score, as far as its tracks are written on. */
enum midi_status context_keep_motif(struct context *c, const struct score *s,
                                    const struct continuation_options *o);
/* Limits each track to what its instrument can play or has played, and to one voice if it
 * has been a line and no more are requested; drums to the keys of the hole. Call when the
 * hole's tracks and pitches are known. */
void context_limit(struct context *c, const struct score *s,
                   const struct continuation_options *o);

#endif
