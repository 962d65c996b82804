/* The encoder: a source goes through its layers whole, every token seeing all of it
 * (Vaswani et al. 2017, section 3.1), and each layer of the decoder gets its own keys
 * and values of what comes out.
 *
 * The source's rows stay in buffers of their own, and a view of the decoder walks over
 * them a chunk at a time; per layer all keys come first, then what attends to them. */
#include "model/decoder/decoder_internal.h"
#include "model/decoder/position.h"

/* The decoder, working on the chunk of the source from `at` on. */
static struct decoder view_at(const struct decoder *d, int at)
{
    const size_t n = (size_t)d->c.d_model;
    struct decoder view = *d;
    view.query_cache = NULL;
    view.x = d->source.x + (size_t)at * n;
    view.qkv = d->source.qkv + (size_t)at * 3 * n;
    if (d->source.rotations)
        view.rotations = d->source.rotations + (size_t)at * d->d_head;
    return view;
}

static int chunk_rows(int n, int at)
{
    return n - at < CHUNK ? n - at : CHUNK;
}

static void project(const struct decoder *d, int layer, const struct kv_view *m, int at,
                    int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    struct decoder view = view_at(d, at);
    const float *from = view.x;
    if (d->c.norm == NORM_PRE) {
        decoder_norm(&view, w->norm1_w, w->norm1_b, rows);
        from = view.h;
    }
    decoder_project(&view, m, layer, at, rows, from);
}

/* Post-norm swaps stream and norm twice, so the stream ends where it began. */
static void attend_and_feed(const struct decoder *d, int layer, const struct kv_view *m,
                            int at, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    const bool post = d->c.norm == NORM_POST;
    struct decoder view = view_at(d, at);
    decoder_attend(&view, m, view.qkv, 3 * n, at, rows);
    decoder_dense(&(struct dense){&view, w->out_w, decoder_prefill_layer(d, layer).out,
                                  w->out_b, view.mixed, view.x, rows, n, n, DENSE_ADD});
    decoder_norm(&view, post ? w->norm1_w : w->norm2_w, post ? w->norm1_b : w->norm2_b,
                 rows);
    if (post)
        decoder_swap(&view);
    decoder_feed(&view, layer, at, rows, post ? view.x : view.h);
    if (post) {
        decoder_norm(&view, w->norm2_w, w->norm2_b, rows);
        decoder_swap(&view);
    }
}

static void run_layer(const struct decoder *d, int layer, int n)
{
    const struct layer_weights *w = &d->w->layers[layer];
    struct kv_view m = {
        .keys = d->source.own_keys,
        .values = d->source.own_values,
        .n_tiles = d->n_tiles,
        .n = n,
        .times = d->source.times,
        .query_times = d->source.times,
        .relative_key = w->relative_key,
        .relative_value = w->relative_value,
        .time_key = w->time_key,
        .n_rows = 2 * d->c.max_distance - 1,
        .zero = d->c.max_distance - 1,
    };
    for (int at = 0; at < n; at += CHUNK)
        project(d, layer, &m, at, chunk_rows(n, at));
    for (int at = 0; at < n; at += CHUNK)
        attend_and_feed(d, layer, &m, at, chunk_rows(n, at));
}

static void embed(struct decoder *d, const int32_t *tokens, int n)
{
    const size_t width = (size_t)d->c.d_model, e = (size_t)d->d_head;
    for (int i = 0; i < n; i++) {
        decoder_embed(d, d->source.x + (size_t)i * width, tokens[i], i);
        if (d->source.rotations)
            position_set_rotation(d->source.rotations + (size_t)i * e, &d->c, i,
                                  d->source.times[i]);
    }
}

/* Keys and values for one layer of the decoder, of a chunk. Towards a source only
 * times turn. */
static void store_for(struct decoder *d, int layer, int at, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    struct decoder view = view_at(d, at);
    struct kv_view m = kv_view_of_source(d, layer);
    const float *from = view.x;
    if (d->c.norm == NORM_PRE) {
        decoder_norm(&view, d->w->encoder_norm_w, d->w->encoder_norm_b, rows);
        from = view.h;
    }
    decoder_dense(
        &(struct dense){&view, w->cross_kv_w, decoder_prefill_layer(d, layer).cross_kv,
                        w->cross_kv_b, from, view.qkv, rows, 2 * n, n, DENSE_SET});
    for (int r = 0; view.rotations && r < rows; r++)
        position_set_rotation(view.rotations + (size_t)r * d->d_head, &d->c, 0,
                              d->source.times[at + r]);
    d->k->rotate(view.qkv, 2 * n, d->c.n_heads, view.rotations, d->d_head, rows, false);
    decoder_store_rows(&view, &m, at, view.qkv, 2 * n, rows);
}

enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n)
{
    embed(d, tokens, n);
    for (int i = 0; i < d->c.n_encoder_layers; i++) {
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        run_layer(d, d->c.n_layers + i, n);
    }
    for (int layer = 0; layer < d->c.n_layers; layer++)
        for (int at = 0; at < n; at += CHUNK)
            store_for(d, layer, at, chunk_rows(n, at));
    return MODEL_OK;
}
