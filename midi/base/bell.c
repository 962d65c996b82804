#include "midi/base/bell.h"

#include "midi/base/clock.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__) && !defined(CONTINUO_PORTABLE)
void bell_init(struct bell *b)
{
    sem_init(&b->rings, 0, 0);
}

void bell_fini(struct bell *b)
{
    sem_destroy(&b->rings);
}

void bell_ring(struct bell *b)
{
    sem_post(&b->rings);
}

bool bell_wait(struct bell *b, const struct timespec *until)
{
    struct timespec of_system;
    if (until)
        of_system = clock_of_system(until);
    while (until ? sem_clockwait(&b->rings, CLOCK_MONOTONIC, &of_system)
                 : sem_wait(&b->rings))
        if (errno != EINTR)
            return false;
    while (!sem_trywait(&b->rings))
        continue;
    return true;
}
#else
void bell_init(struct bell *b)
{
    pthread_mutex_init(&b->lock, NULL);
    clock_init_condition(&b->changed);
    b->is_rung = false;
}

void bell_fini(struct bell *b)
{
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->changed);
}

void bell_ring(struct bell *b)
{
    pthread_mutex_lock(&b->lock);
    b->is_rung = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

bool bell_wait(struct bell *b, const struct timespec *until)
{
    pthread_mutex_lock(&b->lock);
    while (!b->is_rung && clock_wait(&b->changed, &b->lock, until))
        continue;
    const bool was_rung = b->is_rung;
    b->is_rung = false;
    pthread_mutex_unlock(&b->lock);
    return was_rung;
}
#endif
