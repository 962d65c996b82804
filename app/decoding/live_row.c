/* Rows on their way from the model thread to the screen. See live_row.h. */
#include "app/decoding/live_row.h"

#include "midi/base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAKE_MS = 30 };

struct live_rows {
    int wake_fd; /* constant after create */

    pthread_mutex_t lock; /* guards the fields below */
    struct live_choice choice;
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
    l->choice.layer = -1;
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

void live_rows_look(struct live_rows *l, struct live_choice c)
{
    if (c.head < 0 || c.take < 0)
        c.layer = -1;
    pthread_mutex_lock(&l->lock);
    l->choice = c;
    pthread_mutex_unlock(&l->lock);
}

struct live_choice live_rows_choice(struct live_rows *l)
{
    pthread_mutex_lock(&l->lock);
    const struct live_choice c = l->choice;
    pthread_mutex_unlock(&l->lock);
    return c;
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
    const bool is_new = l->is_new && is_same(l->map.choice, choice);
    if (is_new) /* else it waits until its own choice is looked at */
        l->is_new = false;
    return is_new ? &l->map : NULL;
}

void live_rows_unlock(struct live_rows *l)
{
    pthread_mutex_unlock(&l->lock);
}
