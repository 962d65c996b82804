/* Attention while tokens are decoded: the model thread keeps the row of one layer and head for
 * every token of one take, and the ui reads them when it draws (app/inspection/inspector.h).
 *
 * Rows are those of model/decoder/attention_probe.h: the row of position p shows from where the
 * token after it was chosen. While nobody looks, the model thread asks once a token
 * and keeps no queries. The lock is held only while rows are copied or pooled. */
#ifndef APP_LIVE_ROW_H
#define APP_LIVE_ROW_H

#include "midi/tokens/tokens.h"
#include "model/decoder/attention_probe.h"

#include <stdbool.h>
#include <stdint.h>

/* The number of newest rows that are kept. */
enum { LIVE_ROWS = 256 };

struct live_choice {
    int layer, head, take; /* take: of the request, from 0; layer -1: nobody looks */
};

/* A sequence as far as it is read, and its newest rows. */
struct live_map {
    uint64_t reading; /* another number: another sequence */
    struct live_choice choice;
    int64_t origin; /* step of the score (24 a quarter) where its times begin */
    int ticks_per_quarter;
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int cap, n, n_given; /* tokens: room, read, and of these those not drawn */
    int32_t *tokens;     /* [cap] */
    int first, end;      /* places that have a row: LIVE_ROWS at most */
    float *rows;         /* [LIVE_ROWS][cap]; see live_map_row */
};
/* Of place p, from first to end: [p + 1] weights, which sum to one. */
static inline const float *live_map_row(const struct live_map *m, int p)
{
    return m->rows + (size_t)(p % LIVE_ROWS) * (size_t)m->cap;
}

struct live_rows;
struct live_rows *live_rows_create(int wake_fd); /* NULL: out of memory */
void live_rows_destroy(struct live_rows *l);     /* NULL is fine; both sides are done */

/* The ui's. From the next token on, this is kept, and the ui is woken a few dozen times a
 * second while there is something new. */
void live_rows_look(struct live_rows *l, struct live_choice choice);
/* What is known of that choice; NULL: nothing is new since the last call. Until the unlock,
 * which follows in any case, the model thread waits if it has a row. */
const struct live_map *live_rows_lock(struct live_rows *l, struct live_choice choice);
void live_rows_unlock(struct live_rows *l);

/* The model thread's. */

/* What is looked at now. */
struct live_choice live_rows_choice(struct live_rows *l);
/* The sequence as it is: a map without arrays, but for its n tokens, and the row of the last
 * of them. Without memory for it nobody sees it. */
void live_rows_give(struct live_rows *l, const struct live_map *sequence,
                    const int32_t *tokens, const float *row);

#endif
