/* See model_reader.h. */
#include "app/model_reader.h"

#include "midi/clock.h"

#include <stdlib.h>
#include <string.h>

enum { READ_BLOCK = 128, NONE = -1 };

struct model_reader {
    int context, vocab;
    struct decoder *decoder;
    float *logits;  /* [vocab] after the last token read */
    int32_t *read;  /* [context] the tokens in the decoder's cache */
    int32_t *times; /* [context] of the tokens being read */
    struct clock clock;
    int n_read;      /* of these, those read as context */
    int32_t pending; /* pushed but not yet in the cache; or NONE */
};

enum model_status model_reader_create(struct model_reader **out,
                                      const struct model *model, struct pool *pool)
{
    const struct model_config *c = model_config(model);
    struct model_reader *r = calloc(1, sizeof *r);
    if (!r)
        return MODEL_NO_MEMORY;
    r->context = c->context;
    r->vocab = c->vocab;
    r->pending = NONE;
    r->logits = calloc((size_t)c->vocab, sizeof *r->logits);
    r->read = calloc((size_t)c->context, sizeof *r->read);
    r->times = calloc((size_t)c->context, sizeof *r->times);
    enum model_status st = r->logits && r->read && r->times
                               ? decoder_create(&r->decoder, model, pool)
                               : MODEL_NO_MEMORY;
    if (st) {
        model_reader_destroy(r);
        return st;
    }
    *out = r;
    return MODEL_OK;
}

void model_reader_destroy(struct model_reader *r)
{
    if (!r)
        return;
    decoder_destroy(r->decoder);
    free(r->logits);
    free(r->read);
    free(r->times);
    free(r);
}

void model_reader_set_cancel(struct model_reader *r, const atomic_bool *flag)
{
    decoder_set_cancel(r->decoder, flag);
}

int model_reader_context(const struct model_reader *r)
{
    return r->context;
}

int model_reader_vocab(const struct model_reader *r)
{
    return r->vocab;
}

int model_reader_length(const struct model_reader *r)
{
    return decoder_length(r->decoder) + (r->pending != NONE);
}

/* How many of these tokens need not be read again. The last block always is,
 * for its logits. */
static int already_read(const struct model_reader *r, const struct tokens *t)
{
    int n = 0;
    while (n < r->n_read && n + 1 < (int)t->n && r->read[n] == t->id[n])
        n++;
    return n / READ_BLOCK * READ_BLOCK;
}

static enum model_status read_block(struct model_reader *r, const int32_t *ids, int n,
                                    bool is_last)
{
    enum model_status st = decoder_prefill(r->decoder, ids, r->times + r->n_read, n,
                                           false, is_last ? r->logits : NULL);
    if (st)
        return st;
    memcpy(r->read + r->n_read, ids, (size_t)n * sizeof *ids);
    r->n_read += n;
    return MODEL_OK;
}

enum model_status model_reader_read(struct model_reader *r, const struct tokens *t)
{
    int n = (int)t->n;
    if (n > r->context)
        return MODEL_TOO_LONG;
    r->n_read = already_read(r, t);
    clock_init(&r->clock);
    for (int i = 0; i < n; i++)
        r->times[i] = clock_next(&r->clock, t->id[i]);
    decoder_truncate(r->decoder, r->n_read);
    r->pending = NONE;
    while (r->n_read < n) {
        int left = n - r->n_read, block = left < READ_BLOCK ? left : READ_BLOCK;
        enum model_status st = read_block(r, t->id + r->n_read, block, block == left);
        if (st)
            return st;
    }
    return MODEL_OK;
}

void model_reader_push(struct model_reader *r, int32_t token)
{
    r->pending = token;
}

enum model_status model_reader_next(struct model_reader *r, const float **logits)
{
    *logits = r->logits;
    if (r->pending == NONE)
        return MODEL_OK;
    enum model_status st = decoder_step(r->decoder, r->pending,
                                        clock_next(&r->clock, r->pending), r->logits);
    if (!st)
        r->pending = NONE;
    return st;
}
