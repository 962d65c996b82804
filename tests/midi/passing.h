/* Time that passes at once for a player without a sound device, which goes by our clock. */
#ifndef TESTS_MIDI_PASSING_H
#define TESTS_MIDI_PASSING_H

#include "midi/base/clock.h"
#include "midi/transport/player_state.h"

enum { PASSING_STEP_MS = 4 };

static inline void nap_us(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

/* It is so much later, and the player's thread has seen it: two rounds, since one may have begun
 * before. */
static inline void player_skip_ms(struct player *p, double ms)
{
    clock_skip_ms(ms);
    for (int i = 0; i < 2; i++) {
        const unsigned before = atomic_load(&p->n_rounds);
        bell_ring(&p->wake);
        while (atomic_load(&p->n_rounds) == before)
            nap_us(20);
    }
}

#endif
