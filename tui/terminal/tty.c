#include "tui/terminal/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIRST_WINDOW = 8192,
    LEAST_WINDOW = 512,
    MOST_WINDOW = 1 << 18,
    SURE_ROOM = 256, /* bytes that fit when poll reports the descriptor writable */
    LATE_MS = 120,   /* more than the quickest answer: bytes are queueing */
    LOST_MS = 2000,  /* plus 1 for each unread byte: then no answer comes */
};

void tty_open(struct tty *l, int fd)
{
    char name[128];
    *l = (struct tty){.fd = fd, .best_ms = -1, .window = FIRST_WINDOW};
    int own = ttyname_r(fd, name, sizeof name)
                  ? -1
                  : open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0)
        return;
    l->fd = own;
    l->is_own = true;
}

static bool is_writable(const struct tty *l, int ms)
{
    struct pollfd p = {l->fd, POLLOUT, 0};
    return poll(&p, 1, ms) > 0 && (p.revents & POLLOUT);
}

void tty_close(struct tty *l, int timeout_ms)
{
    while (l->n_left && is_writable(l, timeout_ms))
        tty_flush(l);
    if (l->is_own)
        close(l->fd);
    free(l->left);
    *l = (struct tty){.fd = -1, .best_ms = -1};
}

/* How many bytes the terminal takes. A closed terminal takes all; reading notices
 * it. */
static size_t write_some(const struct tty *l, const char *bytes, size_t n)
{
    size_t written = 0;
    while (written < n) {
        size_t most = n - written;
        if (!l->is_own) { /* more might wait */
            most = most < SURE_ROOM ? most : SURE_ROOM;
            if (!is_writable(l, 0))
                break;
        }
        ssize_t here = write(l->fd, bytes + written, most);
        if (here > 0)
            written += (size_t)here;
        else if (here == 0 || errno == EAGAIN)
            break;
        else if (errno != EINTR)
            return n;
    }
    return written;
}

void tty_flush(struct tty *l)
{
    if (!l->n_left)
        return;
    size_t n = write_some(l, l->left, l->n_left);
    memmove(l->left, l->left + n, l->n_left - n);
    l->n_left -= n;
}

static void put(struct tty *l, const char *bytes, size_t n)
{
    const size_t written = l->n_left ? 0 : write_some(l, bytes, n), rest = n - written;
    l->sent += n;
    if (rest > l->cap_left - l->n_left) {
        const size_t cap = 2 * l->cap_left + rest;
        char *left = realloc(l->left, cap);
        if (!left) { /* the rest is lost, and the screen is wrong until Ctrl-L */
            l->n_left = 0;
            return;
        }
        l->left = left;
        l->cap_left = cap;
    }
    if (rest)
        memcpy(l->left + l->n_left, bytes + written, rest);
    l->n_left += rest;
}

void tty_ask(struct tty *l, int64_t now_ms)
{
    static const char QUESTION[] = "\033[5n";
    if (l->is_asked)
        return;
    put(l, QUESTION, sizeof QUESTION - 1);
    l->is_asked = true;
    l->asked_at = l->sent;
    l->asked_ms = now_ms;
}

/* Whether the terminal no longer answers, as after another has taken its place. */
static bool is_lost(const struct tty *l, int64_t now_ms)
{
    int64_t on_the_way = (int64_t)(l->sent - l->covered);
    return l->is_asked && now_ms - l->asked_ms > LOST_MS + on_the_way;
}

void tty_send(struct tty *l, const char *bytes, size_t n, int64_t now_ms)
{
    if (is_lost(l, now_ms))
        l->answers = false; /* until it answers again */
    put(l, bytes, n);
    if (l->answers)
        tty_ask(l, now_ms);
}

void tty_answered(struct tty *l, int64_t now_ms)
{
    if (!l->is_asked)
        return;
    /* The terminal read n bytes in took_ms. If that was late, the window becomes what
     * it reads in time; else the window grows if more was wanted. */
    int64_t took_ms = now_ms - l->asked_ms;
    uint64_t n = l->asked_at - l->covered;
    if (l->best_ms < 0 || took_ms < l->best_ms)
        l->best_ms = took_ms;
    const int64_t in_time = l->best_ms + LATE_MS;
    size_t window = l->window;
    if (took_ms > in_time)
        window = (size_t)(n * (uint64_t)in_time / (uint64_t)took_ms);
    else if (2 * n > window)
        window *= 2;
    l->window = window < LEAST_WINDOW  ? LEAST_WINDOW
                : window > MOST_WINDOW ? MOST_WINDOW
                                       : window;
    l->answers = true;
    l->is_asked = false;
    l->covered = l->asked_at;
    if (l->sent > l->covered)
        tty_ask(l, now_ms);
}

bool tty_is_ready(const struct tty *l, int64_t now_ms)
{
    if (l->n_left)
        return false;
    return !l->answers || !l->is_asked || l->sent - l->covered < l->window ||
           is_lost(l, now_ms);
}
