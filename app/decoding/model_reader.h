/* A model that has read some score tokens and gives the logits of the next one: the decoder,
 * the tokens in its cache, and their times.
 *
 * A context is read in blocks of a fixed size that begin at the same places. So a kept
 * block has the same bits as a new reading, and keeping it changes no note. Tokens that
 * were drawn are never kept: other kernels computed them. One thread at a time. */
#ifndef APP_MODEL_READER_H
#define APP_MODEL_READER_H

#include "midi/tokens/tokens.h"
#include "model/decoder/attention_probe.h"

struct model_reader;

/* model, pool and flag are borrowed. While *cancel is true, reading ends within a layer; NULL: it does not.
 * pool NULL: only the tokens that would be read are kept, which shows
 * how tokens are arranged for a model of this context; such a reader gives no logits. */
enum model_status model_reader_create(struct model_reader **out,
                                      const struct model *model, struct pool *pool,
                                      const atomic_bool *cancel);
void model_reader_destroy(struct model_reader *r); /* NULL is fine */

/* Mutes these heads, which give nothing from now on, and no others. All that was read is forgotten if
 * other heads were muted before. MODEL_NO_HEAD: there is no such head; then no head is muted. */
enum model_status model_reader_mute(struct model_reader *r,
                                    const struct attention_head *heads, size_t n);
/* Returns the muted heads, [*n]. Valid until others are muted. */
const struct attention_head *model_reader_muted(const struct model_reader *r,
                                                size_t *n);

/* Keeps the logits after every token from now on, and with `watches` the queries
 * (decoder_keep_queries), for those who look at what was read. Call before anything is read. Known
 * tokens are then kept up to the first that differs; model_reader_logits is [vocab], after that
 * token. */
enum model_status model_reader_keep_all(struct model_reader *r, bool watches);
const float *model_reader_logits(const struct model_reader *r, int after);
struct decoder *model_reader_decoder(struct model_reader *r);

/* Reads these tokens and forgets all others. Tokens that it read last are not read again. */
enum model_status model_reader_read(struct model_reader *r, const struct tokens *t);
/* The same for tokens of any kind, with the source of a model that has an encoder. */
struct model_input {
    const int32_t *ids, *times; /* [n] */
    int n;
    const int32_t *source, *source_times; /* [n_source] */
    int n_source;
};
enum model_status model_reader_read_input(struct model_reader *r,
                                          const struct model_input *in);
/* Returns how many of the first tokens need not be read again. */
int model_reader_n_known(const struct model_reader *r, const struct model_input *in);
/* Copies the first n tokens that another reader of the same model, with the same heads muted, has read as
 * context; READ_ALL: all of them. */
enum { READ_ALL = -1 };
enum model_status model_reader_copy(struct model_reader *to,
                                    const struct model_reader *from, int n);
/* Adds one token, which is read when the logits after it are needed. */
void model_reader_push(struct model_reader *r, int32_t token);
/* Computes what comes next for each of n readers of one model, up to DECODER_MAX_BATCH: logits [vocab],
 * which the readers own. The weights are read once for all of them. On failure no reader has read its
 * token. */
enum model_status model_reader_next(struct model_reader *const *r, int n,
                                    const float **logits);

/* The tokens read and drawn, the one that is still to be read, too. Valid until the next call; each
 * model_reader_read has its own number. */
struct model_reading {
    int number;
    const int32_t *tokens;
    int n;
};
struct model_reading model_reader_reading(const struct model_reader *r);

#endif
