/* What the tokens so far amount to, for models with a state table (model.h). The kind
 * knows how; here a decoder takes it from token to token, and finds it again when tokens
 * are forgotten: from the last one kept before them, by the ids since. */
#include "model/base/arena.h"
#include "model/decoder/decoder_internal.h"

#include <assert.h>
#include <string.h>

size_t decoder_state_size(const struct decoder *d)
{
    return arena_lines(d->kind->size);
}

/* That of the first i STATE_EVERY tokens. Those up to the decoder's length are right. */
static uint8_t *kept(const struct decoder *d, int i)
{
    return d->states + (size_t)i * decoder_state_size(d);
}

void decoder_start_state(struct decoder *d)
{
    if (!d->kind)
        return;
    d->kind->start(d->state);
    memcpy(kept(d, 0), d->state, d->kind->size);
}

/* The token at a position is the next one; returns how many rows. */
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
