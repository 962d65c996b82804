/* What is held on a keyboard: keys, pedals, pitch bend, pressure. If the keyboard
 * goes or its messages are lost, all of it must end, lest it sound for ever. Plain
 * data; zeroed: nothing is held. Pure functions. */
#ifndef MIDI_HELD_KEYS_H
#define MIDI_HELD_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct held_keys {
    uint64_t keys[16][2]; /* bit k % 64 of [k / 64]: key k */
    uint8_t pedals[16];   /* bit p: controller 64 + p */
    bool is_bent[16], is_pressed[16];
};

/* Follows a message from the keyboard. */
void held_keys_follow(struct held_keys *h, const uint8_t message[3]);
/* Releases one of the things held and gives the message that ends it. false: nothing
 * is held. */
bool held_keys_end(struct held_keys *h, uint8_t message[3]);

#endif
