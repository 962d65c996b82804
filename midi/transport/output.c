/* The ui's side, and the player's, which puts all of it into one ring. States are too long
 * for its slots, and wait in a second ring for their turn in the first. See output.h. */
#include "midi/transport/output_state.h"

#include <stdlib.h>

enum { N_RECORDS = 16384, N_STATES = 64 };

struct output *output_create(sem_t *player_wake)
{
    struct output *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    sem_init(&o->wake, 0, 0);
    o->player_wake = player_wake;
    o->records = ring_create(N_RECORDS, sizeof(struct record));
    o->states = ring_create(N_STATES, sizeof(struct state));
    if (o->records && o->states)
        return o;
    output_destroy(o);
    return NULL;
}

void output_destroy(struct output *o)
{
    if (!o)
        return;
    ring_destroy(o->records);
    ring_destroy(o->states);
    sem_destroy(&o->wake);
    free(o);
}

/* -- the ui -- */

void output_set_only(struct output *o, bool only)
{
    atomic_store(&o->only, only);
}

void output_set_clicks(struct output *o, bool clicks)
{
    atomic_store(&o->clicks, clicks);
}

unsigned output_n_lost(const struct output *o)
{
    return atomic_load(&o->n_lost);
}

/* -- the player's thread -- */

bool output_is_open(const struct output *o)
{
    return atomic_load(&o->is_open);
}

unsigned output_n_opened(const struct output *o)
{
    return atomic_load(&o->n_opened);
}

bool output_is_only(const struct output *o)
{
    return atomic_load(&o->only) && output_is_open(o);
}

bool output_has_clicks(const struct output *o)
{
    return atomic_load(&o->clicks);
}

void output_count_lost(struct output *o)
{
    atomic_fetch_add(&o->n_lost, 1);
    atomic_store(&o->has_lost, true);
}

static void push(struct output *o, const struct record *r)
{
    if (!output_is_open(o))
        return;
    if (!ring_push(o->records, r))
        output_count_lost(o);
    o->is_queued = true;
}

void output_send_at(struct output *o, double ms, double mark, const struct message *m)
{
    push(o, &(struct record){SEND, m->status, m->data1, m->data2, ms, mark});
}

void output_set_state(struct output *o, int channel, const struct channel_state *state)
{
    struct state s = {channel & 15, *state};
    if (!output_is_open(o))
        return;
    if (ring_push(o->states, &s))
        push(o, &(struct record){.kind = STATE});
    else
        output_count_lost(o);
}

void output_take_back(struct output *o, double mark)
{
    push(o, &(struct record){.kind = TAKE_BACK, .mark = mark});
}

void output_stop(struct output *o)
{
    push(o, &(struct record){.kind = STOP});
}

void output_silence(struct output *o)
{
    push(o, &(struct record){.kind = SILENCE});
}

void output_flush(struct output *o)
{
    if (o->is_queued)
        sem_post(&o->wake);
    o->is_queued = false;
}
