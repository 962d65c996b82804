/* The keys and values of the tokens so far, in f32 or in 8 bits: where they are
 * (decoder_internal.h has the shapes), how they are stored and how they are read. */
#include "model/decoder/decoder_internal.h"

#include <string.h>

static size_t tile_of(const struct kv_view *m, int head, int position)
{
    return (size_t)head * m->n_tiles + (size_t)position / KEY_TILE;
}

const uint8_t *decoder_keys(const struct decoder *d, const struct kv_view *m, int head,
                            int position)
{
    return m->keys + tile_of(m, head, position) * d->key_tile;
}

const uint8_t *decoder_values(const struct decoder *d, const struct kv_view *m,
                              int head, int position)
{
    return m->values + tile_of(m, head, position) * d->value_tile;
}

const float *decoder_tile_f32(const struct decoder *d, const uint8_t *tile,
                              bool is_keys, float *room)
{
    if (d->cache == CACHE_F32)
        return (const float *)(const void *)tile;
    if (is_keys)
        d->k->widen_keys_int8(room, tile, d->d_head);
    else
        d->k->widen_values_int8(room, tile, d->d_value);
    return room;
}

enum { CACHE_LINE = 64 };

/* Prefetches, for writing, n lines of memory that are `apart` bytes apart. */
static void foresee(const uint8_t *at, size_t n, size_t apart)
{
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(at + i * apart, 1, 3);
}

void decoder_prefetch_store(const struct decoder *d, const struct kv_view *m, int head,
                            int position)
{
    const size_t place = (size_t)position % KEY_TILE;
    const bool is_int8 = d->cache == CACHE_INT8;
    const size_t key = KEY_TILE * (is_int8 ? 2 : sizeof(float)),
                 value = d->d_value * (is_int8 ? 2 : sizeof(float));
    const size_t before = is_int8 ? INT8_SCALES : 0;
    const uint8_t *keys = decoder_keys(d, m, head, position),
                  *values = decoder_values(d, m, head, position);
    foresee(keys + before + place * key / KEY_TILE, (d->key_tile - before) / key, key);
    foresee(values + before + (is_int8 ? place / 2 : place) * value,
            (value + CACHE_LINE - 1) / CACHE_LINE, CACHE_LINE);
}

void decoder_store(const struct decoder *d, const struct kv_view *m, int head,
                   int position, const float *key, const float *value)
{
    const size_t tile = tile_of(m, head, position);
    const size_t place = (size_t)position % KEY_TILE;
    void *keys = m->keys + tile * d->key_tile;
    void *values = m->values + tile * d->value_tile;
    if (d->cache == CACHE_F32) {
        for (int i = 0; i < d->d_head; i++)
            ((float *)keys)[(size_t)i * KEY_TILE + place] = key[i];
        memcpy((float *)values + place * (size_t)d->d_value, value,
               d->d_head * sizeof *value);
        return;
    }
    d->k->store_key_int8(keys, (int)place, key, d->d_head);
    d->k->store_value_int8(values, (int)place, value, d->d_head, d->d_value);
}

struct store_job {
    const struct decoder *d;
    const struct kv_view *m;
    const float *k;
    int ld, position, rows;
};

static void store_task(void *arg, int head, int thread)
{
    const struct store_job *job = arg;
    const struct decoder *d = job->d;
    const float *row = job->k + (size_t)head * d->d_head;
    (void)thread;
    for (int r = 0; r < job->rows; r++, row += job->ld)
        decoder_store(d, job->m, head, job->position + r, row, row + d->c.d_model);
}

void decoder_store_rows(const struct decoder *d, const struct kv_view *m, int position,
                        const float *k, int ld, int rows)
{
    struct store_job job = {d, m, k, ld, position, rows};
    pool_run(d->pool, store_task, &job, d->c.n_heads);
}

/* Moves n blocks of `size` bytes, which follow one another, to places `apart` bytes
 * apart. The last goes first, since no block moves down. The memory behind each block is
 * cleared, as far as it has been used, which is up to `end`. */
static void move_apart(uint8_t *to, const uint8_t *from, size_t apart, size_t size,
                       size_t n, const uint8_t *end)
{
    while (n-- > 0) {
        uint8_t *block = to + n * apart, *rest = block + size;
        memmove(block, from + n * size, size);
        if (rest < end)
            memset(rest, 0, block + apart < end ? apart - size : (size_t)(end - rest));
    }
}

/* Gives every head `room` tiles instead of d->room. */
static void set_room(struct decoder *d, int room)
{
    const size_t n = (size_t)d->c.n_layers * d->c.n_heads, key = d->key_tile,
                 value = d->value_tile;
    uint8_t *values = d->keys + n * room * key;
    const uint8_t *end = d->values + n * d->room * value;
    move_apart(values, d->values, room * value, d->room * value, n, end);
    move_apart(d->keys, d->keys, room * key, d->room * key, n,
               end < values ? end : values);
    d->values = values;
    d->room = room;
}

void decoder_reserve(struct decoder *d, int n_tokens)
{
    int room = d->room;
    while (room < d->n_tiles && room * KEY_TILE < n_tokens)
        room = least(room + (room + 1) / 2, d->n_tiles);
    if (room > d->room && d->c.mixing == MIXING_ATTENTION)
        set_room(d, room);
}

/* The view of n tokens in a layer's self-attention, in memory of which layer `at` is the
 * first. */
static struct kv_view view_of(const struct decoder *d, int layer, int at, uint8_t *keys,
                              uint8_t *values, int n_tiles, int n)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const size_t tiles = (size_t)(layer - at) * d->c.n_heads * n_tiles;
    return (struct kv_view){.keys = keys + tiles * d->key_tile,
                            .values = values + tiles * d->value_tile,
                            .n_tiles = n_tiles,
                            .n = n,
                            .times = d->times,
                            .query_times = d->times,
                            .relative_key = w->relative_key,
                            .relative_value = w->relative_value,
                            .time_key = w->time_key,
                            .zero = d->c.max_distance - 1};
}

struct kv_view kv_view_of_past(const struct decoder *d, int layer, int n)
{
    struct kv_view m = view_of(d, layer, 0, d->keys, d->values, d->room, n);
    m.causal = true;
    m.n_rows = d->c.max_distance;
    m.muted = decoder_muting(d, false, layer);
    return m;
}

struct kv_view kv_view_of_encoder(const struct decoder *d, int layer, int n)
{
    struct kv_view m = view_of(d, layer, layer, d->source.own_keys,
                               d->source.own_values, d->n_tiles, n);
    m.times = m.query_times = d->source.times;
    m.n_rows = 2 * d->c.max_distance - 1;
    return m;
}

struct kv_view kv_view_of_source(const struct decoder *d, int layer)
{
    struct kv_view m = view_of(d, layer, 0, d->source.keys, d->source.values,
                               d->n_tiles, d->source.length);
    m.times = d->source.times;
    m.relative_key = m.relative_value = NULL;
    m.time_key = d->w->layers[layer].cross_time_key;
    m.zero = 0;
    m.muted = decoder_muting(d, true, layer);
    return m;
}
