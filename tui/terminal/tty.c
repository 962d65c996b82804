#include "tui/terminal/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SURE_ROOM = 256, /* bytes that fit when poll reports the descriptor writable */
    LOST_MS = 2000,  /* plus 1 for each unread byte: then no answer comes */
};

void tty_open(struct tty *l, int fd)
{
    char name[128];
    *l = (struct tty){.fd = fd};
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
    *l = (struct tty){.fd = -1};
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

static void put_bytes(struct tty *l, const char *bytes, size_t n)
{
    const size_t written = l->n_left ? 0 : write_some(l, bytes, n), rest = n - written;
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

/* n: the bytes before the question that no other question covers. */
static void send_question(struct tty *l, size_t n, int64_t now_ms)
{
    static const char QUESTION[] = "\033[5n";
    if (l->n_asked == 0)
        l->asked_ms = now_ms;
    l->asked[l->n_asked++] = n;
    put_bytes(l, QUESTION, sizeof QUESTION - 1);
}

void tty_ask(struct tty *l, int64_t now_ms)
{
    if (l->n_asked < TTY_MOST_ASKED)
        send_question(l, 0, now_ms);
}

/* Whether the terminal no longer answers, as after another has taken its place. */
static bool is_lost(const struct tty *l, int64_t now_ms)
{
    return l->n_asked && now_ms - l->asked_ms > LOST_MS + (int64_t)l->asked[0];
}

void tty_send(struct tty *l, const char *bytes, size_t n, int64_t now_ms)
{
    if (is_lost(l, now_ms))
        l->answers = false; /* until it answers again */
    put_bytes(l, bytes, n);
    if (l->answers && l->n_asked < TTY_MOST_ASKED)
        send_question(l, n, now_ms);
}

void tty_answered(struct tty *l, int64_t now_ms)
{
    if (!l->n_asked)
        return;
    l->answers = true;
    l->n_asked--;
    memmove(l->asked, l->asked + 1, sizeof l->asked - sizeof *l->asked);
    l->asked_ms = now_ms; /* the terminal reads on from there */
}

bool tty_is_ready(const struct tty *l, int64_t now_ms)
{
    return !l->n_left &&
           (!l->answers || l->n_asked < TTY_MOST_ASKED || is_lost(l, now_ms));
}
