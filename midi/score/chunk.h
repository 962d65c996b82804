/* The events of one chunk, and the memory for their bytes.
 *
 * Bytes lie in blocks, which are freed with the chunk. All events that were read from a
 * file share one block; an event that an edit adds brings its own. So an event may be
 * copied within its chunk without copying bytes, and a clone takes two allocations. */
#ifndef MIDI_CHUNK_H
#define MIDI_CHUNK_H

#include "midi/score/score.h"

/* Copies a chunk, with all its bytes in one block. Overwrites `to`; on failure `to` is
 * empty. */
enum midi_status chunk_copy(struct chunk *to, const struct chunk *from);
void chunk_fini(struct chunk *c);

/* Allocates bytes for an event; they live as long as the chunk. NULL: out of memory. */
uint8_t *chunk_alloc_data(struct chunk *c, size_t n);

/* Inserts a copy of `e` and its bytes, after events with the same (tick, order). */
enum midi_status chunk_insert_event(struct chunk *c, const struct event *e);

/* Compares by (tick, order); returns a negative number, zero or a positive one. */
int event_compare(const struct event *a, const struct event *b);
/* Whether (tick, order) and the bytes are equal. */
bool event_equal(const struct event *a, const struct event *b);

/* Returns the contents of a meta event of this type, *n bytes. NULL: it is another
 * event. */
const uint8_t *event_meta(const struct event *e, uint8_t type, size_t *n);

enum {
    META_TEXT = 0x01,
    META_TRACK_NAME = 0x03,
    META_LYRIC = 0x05,
    META_MARKER = 0x06,
    META_CUE = 0x07,
    META_CHANNEL_PREFIX = 0x20, /* one byte: channel of the texts that follow */
    META_PORT = 0x21,           /* one byte: the port of the chunk's channels */
    META_END_OF_TRACK = 0x2F,
    META_TEMPO = 0x51, /* three bytes: microseconds a quarter */
    META_METER = 0x58, /* numerator, log2 denominator, clocks a click, 8 */
    META_KEY = 0x59,   /* sharps (negative: flats), then 1 for minor */
};

/* Writes a whole meta event to `to`, which has room for n + 6 bytes. Returns its
 * length. */
size_t event_meta_write(uint8_t *to, uint8_t type, const void *contents, size_t n);

/* Tempo and meter events. Writing returns the length. Reading returns false if the
 * event is another or too short; a tempo or a numerator that was read may be 0. */
size_t event_tempo_write(uint8_t to[6], uint32_t us_per_quarter);
size_t event_meter_write(uint8_t to[7], int numerator, int denominator);
bool event_tempo_read(const struct event *e, int *us_per_quarter);
bool event_meter_read(const struct event *e, int *numerator, int *denominator);

#endif
