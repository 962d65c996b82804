/* See packed.h. Packing happens once a model, so it is written for reading. */
#include "model/packed.h"

#include "model/quantise.h"

#include <math.h>
#include <string.h>

enum { LINE = 64 };

static int padded_rows(const struct packing *pieces, int n_pieces)
{
    int rows = 0;
    for (int i = 0; i < n_pieces; i++)
        rows += packed_panels(pieces[i].rows) * PANEL;
    return rows;
}

/* Bias, scale and excess: four bytes a row each; PANEL rows fill a line. */
static size_t columns_size(enum model_weights_kind kind, int rows)
{
    return (size_t)rows * 4 * (kind == WEIGHTS_INT8 ? 3 : 1);
}

size_t packed_size(enum model_weights_kind kind, const struct packing *pieces,
                   int n_pieces, int n)
{
    int rows = padded_rows(pieces, n_pieces);
    return (size_t)packed_groups(kind, n) * (size_t)rows * 4 + columns_size(kind, rows);
}
_Static_assert(PANEL * 4 == LINE, "a group of a panel is a line");

static uint32_t int8_bits(float x, float scale)
{
    long whole = scale > 0.0f ? lrintf(x / scale) : 0;
    return (uint32_t)(uint8_t)(int8_t)(whole > 127 ? 127 : whole < -127 ? -127 : whole);
}

/* Group g of a row of n. */
static uint32_t group_bits(enum model_weights_kind kind, const float *row, int n, int g,
                           float scale)
{
    uint32_t bits = 0;
    if (kind == WEIGHTS_F32)
        memcpy(&bits, row + g, sizeof bits);
    for (int i = 0; kind == WEIGHTS_BF16 && i < 2 && 2 * g + i < n; i++)
        bits |= (uint32_t)quantise_to_bf16(row[2 * g + i]) << 16 * i;
    for (int i = 0; kind == WEIGHTS_INT8 && i < 4 && 4 * g + i < n; i++)
        bits |= int8_bits(row[4 * g + i], scale) << 8 * i;
    return bits;
}

static float row_scale(const float *row, int n)
{
    float most = 0.0f;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(row[i]));
    return most / 127.0f;
}

/* Groups apart words from one to the next. */
static int32_t row_sum(const uint32_t *groups, size_t apart, int n_groups)
{
    int32_t sum = 0;
    for (int g = 0; g < n_groups; g++)
        for (int i = 0; i < 4; i++)
            sum += (int8_t)(groups[(size_t)g * apart] >> 8 * i & 0xff);
    return sum;
}

/* The parts of a packed matrix while it is made. */
struct making {
    struct packed to;
    uint32_t *blocks;
    float *bias, *scale;
    int32_t *excess;
};

static void make_row(const struct making *m, const struct packing *piece, int i, int to)
{
    const enum model_weights_kind kind = m->to.kind;
    const int n = m->to.n, n_groups = packed_groups(kind, n), panel = to / PANEL;
    const size_t apart = (size_t)packed_width(&m->to, panel) * PANEL;
    const float *row = piece->w + (size_t)i * (size_t)piece->ld;
    float scale = kind == WEIGHTS_INT8 ? row_scale(row, n) : 0.0f;
    uint32_t *groups = m->blocks + packed_place(&m->to, panel) + to % PANEL;
    for (int g = 0; g < n_groups; g++)
        groups[(size_t)g * apart] = group_bits(kind, row, n, g, scale);
    m->bias[to] = piece->bias ? piece->bias[i] : 0.0f;
    if (kind == WEIGHTS_INT8) {
        m->scale[to] = scale;
        m->excess[to] = 128 * row_sum(groups, apart, n_groups);
    }
}

static struct making begin(enum model_weights_kind kind, int rows, int n, void *at)
{
    const size_t n_words = (size_t)packed_groups(kind, n) * (size_t)rows;
    struct making m = {.blocks = at, .bias = (float *)at + n_words};
    m.scale = m.bias + rows;
    m.excess = (int32_t *)at + n_words + 2 * (size_t)rows;
    m.to = (struct packed){.kind = kind,
                           .rows = rows,
                           .n = n,
                           .block = packed_block(rows / PANEL),
                           .blocks = m.blocks,
                           .bias = m.bias,
                           .scale = m.scale,
                           .excess = m.excess};
    return m;
}

struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at)
{
    struct making m = begin(kind, padded_rows(pieces, n_pieces), n, at);
    int to = 0;
    memset(at, 0, packed_size(kind, pieces, n_pieces, n));
    for (int p = 0; p < n_pieces; p++) {
        for (int i = 0; i < pieces[p].rows; i++)
            make_row(&m, &pieces[p], i, to + i);
        to += packed_panels(pieces[p].rows) * PANEL;
    }
    return m.to;
}
