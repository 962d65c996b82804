/* Sequences of tokens for training and validation, and as NumPy files: .npy, version 1.0. */
#include "app/lab/dataset/corpus.h"

#include "app/base/draw.h"

#include <stdlib.h>
#include <string.h>

int corpus_vocab(const struct corpus *c)
{
    return c->is_grid ? GRID_COUNT : TOKEN_COUNT;
}

int corpus_source_length(const struct corpus *c, int length)
{
    return c->is_grid ? grid_lesson_source_length(&c->lesson, length) : 0;
}

enum midi_status corpus_batch_init(struct corpus_batch *b, const struct corpus *c,
                                   int n, int length)
{
    const int source_length = corpus_source_length(c, length);
    const size_t all = (size_t)n * (size_t)length,
                 heard = (size_t)n * (size_t)source_length;
    int32_t *x = calloc(3 * all + 2 * heard, sizeof *x);
    *b = (struct corpus_batch){
        .n = n, .length = length, .source_length = source_length, .tokens = x};
    if (!x)
        return MIDI_NO_MEMORY;
    b->targets = x + all;
    b->times = x + 2 * all;
    b->sources = heard ? x + 3 * all : NULL;
    b->source_times = heard ? b->sources + heard : NULL;
    for (size_t i = 0; i < all; i++)
        b->targets[i] = -1;
    return MIDI_OK;
}

void corpus_batch_fini(struct corpus_batch *b)
{
    free(b->tokens); /* and all behind them */
    *b = (struct corpus_batch){0};
}

struct corpus_sequence corpus_batch_at(const struct corpus_batch *b, int i)
{
    size_t at = (size_t)i * (size_t)b->length;
    size_t heard = (size_t)i * (size_t)b->source_length;
    return (struct corpus_sequence){
        .length = b->length,
        .tokens = b->tokens + at,
        .targets = b->targets + at,
        .times = b->times + at,
        .sources = b->sources ? b->sources + heard : NULL,
        .source_times = b->sources ? b->source_times + heard : NULL,
    };
}

/* -- files -- */

/* Of int16 of that shape, row-major and little-endian; it ends on a multiple of 64 bytes. */
static bool write_header(FILE *f, int rows, int columns, int depth)
{
    char header[118];
    int used = snprintf(header, sizeof header,
                        "{'descr': '<i2', 'fortran_order': False, 'shape': (%d, %d, "
                        "%d), }",
                        rows, columns, depth);
    memset(header + used, ' ', sizeof header - (size_t)used);
    header[sizeof header - 1] = '\n';
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M',           'P',
                                     'Y',  1,   0,   sizeof header, 0};
    return fwrite(magic, sizeof magic, 1, f) == 1 &&
           fwrite(header, sizeof header, 1, f) == 1;
}

static bool write_number(FILE *f, int32_t number)
{
    const uint16_t bits = (uint16_t)at_most(number, INT16_MAX);
    const unsigned char bytes[] = {bits & 255, bits >> 8}; /* little-endian */
    return fwrite(bytes, sizeof bytes, 1, f) == 1;
}

/* n numbers of each sequence, then padding. */
static bool write_row(FILE *f, const struct corpus_batch *b, const int32_t *x, int n,
                      int32_t padding)
{
    bool ok = true;
    for (int k = 0; ok && k < b->n; k++, x += n)
        for (int i = 0; ok && i < b->length; i++)
            ok = write_number(f, i < n ? x[i] : padding);
    return ok;
}

bool corpus_batch_write(const struct corpus_batch *b, FILE *to)
{
    const int n = b->length, heard = b->source_length;
    return write_header(to, heard ? 5 : 3, b->n, n) &&
           write_row(to, b, b->tokens, n, 0) && write_row(to, b, b->targets, n, -1) &&
           write_row(to, b, b->times, n, 0) &&
           (!heard || (write_row(to, b, b->sources, heard, -1) &&
                       write_row(to, b, b->source_times, heard, 0)));
}

bool corpus_batch_write_state(const struct corpus_batch *b,
                              const struct model_state_kind *kind, FILE *to)
{
    void *state = malloc(kind->size);
    bool ok = state && write_header(to, b->n, b->length, MODEL_STATE_MOST);
    for (size_t i = 0; ok && i < (size_t)b->n * (size_t)b->length; i++) {
        uint16_t rows[MODEL_STATE_MOST];
        if (i % (size_t)b->length == 0)
            kind->start(state);
        const int n = kind->next(state, b->tokens[i], rows);
        for (int k = 0; ok && k < MODEL_STATE_MOST; k++)
            ok = write_number(to, k < n ? rows[k] : -1);
    }
    free(state);
    return ok;
}
