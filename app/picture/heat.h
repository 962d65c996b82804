/* Colours for amounts in pictures: viridis, as on the screen (tui/cells/shade.h), from dark
 * violet over green to yellow; and how an amount becomes a place on it, and back, for the
 * figures beside a bar of colours. Pure. */
#ifndef APP_HEAT_H
#define APP_HEAT_H

#include "app/picture/canvas.h"

#include <stddef.h>

struct colour heat_colour(double share); /* 0 to 1; beyond, the nearer end */

enum heat_kind { HEAT_LINEAR, HEAT_LOG, HEAT_RANK };

/* Log reaches three powers of ten down from the highest; rank is the share of amounts
 * that are lower. */
struct heat {
    enum heat_kind kind;
    double low, high; /* of the amounts that are shown; low 0 with HEAT_LOG */
    float *sorted;    /* [n] HEAT_RANK: some of the amounts */
    size_t n;
};

/* Of the amounts that are finite; those that are not have no colour. weights: low is 0
 * whatever there is. false: no memory. */
bool heat_init(struct heat *h, enum heat_kind kind, const float *amounts, size_t n,
               bool weights);
void heat_fini(struct heat *h);
double heat_share(const struct heat *h, double amount); /* 0 to 1 */
/* The amount at a place, the inverse: for the figures beside a bar of colours. */
double heat_amount(const struct heat *h, double share);

#endif
