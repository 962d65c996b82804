/* A pedal is on from 64 up (MIDI 1.0). */
#include "midi/transport/held_keys.h"
#include "midi/base/midi.h"

void held_keys_follow(struct held_keys *h, const uint8_t message[3])
{
    int channel = message[0] & 15, a = message[1] & 127, b = message[2] & 127;
    uint64_t key = UINT64_C(1) << a % 64, *keys = &h->keys[channel][a / 64];
    int pedal = a >= CC_PEDAL && a <= CC_PEDAL_LAST ? 1 << (a - CC_PEDAL) : 0;
    uint8_t *pedals = &h->pedals[channel];
    switch (message[0] & 0xf0) {
    case 0x80:
        *keys &= ~key;
        break;
    case 0x90:
        *keys = b > 0 ? *keys | key : *keys & ~key;
        break;
    case 0xb0:
        *pedals = (uint8_t)(b >= 64 ? *pedals | pedal : *pedals & ~pedal);
        break;
    case 0xd0:
        h->is_pressed[channel] = a > 0;
        break;
    case 0xe0:
        h->is_bent[channel] = (a | b << 7) != 0x2000;
        break;
    default:
        break;
    }
}

static void set_message(uint8_t message[3], int status, int data1, int data2)
{
    message[0] = (uint8_t)status;
    message[1] = (uint8_t)data1;
    message[2] = (uint8_t)data2;
}

bool held_keys_end(struct held_keys *h, uint8_t message[3])
{
    for (int channel = 0; channel < 16; channel++) {
        const uint64_t *keys = h->keys[channel];
        if (keys[0])
            set_message(message, 0x80 | channel, __builtin_ctzll(keys[0]), 64);
        else if (keys[1])
            set_message(message, 0x80 | channel, 64 + __builtin_ctzll(keys[1]), 64);
        else if (h->pedals[channel])
            set_message(message, 0xb0 | channel,
                        CC_PEDAL + __builtin_ctz(h->pedals[channel]), 0);
        else if (h->is_bent[channel])
            set_message(message, 0xe0 | channel, 0, 64);
        else if (h->is_pressed[channel])
            set_message(message, 0xd0 | channel, 0, 0);
        else
            continue;
        held_keys_follow(h, message);
        return true;
    }
    return false;
}
