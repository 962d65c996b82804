/* Rows on their way from the model thread to the screen. See live_row.h. */
#include "app/decoding/live_row.h"

#include "midi/base/clock.h"
#include "midi/tokens/parser.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAKE_MS = 30 };

struct live_rows {
    int wake_fd; /* constant after create */

    atomic_uint choice; /* ui writes, model reads: packed, 0 for nobody */

    pthread_mutex_t lock; /* guards the map */
    struct live_map map;

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

void live_map_fini(struct live_map *m)
{
    free(m->tokens);
    free(m->times);
    free(m->rows);
    *m = (struct live_map){0};
}

void live_rows_destroy(struct live_rows *l)
{
    if (!l)
        return;
    live_map_fini(&l->map);
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

/* Room for `cap` tokens; where there was another, it is empty. false: no memory, and
 * there is none. */
static bool make_room(struct live_map *m, int cap)
{
    if (m->cap == cap)
        return true;
    live_map_fini(m);
    m->tokens = calloc((size_t)cap, sizeof *m->tokens);
    m->times = calloc((size_t)cap, sizeof *m->times);
    m->rows = calloc((size_t)LIVE_ROWS * (size_t)cap, sizeof *m->rows);
    if (!m->tokens || !m->times || !m->rows) {
        live_map_fini(m);
        return false;
    }
    m->cap = cap;
    return true;
}

static bool is_same(const struct live_map *a, const struct live_map *b)
{
    return a->reading == b->reading && a->choice.layer == b->choice.layer &&
           a->choice.head == b->choice.head && a->choice.take == b->choice.take;
}

/* Sets `to` to the same sequence; if it had another, it has no rows yet. */
static void begin_as(struct live_map *to, const struct live_map *from)
{
    const struct live_map room = *to;
    if (is_same(to, from))
        return;
    *to = *from;
    to->cap = room.cap;
    to->tokens = room.tokens;
    to->times = room.times;
    to->rows = room.rows;
    to->n = to->first = to->end = 0;
}

/* Up to the first n of these. */
static void copy_tokens(struct live_map *to, const int32_t *tokens,
                        const int32_t *times, int n)
{
    const size_t n_new = (size_t)(n - to->n);
    memcpy(to->tokens + to->n, tokens + to->n, n_new * sizeof *tokens);
    memcpy(to->times + to->n, times + to->n, n_new * sizeof *times);
    to->n = n;
}

/* Rows are without a gap. */
static void add_row(struct live_map *m, int place, const float *row)
{
    if (place != m->end)
        m->first = place;
    m->end = place + 1;
    if (m->end - m->first > LIVE_ROWS)
        m->first = m->end - LIVE_ROWS;
    memcpy(m->rows + (size_t)(place % LIVE_ROWS) * (size_t)m->cap, row,
           ((size_t)place + 1) * sizeof *row);
}

void live_rows_give(struct live_rows *l, const struct live_map *sequence,
                    const int32_t *tokens, const int32_t *times, const float *row)
{
    pthread_mutex_lock(&l->lock);
    bool has_room = make_room(&l->map, sequence->cap);
    if (has_room) {
        begin_as(&l->map, sequence);
        copy_tokens(&l->map, tokens, times, sequence->n);
        add_row(&l->map, sequence->n - 1, row);
    }
    pthread_mutex_unlock(&l->lock);
    const int64_t now = clock_whole_ms();
    if (!has_room || l->wake_fd < 0 || now - l->woken < WAKE_MS)
        return;
    l->woken = now;
    /* A full pipe already holds a wake-up. */
    if (write(l->wake_fd, "r", 1) < 0)
        return;
}

/* Under the lock. */
static bool bring_up_to_date(struct live_map *to, const struct live_map *from)
{
    if (!from->reading || (is_same(to, from) && to->end == from->end) ||
        !make_room(to, from->cap))
        return false;
    begin_as(to, from);
    copy_tokens(to, from->tokens, from->times, from->n);
    int at = to->end > from->first ? to->end : from->first;
    for (; at < from->end; at++)
        add_row(to, at, live_map_row(from, at));
    to->first = to->first > from->first ? to->first : from->first;
    return true;
}

bool live_rows_take(struct live_rows *l, struct live_map *map)
{
    pthread_mutex_lock(&l->lock);
    bool is_new = bring_up_to_date(map, &l->map);
    pthread_mutex_unlock(&l->lock);
    return is_new;
}

/* -- the notes of a sequence that is being decoded -- */

struct walk {
    const struct live_map *m;
    const float *row;
    struct parser parser;
    int first;    /* token that may belong to the note to come; -1: none */
    bool is_open; /* a note was named, and its length may follow */
    float other;
    struct live_note *notes;
    int most, n;
};

/* Tokens for a note that did not come: a position before a bar line. */
static void drop(struct walk *w, int end)
{
    for (int i = w->first; w->first >= 0 && i < end; i++)
        w->other += w->row[i];
    w->first = -1;
}

static void add_note(struct walk *w, int at, int pitch)
{
    const struct live_map *m = w->m;
    const int first = w->first < 0 ? at : w->first, track = w->parser.track;
    float weight = 0.0f;
    for (int i = first; i <= at; i++)
        weight += w->row[i];
    w->first = -1;
    w->is_open = w->n < w->most;
    if (!w->is_open) {
        w->other += weight;
        return;
    }
    w->notes[w->n++] = (struct live_note){
        .track = track >= 0 ? m->track_map[track] : -1,
        .pitch = pitch,
        .tick = tick_from_step(m->origin + m->times[at], m->ticks_per_quarter),
        .first_token = first,
        .n_tokens = at + 1 - first,
        .is_drawn = at >= m->n_given,
        .weight = weight};
}

static void walk_over(struct walk *w, int at)
{
    enum {
        OF_NOTE = AFTER_POSX | AFTER_POS | AFTER_TRACK | AFTER_VEL | AFTER_PITCH |
                  AFTER_DURX | AFTER_NOTE,
    };
    const int32_t token = w->m->tokens[at];
    const enum token kind = token_kind(token);
    parser_feed(&w->parser, token);
    if (!(w->parser.state & OF_NOTE)) {
        drop(w, at);
        w->is_open = false;
        w->other += w->row[at];
    } else if (kind == TOKEN_PITCH) {
        add_note(w, at, token - TOKEN_PITCH);
    } else if (kind == TOKEN_HIT) {
        add_note(w, at, HIT_FIRST + token - TOKEN_HIT);
    } else if (kind != TOKEN_DUR && kind != TOKEN_DURX) {
        w->first = w->first < 0 ? at : w->first;
    } else if (w->is_open) {
        w->notes[w->n - 1].n_tokens++;
        w->notes[w->n - 1].weight += w->row[at];
    } else {
        w->other += w->row[at];
    }
}

int live_map_notes(const struct live_map *m, int place, struct live_note *notes,
                   int most, float *other)
{
    struct walk w = {.m = m,
                     .row = live_map_row(m, place),
                     .first = -1,
                     .notes = notes,
                     .most = most};
    parser_init(&w.parser);
    for (int at = 0; at <= place; at++)
        walk_over(&w, at);
    drop(&w, place + 1);
    *other = w.other;
    return w.n;
}
