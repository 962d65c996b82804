#include "midi/transport/transport.h"

enum { CLICK_MS = 30 }; /* from a click to its note-off */

double outlet_now(const struct outlet *o)
{
    return sound_now(o->sound);
}

static void output_at(const struct outlet *o, double ms, const struct message *m)
{
    output_send_at(o->output, ms - o->ahead_ms, ms, m);
}

/* The synth also gets all but the notes that the instrument plays, so that it can go
 * on if that is pulled out. */
static bool synth_hears(const struct outlet *o, const struct message *m)
{
    bool strikes = (m->status & 0xf0) == 0x90 && m->data2;
    return !strikes || !output_is_only(o->output);
}

void outlet_send_at(const struct outlet *o, double ms, const struct message *m)
{
    if (synth_hears(o, m))
        sound_send_at(o->sound, ms, m);
    output_at(o, ms, m);
}

void outlet_scheduled_at(const struct outlet *o, double ms, const struct message *m)
{
    if (synth_hears(o, m))
        sound_scheduled_at(o->sound, ms, m);
    output_at(o, ms, m);
}

void outlet_click_at(const struct outlet *o, double ms, const struct message *m)
{
    sound_click_at(o->sound, ms, m);
    if (!output_has_clicks(o->output))
        return;
    struct message off = {0, 0x80 | (m->status & 15), m->data1, 64};
    output_at(o, ms, m);
    /* taken back together with its click */
    output_send_at(o->output, ms + CLICK_MS - o->ahead_ms, ms, &off);
}

void outlet_sync_at(const struct outlet *o, double ms, int status, int data1, int data2)
{
    struct message m = {0, (uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    output_at(o, ms, &m);
}

double outlet_take_back(const struct outlet *o, double ms)
{
    double from = sound_take_back(o->sound, ms);
    output_take_back(o->output, from);
    return from;
}

void outlet_greet(const struct outlet *o, const struct chase *state, unsigned used)
{
    for (int channel = 0; channel < N_CHANNELS; channel++)
        if (used >> channel & 1)
            output_set_state(o->output, channel, &state->channel[channel]);
}

void outlet_set_state(const struct outlet *o, const struct chase *state, unsigned used)
{
    struct message out[MAX_CHASED];
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_messages(state, channel, out);
        for (int i = 0; i < n; i++)
            sound_send(o->sound, &out[i]);
    }
    outlet_greet(o, state, used);
}

void outlet_stop(const struct outlet *o)
{
    sound_forget(o->sound);
    sound_release(o->sound);
    output_stop(o->output);
}

void outlet_silence(const struct outlet *o)
{
    sound_silence(o->sound);
    output_silence(o->output);
}
