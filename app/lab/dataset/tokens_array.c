/* The .npy format, version 1.0. See tokens_array.h. */
#include "app/lab/dataset/tokens_array.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

bool tokens_array_init(struct tokens_array *a, int rows, int windows, int length)
{
    *a = (struct tokens_array){.rows = rows, .windows = windows, .length = length};
    a->all = calloc((size_t)rows * (size_t)windows, (size_t)length * sizeof *a->all);
    return a->all;
}

void tokens_array_fini(struct tokens_array *a)
{
    free(a->all);
    *a = (struct tokens_array){0};
}

void tokens_array_put(struct tokens_array *a, int row, int window, const int32_t *x,
                      int n, int32_t padding)
{
    assert(row < a->rows && window < a->windows && n <= a->length);
    size_t at = (size_t)row * (size_t)a->windows + (size_t)window;
    int16_t *to = a->all + at * (size_t)a->length;
    for (int i = 0; i < a->length; i++) {
        const int32_t number = i < n ? x[i] : padding;
        to[i] = (int16_t)htole16((uint16_t)(number > INT16_MAX ? INT16_MAX : number));
    }
}

/* Of a file of int16 [shape], row-major and little-endian; it ends on a multiple of 64 bytes.
 * false: errno says why. */
static bool write_header(FILE *f, const int shape[3])
{
    char header[118];
    int used = snprintf(header, sizeof header,
                        "{'descr': '<i2', 'fortran_order': False, 'shape': (%d, %d, "
                        "%d), }",
                        shape[0], shape[1], shape[2]);
    memset(header + used, ' ', sizeof header - (size_t)used);
    header[sizeof header - 1] = '\n';
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M',           'P',
                                     'Y',  1,   0,   sizeof header, 0};
    return fwrite(magic, sizeof magic, 1, f) == 1 &&
           fwrite(header, sizeof header, 1, f) == 1;
}

bool tokens_array_write(const struct tokens_array *a, FILE *f)
{
    const int shape[3] = {a->rows, a->windows, a->length};
    size_t n = (size_t)a->rows * (size_t)a->windows * (size_t)a->length;
    return write_header(f, shape) && fwrite(a->all, sizeof *a->all, n, f) == n;
}

/* -- the state of tokens -- */

bool state_rows_open(struct state_rows *s, const struct model_state_kind *kind,
                     const char *path, int windows, int length)
{
    const int shape[3] = {windows, length, MODEL_STATE_MOST};
    *s = (struct state_rows){.kind = kind};
    if (!kind)
        return true;
    s->state = malloc(kind->size);
    return s->state && output_file_open(&s->out, path) &&
           write_header(s->out.stream, shape);
}

void state_rows_put(struct state_rows *s, const int32_t *tokens, int length)
{
    if (!s->kind)
        return;
    s->kind->start(s->state);
    for (int i = 0; i < length; i++) {
        uint16_t rows[MODEL_STATE_MOST], line[MODEL_STATE_MOST];
        const int n = s->kind->next(s->state, tokens[i], rows);
        for (int k = 0; k < MODEL_STATE_MOST; k++)
            line[k] = htole16(k < n ? rows[k] : (uint16_t)-1);
        s->has_failed |= fwrite(line, sizeof line, 1, s->out.stream) != 1;
    }
}

bool state_rows_close(struct state_rows *s)
{
    bool ok = !s->kind || output_file_close(&s->out, !s->has_failed);
    free(s->state);
    *s = (struct state_rows){.kind = s->kind};
    return ok;
}
