/* The events of one chunk, and the memory of their bytes.
 *
 * Bytes lie in blocks that are freed with the chunk. The events of a file share one
 * block; an event added by an edit brings its own. So events may be copied within
 * their chunk, and a clone takes two allocations. */
#ifndef MIDI_CHUNK_H
#define MIDI_CHUNK_H

#include "midi/score/score.h"

/* Copies all bytes into one block; overwrites `to`. On failure `to` is empty. */
enum midi_status chunk_copy(struct chunk *to, const struct chunk *from);
void chunk_fini(struct chunk *c);
/* Moves all blocks of `from` to `to`, which frees them in the end. */
void chunk_give_blocks(struct chunk *to, struct chunk *from);

/* Allocates event bytes that live as long as the chunk. NULL: out of memory. */
uint8_t *chunk_alloc_data(struct chunk *c, size_t n);

/* Inserts a copy of `e` and its bytes, after equal events by (tick, order). */
enum midi_status chunk_insert_event(struct chunk *c, const struct event *e);

/* Compares by (tick, order): negative, zero or positive. */
int event_compare(const struct event *a, const struct event *b);
/* Compares the bytes, too. */
bool event_equal(const struct event *a, const struct event *b);

/* Returns the contents of a meta event of this type, *n bytes; NULL: another event. */
const uint8_t *event_meta(const struct event *e, uint8_t type, size_t *n);

enum {
    META_TEXT = 0x01,
    META_TRACK_NAME = 0x03,
    META_LYRIC = 0x05,
    META_MARKER = 0x06,
    META_CUE = 0x07,
    META_CHANNEL_PREFIX = 0x20, /* one byte: the channel of the texts that follow */
    META_PORT = 0x21, /* one byte: the port that the chunk's channels are of */
    META_END_OF_TRACK = 0x2F,
    META_TEMPO = 0x51, /* three bytes: microseconds a quarter */
    META_METER = 0x58, /* numerator, log2 denominator, clocks a click, 8 */
    META_KEY = 0x59,   /* sharps (negative: flats), then 1 for minor */
};

/* Writes a whole meta event into `to`, which holds n + 6 bytes. Returns the length. */
size_t event_meta_write(uint8_t *to, uint8_t type, const void *contents, size_t n);

/* Tempo and meter. write: returns the length. read: false: another event, or one that is
 * cut short; a tempo may be 0, and so may a numerator. */
size_t event_tempo_write(uint8_t to[6], uint32_t us_per_quarter);
size_t event_meter_write(uint8_t to[7], int numerator, int denominator);
bool event_tempo_read(const struct event *e, int *us_per_quarter);
bool event_meter_read(const struct event *e, int *numerator, int *denominator);

/* -- in merge.c: a chunk's events and notes merged into one sequence, in the order of a
 * file. Saving writes this sequence; score_equal compares it. -- */

enum merged_kind { MERGED_EVENT, MERGED_NOTE_ON, MERGED_NOTE_OFF };

/* Borrows from the score; valid until the score changes. */
struct merged {
    int64_t tick;
    uint32_t order;
    uint8_t kind, rank, channel;
    const struct event *event; /* MERGED_EVENT */
    const struct note *note;   /* the others */
};

/* The tracks of every chunk, found once, so that merging all chunks takes time in
 * proportion to the score. Valid until tracks are added, moved or removed. */
struct chunk_tracks {
    size_t *first; /* [n_chunks] a chunk's first track, from 1; 0: it has none */
    size_t *next;  /* [n_tracks] the chunk's track after this one, the same way */
};

/* false: out of memory, and nothing is to be freed. */
bool chunk_tracks_init(struct chunk_tracks *of, const struct score *s);
void chunk_tracks_fini(struct chunk_tracks *of);

/* The caller frees *out, also when it is empty. */
enum midi_status merge_chunk(const struct score *s, const struct chunk_tracks *of,
                             int chunk, struct merged **out, size_t *n_out);

#endif
