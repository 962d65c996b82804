/* Where the newest token looked, while notes are generated: the model thread hands out
 * the row of one layer and head as each token is decoded, and the ui takes the latest
 * when it draws.
 *
 * Nobody looks until live_row_look: till then the model thread reads one atomic a token
 * and keeps no queries. A lock is held for the copying of one row, never while the model
 * runs, and the model thread does not wait for it: where the ui is copying, that token's
 * row is not shown. Attention is that of model/attention.h, summed by nobody: what a
 * place is (tokens) comes with the row, so that the app may sum it to notes. */
#ifndef APP_LIVE_ROW_H
#define APP_LIVE_ROW_H

#include "model/attention.h"

#include <stdbool.h>
#include <stdint.h>

/* A row's owner is who declares it; a few tens of KB at the longest contexts. */
enum { LIVE_ROW_MOST = 1 << 14 };
struct live_row {
    uint64_t number; /* of this row, from 1 on; 0: there is none yet */
    int layer, head, take;
    int place;                    /* of the token in its sequence; it has place + 1 keys */
    int32_t origin;               /* step of the score where that sequence's times begin */
    int n;                        /* keys: place + 1 */
    int32_t tokens[LIVE_ROW_MOST]; /* [n] ids, as midi/tokens.h has them, */
    int32_t times[LIVE_ROW_MOST];  /* [n] and their steps, from `origin` */
    float weights[LIVE_ROW_MOST];  /* [n], which sum to one */
};

struct live_rows;
struct live_rows *live_rows_create(void); /* NULL: out of memory */
void live_rows_destroy(struct live_rows *l); /* NULL is fine; nobody uses it any more */

/* The ui's: from the next token on, rows of this layer and head of that take (0: the
 * first) are made; layer or head -1: none, which is so at first. */
void live_rows_look(struct live_rows *l, int layer, int head, int take);
/* Copies the latest row where it is newer than *row; false: it is not. */
bool live_rows_take(struct live_rows *l, struct live_row *row);

#endif
