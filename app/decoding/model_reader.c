/* See model_reader.h. */
#include "app/decoding/model_reader.h"

#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

enum { READ_BLOCK = 128, NONE = -1 };

struct model_reader {
    int context, vocab;
    struct decoder *decoder;      /* NULL: a dry reader */
    struct attention_head *muted; /* [n_muted] */
    size_t n_muted;
    float *logits;   /* [vocab] after the last token read */
    int32_t *read;   /* [context] the tokens in the decoder's cache */
    int32_t *times;  /* [context] and their times */
    uint64_t number; /* of this reading */
    struct token_time clock;
    int n_read;      /* of these, those read as context, */
    float *after;    /* [vocab] and the logits after the last of them, */
    bool is_whole;   /* if those are known */
    int32_t pending; /* pushed but not yet in the cache; or NONE */
};

enum model_status model_reader_create_dry(struct model_reader **out, int context,
                                          int vocab)
{
    struct model_reader *r = calloc(1, sizeof *r);
    if (!r)
        return MODEL_NO_MEMORY;
    r->context = context;
    r->vocab = vocab;
    r->pending = NONE;
    r->logits = calloc((size_t)vocab, sizeof *r->logits);
    r->after = calloc((size_t)vocab, sizeof *r->after);
    r->read = calloc((size_t)context, sizeof *r->read);
    r->times = calloc((size_t)context, sizeof *r->times);
    if (r->logits && r->after && r->read && r->times) {
        *out = r;
        return MODEL_OK;
    }
    model_reader_destroy(r);
    return MODEL_NO_MEMORY;
}

enum model_status model_reader_create(struct model_reader **out,
                                      const struct model *model, struct pool *pool)
{
    const struct model_config *c = &model->config;
    struct model_reader *r;
    enum model_status st = model_reader_create_dry(&r, c->context, c->vocab);
    if (st)
        return st;
    st = decoder_create(&r->decoder, model, pool);
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
    free(r->after);
    free(r->read);
    free(r->times);
    free(r->muted);
    free(r);
}

void model_reader_set_cancel(struct model_reader *r, const atomic_bool *flag)
{
    if (r->decoder)
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
    return r->decoder ? decoder_length(r->decoder) + (r->pending != NONE) : r->n_read;
}

static void unmute(struct model_reader *r)
{
    for (size_t i = 0; i < r->n_muted; i++)
        decoder_mute_head(r->decoder, r->muted[i], false);
    free(r->muted);
    r->muted = NULL;
    r->n_muted = 0;
}

enum model_status model_reader_mute(struct model_reader *r,
                                    const struct attention_head *heads, size_t n)
{
    if (n == r->n_muted && (n == 0 || !memcmp(heads, r->muted, n * sizeof *heads)))
        return MODEL_OK;
    decoder_truncate(r->decoder, 0);
    r->n_read = 0;
    r->is_whole = false;
    r->pending = NONE;
    unmute(r);
    r->muted = calloc(n + 1, sizeof *r->muted);
    enum model_status st = r->muted ? MODEL_OK : MODEL_NO_MEMORY;
    for (size_t i = 0; !st && i < n; i++) {
        st = decoder_mute_head(r->decoder, heads[i], true);
        if (!st)
            r->muted[r->n_muted++] = heads[i];
    }
    if (st)
        unmute(r);
    return st;
}

static bool has_read(const struct model_reader *r, const int32_t *ids, int n)
{
    return r->is_whole && n == r->n_read &&
           memcmp(r->read, ids, (size_t)n * sizeof *ids) == 0;
}

/* How many of these tokens need not be read again. Unless it is all of them, the last
 * block always is, for its logits. */
static int already_read(const struct model_reader *r, const int32_t *ids, int n_ids)
{
    int n = 0;
    if (has_read(r, ids, n_ids))
        return n_ids;
    while (n < r->n_read && n + 1 < n_ids && r->read[n] == ids[n])
        n++;
    return n / READ_BLOCK * READ_BLOCK;
}

