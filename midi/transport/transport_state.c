#include "midi/transport/transport_state.h"

#include "midi/transport/transport_line.h"
#include "midi/transport/transport_sync.h"

void state_seek(struct transport *t, int64_t tick, struct chase *state)
{
    struct message m;
    chase_init(state, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, &t->voices, tick, &m))
        chase_feed(state, &m);
}

/* Channels that the tracks play on, as bits. */
static unsigned used_channels(const struct transport *t)
{
    const struct score *s = schedule_score(t->schedule);
    unsigned used = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        used |= 1u << (s->tracks[i].channel & 15);
    return used;
}

void state_set(struct transport *t, int64_t tick)
{
    state_seek(t, tick, &t->state);
    outlet_set_state(&t->out, &t->state, used_channels(t));
}

void state_skip_to(struct transport *t, int64_t tick)
{
    struct voices none = {0};
    struct chase edited;
    struct message m, out[MAX_CHASED];
    chase_init(&edited, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, &none, tick, &m))
        chase_feed(&edited, &m);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_difference(&t->state, &edited, channel, out);
        for (int i = 0; i < n; i++)
            outlet_send_at(&t->out, line_ms_at(t, (double)tick), &out[i]);
    }
    t->state = edited;
}

void transport_greet(struct transport *t)
{
    struct chase state = t->state;
    if (!t->schedule)
        return;
    if (!t->is_playing) /* a play seeks anew */
        state_seek(t, (int64_t)t->tick, &state);
    outlet_greet(&t->out, &state, used_channels(t));
    if (t->is_playing)
        clocks_begin(t, outlet_now(&t->out));
}
