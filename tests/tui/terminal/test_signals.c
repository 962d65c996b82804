/* Signals of the terminal and the shell, read as they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/terminal/signals.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_own;

static void own(int number)
{
    (void)number;
    n_own++;
}

static bool is_due(void)
{
    struct pollfd fd = {signals_fd(), POLLIN, 0};
    return poll(&fd, 1, 0) == 1;
}

static void they_are_told_apart(void **state)
{
    (void)state;
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
static void who_stopped_is_not_told_to_go_on(void **state)
{
    int status;
    (void)state;
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
static void a_flood_does_no_harm(void **state)
{
    (void)state;
    assert_true(signals_open());
    for (int i = 0; i < 100000; i++)
        raise(SIGWINCH);
    assert_int_equal(signals_read(), SIGNALS_ANY);
    assert_false(is_due());
    signals_close();
}

static void who_had_them_has_them_again(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_told_apart),
        cmocka_unit_test(who_stopped_is_not_told_to_go_on),
        cmocka_unit_test(a_flood_does_no_harm),
        cmocka_unit_test(who_had_them_has_them_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
