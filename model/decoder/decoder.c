/* A decoder's memory and its public calls. decoder.h has what they promise,
 * decoder_internal.h the shapes. */
#include "model/decoder/decoder_internal.h"
#include "model/kernels/fourier.h"
#include "model/decoder/position.h"

#include <assert.h>
#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* OpenBLAS must not divide its work: the pool does that, at points that do not depend on
 * the number of threads. */
static void calm_blas(void)
{
    openblas_set_num_threads(1);
}

/* -- The state of the tokens so far, for models with a state table (model.h). A decoder
 * advances it token by token and stores a copy after every STATE_EVERY tokens. When
 * tokens are forgotten, the state is computed again from the last copy before and the ids
 * since -- */

static size_t state_size(const struct decoder *d)
{
    return whole_parts(d->kind->size, ARENA_LINE);
}

/* The stored state of the first i STATE_EVERY tokens. States up to the decoder's length
 * are valid. */
static uint8_t *kept(const struct decoder *d, int i)
{
    return d->states + (size_t)i * state_size(d);
}

/* Advances the state by the token at a position, which must be the next one. Returns the
 * number of rows. */
static int advance(const struct decoder *d, int position, uint16_t *rows)
{
    int n = d->kind->next(d->state, d->ids[position], rows);
    assert(n >= 0 && n <= MODEL_STATE_MOST);
    return n;
}

void decoder_add_state(const struct decoder *d, float *x, int position)
{
    const size_t width = (size_t)d->c.d_model;
    uint16_t rows[MODEL_STATE_MOST];
    if (!d->kind)
        return;
    int n = advance(d, position, rows);
    for (int i = 0; i < n; i++) {
        assert(rows[i] < d->c.state);
        d->k->add(x, d->w->state + rows[i] * width, d->c.d_model);
    }
    if ((position + 1) % STATE_EVERY == 0)
        memcpy(kept(d, (position + 1) / STATE_EVERY), d->state, d->kind->size);
}

void decoder_restore_state(const struct decoder *d, int n)
{
    uint16_t unused[MODEL_STATE_MOST];
    if (!d->kind)
        return;
    memcpy(d->state, kept(d, n / STATE_EVERY), d->kind->size);
    for (int at = n / STATE_EVERY * STATE_EVERY; at < n; at++)
        advance(d, at, unused);
}

void decoder_copy_states(const struct decoder *to, const struct decoder *from, int at,
                         int n)
{
    for (int i = at / STATE_EVERY + 1; to->kind && i <= n / STATE_EVERY; i++)
        memcpy(kept(to, i), kept(from, i), to->kind->size);
}

/* -- memory -- */

/* Divides the arena into its parts, or only counts if there is no arena yet. Returns the
 * bytes. The bounds of model_config_valid keep every product far from overflow. */
