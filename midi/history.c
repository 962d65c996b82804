/* The tree of states. A state is a number, its parent, and the change that
 * leads to it; numbers are given out in the order in which things were done,
 * so a state's newest child has the largest number. */
#include "midi/apply.h"

#include <assert.h>
#include <stdlib.h>

struct state {
    struct change *change;       /* from `parent` to here; NULL for state 0 */
    size_t parent, newest_child; /* newest_child 0: none */
    int64_t time_put_in;         /* by all changes up to here, ticks */
    size_t arrangement;          /* the last state that arranged tracks; see edit.h */
};

struct history {
    struct state *states;
    size_t n_states, cap_states;
    size_t at;
};

struct history *history_create(void)
{
    struct history *h = calloc(1, sizeof *h);
    struct state *states = calloc(16, sizeof *states);
    if (!h || !states) {
        free(h);
        free(states);
        return NULL;
    }
    *h = (struct history){.states = states, .n_states = 1, .cap_states = 16};
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

static enum midi_status make_room(struct history *h)
{
    if (h->n_states < h->cap_states)
        return MIDI_OK;
    size_t cap = 2 * h->cap_states;
    struct state *states = reallocarray(h->states, cap, sizeof *states);
    if (!states)
        return MIDI_NO_MEMORY;
    h->states = states;
    h->cap_states = cap;
    return MIDI_OK;
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
    size_t child = h->n_states++;
    h->states[child] = (struct state){
        .change = c,
        .parent = h->at,
        .time_put_in = h->states[h->at].time_put_in + change_time_put_in(c),
        .arrangement = change_arranges(c) ? child : h->states[h->at].arrangement,
    };
    h->states[h->at].newest_child = child;
    h->at = child;
    return MIDI_OK;
}

static enum midi_status step_up(struct history *h, struct score *s)
{
    enum midi_status st = change_apply(h->states[h->at].change, s, false);
    if (!st)
        h->at = h->states[h->at].parent;
    return st;
}

static enum midi_status step_down(struct history *h, struct score *s, size_t child)
{
    enum midi_status st = change_apply(h->states[child].change, s, true);
    if (!st)
        h->at = child;
    return st;
}

bool history_undo(struct history *h, struct score *s, const char **label)
{
    const struct change *c = h->states[h->at].change;
    if (h->at == 0 || step_up(h, s))
        return false;
    if (label)
        *label = c->label;
    return true;
}

bool history_redo(struct history *h, struct score *s, const char **label)
{
    size_t child = h->states[h->at].newest_child;
    if (child == 0 || step_down(h, s, child))
        return false;
    if (label)
        *label = h->states[child].change->label;
    return true;
}

uint64_t history_state(const struct history *h)
{
    return h->at;
}

size_t history_n_states(const struct history *h)
{
    return h->n_states;
}

const struct change *history_change(const struct history *h, uint64_t state)
{
    assert(state < h->n_states);
    return h->states[state].change;
}

uint64_t history_parent(const struct history *h, uint64_t state)
{
    assert(state < h->n_states);
    return h->states[state].parent;
}

int64_t history_time_put_in(const struct history *h)
{
    return h->states[h->at].time_put_in;
}

uint64_t history_arrangement(const struct history *h)
{
    return h->states[h->at].arrangement;
}

/* The state right below the present one on the way down to `to`; 0 when `to`
 * is not below it. Parents have smaller numbers than their children. */
static size_t way_down(const struct history *h, size_t to)
{
    while (to > h->at) {
        if (h->states[to].parent == h->at)
            return to;
        to = h->states[to].parent;
    }
    return 0;
}

enum midi_status history_go(struct history *h, struct score *s, uint64_t state)
{
    assert(state < h->n_states);
    enum midi_status st = MIDI_OK;
    while (!st && h->at != state) {
        size_t next = way_down(h, (size_t)state);
        st = next ? step_down(h, s, next) : step_up(h, s);
    }
    return st;
}
