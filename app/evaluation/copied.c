/* See copied.h. A symbol is two neighbouring notes of a track: their durations
 * and the interval between, so a run of n symbols is one of n + 1 notes.
 *
 * The tracks in question make one text, with unique symbols between them. Reading a source
 * stores at each state of the text's automaton the longest match that ended there; a match is
 * also one of all its suffixes. */
#include "app/evaluation/copied.h"

#include <stdlib.h>

enum { LONGEST = (1 << 12) - 1 };

struct copied {
    struct automaton automaton;
    struct copied_run *best; /* [n_states], of symbols while they are read */
    int32_t *states;         /* [n_symbols], of the text up to each symbol */
    size_t *ends;            /* [n_pieces] one past a piece's last symbol */
    size_t n_symbols;
};

static uint32_t duration(const struct grid_note *n)
{
    return n->length < LONGEST ? (uint32_t)n->length : LONGEST;
}

/* The interval is in the lowest eight bits, and never -128. */
static uint32_t pair_symbol(const struct grid_note *a, const struct grid_note *b)
{
    uint32_t interval = (uint32_t)(b->pitch - a->pitch + 128);
    return duration(a) << 20 | duration(b) << 8 | interval;
}

static void append(struct copied *c, uint32_t symbol)
{
    automaton_append(&c->automaton, symbol);
    c->states[c->n_symbols++] = c->automaton.last;
}

static void append_track(struct copied *c, const struct piece *p, int track)
{
    const struct grid_note *before = NULL;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (n->track != track)
            continue;
        if (before)
            append(c, pair_symbol(before, n));
        before = n;
    }
    if (before) /* what ends this track alone: the interval of no pair */
        append(c, (uint32_t)c->n_symbols << 8);
}

static bool append_pieces(struct copied *c, const struct piece *pieces, size_t n)
{
    size_t n_notes = 0;
    for (size_t i = 0; i < n; i++)
        n_notes += pieces[i].n_notes; /* a symbol each: its pair's, or an end */
    c->states = malloc((n_notes + 1) * sizeof *c->states);
    c->ends = malloc((n + 1) * sizeof *c->ends);
    if (n_notes >= 1 << 24 || !c->states || !c->ends ||
        !automaton_init(&c->automaton, n_notes))
        return false;
    for (size_t i = 0; i < n; i++) {
        for (int track = 0; track < TOKEN_MAX_TRACKS; track++)
            append_track(c, &pieces[i], track);
        c->ends[i] = c->n_symbols;
    }
    c->best = calloc((size_t)c->automaton.n_states, sizeof *c->best);
    return c->best != NULL;
}

struct copied *copied_create(const struct piece *pieces, size_t n_pieces)
{
    struct copied *c = calloc(1, sizeof *c);
    if (c && !append_pieces(c, pieces, n_pieces)) {
        copied_destroy(c);
        return NULL;
    }
    return c;
}

void copied_destroy(struct copied *c)
{
    if (!c)
        return;
    automaton_fini(&c->automaton);
    free(c->best);
    free(c->states);
    free(c->ends);
    free(c);
}

/* A piece's tracks are interleaved, so each has its own place in the text. */
void copied_read(struct copied *c, const struct piece *p, int source)
{
    struct automaton_match matches[TOKEN_MAX_TRACKS] = {0};
    const struct grid_note *before[TOKEN_MAX_TRACKS] = {0};
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        struct automaton_match *m = &matches[n->track];
        if (before[n->track]) {
            automaton_walk(&c->automaton, m, pair_symbol(before[n->track], n));
            if (m->length > c->best[m->state].n_notes)
                c->best[m->state] = (struct copied_run){.n_notes = m->length,
                                                        .source = source,
                                                        .track = n->track,
                                                        .step = n->step};
        }
        before[n->track] = n;
    }
}

/* States by the length of their longest substring; malloc'd. */
static int32_t *order_states(const struct automaton *a)
{
    size_t n = (size_t)a->n_states;
    int32_t *order = calloc(n, sizeof *order);
    int32_t *begins = calloc(n + 1, sizeof *begins); /* no substring is longer */
    if (order && begins) {
        for (size_t i = 0; i < n; i++)
            begins[a->states[i].length + 1]++;
        for (size_t i = 1; i <= n; i++)
            begins[i] += begins[i - 1];
        for (size_t i = 0; i < n; i++)
            order[begins[a->states[i].length]++] = (int32_t)i;
    } else {
        free(order);
        order = NULL;
    }
    free(begins);
    return order;
}

/* Whatever matched a state's substring matched all of its link's. */
bool copied_finish(struct copied *c)
{
    const struct automaton_state *states = c->automaton.states;
    int32_t *order = order_states(&c->automaton);
    if (!order)
        return false;
    for (int32_t i = c->automaton.n_states - 1; i > 0; i--) {
        const struct copied_run *run = &c->best[order[i]];
        int32_t link = states[order[i]].link;
        if (run->n_notes > 0 && c->best[link].n_notes < states[link].length) {
            c->best[link] = *run;
            c->best[link].n_notes = states[link].length;
        }
    }
    free(order);
    return true;
}

struct copied_run copied_longest(const struct copied *c, size_t piece)
{
    struct copied_run longest = {0};
    for (size_t i = piece ? c->ends[piece - 1] : 0; i < c->ends[piece]; i++) {
        int32_t state = c->states[i]; /* of the longest match that ends here */
        while (state > 0 && c->best[state].n_notes == 0)
            state = c->automaton.states[state].link;
        if (c->best[state].n_notes > longest.n_notes)
            longest = c->best[state];
    }
    if (longest.n_notes > 0)
        longest.n_notes++; /* symbols have been counted */
    return longest;
}
