/* What is held on a keyboard: keys, pedals, pitch bend, pressure. If the keyboard is
 * unplugged or its messages are lost, all of it must end, or it would sound for ever.
 * Plain data; zeroed means that nothing is held. Pure functions. */
#ifndef MIDI_HELD_KEYS_H
#define MIDI_HELD_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct held_keys {
    uint64_t keys[16][2]; /* key k is bit k % 64 of [k / 64] */
    uint8_t pedals[16];   /* controller 64 + p is bit p */
    bool is_bent[16], is_pressed[16];
};

/* Follows a message from the keyboard. */
void held_keys_follow(struct held_keys *h, const uint8_t message[3]);
/* Releases one thing that is held, and returns the message that ends it. false: nothing
 * is held. */
bool held_keys_end(struct held_keys *h, uint8_t message[3]);

#endif
