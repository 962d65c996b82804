#include "midi/sound/sound.h"

#include "midi/score/general_midi.h"

void sound_follow_bank(fluid_synth_t *synth, const struct message *m, int first_channel)
{
    const int channel = m->status & 15;
    const bool is_kit = m->data2 == BANK_KITS || m->data2 == BANK_KITS_XG;
    if (m->status >> 4 == 0xb && m->data1 == CC_BANK && channel != GM_DRUM_CHANNEL)
        fluid_synth_set_channel_type(synth, first_channel + channel,
                                     is_kit ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC);
}

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
        sound_follow_bank(synth, m, first_channel);
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
