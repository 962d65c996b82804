#include "midi/sound/sound.h"

void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel)
{
    int channel = first_channel + (m->status & 15);
    switch (m->status & 0xf0) {
    case 0x80:
        fluid_synth_noteoff(synth, channel, m->data1);
        break;
    case 0x90:
        fluid_synth_noteon(synth, channel, m->data1, m->data2);
        break;
    case 0xa0:
        fluid_synth_key_pressure(synth, channel, m->data1, m->data2);
        break;
    case 0xb0:
        fluid_synth_cc(synth, channel, m->data1, m->data2);
        break;
    case 0xc0:
        fluid_synth_program_change(synth, channel, m->data1);
        break;
    case 0xd0:
        fluid_synth_channel_pressure(synth, channel, m->data1);
        break;
    case 0xe0:
        fluid_synth_pitch_bend(synth, channel, m->data1 | m->data2 << 7);
        break;
    default:
        break;
    }
}

void sound_fill_event(fluid_event_t *e, const struct message *m)
{
    int channel = m->status & 15;
    switch (m->status & 0xf0) {
    case 0x80:
        fluid_event_noteoff(e, channel, m->data1);
        break;
    case 0x90:
        fluid_event_noteon(e, channel, m->data1, m->data2);
        break;
    case 0xa0:
        fluid_event_key_pressure(e, channel, m->data1, m->data2);
        break;
    case 0xb0:
        fluid_event_control_change(e, channel, m->data1, m->data2);
        break;
    case 0xc0:
        fluid_event_program_change(e, channel, m->data1);
        break;
    case 0xd0:
        fluid_event_channel_pressure(e, channel, m->data1);
        break;
    default:
        fluid_event_pitch_bend(e, channel, m->data1 | m->data2 << 7);
        break;
    }
}
