/* See copied.h. The states and edges of n symbols are at most 2n and
 * 3n, so all memory is taken at once. An edge is found by hash; the list of a
 * state's edges serves only to copy them. */
#include "app/evaluation/copied.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SYMBOLS = 1 << 27 };

/* Where the edge is in the table, or the empty slot where it would be. */
static size_t find_slot(const struct automaton *a, int32_t state, uint32_t symbol)
{
    const uint64_t key = (uint64_t)(uint32_t)state << 32 | symbol;
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & a->mask;
    for (;; slot = (slot + 1) & a->mask) {
        int32_t i = a->table[slot];
        if (i < 0 || (a->edges[i].from == state && a->edges[i].symbol == symbol))
            return slot;
    }
}

/* -1: there is none. */
static int32_t find_edge(const struct automaton *a, int32_t state, uint32_t symbol)
{
    return a->table[find_slot(a, state, symbol)];
}

static void add_edge(struct automaton *a, int32_t from, uint32_t symbol, int32_t to)
{
    a->table[find_slot(a, from, symbol)] = a->n_edges;
    a->edges[a->n_edges] = (struct automaton_edge){
        .symbol = symbol, .from = from, .to = to, .next = a->states[from].edges};
    a->states[from].edges = a->n_edges++;
}

static int32_t add_state(struct automaton *a, int32_t length, int32_t link)
{
    a->states[a->n_states] =
        (struct automaton_state){.length = length, .link = link, .edges = -1};
    return a->n_states++;
}

bool automaton_init(struct automaton *a, size_t n)
{
    *a = (struct automaton){0};
    if (n > MAX_SYMBOLS)
        return false;
    size_t size = 64;
    while (size < 6 * n) /* at most half full */
        size *= 2;
    a->mask = size - 1;
    a->states = malloc((2 * n + 2) * sizeof *a->states);
    a->edges = malloc((3 * n + 4) * sizeof *a->edges);
    a->table = malloc(size * sizeof *a->table);
    if (!a->states || !a->edges || !a->table) {
        automaton_fini(a);
        return false;
    }
    memset(a->table, -1, size * sizeof *a->table);
    a->last = add_state(a, 0, -1);
    return true;
}

void automaton_fini(struct automaton *a)
{
    free(a->states);
    free(a->edges);
    free(a->table);
    *a = (struct automaton){0};
}

/* The substrings of `from` up to `length` get their own state, with the same edges. */
static int32_t split_state(struct automaton *a, int32_t from, int32_t length)
{
    int32_t half = add_state(a, length, a->states[from].link);
    for (int32_t i = a->states[from].edges; i >= 0; i = a->edges[i].next)
        add_edge(a, half, a->edges[i].symbol, a->edges[i].to);
    a->states[from].link = half;
    return half;
}

/* The state of the longest suffix seen before, created if necessary. `state` is the first
 * that has an edge for the symbol, -1: none. */
static int32_t find_suffix(struct automaton *a, int32_t state, uint32_t symbol)
{
    if (state < 0)
        return 0;
    int32_t to = a->edges[find_edge(a, state, symbol)].to;
    int32_t length = a->states[state].length + 1;
    if (a->states[to].length == length)
        return to;
    int32_t half = split_state(a, to, length);
    for (; state >= 0; state = a->states[state].link) {
        int32_t edge = find_edge(a, state, symbol);
        if (edge < 0 || a->edges[edge].to != to)
            break;
        a->edges[edge].to = half;
    }
    return half;
}

void automaton_append(struct automaton *a, uint32_t symbol)
{
    int32_t whole = add_state(a, a->states[a->last].length + 1, 0);
    int32_t state = a->last;
    for (; state >= 0 && find_edge(a, state, symbol) < 0; state = a->states[state].link)
        add_edge(a, state, symbol, whole);
    a->states[whole].link = find_suffix(a, state, symbol);
    a->last = whole;
}

void automaton_walk(const struct automaton *a, struct automaton_match *m,
                    uint32_t symbol)
{
    int32_t edge;
    while ((edge = find_edge(a, m->state, symbol)) < 0) {
        if (m->state == 0) {
            m->length = 0;
            return;
        }
        m->state = a->states[m->state].link;
        m->length = a->states[m->state].length;
    }
    m->state = a->edges[edge].to;
    m->length++;
}
