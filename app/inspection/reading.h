/* What an inspection reads, as music and as tokens: windows of a piece, a take in the layout it was
 * generated in, or four voices. Plain data, one owner; pure functions, any thread. */
#ifndef APP_READING_H
#define APP_READING_H

#include "app/decoding/continuation.h"
#include "app/decoding/grid_fill.h"
#include "app/decoding/model_reader.h"
#include "midi/tokens/tokens.h"
#include "tui/view/inspect.h"

struct inspected_token {
    int32_t token, time; /* time: steps from the first bar line that is read */
    int note;            /* index of its note; -1: none */
    enum inspected_part part;
    /* nats: -log p(token | tokens before); 0 for the first token and for a source. */
    float surprise;
};

struct inspection_request {
    uint64_t note; /* id of the note to read around; 0: read around `tick` */
    int64_t tick;
    uint64_t piece;   /* equal numbers: the same piece, whose style is guessed once */
    uint64_t version; /* of the piece; equal versions are equal scores; 0: unknown */
    int style;        /* an enum style, or CONTINUATION_STYLE_GUESS */
    /* NULL: the note is the score's. Else it is a take's, and the score is the music that the model
     * read, without the notes that the take replaces. The take's request, with the style that was used,
     * the heads that were muted, and as `given` all its tokens so far (struct take); no note can
     * be read of takes without tokens, as older versions stored them. */
    const struct continuation_options *take;
    const struct continued_note *notes; /* [n_notes] the take's, with ids */
    size_t n_notes;
};

/* A sequence as music and as tokens: every token knows its note, and every note its tokens. It can be
 * made again without some of its notes. */
struct reading {
    enum { READING_PLAIN, READING_HOLE, READING_GRID } kind;
    struct fill fill; /* HOLE; PLAIN: the music, as what is around it */
    struct grid grid; /* GRID: the whole piece; `origin` is its first step read */
    struct grid_lesson lesson;
    /* GRID: [n_steps, GRID_VOICES] the note that sounds there, or 0. */
    uint64_t *cell_ids;
    int64_t origin; /* where it begins: steps of the piece; GRID: sixteenths */
    int track_map[TOKEN_MAX_TRACKS]; /* token track or voice to score track; -1: none */
    int ticks_per_quarter;
    int max_tokens;
    bool is_cut; /* there was more than that; not for a GRID */

    /* Made of those, [n_tokens + n_source]: the sequence, and then the source, which an encoder reads. */
    int32_t *ids, *times;
    struct inspected_token *tokens;
    int n_tokens, n_source;
    struct inspect_note *notes; /* by their tokens; the source's last */
    int n_notes;
    int64_t from_tick, to_tick; /* its span in the score */

    /* Of a take, for its note `wanted`: how many tokens the model read before it drew the others, how
     * many of the take's tokens came before this sequence, and the tokens that were allowed where each
     * part of the note began, as far as that is known. */
    uint64_t wanted;
    int n_read;
    size_t n_before;
    uint8_t allowed[INSPECTED_NOTE_PARTS][TOKEN_COUNT];
    bool is_known[INSPECTED_NOTE_PARTS];
};

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
    struct reading whole;           /* the piece, without tokens */
    struct inspection_window *list; /* [n] */
    size_t n;
};

/* w need not be initialised; on failure nothing is kept. lesson: of a model of four voices; else NULL.
 * max_tokens is 16 at least. MIDI_EMPTY: the voices have no music. */
enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s,
                                         const struct grid_lesson *lesson,
                                         int max_tokens);
void inspection_windows_fini(struct inspection_windows *w); /* also when zeroed */
/* The index of the window that has most music before a tick; 0: there is none. */
int inspection_windows_at(const struct inspection_windows *w, int64_t tick);

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

#endif
