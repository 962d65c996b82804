/* The line to the terminal: a terminal that takes nothing holds nobody up, and over a slow
 * link the screen stays near the present. Links are simulated with a clock of their own. */
#include "tests/check.h"

#include "tui/terminal/tty.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

/* A pseudo-terminal whose other end is read when the test says so. */
struct pty {
    int outer, inner;
};

static void pty_open(struct pty *p)
{
    struct termios raw;
    p->outer = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    assert_true(p->outer >= 0 && !grantpt(p->outer) && !unlockpt(p->outer));
    p->inner = open(ptsname(p->outer), O_RDWR | O_NOCTTY);
    assert_true(p->inner >= 0 && !tcgetattr(p->inner, &raw));
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(p->inner, TCSANOW, &raw), 0);
}

static void pty_close(struct pty *p)
{
    close(p->outer);
    close(p->inner);
}

/* A link that carries so many bytes a second, each half of `rtt_ms` on its way, and the
 * terminal at its end, which answers if it can. */
struct link {
    struct pty pty;
    struct tty tty;
    int bytes_a_second, rtt_ms;
    bool answers;
    int64_t now;
    double credit;
    size_t n_read;
    int n_matched; /* of the question */
    int64_t answers_at[4096];
    size_t first, n; /* of those on their way back */
    size_t n_sent;
};

static void link_open(struct link *k, int bytes_a_second, int rtt_ms, bool answers)
{
    *k = (struct link){
        .bytes_a_second = bytes_a_second, .rtt_ms = rtt_ms, .answers = answers};
    pty_open(&k->pty);
    tty_open(&k->tty, k->pty.inner);
    tty_ask(&k->tty, 0);
    k->n_sent = 4;
}

static void link_close(struct link *k)
{
    tty_close(&k->tty, 0);
    pty_close(&k->pty);
}

static void see(struct link *k, char c)
{
    static const char QUESTION[] = "\033[5n";
    k->n_matched = c == QUESTION[k->n_matched] ? k->n_matched + 1 : c == QUESTION[0];
    if (k->n_matched < 4)
        return;
    k->n_matched = 0;
    if (k->answers && k->n < 4096)
        k->answers_at[k->n++] = k->now + k->rtt_ms;
}

/* A millisecond of it. */
static void link_tick(struct link *k)
{
    k->now++;
    k->credit += k->bytes_a_second / 1000.0;
    char bytes[2048];
    const ssize_t n = read(k->pty.outer, bytes, (size_t)fmin(k->credit, sizeof bytes));
    for (ssize_t i = 0; i < n; i++, k->credit--, k->n_read++)
        see(k, bytes[i]);
    k->credit = k->credit > 1 ? 1 : k->credit; /* an idle link saves nothing up */
    for (; k->first < k->n && k->answers_at[k->first] <= k->now; k->first++)
        tty_answered(&k->tty, k->now);
    tty_flush(&k->tty);
}

/* Wants a frame of `size` every `every_ms`; how many were made of the last second's
 * seconds. *behind: the most bytes on the way in that time. */
static int drive(struct link *k, size_t size, int every_ms, int seconds, size_t *behind)
{
    auto_free char *frame = malloc(size);
    int n = 0;
    *behind = 0;
    assert_non_null(frame);
    memset(frame, 'x', size);
    for (int64_t end = k->now + 1000 * seconds; k->now < end; link_tick(k)) {
        bool late = k->now >= end - 1000 * seconds / 2;
        if (k->now % every_ms == 0 && tty_is_ready(&k->tty, k->now)) {
            const int asked = k->tty.n_asked;
            tty_send(&k->tty, frame, size, k->now);
            k->n_sent += size + 4 * (size_t)(k->tty.n_asked > asked);
            n += late;
        }
        size_t now_behind = k->n_sent - k->n_read;
        if (late && now_behind > *behind)
            *behind = now_behind;
    }
    return n;
}

/* At 9600 and at 38400 bits a second: at most two frames are on the way, and the link is
 * never idle for long. */
TEST(test_slow_links_are_not_fallen_behind)
{
    static const int BYTES_A_SECOND[] = {960, 3840};
    for (int i = 0; i < 2; i++) {
        struct link k;
        size_t behind;
        link_open(&k, BYTES_A_SECOND[i], 20, true);
        int n = drive(&k, 900, 16, 40, &behind);
        assert_in_range(behind, 1, 2 * 904 + 8);
        assert_true(n * 900 > BYTES_A_SECOND[i] * 20 * 6 / 10);
        link_close(&k);
    }
}

/* Far away but fast: two frames in the time that an answer takes. */
TEST(test_a_far_terminal_gets_two_frames_an_answer)
{
    struct link k;
    size_t behind;
    link_open(&k, 2000000, 200, true);
    int n = drive(&k, 900, 16, 6, &behind);
    assert_in_range(n, 2 * 3000 / 216, 2 * 3000 / 200);
    link_close(&k);
}

/* One that does not answer gets every frame that it takes; and one that did and has been
 * taken away is not waited for for ever. */
TEST(test_silence_is_not_waited_for)
{
    struct link k;
    size_t behind;
    link_open(&k, 2000000, 20, false);
    assert_in_range(drive(&k, 900, 16, 2, &behind), 60, 64);
    link_close(&k);

    link_open(&k, 2000000, 20, true);
    drive(&k, 900, 16, 2, &behind);
    k.answers = false;
    drive(&k, 900, 16, 14, &behind);
    assert_in_range(drive(&k, 900, 16, 4, &behind), 120, 127);
    link_close(&k);
}
