/* What is held on a keyboard: keys, pedals, a bent pitch. When the keyboard goes, or what
 * it says is lost, all of it must end, or it would sound for ever. Plain data; all zero is
 * nothing held. Pure functions. */
#ifndef MIDI_HELD_KEYS_H
#define MIDI_HELD_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct held_keys {
    uint64_t keys[16][2]; /* bit k % 64 of [k / 64] is key k */
    uint8_t pedals[16];   /* bit p is controller 64 + p */
    bool is_bent[16], is_pressed[16];
};

/* A message as it came from the keyboard. */
void held_keys_follow(struct held_keys *h, const uint8_t message[3]);
/* What ends one of the things held, which then no longer is; false: nothing is held. */
bool held_keys_end(struct held_keys *h, uint8_t message[3]);

#endif
