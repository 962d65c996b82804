/* A sequence of tokens as music: which note each token speaks of, and what of it. The
 * same for score tokens (midi/tokens.h) and grid tokens (midi/grid.h), so that whoever
 * looks at attention need not know which a model reads.
 *
 * A model with an encoder has two sides: what it is told after, and the melody it hears.
 * Steps count from the start of the music (midi/piece.h). Plain data, one owner; pure
 * functions, any thread. */
#ifndef APP_SEQUENCE_H
#define APP_SEQUENCE_H

#include "app/grid_corpus.h"
#include "midi/tokens.h"
#include "model/model.h"

/* What a token says: something of a note, or else. */
enum says {
    SAYS_POSITION,
    SAYS_TRACK,
    SAYS_VELOCITY,
    SAYS_PITCH,
    SAYS_LENGTH,
    SAYS_BEGINNING, /* BOS, the style, INSIDE */
    SAYS_BAR,
    SAYS_METER,
    SAYS_REST,
    SAYS_OTHER,
    N_SAYS,
};
extern const char *const says_names[N_SAYS]; /* "position", "bar line" */

struct sequence_note {
    int64_t step, length;
    int64_t bar_step, bar_steps; /* of the bar it begins in: where, and how long */
    int32_t bar;                 /* that bar, from 0 */
    int beat_steps;              /* of that bar's meter */
    uint64_t id;                 /* of the score's note; 0: it is not of a score */
    int track;                   /* the score's; of a piece or grid its own */
    int order;                   /* of a score: its place among the notes, see below */
    uint8_t pitch, velocity;     /* velocity 1..127 */
    bool is_bass;                /* the lowest of two or more that begin together */
};

struct sequence_side {
    int32_t *ids, *times, *note; /* [n]; note: index into notes, -1: of none */
    uint8_t *says;               /* [n] enum says */
    int n;
    struct sequence_note *notes; /* in order of their first tokens */
    int n_notes;
};

struct sequence {
    struct sequence_side told, heard;
    int32_t first_bar, n_bars, all_bars; /* of the music, those that are in it */
    bool is_grid;
};

/* Which part of a score is read: as many whole bars as max_tokens hold, up to and with
 * the bar `until`, or, where after says so, around it; until -1: from the first on. */
struct sequence_place {
    int32_t until;
    bool after;
};

/* The tokens that m reads, BOS to the last of them. Notes are numbered from 0 in order
 * of start, track and pitch in `order`. MIDI_EMPTY: no notes; MIDI_BAD_TOKEN: m is of
 * no such tokens, or does not say which voices; MIDI_TOO_LONG: the bar alone does not
 * fit. On failure there is nothing in it. */
enum midi_status sequence_from_score(struct sequence *q, const struct score *s,
                                     const struct model *m, enum style style,
                                     struct sequence_place place);
/* Score tokens of a window of a corpus, as corpus_window has them: [n] from a BOS on,
 * whole bars. MIDI_BAD_TOKEN: not such a window. */
enum midi_status sequence_from_tokens(struct sequence *q, const int32_t *ids, int n);
void sequence_fini(struct sequence *q);

/* The score's notes in the order that they are numbered in, which `continuo score`
 * prints from 1: fills [score_n_notes] ids. */
void sequence_number_notes(const struct score *s, uint64_t *ids);
/* The bar that the n-th of them (from 0) begins in; -1: there is no such note. */
int64_t sequence_bar_of(const struct score *s, size_t n);

/* Index of the note with this number, -1: none of the side. */
int sequence_find(const struct sequence_side *side, int order);
/* "F#4", buf of 8 bytes at least, returned. */
const char *sequence_pitch_name(int pitch, char *buf, size_t n_buf);

#endif
