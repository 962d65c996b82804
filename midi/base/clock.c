#include "midi/base/clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_llong skipped_ns;

double clock_now_ms(void)
{
    struct timespec t = clock_after_ms(0);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int64_t clock_whole_ms(void)
{
    struct timespec t = clock_after_ms(0);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

double clock_now_seconds(void)
{
    return clock_now_ms() / 1e3;
}

/* Returns the moment ns nanoseconds after t, but never one before the clock's start: a
 * wait for such a moment ends at once anyway. */
static struct timespec moved_by(struct timespec t, int64_t ns)
{
    ns += t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
    ns = ns > 0 ? ns : 0;
    return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

struct timespec clock_after_ms(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return moved_by(t, ms * INT64_C(1000000) + atomic_load(&skipped_ns));
}

struct timespec clock_of_system(const struct timespec *moment)
{
    return moved_by(*moment, -atomic_load(&skipped_ns));
}

void clock_skip_ms(double ms)
{
    atomic_fetch_add(&skipped_ns, (int64_t)(ms * 1e6));
}

#ifdef __APPLE__
/* On macOS a condition variable can wait for the time of day or for a delay, but not
 * for a moment of the monotonic clock. */
void clock_init_condition(pthread_cond_t *c)
{
    pthread_cond_init(c, NULL);
}

static int wait_until(pthread_cond_t *c, pthread_mutex_t *lock,
                      const struct timespec *until)
{
    const struct timespec now = clock_after_ms(0);
    int64_t ns = (until->tv_sec - now.tv_sec) * INT64_C(1000000000) +
                 (until->tv_nsec - now.tv_nsec);
    if (ns <= 0)
        return ETIMEDOUT;
    const struct timespec delay = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return pthread_cond_timedwait_relative_np(c, lock, &delay);
}
#else
void clock_init_condition(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attributes);
    pthread_condattr_destroy(&attributes);
}

static int wait_until(pthread_cond_t *c, pthread_mutex_t *lock,
                      const struct timespec *until)
{
    const struct timespec of_system = clock_of_system(until);
    return pthread_cond_timedwait(c, lock, &of_system);
}
#endif

bool clock_wait(pthread_cond_t *c, pthread_mutex_t *lock, const struct timespec *until)
{
    return !(until ? wait_until(c, lock, until) : pthread_cond_wait(c, lock));
}
