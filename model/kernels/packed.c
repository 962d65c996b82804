/* See packed.h. Packing runs once per model, so most of it is plain C. */
#include "model/kernels/packed.h"

#include "model/kernels/bf16.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static int padded_rows(const struct packing *pieces, int n_pieces)
{
    int rows = 0;
    for (int i = 0; i < n_pieces; i++)
        rows += packed_panels(pieces[i].rows) * PANEL;
    return rows;
}

size_t packed_size(enum model_weights_kind kind, const struct packing *pieces,
                   int n_pieces, int n)
{
    size_t columns =
        kind == WEIGHTS_INT8 ? 3 : 1; /* int8 has scale and excess beside the bias */
    return (packed_groups(kind, n) + columns) * padded_rows(pieces, n_pieces) * 4;
}
_Static_assert(PANEL * 4 == 64, "a group of a panel is a line");

/* The groups of a row that are converted at once. */
enum { PIECE = 64 };

/* Quantises PIECE groups, of which n numbers exist. Opening a model waits for this, so
 * the loops have constant counts and the compiler can vectorise them. Adding 1.5 * 2^23
 * rounds to nearest even. NaN becomes the lowest integer. */
static void int8_words(uint32_t *to, const float *row, int n, float scale)
{
    const float big = 12582912.0f;
    float x[4 * PIECE] = {0};
    int32_t whole[4 * PIECE];
    memcpy(x, row, n * sizeof *x);
    for (int i = 0; i < 4 * PIECE; i++) {
        float nearest = x[i] / scale + big - big;
        nearest = nearest > -127.0f ? nearest : -127.0f;
        whole[i] = (int32_t)(nearest < 127.0f ? nearest : 127.0f) & 0xff;
    }
    for (int g = 0; g < PIECE; g++)
        to[g] = (uint32_t)whole[4 * g] | (uint32_t)whole[4 * g + 1] << 8 |
                (uint32_t)whole[4 * g + 2] << 16 | (uint32_t)whole[4 * g + 3] << 24;
}

/* Converts n numbers, at most PIECE groups, and pads with zeros. A scale of 0 gives
 * zeros. */
static void make_words(enum model_weights_kind kind, uint32_t *to, const float *row,
                       int n, float scale)
{
    memset(to, 0, PIECE * sizeof *to);
    if (kind == WEIGHTS_F32)
        memcpy(to, row, n * sizeof *row);
    else if (kind == WEIGHTS_INT8 && scale > 0.0f)
        int8_words(to, row, n, scale);
    for (int i = 0; kind == WEIGHTS_BF16 && i < n; i++)
        to[i / 2] |= (uint32_t)bf16_round(row[i]) << 16 * (i % 2);
}

float packed_largest(const float *x, size_t n)
{
    enum { TURNS = 16 };
    float most[TURNS] = {0};
    size_t i = 0;
    for (; i + TURNS <= n; i += TURNS)
        for (size_t t = 0; t < TURNS; t++)
            most[t] = fabsf(x[i + t]) > most[t] ? fabsf(x[i + t]) : most[t];
    for (; i < n; i++)
        most[0] = fabsf(x[i]) > most[0] ? fabsf(x[i]) : most[0];
    for (int t = 1; t < TURNS; t++)
        most[0] = most[t] > most[0] ? most[t] : most[0];
    return most[0];
}

static int32_t sum_of_bytes(const uint32_t *words, int n)
{
    int32_t sum = 0;
    for (int g = 0; g < n; g++)
        for (int i = 0; i < 4; i++)
            sum += (int8_t)(words[g] >> 8 * i & 0xff);
    return sum;
}

/* A packed matrix while it is being written. */
struct builder {
    struct packed to;
    uint32_t *blocks;
    float *bias, *scale;
    int32_t *excess;
};

/* Writes a row, whose groups are `apart` words apart. For int8, returns the sum of its
 * integers. */
static int32_t put_row(const struct packed *w, uint32_t *at, size_t apart,
                       const float *row, float scale)
{
    const int most = PIECE * packed_per_group(w->kind);
    uint32_t words[PIECE];
    int32_t sum = 0;
    for (int from = 0; from < w->n; from += most) {
        const int n = w->n - from < most ? w->n - from : most;
        const int n_groups = packed_groups(w->kind, n);
        make_words(w->kind, words, row + from, n, scale);
        for (int g = 0; g < n_groups; g++, at += apart)
            *at = words[g];
        if (w->kind == WEIGHTS_INT8)
            sum += sum_of_bytes(words, n_groups);
    }
    return sum;
}

static void make_row(const struct builder *m, const struct packing *piece, int i,
                     int to)
{
    const struct packed *w = &m->to;
    const bool is_int8 = w->kind == WEIGHTS_INT8;
    const int panel = to / PANEL;
    const size_t apart = (size_t)packed_width(w, panel) * PANEL;
    const float *row = piece->w + (size_t)i * piece->ld;
    const float scale = is_int8 ? packed_largest(row, (size_t)w->n) / 127.0f : 0.0f;
    uint32_t *at = m->blocks + packed_place(w, panel) + to % PANEL;
    const int32_t sum = put_row(w, at, apart, row, scale);
    m->bias[to] = piece->bias ? piece->bias[i] : 0.0f;
    if (is_int8) {
        m->scale[to] = scale;
        m->excess[to] = 128 * sum;
    }
}

struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at)
{
    const int rows = padded_rows(pieces, n_pieces);
    const size_t n_words = (size_t)packed_groups(kind, n) * rows;
    struct builder m = {.blocks = at, .bias = (float *)at + n_words};
    int to = 0;
    m.scale = m.bias + rows;
    m.excess = (int32_t *)at + n_words + 2 * (size_t)rows;
    m.to = (struct packed){kind,     rows,   n,       packed_block(rows / PANEL),
                           m.blocks, m.bias, m.scale, m.excess};
    memset(at, 0, packed_size(kind, pieces, n_pieces, n));
    for (int p = 0; p < n_pieces; p++) {
        for (int i = 0; i < pieces[p].rows; i++)
            make_row(&m, &pieces[p], i, to + i);
        to += packed_panels(pieces[p].rows) * PANEL;
    }
    return m.to;
}
