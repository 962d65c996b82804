/* Input of a terminal has the time at which it came, not that at which it is read. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "tui/terminal/arrivals.h"

#include <pty.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int keyboard, input;

static void pass_ms(long ms)
{
    nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static void begin(void)
{
    struct termios raw;
    assert_int_equal(openpty(&keyboard, &input, NULL, NULL, NULL), 0);
    assert_int_equal(tcgetattr(input, &raw), 0);
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(input, TCSANOW, &raw), 0);
}

static void end(void)
{
    close(keyboard);
    close(input);
}

TEST(keys_that_are_read_at_once_have_their_own_times)
{
    char bytes[8];
    begin();
    struct arrivals *a = arrivals_open(input);
    assert_non_null(a);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(write(keyboard, "a", 1), 1);
        pass_ms(400);
        assert_int_equal(write(keyboard, "bc", 2), 2);
        pass_ms(200);
        assert_int_equal(read(input, bytes, sizeof bytes), 3);
        arrivals_read(a, 3);
        const double now = clock_now_ms(), first = arrivals_ms(a, 3, now),
                     second = arrivals_ms(a, 2, now), third = arrivals_ms(a, 1, now);
        assert_true(second - first > 100);
        assert_true(now - second > 50);
        assert_true(third == second);
    }
    arrivals_close(a);
    end();
}

/* Of what was not seen to come, the time is that of reading. */
TEST(without_a_time_it_is_that_of_reading)
{
    begin();
    struct arrivals *a = arrivals_open(input);
    assert_non_null(a);
    arrivals_read(a, 1);
    assert_true(arrivals_ms(a, 1, 5) == 5);
    assert_true(arrivals_ms(NULL, 1, 7) == 7);
    arrivals_close(a);
    arrivals_close(NULL);
    end();
}

GROUP(NULL, NULL)
