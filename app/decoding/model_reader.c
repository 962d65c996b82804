/* See model_reader.h. */
#include "app/decoding/model_reader.h"

#include "midi/base/array.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

enum { READ_BLOCK = 128 };

struct model_reader {
    int context, vocab;
    struct decoder *decoder;      /* NULL: none reads */
    struct attention_head *muted; /* [n_muted] */
    size_t n_muted;
    float *logits;     /* [vocab] after the last token read */
    int32_t *tokens;   /* [n] those in the decoder's cache, and at most one to come */
    int32_t *times;    /* [n] and their times */
    int n;             /* up to context + 1, which the decoder refuses */
    int32_t *computed; /* [context] times of what is to be read */
    int32_t *source;   /* [n_source] what the encoder has read */
    int n_source;
    float *all;    /* [context, vocab] the logits after each; NULL: they are not kept */
    int n_reading; /* number of this reading */
    struct token_time clock;
    int n_read;    /* of the tokens, those read as context, */
    float *after;  /* [vocab] and the logits after the last of them, */
    bool is_whole; /* if those are known */
};

enum model_status model_reader_create(struct model_reader **out,
                                      const struct model *model, struct pool *pool,
                                      const atomic_bool *cancel)
{
    const size_t context = (size_t)model->config.context,
                 vocab = (size_t)model->config.vocab;
    struct model_reader *r = calloc(1, sizeof *r);
    if (!r)
        return MODEL_NO_MEMORY;
    r->context = model->config.context;
    r->vocab = model->config.vocab;
    r->logits = calloc(vocab, sizeof *r->logits);
    r->after = calloc(vocab, sizeof *r->after);
    r->tokens = calloc(context + 1, sizeof *r->tokens);
    r->times = calloc(context + 1, sizeof *r->times);
    r->computed = calloc(context, sizeof *r->computed);
    r->source = calloc(context, sizeof *r->source);
    const bool has_room =
        r->logits && r->after && r->tokens && r->times && r->computed && r->source;
    enum model_status st = has_room ? MODEL_OK : MODEL_NO_MEMORY;
    if (!st && pool)
        st = decoder_create(&r->decoder, model, pool);
    if (st) {
        model_reader_destroy(r);
        return st;
    }
    if (r->decoder)
        decoder_set_cancel(r->decoder, cancel);
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
    free(r->tokens);
    free(r->times);
    free(r->computed);
    free(r->source);
    free(r->all);
    free(r->muted);
    free(r);
}

enum model_status model_reader_mute(struct model_reader *r,
                                    const struct attention_head *heads, size_t n)
{
    if (n == r->n_muted && (n == 0 || !memcmp(heads, r->muted, n * sizeof *heads)))
        return MODEL_OK;
    struct attention_head *muted = array_copy(heads, n, sizeof *heads);
    decoder_truncate(r->decoder, 0);
    r->n = r->n_read = 0;
    r->is_whole = false;
    free(r->muted);
    r->muted = muted;
    enum model_status st = decoder_mute_heads(r->decoder, heads, muted ? n : 0);
    r->n_muted = muted && !st ? n : 0;
    return muted ? st : MODEL_NO_MEMORY;
}

const struct attention_head *model_reader_muted(const struct model_reader *r, size_t *n)
{
    *n = r->n_muted;
    return r->muted;
}

enum model_status model_reader_keep_all(struct model_reader *r, bool watches)
{
    r->all = calloc((size_t)r->context * (size_t)r->vocab, sizeof *r->all);
    return r->all ? decoder_keep_queries(r->decoder, watches) : MODEL_NO_MEMORY;
}

const float *model_reader_logits(const struct model_reader *r, int after)
{
    return r->all + (size_t)after * (size_t)r->vocab;
}

struct decoder *model_reader_decoder(struct model_reader *r)
{
    return r->decoder;
}

static bool has_source(const struct model_reader *r, const struct model_input *in)
{
    return r->n_source == in->n_source &&
           !memcmp(r->source, in->source, (size_t)in->n_source * sizeof *in->source);
}

/* The last block is read again, for its logits, unless all tokens are known. */
int model_reader_n_known(const struct model_reader *r, const struct model_input *in)
{
    int n = 0;
    while (n < r->n_read && n < in->n && r->tokens[n] == in->ids[n] &&
           r->times[n] == in->times[n])
        n++;
    if (!has_source(r, in))
        return 0;
    if (r->all || (r->is_whole && n == in->n && n == r->n_read))
        return n;
    return (n < in->n ? n : in->n - 1) / READ_BLOCK * READ_BLOCK;
}

