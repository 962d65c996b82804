/* Copies what another decoder has read, and finds what decoders have in common through
 * such copies.
 *
 * Every call that puts tokens in a cache stamps them with a number of its own, and a copy
 * takes the stamps along. A token's keys and values are only written together with its
 * stamp. So where two decoders have the same stamp at a position, they have the same bits
 * there and at all positions before. */
#include "model/decoder/decoder_internal.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

uint64_t decoder_new_stamp(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

int decoder_n_shared(const struct decoder *a, const struct decoder *b)
{
    int from = 0, to = a->length < b->length ? a->length : b->length;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (a->stamps[middle] == b->stamps[middle])
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool decoder_source_shared(const struct decoder *a, const struct decoder *b)
{
    return a->source.length == b->source.length && a->source.stamp == b->source.stamp;
}

struct step_batch step_batch_of(struct decoder *const *d, int n)
{
    struct step_batch t = {.d = d, .n = n, .source_shared = n > 1};
    t.n_shared = n > 1 ? d[0]->length : 0;
    for (int r = 1; r < n; r++) {
        int n_shared = decoder_n_shared(d[0], d[r]);
        t.n_shared = n_shared < t.n_shared ? n_shared : t.n_shared;
        t.source_shared &= decoder_source_shared(d[0], d[r]);
    }
    return t;
}

/* Copies the keys and values of positions `at` to n in all layers, by whole tiles. The
 * part of a tile before `at` is the same in both, and the part after n is never read.
 * Both views are of layer 0. */
static void copy_places(const struct decoder *d, const struct kv_view *to,
                        const struct kv_view *from, int at, int n)
{
    const size_t first = (size_t)(at / KEY_TILE);
    const size_t n_tiles = ((size_t)n + KEY_TILE - 1) / KEY_TILE - first;
    for (int i = 0; i < d->c.n_layers * d->c.n_heads; i++) {
        size_t here = (size_t)i * to->n_tiles + first;
        size_t there = (size_t)i * from->n_tiles + first;
        memcpy(to->keys + here * d->key_tile, from->keys + there * d->key_tile,
               n_tiles * d->key_tile);
        memcpy(to->values + here * d->value_tile, from->values + there * d->value_tile,
               n_tiles * d->value_tile);
    }
}

static void copy_source(struct decoder *to, const struct decoder *from)
{
    const size_t n = (size_t)from->source.length;
    struct kv_view mine = kv_view_of_source(to, 0), theirs = kv_view_of_source(from, 0);
    copy_places(to, &mine, &theirs, 0, (int)n);
    memcpy(to->source.times, from->source.times, n * sizeof *to->source.times);
    to->source.length = from->source.length;
    to->source.stamp = from->source.stamp;
}

static void copy_tokens(struct decoder *to, const struct decoder *from, int at, int n)
{
    const size_t width = 2 * (size_t)to->c.d_model;
    decoder_reserve(to, n);
    if (to->c.mixing == MIXING_ATTENTION) {
        struct kv_view mine = kv_view_of_past(to, 0, n),
                       theirs = kv_view_of_past(from, 0, n);
        copy_places(to, &mine, &theirs, at, n);
    }
    for (int i = 0; to->c.mixing == MIXING_FOURIER && i < to->c.n_layers; i++) {
        size_t place = ((size_t)i * to->c.context + (size_t)at) * width;
        memcpy(to->spectra + place, from->spectra + place,
               (size_t)(n - at) * width * sizeof *to->spectra);
    }
    memcpy(to->times + at, from->times + at, (n - at) * sizeof *to->times);
    memcpy(to->ids + at, from->ids + at, (n - at) * sizeof *to->ids);
    decoder_copy_states(to, from, at, n);
    memcpy(to->stamps + at, from->stamps + at, (n - at) * sizeof *to->stamps);
}

enum model_status decoder_copy(struct decoder *to, const struct decoder *from, int n)
{
    assert(to->w == from->w);
    if (n < 0 || n > from->length)
        return MODEL_TOO_LONG;
    if (to->c.n_encoder_layers && !decoder_source_shared(to, from))
        copy_source(to, from);
    int shared = decoder_n_shared(to, from);
    if (shared < n)
        copy_tokens(to, from, shared, n);
    decoder_copy_queries(to, from, n);
    to->length = n;
    decoder_restore_state(to, n);
    return MODEL_OK;
}
