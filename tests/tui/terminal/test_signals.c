/* Signals of the terminal and the shell, read as they come. What a stop or a crash leaves of the
 * terminal is in tests/app/editor/shell/test_terminals.c. */
#include "tests/check.h"

#include "tui/terminal/signals.h"

#include <poll.h>
#include <signal.h>

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
