/* Attention while tokens are decoded: the model thread hands out the row of one layer and
 * head for every token of one take, and the ui takes the new ones when it draws.
 *
 * Rows are those of model/decoder/attention_probe.h: the row of position p shows from where the
 * token after it was chosen. While nobody looks, the model thread reads one atomic per
 * token and keeps no queries. The lock is held only while rows are copied. */
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

/* A sequence as far as it is read, and its newest rows. Zero-initialise; the arrays are
 * its own. */
struct live_map {
    uint64_t reading; /* another number: another sequence; 0: none was read yet */
    struct live_choice choice;
    int64_t origin; /* step of the score (24 a quarter) where its times begin */
    int ticks_per_quarter;
    int track_map[TOKEN_MAX_TRACKS]; /* token track to score track; -1: none */
    int cap, n, n_given; /* tokens: room, read, and of these those not drawn */
    int32_t *tokens;     /* [cap] */
    int32_t *times;      /* [cap], in steps */
    int first, end;      /* places that have a row: LIVE_ROWS at most */
    float *rows;         /* [LIVE_ROWS][cap]; see live_map_row */
};
void live_map_fini(struct live_map *m); /* also when zeroed; zeroes it */
/* Of place p, from first to end: [p + 1] weights, which sum to one. */
static inline const float *live_map_row(const struct live_map *m, int p)
{
    return m->rows + (size_t)(p % LIVE_ROWS) * (size_t)m->cap;
}

/* A note that was read, and the attention that a row gives to its tokens (its position,
 * track, velocity, pitch and length, as far as they were written for it). */
struct live_note {
    int track, pitch;
    int64_t tick; /* of the score, on the grid of the model */
    int first_token, n_tokens;
    bool is_drawn; /* by the machine, in this sequence */
    float weight;
};
/* The notes in the order of their tokens, `most` at most; returns how many. *other: the
 * attention on all other tokens. All together sum to one. */
int live_map_notes(const struct live_map *m, int place, struct live_note *notes,
                   int most, float *other);

struct live_rows;
struct live_rows *live_rows_create(int wake_fd); /* NULL: out of memory */
void live_rows_destroy(struct live_rows *l);     /* NULL is fine; both sides are done */

/* The ui's. From the next token on, this is handed out, and the ui is woken a few dozen
 * times a second while there is something new. */
void live_rows_look(struct live_rows *l, struct live_choice choice);
/* Brings the map up to date; false: nothing is new, or out of memory. */
bool live_rows_take(struct live_rows *l, struct live_map *map);

/* The model thread's. */

/* What is looked at now. */
struct live_choice live_rows_choice(const struct live_rows *l);
/* The sequence as it is: a map without arrays, but for n tokens with their times, and the
 * row of the last of them. Without memory for it nobody sees it. */
void live_rows_give(struct live_rows *l, const struct live_map *sequence,
                    const int32_t *tokens, const int32_t *times, const float *row);

#endif
