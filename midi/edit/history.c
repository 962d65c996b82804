/* The tree of states. A state has a number, a parent, and the change that leads to
 * it. Numbers grow in the order of doing, so a state's newest child has the largest
 * number. */
#include "midi/base/array.h"
#include "midi/edit/apply.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

struct history {
    struct history_state *states;
    size_t n_states, cap_states;
    size_t at;
};

static enum midi_status make_room(struct history *h)
{
    bool ok = ARRAY_GROW(h->states, h->n_states, h->cap_states);
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

struct history *history_create(void)
{
    struct history *h = calloc(1, sizeof *h);
    if (!h || make_room(h)) {
        free(h);
        return NULL;
    }
    h->states[h->n_states++] = (struct history_state){0};
    return h;
}

void history_destroy(struct history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n_states; i++)
        change_destroy(h->states[i].change);
    free(h->states);
    free(h);
}

/* There is room. Returns the number. */
static size_t add_child(struct history *h, size_t parent, struct change *c,
                        int64_t when)
{
    size_t child = h->n_states++;
    change_trim(c);
    /* Unsigned, since a file may hold any values. */
    uint64_t put_in =
        (uint64_t)h->states[parent].inserted_ticks + (uint64_t)change_inserted_ticks(c);
    h->states[child] = (struct history_state){
        .change = c,
        .parent = parent,
        .inserted_ticks = (int64_t)put_in,
        .arrangement = change_arranges(c) ? child : h->states[parent].arrangement,
        .time = when,
    };
    h->states[parent].newest_child = child;
    return child;
}

enum midi_status history_do(struct history *h, struct score *s, struct change *c)
{
    enum midi_status st = make_room(h);
    if (!st)
        st = change_apply(c, s, true);
    if (st) {
        change_destroy(c);
        return st;
    }
    h->at = add_child(h, h->at, c, (int64_t)time(NULL));
    return MIDI_OK;
}

bool history_put(struct history *h, uint64_t parent, struct change *c, int64_t when)
{
    if (parent >= h->n_states || make_room(h)) {
        change_destroy(c);
        return false;
    }
    add_child(h, (size_t)parent, c, when);
    return true;
}

static uint64_t id_after(const struct change *c, uint64_t next)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind == EDIT_NOTE && e->has_after && e->after.id >= next)
            next = e->after.id + 1;
    }
    return next;
}

void history_reserve_ids(const struct history *h, struct score *s)
{
    for (size_t i = 1; i < h->n_states; i++)
        s->next_id = id_after(h->states[i].change, s->next_id);
}

/* Goes to the parent or to a child. */
static enum midi_status step(struct history *h, struct score *s, size_t to)
{
    bool is_forwards = to > h->at;
    enum midi_status st =
        change_apply(h->states[is_forwards ? to : h->at].change, s, is_forwards);
    if (!st)
        h->at = to;
    return st;
}

uint64_t history_state(const struct history *h)
{
    return h->at;
}

size_t history_n_states(const struct history *h)
{
    return h->n_states;
}

const struct history_state *history_now(const struct history *h)
{
    return &h->states[h->at];
}

const struct history_state *history_at(const struct history *h, uint64_t state)
{
    assert(state < h->n_states);
    return &h->states[state];
}

/* The way from the present state: up to the nearest common state, then down. Each
 * step has the state it leads to and its change. */
struct way {
    struct change_step *steps;
    size_t *to;
    size_t n;
};

/* Parents have smaller numbers than children. */
static size_t common_state(const struct history *h, size_t a, size_t b)
{
    while (a != b) {
        if (a > b)
            a = h->states[a].parent;
        else
            b = h->states[b].parent;
    }
    return a;
}

static size_t height_above(const struct history *h, size_t top, size_t state)
{
    size_t n = 0;
    for (; state != top; state = h->states[state].parent)
        n++;
    return n;
}

size_t history_distance(const struct history *h, uint64_t from, uint64_t to)
{
    assert(from < h->n_states && to < h->n_states);
    size_t top = common_state(h, (size_t)from, (size_t)to);
    return height_above(h, top, (size_t)from) + height_above(h, top, (size_t)to);
}

static bool way_init(struct way *w, const struct history *h, size_t to)
{
    size_t top = common_state(h, h->at, to), state = h->at;
    size_t n_up = height_above(h, top, h->at);
    *w = (struct way){.n = n_up + height_above(h, top, to)};
    w->steps = calloc(w->n + 1, sizeof *w->steps);
    w->to = calloc(w->n + 1, sizeof *w->to);
    if (!w->steps || !w->to)
        return false;
    for (size_t i = 0; i < n_up; i++, state = w->to[i - 1]) {
        w->steps[i].change = h->states[state].change;
        w->to[i] = h->states[state].parent;
    }
    for (size_t i = w->n; i > n_up; i--, to = h->states[to].parent) {
        w->steps[i - 1] = (struct change_step){h->states[to].change, true};
        w->to[i - 1] = to;
    }
    return true;
}

static void way_fini(struct way *w)
{
    free(w->steps);
    free(w->to);
}

/* Keeps in the changes what applying them one by one would have. */
static void remember_format(struct history *h, const struct score *s,
                            const struct way *w, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++)
        if (w->steps[k].is_forwards)
            h->states[w->to[k]].change->format_before = s->format;
}

/* Applies the n steps from i on, all of notes only, as one. */
static enum midi_status go_together(struct history *h, struct score *s,
                                    const struct way *w, size_t i, size_t n)
{
    struct change *c = change_compose(w->steps + i, n);
    enum midi_status st = c ? change_apply(c, s, true) : MIDI_NO_MEMORY;
    change_destroy(c);
    if (st)
        return st;
    remember_format(h, s, w, i, n);
    h->at = w->to[i + n - 1];
    return MIDI_OK;
}

enum midi_status history_go(struct history *h, struct score *s, uint64_t state)
{
    struct way w;
    assert(state < h->n_states);
    enum midi_status st = way_init(&w, h, (size_t)state) ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0, n; !st && i < w.n; i += n) {
        n = 0;
        while (i + n < w.n && change_is_of_notes(w.steps[i + n].change))
            n++;
        if (n > 1 && !go_together(h, s, &w, i, n))
            continue;
        n = 1;
        st = step(h, s, w.to[i]);
    }
    way_fini(&w);
    return st;
}

enum { MOST = 256 };

/* Converts a tick over one change; backwards, over its undo. */
static int64_t follow(const struct change *c, int64_t tick, bool is_end, bool forwards)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_TIME)
            continue;
        int64_t at = e->time.at + is_end, by = e->time.by;
        if (forwards != e->has_before)
            return tick < at ? tick : tick < TICK_MAX - by ? tick + by : TICK_MAX;
        return tick >= at + by ? tick - by : tick >= at ? e->time.at : tick;
    }
    return tick;
}

int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end)
{
    const struct change *down[MOST];
    int n = 0;
    while (from != to) {
        if (from > to) {
            tick = follow(h->states[from].change, tick, is_end, false);
            from = h->states[from].parent;
            continue;
        }
        const struct change *c = h->states[to].change;
        if (n < MOST && change_inserted_ticks(c))
            down[n++] = c;
        to = h->states[to].parent;
    }
    while (n > 0)
        tick = follow(down[--n], tick, is_end, true);
    return tick;
}
