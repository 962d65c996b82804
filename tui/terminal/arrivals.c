/* See arrivals.h. The thread is woken for each piece of input that comes (edge-triggered), also
 * for one that is not read yet. */
#include "tui/terminal/arrivals.h"

#include "midi/base/clock.h"
#include "midi/base/ring.h"
#include "midi/base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST_WAITING = 1024 };

struct arrival {
    uint64_t end; /* of the bytes that were there, counted from the first */
    double ms;
};

struct arrivals {
    int fd, epoll, stop[2];
    pthread_t thread;
    struct ring *ring;       /* the thread writes */
    atomic_uint_least64_t n; /* bytes read, ui writes */
    struct arrival oldest;   /* ui: the last one taken from the ring */
};

/* What is read meanwhile makes the count too small, and never too large. */
static void note(struct arrivals *a)
{
    struct arrival it = {.end = atomic_load(&a->n), .ms = clock_now_ms()};
    int waiting = 0;
    if (!ioctl(a->fd, FIONREAD, &waiting) && waiting > 0) {
        it.end += (uint64_t)waiting;
        ring_push(a->ring, &it); /* a full ring loses it */
    }
}

static void *watch(void *context)
{
    struct arrivals *a = context;
    struct epoll_event e = {.data.fd = -1};
    thread_come_first();
    while (e.data.fd != a->stop[0]) {
        int n = epoll_wait(a->epoll, &e, 1, -1);
        if (n < 0 && errno != EINTR)
            break;
        if (n > 0 && e.data.fd == a->fd)
            note(a);
    }
    return NULL;
}

static bool add(const struct arrivals *a, int fd)
{
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.fd = fd};
    return !epoll_ctl(a->epoll, EPOLL_CTL_ADD, fd, &e);
}

static void forget(struct arrivals *a)
{
    if (a->epoll >= 0)
        close(a->epoll);
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
                           .epoll = epoll_create1(EPOLL_CLOEXEC),
                           .stop = {-1, -1},
                           .ring = ring_create(MOST_WAITING, sizeof(struct arrival))};
    if (pipe2(a->stop, O_CLOEXEC) || a->epoll < 0 || !a->ring || !add(a, input_fd) ||
        !add(a, a->stop[0]) || !thread_start(&a->thread, watch, a)) {
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
