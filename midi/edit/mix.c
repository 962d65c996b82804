/* See mix.h. */
#include "midi/edit/mix.h"

enum { CC_REVERB = 91, CC_CHORUS = 93, PAN_CENTRE = 64 };

static const struct mix_knob_about KNOBS[MIX_KNOBS] = {
    [MIX_VOLUME] = {"volume", "set the volume", {CONTROL_CHANGE, CC_VOLUME}, 0, 0, 127},
    [MIX_PAN] = {"pan", "set the pan", {CONTROL_CHANGE, CC_PAN}, PAN_CENTRE, -64, 63},
    [MIX_REVERB] = {"reverb", "set the reverb", {CONTROL_CHANGE, CC_REVERB}, 0, 0, 127},
    [MIX_CHORUS] = {"chorus", "set the chorus", {CONTROL_CHANGE, CC_CHORUS}, 0, 0, 127},
};

const struct mix_knob_about *mix_about(enum mix_knob k)
{
    return &KNOBS[k];
}

/* The first tick that is past its start. */
static int64_t start_ends(const struct track *t)
{
    return t->n_notes ? t->notes[0].start + 1 : 1;
}

int mix_value(const struct score *s, int track, enum mix_knob k)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    int now = control_rest(KNOBS[k].control);
    for (size_t i = 0; i < c->n_events && c->events[i].tick < start_ends(t); i++) {
        int value = control_value(&c->events[i], t->channel, KNOBS[k].control);
        now = value >= 0 ? value : now;
    }
    return now - KNOBS[k].centre;
}

int64_t mix_next_tick(const struct score *s, int track, enum mix_knob k)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    for (size_t i = control_first_event(c, start_ends(t)); i < c->n_events; i++)
        if (control_value(&c->events[i], t->channel, KNOBS[k].control) >= 0)
            return c->events[i].tick;
    return -1;
}

enum midi_status change_mix(struct change *c, const struct score *s, int track,
                            enum mix_knob k, int value)
{
    const struct control_point point = {0, value + KNOBS[k].centre};
    if (value < KNOBS[k].low || value > KNOBS[k].high)
        return MIDI_BAD_EDIT;
    return change_control(c, s, track, KNOBS[k].control, 0,
                          start_ends(&s->tracks[track]), &point, 1);
}
