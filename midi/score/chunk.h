/* The events of one chunk and the memory their bytes live in.
 *
 * Bytes sit in blocks that are freed only with the chunk: a file's events
 * share one block, an edit's event brings its own. So events may be copied
 * about freely inside their chunk, and a clone is two allocations. */
#ifndef MIDI_CHUNK_H
#define MIDI_CHUNK_H

#include "midi/score/score.h"

/* Deep, into one block; `to` is overwritten. On failure nothing is left. */
enum midi_status chunk_copy(struct chunk *to, const struct chunk *from);
void chunk_fini(struct chunk *c);
/* All of one chunk's blocks become the other's, and live as long as that does. */
void chunk_give_blocks(struct chunk *to, struct chunk *from);

/* Room for event bytes, for as long as the chunk lives. NULL: out of memory. */
uint8_t *chunk_alloc_data(struct chunk *c, size_t n);

/* Inserts a copy of `e`, bytes too, after its equals by (tick, order). */
enum midi_status chunk_insert_event(struct chunk *c, const struct event *e);

/* Negative, zero or positive, by (tick, order). */
int event_compare(const struct event *a, const struct event *b);
bool event_equal(const struct event *a, const struct event *b); /* bytes too */

/* The contents of a meta event of this type, *n bytes of them; NULL when it is
 * another event. */
const uint8_t *event_meta(const struct event *e, uint8_t type, size_t *n);

enum {
    META_TRACK_NAME = 0x03,
    META_LYRIC = 0x05,
    META_MARKER = 0x06,
    META_CUE = 0x07,
    META_CHANNEL_PREFIX = 0x20, /* one byte: the channel that texts after it are of */
    META_END_OF_TRACK = 0x2F,
    META_TEMPO = 0x51, /* three bytes: microseconds a quarter */
    META_METER = 0x58, /* numerator, log2 denominator, clocks a click, 8 */
    META_KEY = 0x59,   /* sharps, or flats below zero; 1: minor */
};

/* The bytes of a whole meta event into `to`, which holds n + 6; how many. */
size_t event_meta_write(uint8_t *to, uint8_t type, const void *contents, size_t n);

/* The commonest two. Each returns the length. */
size_t event_tempo_write(uint8_t to[6], uint32_t us_per_quarter);
size_t event_meter_write(uint8_t to[7], int numerator, int denominator);

#endif