static size_t lay_out(struct decoder *d)
{
    const struct model_config *c = &d->c;
    const size_t heads = (size_t)c->n_layers * c->n_heads,
                 own = (size_t)c->n_heads * d->n_tiles,
                 tiles = heads * (size_t)d->n_tiles,
                 positions = (size_t)d->n_tiles * KEY_TILE, width = (size_t)c->d_model,
                 e = (size_t)d->d_head, n_threads = (size_t)pool_n_threads(d->pool);
    const bool is_rotary = position_is_rotary(c);
    struct arena at = {.block = d->arena};

    /* What only prefill needs comes first, and the cache comes last. So a decoder that
     * steps touches only the pages in between. */
    d->rotations = is_rotary ? arena_floats(&at, CHUNK * e) : NULL;
    d->cross_rotations =
        is_rotary && c->n_encoder_layers ? arena_floats(&at, CHUNK * e) : NULL;
    d->x = arena_floats(&at, CHUNK * width);
    d->h = arena_floats(&at, CHUNK * width);
    d->qkv = arena_floats(&at, CHUNK * 3 * width);
    d->mixed = arena_floats(&at, CHUNK * width);
    d->hidden = arena_floats(&at, CHUNK * (size_t)c->d_ff);
    if (c->time == TIME_BUCKETS)
        d->chunk_rows = arena_bytes(&at, CHUNK * positions);
    d->panels = arena_floats(&at, n_threads * decoder_panels_size(d));
    if (c->n_encoder_layers) {
        d->source.keys = arena_bytes(&at, tiles * d->key_tile);
        d->source.values = arena_bytes(&at, tiles * d->value_tile);
        d->source.own_keys = arena_bytes(&at, own * d->key_tile);
        d->source.own_values = arena_bytes(&at, own * d->value_tile);
        d->source.times = arena_floats(&at, positions);
        d->source.x = arena_floats(&at, positions * width);
        d->source.qkv = arena_floats(&at, positions * 3 * width);
        d->source.rotations = is_rotary ? arena_floats(&at, positions * e) : NULL;
    }

    d->times = arena_floats(&at, positions);
    d->ids = arena_floats(&at, positions);
    if (d->kind) {
        d->state = arena_bytes(&at, state_size(d));
        d->states = arena_bytes(&at, (positions / STATE_EVERY + 1) * state_size(d));
    }
    d->stamps = arena_bytes(&at, positions * sizeof *d->stamps);
    d->muted = arena_bytes(&at, 2 * heads * sizeof(bool));

    struct step_arena *s = &d->step;
    s->input.ld = packed_vector_size(d->packed->kind, c->d_model);
    s->input.x = arena_bytes(&at, MAX_BATCH * s->input.ld);
    s->width = packed_panels(c->d_model) * PANEL;
    s->parts =
        arena_floats(&at, larger((size_t)d->packed->n_slices, (size_t)c->n_heads) *
                              MAX_BATCH * (size_t)s->width);
    s->n_logits = packed_panels(c->vocab) * PANEL;
    s->logits = arena_floats(&at, MAX_BATCH * (size_t)s->n_logits);
    s->n_rows = (int)positions;
    s->time_rows = arena_bytes(&at, MAX_BATCH * positions);
    s->source_rows = arena_bytes(&at, MAX_BATCH * positions);
    d->n_scratch =
        whole_parts(larger(larger(decoder_heads_scratch(d), decoder_feed_scratch(d)),
                           decoder_attention_scratch(d)),
                    ARENA_LINE);
    d->scratch = arena_floats(&at, n_threads * d->n_scratch);

    if (c->mixing == MIXING_FOURIER) {
        d->spectra = arena_floats(&at, (size_t)c->n_layers * c->context * 2 * width);
        d->waves = arena_floats(&at, 2 * width * width);
        d->circle = arena_floats(&at, 2 * (size_t)c->block);
        d->packed_waves.blocks = arena_bytes(
            &at, packed_size(WEIGHTS_F32, &(struct packing){.rows = 2 * c->d_model}, 1,
                             c->d_model));
    } else {
        d->keys = arena_bytes(&at, tiles * (d->key_tile + d->value_tile));
        if (d->keys)
            d->values = d->keys + heads * (size_t)d->room * d->key_tile;
    }
    return at.n_bytes;
}

/* Maps the arena. Its pages are zero and are not used until they are touched, so memory
 * that the context never reaches costs nothing. Pages are large where the system has
 * such, because a step reads most of the cache. */
static enum model_status allocate(struct decoder *d)
{
    size_t n_bytes = lay_out(d);
    void *block =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return MODEL_NO_MEMORY;
    large_pages_ask(block, n_bytes);
    d->arena = block;
    d->n_arena = n_bytes;
    lay_out(d);
    return MODEL_OK;
}

enum model_status decoder_create(struct decoder **out, const struct model *m,
                                 struct pool *pool)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!model_state_fits(&m->config, m->state_kind))
        return MODEL_OTHER_TOKENS;
    struct decoder *d = calloc(1, sizeof *d);
    if (!d)
        return MODEL_NO_MEMORY;
    pthread_once(&once, calm_blas);
    d->c = m->config;
    d->w = &m->weights;
    d->packed = model_packed(m);
    d->cache = m->precision.cache;
    d->kind = d->c.state ? m->state_kind : NULL;
    d->k = kernels_best();
    d->prefill_weights = model_packed_prefill(m);
    d->products = d->prefill_weights ? d->prefill_weights->set : product_best(false);
    d->pool = pool;
    d->d_head = d->c.d_model / d->c.n_heads;
    d->d_value = n_parts(d->d_head, VALUE_PAD) * VALUE_PAD;
    d->n_tiles = n_parts(d->c.context, KEY_TILE);
    d->room = least(d->n_tiles, FIRST_ROOM);
    d->key_tile = d->cache == CACHE_INT8 ? int8_tile(d->d_head)
                                         : KEY_TILE * d->d_head * sizeof(float);
    d->value_tile = d->cache == CACHE_INT8 ? int8_tile(d->d_value)
                                           : KEY_TILE * d->d_value * sizeof(float);
    d->scale = 1.0f / sqrtf((float)d->d_head);
    enum model_status st = d->packed ? allocate(d) : MODEL_NO_MEMORY;
    if (st) {
        decoder_destroy(d);
        return st;
    }
    if (d->kind) {
        d->kind->start(d->state);
        memcpy(kept(d, 0), d->state, d->kind->size);
    }
    d->time_rows = position_time_rows();
    if (d->c.mixing == MIXING_FOURIER) {
        const int n = d->c.d_model;
        fourier_fill(d->waves, d->circle, n, d->c.block);
        d->packed_waves =
            packed_make(WEIGHTS_F32, &(struct packing){d->waves, NULL, n, 2 * n}, 1, n,
                        (void *)d->packed_waves.blocks);
    }
    *out = d;
    return MODEL_OK;
}

