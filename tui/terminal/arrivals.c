/* See arrivals.h. The thread sleeps until input comes, and looks for more every LOOK_MS until all
 * of it is read. */
#include "tui/terminal/arrivals.h"

#include "midi/base/clock.h"
#include "midi/base/file.h"
#include "midi/base/ring.h"
#include "midi/base/thread.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST_WAITING = 1024, LOOK_MS = 1 };

struct arrival {
    uint64_t end; /* of the bytes that were there, counted from the first */
    double ms;
};

struct arrivals {
    int fd, stop[2];
    pthread_t thread;
    uint64_t seen;           /* the thread's: the end of the last arrival */
    struct ring *ring;       /* the thread writes */
    atomic_uint_least64_t n; /* bytes read, ui writes */
    struct arrival oldest;   /* ui: the last one taken from the ring */
};

/* Notes the bytes that came since the last look. What is read meanwhile makes the count too
 * small, and never too large. false: nothing waits to be read. */
static bool look(struct arrivals *a)
{
    struct arrival it = {.end = atomic_load(&a->n), .ms = clock_now_ms()};
    int waiting = 0;
    if (ioctl(a->fd, FIONREAD, &waiting) || waiting <= 0)
        return false;
    it.end += (uint64_t)waiting;
    if (it.end > a->seen) {
        ring_push(a->ring, &it); /* a full ring loses it */
        a->seen = it.end;
    }
    return true;
}

static void *watch(void *context)
{
    struct arrivals *a = context;
    struct pollfd fds[] = {{a->stop[0], POLLIN, 0}, {a->fd, POLLIN, 0}};
    thread_come_first();
    for (;;) {
        const int n = poll(fds, 2, -1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || fds[0].revents || fds[1].revents != POLLIN)
            return NULL; /* the end, or the terminal is gone */
        bool waits;
        do
            waits = look(a);
        while (!poll(fds, 1, LOOK_MS) && waits);
    }
}

static void forget(struct arrivals *a)
{
    if (a->stop[0] >= 0) {
        close(a->stop[0]);
        close(a->stop[1]);
    }
    ring_destroy(a->ring);
    free(a);
}

struct arrivals *arrivals_open(int input_fd)
{
    struct arrivals *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    *a = (struct arrivals){.fd = input_fd,
                           .stop = {-1, -1},
                           .ring = ring_create(MOST_WAITING, sizeof(struct arrival))};
    if (!file_pipe(a->stop, 0) || !a->ring || !thread_start(&a->thread, watch, a)) {
        forget(a);
        return NULL;
    }
    return a;
}

void arrivals_close(struct arrivals *a)
{
    if (!a)
        return;
    if (write(a->stop[1], "", 1) == 1)
        pthread_join(a->thread, NULL);
    forget(a);
}

void arrivals_read(struct arrivals *a, size_t n)
{
    if (a)
        atomic_fetch_add(&a->n, n);
}

double arrivals_ms(struct arrivals *a, size_t unused, double read_ms)
{
    if (!a)
        return read_ms;
    const uint64_t byte = atomic_load(&a->n) - unused;
    while (a->oldest.end <= byte && ring_pop(a->ring, &a->oldest))
        continue;
    return a->oldest.end > byte && a->oldest.ms < read_ms ? a->oldest.ms : read_ms;
}
