/* What a decoder has read, kept beside it, so that of the next sequence only what comes
 * after the first token that differs is read. See inspection_internal.h. */
#include "app/inspection/inspection_internal.h"

#include "app/base/draw.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 256 }; /* tokens read before cancelling costs them */

enum model_status read_so_far_init(struct read_so_far *r, const struct model *m,
                                   struct pool *pool, bool watches)
{
    const struct model_config *c = model_config(m);
    const size_t n = (size_t)c->context;
    r->ids = calloc(n, sizeof *r->ids);
    r->times = calloc(n, sizeof *r->times);
    r->source_ids = calloc(n, sizeof *r->source_ids);
    r->logits = calloc(n * (size_t)c->vocab, sizeof *r->logits);
    r->nats = calloc(n, sizeof *r->nats);
    if (!r->ids || !r->times || !r->source_ids || !r->logits || !r->nats)
        return MODEL_NO_MEMORY;
    enum model_status st = decoder_create(&r->decoder, m, pool);
    return st ? st : decoder_watch(r->decoder, watches);
}

void read_so_far_fini(struct read_so_far *r)
{
    decoder_destroy(r->decoder);
    free(r->ids);
    free(r->times);
    free(r->source_ids);
    free(r->logits);
    free(r->nats);
    *r = (struct read_so_far){0};
}

static enum model_status hear(struct read_so_far *r, const struct reading *what)
{
    const size_t n_bytes = (size_t)what->n_source * sizeof *r->source_ids;
    if (what->n_source == r->n_source &&
        !memcmp(what->source_ids, r->source_ids, n_bytes))
        return MODEL_OK;
    r->n = r->n_source = 0;
    enum model_status st = decoder_encode(r->decoder, what->source_ids,
                                          what->source_times, what->n_source);
    if (st)
        return st;
    memcpy(r->source_ids, what->source_ids, n_bytes);
    r->n_source = what->n_source;
    return MODEL_OK;
}

static int n_in_common(const struct read_so_far *r, const struct reading *what, int n)
{
    int k = 0;
    while (k < n && k < r->n && what->ids[k] == r->ids[k] &&
           what->times[k] == r->times[k])
        k++;
    return k;
}

enum model_status read_so_far_share(struct read_so_far *r,
                                    const struct read_so_far *from,
                                    const struct reading *what, int n, int vocab)
{
    int common = n_in_common(from, what, n);
    bool is_heard = what->n_source == from->n_source &&
                    !memcmp(what->source_ids, from->source_ids,
                            (size_t)what->n_source * sizeof *what->source_ids);
    if (!is_heard || common <= n_in_common(r, what, n))
        return MODEL_OK;
    enum model_status st = decoder_copy(r->decoder, from->decoder, common);
    r->n = st ? 0 : common;
    if (st)
        return st;
    memcpy(r->ids, from->ids, (size_t)common * sizeof *r->ids);
    memcpy(r->times, from->times, (size_t)common * sizeof *r->times);
    memcpy(r->source_ids, from->source_ids,
           (size_t)from->n_source * sizeof *r->source_ids);
    r->n_source = from->n_source;
    memcpy(r->logits, from->logits, (size_t)common * (size_t)vocab * sizeof *r->logits);
    return MODEL_OK;
}

enum model_status read_so_far_read(struct read_so_far *r, const struct inspection *i,
                                   const struct reading *what, int n)
{
    enum model_status st = hear(r, what);
    if (st)
        return st;
    decoder_set_cancel(r->decoder, i->cancel);
    r->n = n_in_common(r, what, n);
    r->n_nats = r->n_nats < r->n ? r->n_nats : r->n;
    decoder_truncate(r->decoder, r->n);
    while (!st && r->n < n) {
        int now = n - r->n < AT_ONCE ? n - r->n : AT_ONCE;
        float *logits = r->logits + (size_t)r->n * (size_t)i->c.vocab;
        st = decoder_prefill(r->decoder, what->ids + r->n, what->times + r->n, now,
                             true, logits);
        if (st)
            break;
        memcpy(r->ids + r->n, what->ids + r->n, (size_t)now * sizeof *r->ids);
        memcpy(r->times + r->n, what->times + r->n, (size_t)now * sizeof *r->times);
        r->n += now;
    }
    return st;
}

double read_so_far_nats(const struct read_so_far *r, int vocab, int at)
{
    return -likelihood_log(read_so_far_logits(r, vocab, at - 1), vocab, r->ids[at]);
}

void read_so_far_mute(struct read_so_far *r, const struct inspection *i, bool is_muted)
{
    for (size_t k = 0; r->decoder && k < i->n_muted; k++)
        decoder_mute_head(r->decoder, i->muted[k], is_muted);
    r->n = 0;
}
