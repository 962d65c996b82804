/* A row of tokens, filled with one window of a piece after another. The caller has drawn where
 * each window begins and how it is augmented. One owner; pure functions. */
#ifndef APP_CORPUS_ROW_H
#define APP_CORPUS_ROW_H

#include "app/lab/dataset/corpus.h"
#include "model/decoder/sampler.h"
#include "midi/tokens/fill.h"

/* Ids, and whether each is a target. */
struct corpus_row {
    int32_t *ids;
    bool *counts;
    int n, capacity;
};

/* A piece's bars from first_bar on, and how they are augmented and encoded. */
struct corpus_view {
    const struct corpus_piece *from;
    int32_t first_bar;
    int transpose, louder;
    enum style style;
    bool has_hole, has_chords;
    uint64_t keep; /* tracks that are there, numbered anew; 0: all, as they are */
    int gate;      /* hundredths of its length after which a note ends; 0: all of it */
};

/* The view's bars that take some n tokens at the least, in its key. *to_end: they end the piece.
 * The caller frees `part`. */
enum midi_status corpus_view_cut(struct piece *part, const struct corpus_view *w, int n,
                                 bool *to_end);
/* View `index` of `count` fixed ones (corpus_window). false: the split is empty. */
bool corpus_fixed_view(const struct corpus *c, enum corpus_split split, int index,
                       int count, struct corpus_view *w);

/* Makes room for `length` tokens and the one after. Call corpus_row_fini in every case. */
enum midi_status corpus_row_init(struct corpus_row *row, int length);
void corpus_row_fini(struct corpus_row *row);

/* Adds a window, with its hole if one fits, else plain; it is cut at the row's end. */
enum midi_status corpus_row_add(struct corpus_row *row, const struct corpus_view *w,
                                struct rng *r);
/* Adds a plain window. gives_chords: chords are not learnt (corpus_chord_counts). */
enum midi_status corpus_row_add_plain(struct corpus_row *row,
                                      const struct corpus_view *w, bool gives_chords);
/* Adds eight bars, or as many as fit, in which one track is missing: the tracks take turns.
 * MIDI_EMPTY: the bars have only one track. MIDI_TOO_LONG: none fits. */
enum midi_status corpus_row_add_missing(struct corpus_row *row,
                                        const struct corpus_view *w, int turn);
/* Adds a window with a hole. MIDI_EMPTY, MIDI_TOO_LONG: none fits. */
enum midi_status corpus_row_add_hole(struct corpus_row *row,
                                     const struct corpus_view *w, struct rng *r);

/* Splits the row into tokens, their times, and targets, the token after each. The last token of
 * a window and padding have no target. `to` has the row's length. */
void corpus_row_split(const struct corpus_row *row, const struct corpus_sequence *to);

/* -- windows of four voices -- */

/* Draws a window of a training piece (corpus_sample). */
enum midi_status grid_window_sample(const struct corpus *c, const struct grid *g,
                                    struct rng *r, const struct corpus_sequence *to);
/* Stores number `index` of the windows that are measured, if there is one, and returns how many
 * there are (corpus_n_windows). */
int grid_window_find(const struct corpus *c, enum corpus_split split, int length,
                     int index, struct grid_window *out);
/* Writes that window. MIDI_EMPTY: there is none. */
enum midi_status grid_window_fill(const struct corpus *c, enum corpus_split split,
                                  int index, const struct corpus_sequence *to);

/* -- holes -- */

/* Draws holes to train on, such as users will request: mostly whole bars, but also a few
 * steps, one hand, a band of pitches, or the bars before or after the music. Some keep some
 * notes; some have controls. Pure functions. */

/* Splits a hole with notes in it off p, which has at most BAR_TABLE_SIZE bars. MIDI_EMPTY:
 * none was found, or p is too long. */
enum midi_status corpus_hole_sample(struct fill *f, const struct piece *p, bool to_end,
                                    struct rng *r);

/* Number k, from 0, of these tracks; 0: they are fewer. */
uint64_t corpus_nth_track(uint64_t used, int k);
/* Splits off all notes of these tracks, of which p has some but not all: parts that are missing. */
enum midi_status corpus_hole_of_tracks(struct fill *f, const struct piece *p,
                                       uint64_t tracks);

/* Stores which tokens of a whole sequence are targets, [n]. The hole's mark, its request
 * and the chords around it are not, since they are always given; chords inside are. */
void corpus_hole_counts(const struct tokens *t, bool *counts);
/* The same for a plain sequence with given chords: not the chords, nor a position that only a
 * chord needs. */
void corpus_chord_counts(const struct tokens *t, bool *counts);

#endif
