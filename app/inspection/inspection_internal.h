/* The types that the files of the inspection share. inspection.c chooses what is read and returns it
 * and the alternatives; reading.c divides the music, repeats takes, and makes tokens of both;
 * inspection_look.c sums attention, and mutes. */
#ifndef APP_INSPECTION_INTERNAL_H
#define APP_INSPECTION_INTERNAL_H

#include "app/decoding/model_reader.h"
#include "app/inspection/inspection.h"
#include "midi/tokens/tokens.h"
#include "app/decoding/grid_fill.h"

/* The windows of a piece that is too long for a model. Each has as many bars as the
 * context holds, and begins a quarter of that after the one before. A note belongs to
 * the first window that has it, so three quarters of the context precede it. Half the
 * windows would be faster, but a sonata whose themes return would surprise 3 % more.
 * Four voices are read in sixteenths, each window half its length after the one before. */
struct inspection_window {
    int32_t first, end; /* bars; of four voices sixteenths */
    int32_t own;        /* from here on no earlier window has it */
};

struct inspection_windows {
    const struct grid_lesson
        *lesson; /* of a model of four voices, borrowed; else NULL */
    int max_tokens;
    struct piece piece; /* all of it; or of four voices: */
    struct grid grid;
    uint64_t *cell_ids; /* [n_steps, GRID_VOICES] the note that sounds there, or 0 */
    int track_map[TOKEN_MAX_TRACKS]; /* token track or voice to score track; -1: none */
    int ticks_per_quarter;
    struct inspection_window *list; /* [n] */
    size_t n;
};

/* w need not be initialised; on failure nothing is kept. max_tokens is 16 at least. MIDI_EMPTY: the voices
 * have no music. */
enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s,
                                         const struct grid_lesson *lesson,
                                         int max_tokens);
void inspection_windows_fini(struct inspection_windows *w); /* also when zeroed */
/* The index of the window that has most music before a tick. */
int inspection_windows_at(const struct inspection_windows *w, int64_t tick);

/* A sequence as music and as tokens: every token knows its note, and every note its tokens. It can be
 * made again without some of its notes. Plain data, one owner; pure functions, any thread. */
struct reading {
    enum { READING_PLAIN, READING_HOLE, READING_GRID } kind;
    struct fill fill; /* HOLE; PLAIN: what is around it */
    struct grid grid; /* GRID: the whole piece; `origin` is its first step read */
    struct grid_lesson lesson;
    /* GRID: [n_steps, GRID_VOICES] the note that sounds there, or 0. */
    uint64_t *cell_ids;
    int64_t origin; /* where it begins: steps of the piece; GRID: sixteenths */
    int track_map[TOKEN_MAX_TRACKS];
    int ticks_per_quarter;
    int max_tokens;
    bool is_cut; /* there was more than that; not for a GRID */

    /* Made of those, [n_tokens + n_source]: the sequence, and then the source. */
    int32_t *ids, *times;
    struct inspected_token *tokens;
    int n_tokens, n_source;
    struct inspect_note *notes;
    int n_notes;

    /* Of a take, for its note `wanted`: how many tokens the model read before it drew the others, how
     * many of the take's tokens came before this sequence, and the tokens that were allowed where each
     * part of the note began, as far as that is known. */
    uint64_t wanted;
    int n_read;
    size_t n_before;
    uint8_t allowed[INSPECTED_NOTE_PARTS][TOKEN_COUNT];
    bool is_known[INSPECTED_NOTE_PARTS];
};

/* For each: r need not be initialised; on failure nothing is kept. MIDI_EMPTY: there is no
 * music to read. style: of a piece. */
enum midi_status reading_window(struct reading *r, const struct inspection_windows *w,
                                const struct inspection_window *window,
                                enum style style);
/* Makes the sequence that a note of a take came from. It is made of the take's tokens, without a model:
 * the music is read where it was read then (app/decoding/take_decoder.h). Takes about a millisecond.
 * MIDI_BAD_TOKEN: the request cannot have given these tokens; MIDI_EMPTY: the note is not among those
 * that they write. */
enum midi_status reading_take(struct reading *r, const struct score *s,
                              const struct inspection_request *asked,
                              const struct model *model);
/* The same without the notes of `from` whose goes[] is true. */
enum midi_status reading_without(struct reading *r, const struct reading *from,
                                 const bool *goes);
void reading_fini(struct reading *r); /* also when zeroed */
/* The input of a model: its first n tokens. */
struct model_input reading_input(const struct reading *what, int n);

struct inspection {
    /* constant after create */
    const struct model *model;
    struct model_config c;
    struct pool *pool;
    bool is_grid;
    struct grid_lesson lesson;
    const atomic_bool *cancel;

    struct model_reader *main;
    struct model_reader *other; /* for muted music; created when first needed */
    float *nats;                /* [context] of each token of main but the first, */
    int n_nats;                 /* as far as they are counted */

    uint64_t piece; /* read last; of it: */
    bool style_is_known;
    enum style guessed, style;
    struct inspection_windows windows;
    uint64_t windows_of;                  /* the version that they are of; 0: none */
    struct inspection_window last_window; /* read last, of the inspected music */

    struct reading now; /* no tokens: there is none */
    float *row;         /* [2 context] scratch */
    const char *error;
};

enum inspection_state inspection_fail(struct inspection *i, const char *why);
enum inspection_state inspection_end(struct inspection *i, enum model_status st);
enum inspection_state inspection_end_midi(struct inspection *i, enum midi_status st);
bool inspection_is_cancelled(const struct inspection *i);

/* Nats that the reader's model gave to token `at`, read and not the first. */
double inspection_nats(const struct inspection *i, const struct model_reader *read,
                       const struct reading *what, int at);

#endif