void decoder_destroy(struct decoder *d)
{
    if (!d)
        return;
    decoder_keep_queries(d, false);
    if (d->arena)
        munmap(d->arena, d->n_arena);
    free(d);
}

void decoder_set_cancel(struct decoder *d, const atomic_bool *flag)
{
    d->cancel = flag;
}

int decoder_length(const struct decoder *d)
{
    return d->length;
}

void decoder_truncate(struct decoder *d, int n)
{
    if (n < 0 || n >= d->length)
        return;
    d->length = n;
    decoder_restore_state(d, n);
}

bool decoder_cancelled(const struct decoder *d)
{
    return d->cancel && atomic_load_explicit(d->cancel, memory_order_relaxed);
}

void decoder_embed(const struct decoder *d, float *x, int32_t token, int position)
{
    size_t n = (size_t)d->c.d_model;
    memcpy(x, d->w->token + (size_t)token * n, n * sizeof *x);
    if (d->c.position == POSITION_LEARNED)
        d->k->add(x, d->w->position + (size_t)position * n, d->c.d_model);
    else if (d->c.position == POSITION_SINUSOIDAL)
        position_add_sinusoid(x, position, d->c.d_model);
}

/* In cross-attention only times rotate, because a source's positions are counted
 * separately. */
void decoder_set_rotation(struct decoder *d, int row, int position, int32_t time)
{
    size_t at = (size_t)row * d->d_head;
    if (d->rotations)
        position_set_rotation(d->rotations + at, &d->c, position, time);
    if (d->cross_rotations)
        position_set_rotation(d->cross_rotations + at, &d->c, 0, time);
}

void decoder_activate(const struct decoder *d, float *x, int n)
{
    if (d->c.activation == ACTIVATION_GELU)
        d->k->gelu(x, x, (size_t)n);
    else
        d->k->relu(x, n);
}

static enum model_status check_tokens(const struct decoder *d, const int32_t *tokens,
                                      int n, int room)
{
    if (n < 0 || n > room)
        return MODEL_TOO_LONG;
    for (int i = 0; i < n; i++)
        if (tokens[i] < 0 || tokens[i] >= d->c.vocab)
            return MODEL_BAD_TOKEN;
    return MODEL_OK;
}

enum model_status decoder_check(const struct decoder *d, const int32_t *tokens, int n)
{
    if (d->c.n_encoder_layers && !d->source.length)
        return MODEL_NO_SOURCE;
    return check_tokens(d, tokens, n, d->c.context - d->length);
}

enum model_status decoder_encode(struct decoder *d, const int32_t *tokens,
                                 const int32_t *times, int n)
{
    if (!d->c.n_encoder_layers || n < 1)
        return MODEL_NO_SOURCE;
    enum model_status st = check_tokens(d, tokens, n, d->c.context);
    if (st)
        return st;
    decoder_truncate(d, 0);
    d->source.length = 0;
    for (int i = 0; i < n; i++)
        d->source.times[i] = times ? times[i] : i;
    st = decoder_run_encoder(d, tokens, n);
    if (!st)
        d->source.length = n;
    d->source.stamp = decoder_new_stamp();
    return st;
}

void decoder_stage_tokens(struct decoder *d, const int32_t *tokens,
                          const int32_t *times, int n)
{
    uint64_t stamp = decoder_new_stamp();
    decoder_reserve(d, d->length + n);
    for (int i = 0; i < n; i++) {
        d->ids[d->length + i] = tokens[i];
        d->times[d->length + i] = times ? times[i] : d->length + i;
        d->stamps[d->length + i] = stamp;
    }
    decoder_expect_queries(d, stamp, n);
}

enum model_status decoder_prefill(struct decoder *d, const int32_t *tokens,
                                  const int32_t *times, int n, bool all, float *logits)
{
    enum model_status st = decoder_check(d, tokens, n);
    if (st)
        return st;
    decoder_stage_tokens(d, tokens, times, n);
    for (int done = 0; !st && done < n; done += CHUNK) {
        int now = least(n - done, CHUNK);
        bool last = done + now == n;
        float *to = all && logits ? logits + (size_t)done * d->c.vocab
                    : last        ? logits
                                  : NULL;
        st = decoder_run_chunk(d, d->length + done, now, all, to);
    }
    if (st)
        decoder_restore_state(d, d->length);
    else
        d->length += n;
    return st;
}
