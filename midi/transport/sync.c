#include "midi/transport/sync.h"

#include "midi/base/ring.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { N_MESSAGES = 1024 };

struct sync {
    struct bell *wake;
    struct ring *messages; /* from the ports' thread to the player's */

    atomic_int mode; /* the ui sets it */

    /* The player's thread sets these independent values. */
    atomic_int state;
    _Atomic double bpm;
    atomic_uint n_lost;
};

struct sync *sync_create(struct bell *wake)
{
    struct sync *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->wake = wake;
    s->messages = ring_create(N_MESSAGES, sizeof(struct sync_message));
    if (s->messages)
        return s;
    free(s);
    return NULL;
}

void sync_destroy(struct sync *s)
{
    if (!s)
        return;
    ring_destroy(s->messages);
    free(s);
}

enum sync_mode sync_mode(const struct sync *s)
{
    return (enum sync_mode)atomic_load(&s->mode);
}

void sync_set_mode(struct sync *s, enum sync_mode mode)
{
    atomic_store(&s->mode, (int)mode);
    bell_ring(s->wake);
}

struct sync_status sync_status(const struct sync *s)
{
    return (struct sync_status){.state = (enum sync_state)atomic_load(&s->state),
                                .bpm = atomic_load(&s->bpm),
                                .n_lost = atomic_load(&s->n_lost)};
}

/* If the ring is full, the player has not looked for seconds, and the clock is lost
 * anyway. */
void sync_feed(struct sync *s, const struct sync_message *m)
{
    bool is_clock = m->status == 0xf2 || m->status == 0xf8 ||
                    (m->status >= 0xfa && m->status <= 0xfc);
    if (is_clock && sync_mode(s) == SYNC_FOLLOW && ring_push(s->messages, m))
        bell_ring(s->wake);
}

bool sync_take(struct sync *s, struct sync_message *out)
{
    return ring_pop(s->messages, out);
}

void sync_publish(struct sync *s, const struct sync_status *news)
{
    atomic_store(&s->state, (int)news->state);
    atomic_store(&s->bpm, news->bpm);
    atomic_store(&s->n_lost, news->n_lost);
}