enum model_status model_reader_read_input(struct model_reader *r,
                                          const struct model_input *in)
{
    const int known = model_reader_n_known(r, in),
              most = r->all ? 2 * READ_BLOCK : READ_BLOCK;
    enum model_status st = MODEL_OK;
    if (in->n > r->context)
        return MODEL_TOO_LONG;
    if (!has_source(r, in)) {
        r->n_read = r->n_source = 0;
        st = decoder_encode(r->decoder, in->source, in->source_times, in->n_source);
        if (st)
            return st;
        memcpy(r->source, in->source, (size_t)in->n_source * sizeof *in->source);
        r->n_source = in->n_source;
    }
    r->is_whole = r->is_whole && known == in->n;
    r->n = r->n_read = known;
    memcpy(r->times, in->times, (size_t)in->n * sizeof *r->times);
    decoder_truncate(r->decoder, known);
    while (r->n_read < in->n) {
        const int left = in->n - r->n_read, n = left < most ? left : most;
        const int32_t *ids = in->ids + r->n_read;
        float *logits = r->all      ? r->all + (size_t)r->n_read * (size_t)r->vocab
                        : n == left ? r->after
                                    : NULL;
        st = decoder_prefill(r->decoder, ids, r->times + r->n_read, n, r->all != NULL,
                             logits);
        if (st)
            return st;
        memcpy(r->tokens + r->n_read, ids, (size_t)n * sizeof *ids);
        r->n_read += n;
        r->is_whole = n == left;
    }
    r->n = in->n;
    memcpy(r->logits, r->after, (size_t)r->vocab * sizeof *r->logits);
    return MODEL_OK;
}

enum model_status model_reader_read(struct model_reader *r, const struct tokens *t)
{
    const struct model_input in = {.ids = t->id,
                                   .times = r->computed,
                                   .n = (int)t->n,
                                   .source = r->source,
                                   .n_source = r->n_source};
    if (in.n > r->context)
        return MODEL_TOO_LONG;
    r->n_reading++;
    token_time_init(&r->clock);
    for (int i = 0; i < in.n; i++)
        r->computed[i] = token_time_next(&r->clock, t->id[i]);
    if (r->decoder)
        return model_reader_read_input(r, &in);
    memcpy(r->tokens, t->id, t->n * sizeof *r->tokens);
    r->n = in.n;
    return MODEL_OK;
}

enum model_status model_reader_copy(struct model_reader *to,
                                    const struct model_reader *from, int n)
{
    n = n == READ_ALL ? from->n_read : n;
    const bool is_whole = from->is_whole && n == from->n_read;
    if (is_whole && to->is_whole && to->n_read == n &&
        !memcmp(to->tokens, from->tokens, (size_t)n * sizeof *to->tokens))
        return MODEL_OK;
    enum model_status st = decoder_copy(to->decoder, from->decoder, n);
    to->n = to->n_read = st ? 0 : n;
    to->is_whole = !st && is_whole;
    if (st)
        return st;
    memcpy(to->tokens, from->tokens, (size_t)n * sizeof *to->tokens);
    memcpy(to->times, from->times, (size_t)n * sizeof *to->times);
    memcpy(to->source, from->source, (size_t)from->n_source * sizeof *to->source);
    to->n_source = from->n_source;
    if (to->all)
        memcpy(to->all, from->all, (size_t)n * (size_t)to->vocab * sizeof *to->all);
    memcpy(to->after, from->after, (size_t)to->vocab * sizeof *to->after);
    return MODEL_OK;
}

void model_reader_push(struct model_reader *r, int32_t token)
{
    if (r->n > r->context)
        return;
    r->times[r->n] = token_time_next(&r->clock, token);
    r->tokens[r->n++] = token;
}

enum model_status model_reader_next(struct model_reader *const *r, int n,
                                    const float **logits)
{
    /* The readers that have a token to read, for the step that reads all of them. */
    struct decoder *decoders[DECODER_MAX_BATCH];
    int32_t tokens[DECODER_MAX_BATCH], times[DECODER_MAX_BATCH];
    float *after[DECODER_MAX_BATCH];
    int k = 0;
    for (int i = 0; i < n; i++) {
        const int at = decoder_length(r[i]->decoder);
        logits[i] = after[k] = r[i]->logits;
        if (at == r[i]->n)
            continue;
        decoders[k] = r[i]->decoder;
        tokens[k] = r[i]->tokens[at];
        times[k++] = r[i]->times[at];
    }
    return k ? decoder_step_many(decoders, k, tokens, times, after) : MODEL_OK;
}

struct model_reading model_reader_reading(const struct model_reader *r)
{
    return (struct model_reading){r->n_reading, r->tokens, r->n};
}
