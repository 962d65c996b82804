/* Whether two scores are the same music. */
#ifndef TESTS_MIDI_SCORE_EQUAL_H
#define TESTS_MIDI_SCORE_EQUAL_H

#include "midi/score/chunk.h"

#include <stdlib.h>
#include <string.h>

static inline bool notes_equal(const struct note *a, const struct note *b)
{
    return a->start == b->start && a->length == b->length && a->pitch == b->pitch &&
           a->velocity == b->velocity && a->off_velocity == b->off_velocity &&
           a->flags == b->flags;
}

/* Orders may differ as long as the sequence is the same. */
static inline bool merged_equal(const struct merged *a, const struct merged *b)
{
    if (a->tick != b->tick || a->kind != b->kind || a->channel != b->channel)
        return false;
    if (a->kind != MERGED_EVENT)
        return notes_equal(a->note, b->note);
    return a->event->n_data == b->event->n_data &&
           memcmp(a->event->data, b->event->data, a->event->n_data) == 0;
}

static inline bool bytes_equal(const uint8_t *a, size_t n_a, const uint8_t *b,
                               size_t n_b)
{
    return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a) == 0);
}

/* The tracks of both are found. */
static inline bool chunks_equal(const struct score *a, const struct chunk_tracks *at,
                                const struct score *b, const struct chunk_tracks *bt,
                                int chunk)
{
    const struct chunk *x = &a->chunks[chunk], *y = &b->chunks[chunk];
    if (x->is_unknown != y->is_unknown || memcmp(x->type, y->type, 4) != 0 ||
        !bytes_equal(x->raw, x->n_raw, y->raw, y->n_raw))
        return false;

    struct merged *of_a = NULL, *of_b = NULL;
    size_t n_a = 0, n_b = 0;
    bool is_equal = !merge_chunk(a, at, chunk, &of_a, &n_a) &&
                    !merge_chunk(b, bt, chunk, &of_b, &n_b) && n_a == n_b;
    for (size_t i = 0; is_equal && i < n_a; i++)
        is_equal = merged_equal(&of_a[i], &of_b[i]);
    int64_t last_a = n_a ? of_a[n_a - 1].tick : 0;
    if (is_equal && (x->end_tick > last_a || y->end_tick > last_a))
        is_equal = x->end_tick == y->end_tick;
    free(of_a);
    free(of_b);
    return is_equal;
}

/* Compares what is heard and saved: every note (except its id) and every event, in
 * file order. */
static inline bool score_equal(const struct score *a, const struct score *b)
{
    if (a->format != b->format || a->division != b->division ||
        a->n_chunks != b->n_chunks ||
        !bytes_equal(a->header_tail, a->n_header_tail, b->header_tail,
                     b->n_header_tail))
        return false;
    struct chunk_tracks at, bt = {0};
    if (!chunk_tracks_init(&at, a))
        return false;
    bool is_equal = chunk_tracks_init(&bt, b);
    for (size_t i = 0; is_equal && i < a->n_chunks; i++)
        is_equal = chunks_equal(a, &at, b, &bt, (int)i);
    chunk_tracks_fini(&at);
    chunk_tracks_fini(&bt);
    return is_equal;
}

#endif