static enum model_status read_block(struct model_reader *r, const int32_t *ids, int n,
                                    bool is_last)
{
    enum model_status st = decoder_prefill(r->decoder, ids, r->times + r->n_read, n,
                                           false, is_last ? r->after : NULL);
    if (st)
        return st;
    memcpy(r->read + r->n_read, ids, (size_t)n * sizeof *ids);
    r->n_read += n;
    r->is_whole = is_last;
    return MODEL_OK;
}

enum model_status model_reader_read(struct model_reader *r, const struct tokens *t)
{
    static atomic_uint_fast64_t last; /* number given */
    int n = (int)t->n;
    if (n > r->context)
        return MODEL_TOO_LONG;
    r->number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    if (!r->decoder) {
        memcpy(r->read, t->id, t->n * sizeof *r->read);
        r->n_read = n;
        return MODEL_OK;
    }
    int known = already_read(r, t->id, n);
    r->is_whole = r->is_whole && known == n;
    r->n_read = known;
    token_time_init(&r->clock);
    for (int i = 0; i < n; i++)
        r->times[i] = token_time_next(&r->clock, t->id[i]);
    decoder_truncate(r->decoder, known);
    while (r->n_read < n) {
        int left = n - r->n_read, block = left < READ_BLOCK ? left : READ_BLOCK;
        enum model_status st = read_block(r, t->id + r->n_read, block, block == left);
        if (st)
            return st;
    }
    decoder_truncate(r->decoder, n); /* where nothing is drawn yet */
    memcpy(r->logits, r->after, (size_t)r->vocab * sizeof *r->logits);
    r->pending = NONE;
    return MODEL_OK;
}

enum model_status model_reader_copy(struct model_reader *to,
                                    const struct model_reader *from)
{
    if (from->is_whole && has_read(to, from->read, from->n_read))
        return MODEL_OK;
    enum model_status st = decoder_copy(to->decoder, from->decoder, from->n_read);
    if (st)
        return st;
    memcpy(to->read, from->read, (size_t)from->n_read * sizeof *to->read);
    memcpy(to->after, from->after, (size_t)to->vocab * sizeof *to->after);
    to->n_read = from->n_read;
    to->is_whole = from->is_whole;
    to->pending = NONE;
    return MODEL_OK;
}

void model_reader_push(struct model_reader *r, int32_t token)
{
    if (r->decoder)
        r->pending = token;
    else if (r->n_read < r->context)
        r->read[r->n_read++] = token;
}

enum model_status model_reader_next(struct model_reader *const *r, int n,
                                    const float **logits)
{
    /* Of those that have a token to read, for the step that reads all of them. */
    struct model_reader *of[DECODER_MAX_BATCH];
    struct decoder *decoders[DECODER_MAX_BATCH];
    struct token_time clocks[DECODER_MAX_BATCH]; /* after the token */
    int32_t tokens[DECODER_MAX_BATCH], times[DECODER_MAX_BATCH];
    float *after[DECODER_MAX_BATCH];
    int k = 0;
    for (int i = 0; i < n; i++) {
        logits[i] = after[k] = r[i]->logits;
        if (r[i]->pending == NONE)
            continue;
        of[k] = r[i];
        decoders[k] = r[i]->decoder;
        clocks[k] = r[i]->clock;
        tokens[k] = r[i]->pending;
        times[k] = token_time_next(&clocks[k], tokens[k]);
        k++;
    }
    enum model_status st =
        k ? decoder_step_many(decoders, k, tokens, times, after) : MODEL_OK;
    for (int i = 0; !st && i < k; i++) {
        const int place = decoder_length(of[i]->decoder) - 1;
        of[i]->clock = clocks[i];
        of[i]->pending = NONE;
        of[i]->read[place] = tokens[i];
        of[i]->times[place] = times[i];
    }
    return st;
}

struct model_reading model_reader_reading(const struct model_reader *r)
{
    return (struct model_reading){.number = r->number,
                                  .tokens = r->read,
                                  .times = r->times,
                                  .n = r->decoder ? decoder_length(r->decoder)
                                                  : r->n_read,
                                  .n_given = r->n_read};
}

enum model_status model_reader_show_row(struct model_reader *r, struct attention_head h,
                                        float *row)
{
    return decoder_show_row(r->decoder, h, row);
}

bool model_reader_row_is_shown(const struct model_reader *r)
{
    return decoder_row_is_shown(r->decoder);
}
