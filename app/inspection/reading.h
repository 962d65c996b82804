/* A sequence as music and as tokens, for an inspection: every token knows its note, and every
 * note its tokens. It can be made again without some of its notes. For app/inspection only.
 * Plain data, one owner; pure functions, any thread. */
#ifndef APP_READING_H
#define APP_READING_H

#include "midi/tokens/tokens.h"
#include "app/dataset/grid_corpus.h"
#include "app/inspection/inspection.h"

/* The windows of a piece that is too long for a model. Each has as many bars as the context
 * holds, and begins a quarter of that after the one before. A note belongs to the first
 * window that has it, so three quarters of the context precede it. Each token is read four
 * times; with half the windows a sonata whose themes return would surprise by 3 % more. */
struct inspection_window {
    int32_t first_bar, end_bar;
    int32_t own_bar; /* from here on no earlier window has it */
};

struct inspection_windows {
    struct piece piece;              /* all of it */
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int ticks_per_quarter;
    struct inspection_window *list;
    int n;
    size_t cap;
};

/* w need not be initialised; on failure nothing is kept. max_tokens is 16 at least. */
enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens);
void inspection_windows_fini(struct inspection_windows *w); /* also when zeroed */
int inspection_windows_at(const struct inspection_windows *w, int64_t tick);

struct reading {
    enum { READING_PLAIN, READING_HOLE, READING_GRID } kind;
    struct piece piece; /* PLAIN */
    struct fill fill;   /* HOLE */
    struct grid
        grid; /* GRID: the whole piece, of which steps from `origin` on are read */
    struct grid_lesson lesson;
    uint64_t
        *cell_ids;  /* GRID: [n_steps, GRID_VOICES] the note that sounds there, or 0 */
    int64_t origin; /* where it begins: steps of the piece; GRID: sixteenths */
    int track_map[TOKEN_MAX_TRACKS];
    int ticks_per_quarter;
    int max_tokens;
    bool is_cut; /* there was more than that; but for a GRID */
    int n_windows,
        own_step; /* GRID: of the piece; from here on no earlier one has it */

    /* Made of those, [n_tokens] and [n_source]: */
    int32_t *ids, *times, *source_ids, *source_times;
    struct inspected_token *tokens, *source;
    int n_tokens, n_source;
    struct inspected_note *notes;
    int n_notes;
};

/* Each: r need not be initialised; on failure nothing is kept. MIDI_EMPTY: there is no
 * music to read. */
enum midi_status reading_plain(struct reading *r, const struct inspection_windows *w,
                               const struct inspection_window *window, enum style style,
                               int max_tokens);
/* Tokens as they were read and drawn, BOS first; FILL_END may be missing. `known`: n notes
 * with ids, in steps of the piece, in canonical order; those of the take are marked by
 * is_take [n]. */
struct reading_known {
    const struct grid_note *notes;
    const bool *is_take;
    size_t n;
};
enum midi_status reading_tokens(struct reading *r, const int32_t *ids, int n,
                                const struct reading_known *known, int64_t origin,
                                const int *track_map, int ticks_per_quarter,
                                int max_tokens);
/* reading_grid.c: a window of a score of four voices, each half its steps further than the
 * one before; window -1: the one that has most before `tick`. MIDI_EMPTY also where there is
 * no such window. */
enum midi_status reading_grid(struct reading *r, const struct score *s,
                              const struct grid_lesson *lesson, int window,
                              int64_t tick, int max_tokens);
enum midi_status reading_grid_tokens(struct reading *r); /* of its grid */
/* The same without the notes of `from` whose goes[] is true. */
enum midi_status reading_without(struct reading *r, const struct reading *from,
                                 const bool *goes);
void reading_fini(struct reading *r); /* also when zeroed */

/* What a token of a note says of it, by its kind (midi/tokens/tokens.h). */
enum inspected_part reading_part_of_note(enum token kind);

/* For the two files: room for tokens, notes and sources. */
bool reading_room(struct reading *r, int n_tokens, int n_source, int n_notes);

#endif
