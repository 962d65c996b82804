#include "app/picture/map_picture.h"

#include "tui/cells/shade.h"

#include "midi/base/array.h"

#include <math.h>
#include <stdlib.h>

#define LOG_RANGE 1e-3

enum { MOST_RANKED = 1 << 16 };

struct colour heat_colour(double share)
{
    uint32_t rgb = shade_viridis(fmin(fmax(share, 0), 1));
    return (struct colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* An even sample of many values; of weights only those above zero. */
static bool take_ranks(struct heat *h, const float *amounts, size_t n, bool weights)
{
    const size_t every = n / MOST_RANKED + 1;
    h->sorted = calloc(n / every + 1, sizeof *h->sorted);
    if (!h->sorted)
        return false;
    for (size_t i = 0; i < n; i += every)
        if (isfinite(amounts[i]) && (!weights || amounts[i] > 0))
            h->sorted[h->n++] = amounts[i];
    qsort(h->sorted, h->n, sizeof *h->sorted, ascending);
    return true;
}

bool heat_init(struct heat *h, enum heat_kind kind, const float *amounts, size_t n,
               bool weights)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (isfinite(amounts[i])) {
            low = fmin(low, (double)amounts[i]);
            high = fmax(high, (double)amounts[i]);
        }
    *h = (struct heat){.kind = weights || kind != HEAT_LOG ? kind : HEAT_LINEAR};
    h->low = weights || low > high ? 0 : low;
    h->high = high > h->low ? high : h->low + 1;
    return h->kind != HEAT_RANK || take_ranks(h, amounts, n, weights);
}

void heat_fini(struct heat *h)
{
    free(h->sorted);
    *h = (struct heat){0};
}

double heat_share(const struct heat *h, double amount)
{
    size_t at;
    if (h->kind == HEAT_RANK) {
        ARRAY_PASS(at, h->n, (double)h->sorted[at] < amount);
        return h->n > 1 ? fmin((double)at / (double)(h->n - 1), 1) : 1;
    }
    if (h->kind == HEAT_LINEAR)
        return (amount - h->low) / (h->high - h->low);
    return amount > 0 ? 1 - log(amount / h->high) / log(LOG_RANGE) : 0;
}

double heat_amount(const struct heat *h, double share)
{
    if (h->kind == HEAT_RANK)
        return h->n ? (double)h->sorted[(size_t)(share * (double)(h->n - 1))] : 0;
    if (h->kind == HEAT_LINEAR)
        return h->low + share * (h->high - h->low);
    return h->high * pow(LOG_RANGE, 1 - share);
}
