/* Signals of the terminal and the shell, read as they come; and what a crash leaves: the
 * terminal restored once, and the death that it was. */
#include "tests/check.h"

#include "tui/terminal/signals.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_own;

static void own(int number)
{
    n_own++;
}

static bool is_due(void)
{
    struct pollfd fd = {signals_fd(), POLLIN, 0};
    return poll(&fd, 1, 0) == 1;
}

TEST(they_are_told_apart)
{
    assert_true(signals_open());
    assert_false(is_due());
    assert_int_equal(signals_read(), 0);
    raise(SIGWINCH);
    assert_true(is_due());
    assert_int_equal(signals_read(), SIGNALS_ANY);
    raise(SIGTSTP);
    raise(SIGWINCH);
    assert_int_equal(signals_read(), SIGNALS_ANY | SIGNALS_STOP);
    raise(SIGCONT);
    assert_int_equal(signals_read(), SIGNALS_ANY | SIGNALS_CONTINUED);
    assert_false(is_due());
    signals_close();
}

/* Its exit status is what it is told afterwards. A job of its own, as a shell makes them. */
static void be_stopped(void)
{
    setpgid(0, 0);
    if (!signals_open())
        _exit(127);
    signals_stop_here();
    _exit(signals_read());
}

/* It knows, and takes the terminal again by itself. */
TEST(who_stopped_is_not_told_to_go_on)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        be_stopped();
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    kill(child, SIGCONT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Far more than the pipe holds, and nobody reads: nothing waits, nothing is lost for it. */
TEST(a_flood_does_no_harm)
{
    assert_true(signals_open());
    for (int i = 0; i < 100000; i++)
        raise(SIGWINCH);
    assert_int_equal(signals_read(), SIGNALS_ANY);
    assert_false(is_due());
    signals_close();
}

TEST(who_had_them_has_them_again)
{
    struct sigaction action = {.sa_handler = own};
    assert_int_equal(sigaction(SIGWINCH, &action, NULL), 0);
    assert_true(signals_open());
    raise(SIGWINCH);
    assert_int_equal(n_own, 0);
    signals_close();
    raise(SIGWINCH);
    assert_int_equal(n_own, 1);
    assert_int_equal(signals_fd(), -1);
}

/* -- crashes -- */

static const char LEAVE[] = "the screen is left";

/* In a process of its own, with a pipe as its terminal. */
static void crash(int terminal, int times_armed, bool is_disarmed)
{
    struct termios unused = {0};
    for (int i = 0; i < times_armed; i++)
        guard_arm(-1, terminal, &unused, LEAVE);
    if (is_disarmed)
        guard_disarm();
    raise(SIGABRT);
    _exit(0);
}

/* What it has died of; what it wrote is in `text`. */
static int crash_with(int times_armed, bool is_disarmed, char text[256])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        crash(ends[1], times_armed, is_disarmed);
    close(ends[1]);
    ssize_t n = read(ends[0], text, 255);
    text[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Armed again, as after each time that the program was stopped and continued, it is no
 * other; disarmed it is gone. */
TEST(a_crash_gives_the_terminal_back)
{
    char text[256];
    assert_int_equal(crash_with(1, false, text), SIGABRT);
    assert_string_equal(text, LEAVE);
    assert_int_equal(crash_with(3, false, text), SIGABRT);
    assert_string_equal(text, LEAVE);
    assert_int_equal(crash_with(2, true, text), SIGABRT);
    assert_string_equal(text, "");
}
