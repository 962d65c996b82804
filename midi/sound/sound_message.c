#include "midi/sound/sound.h"

#include "midi/score/general_midi.h"

/* Returns the synth's channel. The piece's first port has the first channels; its other
 * ports come after all others. */
static int synth_channel(const struct message *m, int first_channel)
{
    const int port = m->port ? SYNTH_PORTS + 16 * (m->port - 1) : first_channel;
    return port + (m->status & 15);
}

void sound_begin_ports(fluid_synth_t *synth)
{
    for (int port = 1; port < SOUND_PORTS; port++)
        fluid_synth_set_channel_type(
            synth, SYNTH_PORTS + 16 * (port - 1) + GM_DRUM_CHANNEL, CHANNEL_TYPE_DRUM);
}

void sound_follow_bank(fluid_synth_t *synth, const struct message *m, int first_channel)
{
    const bool is_drums = (m->status & 15) == GM_DRUM_CHANNEL
                              ? m->data2 != BANK_MELODY
                              : m->data2 == BANK_KITS || m->data2 == BANK_KITS_XG;
    if (m->status >> 4 == 0xb && m->data1 == CC_BANK)
        fluid_synth_set_channel_type(synth, synth_channel(m, first_channel),
                                     is_drums ? CHANNEL_TYPE_DRUM
                                              : CHANNEL_TYPE_MELODIC);
}

void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel)
{
    int channel = synth_channel(m, first_channel);
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
    int channel = synth_channel(m, 0);
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
