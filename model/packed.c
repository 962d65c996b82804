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

static int32_t row_sum(const uint32_t *groups, int n_groups)
{
    int32_t sum = 0;
    for (int g = 0; g < n_groups; g++)
        for (int i = 0; i < 4; i++)
            sum += (int8_t)(groups[g * PANEL] >> 8 * i & 0xff);
    return sum;
}

/* The parts of a packed matrix while it is made. */
struct making {
    enum model_weights_kind kind;
    int n, n_groups;
    uint32_t *panels;
    float *bias, *scale;
    int32_t *excess;
};

static void make_row(const struct making *m, const struct packing *piece, int i, int to)
{
    const float *row = piece->w + (size_t)i * (size_t)piece->ld;
    float scale = m->kind == WEIGHTS_INT8 ? row_scale(row, m->n) : 0.0f;
    uint32_t *groups =
        m->panels + (size_t)(to / PANEL) * (size_t)m->n_groups * PANEL + to % PANEL;
    for (int g = 0; g < m->n_groups; g++)
        groups[g * PANEL] = group_bits(m->kind, row, m->n, g, scale);
    m->bias[to] = piece->bias ? piece->bias[i] : 0.0f;
    if (m->kind == WEIGHTS_INT8) {
        m->scale[to] = scale;
        m->excess[to] = 128 * row_sum(groups, m->n_groups);
    }
}

struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at)
{
    int rows = padded_rows(pieces, n_pieces), to = 0;
    struct making m = {.kind = kind, .n = n, .n_groups = packed_groups(kind, n)};
    memset(at, 0, packed_size(kind, pieces, n_pieces, n));
    m.panels = at;
    m.bias = (float *)at + (size_t)m.n_groups * (size_t)rows;
    m.scale = m.bias + rows;
    m.excess = (int32_t *)at + (size_t)m.n_groups * (size_t)rows + 2 * (size_t)rows;
    for (int p = 0; p < n_pieces; p++) {
        for (int i = 0; i < pieces[p].rows; i++)
            make_row(&m, &pieces[p], i, to + i);
        to += packed_panels(pieces[p].rows) * PANEL;
    }
    return (struct packed){kind, rows, n, m.panels, m.bias, m.scale, m.excess};
}
