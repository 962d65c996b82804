/* What a frame must know of the whole score, kept between frames: the index of its notes,
 * the overview map and the signs (midi/edit/signs.h).
 *
 * Notes are sorted by start, so the first one in view is found by bisection, and the last
 * is where the view ends. But a note that sounds at the left edge may begin anywhere
 * before it: for every block of 64 notes the survey holds the latest end, and a drawing
 * passes over the blocks that are over. With n notes, of which k are in view, that is
 * n / 64 + k steps; of a million notes about 16,000, some microseconds.
 *
 * It is brought up to date only when the version changes. It shares the notes it has seen
 * (midi/score/notes.h): a track with the same array is not looked at; of one that was edited,
 * what is alike at both ends is passed over by comparing bytes, and only the rest is
 * counted anew. UI thread only. */
#ifndef TUI_SURVEY_H
#define TUI_SURVEY_H

#include "midi/score/score.h"
#include "midi/edit/signs.h"

enum { SURVEY_BLOCK = 64, SURVEY_BINS = 1024 };

struct survey;

struct survey *survey_create(void); /* NULL: out of memory */
void survey_destroy(struct survey *s);
/* Reads the score when `version` or its address differs from the last time.
 * false: out of memory; the survey is then empty, and drawing still works, slower. */
bool survey_update(struct survey *s, const struct score *score, uint64_t version);

/* The first note at or after `from` that may sound at or after `tick`;
 * n_notes when none. */
size_t survey_next_note(const struct survey *s, const struct score *score, int track,
                        size_t from, int64_t tick);
/* The same for the note after the i-th: where that one begins at `tick` or later, all that
 * come after it do. */
static inline size_t survey_after(const struct survey *s, const struct score *score,
                                  int track, size_t i, int64_t tick)
{
    return score->tracks[track].notes[i].start >= tick
               ? i + 1
               : survey_next_note(s, score, track, i + 1, tick);
}
int64_t survey_end_tick(const struct survey *s);
/* The bin of a tick, the nearest when it is past the end. */
int survey_bin(const struct survey *s, int64_t tick);
/* Notes touching a 1/SURVEY_BINS of the piece, and the most in any. */
int survey_density(const struct survey *s, int bin);
int survey_densest(const struct survey *s);

/* All there are, of the score as it was at the update. */
const struct signs *survey_signs(const struct survey *s);
/* The key signature in force, sharps -7..7; false: the file names none by then. */
bool survey_key_at(const struct survey *s, int64_t tick, int *sharps, bool *minor);

#endif
