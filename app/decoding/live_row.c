/* Rows on their way from the model thread to the screen. See live_row.h. */
#include "app/decoding/live_row.h"

#include "midi/base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAKE_MS = 30 };

struct live_rows {
    int wake_fd; /* constant after create */

    atomic_uint choice; /* ui writes, model reads: packed, 0 for nobody */

    pthread_mutex_t lock; /* guards the fields below */
    struct live_map map;
    bool is_new;

    int64_t woken; /* the model thread's: when it last woke the ui, in milliseconds */
};

struct live_rows *live_rows_create(int wake_fd)
{
    struct live_rows *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->wake_fd = wake_fd;
    atomic_init(&l->choice, 0);
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

void live_rows_destroy(struct live_rows *l)
{
    if (!l)
        return;
    free(l->map.tokens);
    free(l->map.rows);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* Layers and heads are under 1024, takes under 256; the highest bit is always set. */
enum { FIELD = 10 };
static const unsigned FIELD_MASK = (1u << FIELD) - 1, SOMEBODY = 1u << 31;

void live_rows_look(struct live_rows *l, struct live_choice c)
{
    unsigned packed = 0;
    if (c.layer >= 0 && c.head >= 0 && c.take >= 0)
        packed = SOMEBODY | ((unsigned)c.take & 0xff) << 2 * FIELD |
                 ((unsigned)c.layer & FIELD_MASK) << FIELD |
                 ((unsigned)c.head & FIELD_MASK);
    atomic_store_explicit(&l->choice, packed, memory_order_relaxed);
}

/* Nothing else hangs on it, so the order of its reading does not matter. */
struct live_choice live_rows_choice(const struct live_rows *l)
{
    unsigned packed = atomic_load_explicit(&l->choice, memory_order_relaxed);
    if (!packed)
        return (struct live_choice){.layer = -1};
    return (struct live_choice){.layer = (int)(packed >> FIELD & FIELD_MASK),
                                .head = (int)(packed & FIELD_MASK),
                                .take = (int)(packed >> 2 * FIELD & 0xff)};
}

static bool is_same(struct live_choice a, struct live_choice b)
{
    return a.layer == b.layer && a.head == b.head && a.take == b.take;
}

/* Adds the newest row; rows are of one sequence and choice, without a gap. false: no memory,
 * and there is no map. */
static bool add_row(struct live_map *m, const struct live_map *sequence,
                    const int32_t *tokens, const float *row)
{
    const int place = sequence->n - 1;
    struct live_map next = *sequence;
    const bool goes_on = m->cap == next.cap && m->reading == next.reading &&
                         is_same(m->choice, next.choice) && m->end == place;
    const size_t cap = (size_t)next.cap;
    next.tokens = m->tokens;
    next.rows = m->rows;
    if (m->cap != next.cap) {
        free(m->tokens);
        free(m->rows);
        next.tokens = calloc(cap, sizeof *next.tokens);
        next.rows = calloc(LIVE_ROWS * cap, sizeof *next.rows);
    }
    next.first = goes_on ? m->first : place;
    next.end = place + 1;
    if (next.end - next.first > LIVE_ROWS)
        next.first = next.end - LIVE_ROWS;
    *m = next;
    if (!m->tokens || !m->rows) {
        free(m->tokens);
        free(m->rows);
        *m = (struct live_map){0};
        return false;
    }
    memcpy(m->tokens, tokens, (size_t)m->n * sizeof *tokens);
    memcpy(m->rows + (size_t)(place % LIVE_ROWS) * cap, row,
           (size_t)m->n * sizeof *row);
    return true;
}

void live_rows_give(struct live_rows *l, const struct live_map *sequence,
                    const int32_t *tokens, const float *row)
{
    pthread_mutex_lock(&l->lock);
    const bool has_room = l->is_new = add_row(&l->map, sequence, tokens, row);
    pthread_mutex_unlock(&l->lock);
    const int64_t now = clock_whole_ms();
    if (!has_room || l->wake_fd < 0 || now - l->woken < WAKE_MS)
        return;
    l->woken = now;
    /* A full pipe already holds a wake-up. */
    if (write(l->wake_fd, "r", 1) < 0)
        return;
}

const struct live_map *live_rows_lock(struct live_rows *l, struct live_choice choice)
{
    pthread_mutex_lock(&l->lock);
    const bool is_new = l->is_new;
    l->is_new = false;
    return is_new && is_same(l->map.choice, choice) ? &l->map : NULL;
}

void live_rows_unlock(struct live_rows *l)
{
    pthread_mutex_unlock(&l->lock);
}
