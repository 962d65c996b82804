/* A sequence as music and as tokens: what an inspection reads, with every token told what
 * it speaks of and every note where it is spoken. It may be made again without some of its
 * notes. Used by app/inspection/inspection*.c only.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef APP_READING_H
#define APP_READING_H

#include "app/dataset/grid_corpus.h"
#include "app/inspection/inspection.h"
#include "app/inspection/inspection_read.h"

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
 * one before. MIDI_EMPTY also where there is no such window. */
enum midi_status reading_grid(struct reading *r, const struct score *s,
                              const struct grid_lesson *lesson, int window,
                              int max_tokens);
/* The same that has most before this tick. */
enum midi_status reading_grid_at(struct reading *r, const struct score *s,
                                 const struct grid_lesson *lesson, int64_t tick,
                                 int max_tokens);
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
