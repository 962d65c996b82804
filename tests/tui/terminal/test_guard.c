/* What a crash leaves: the terminal given back once, and the death that it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/terminal/guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void a_crash_gives_the_terminal_back(void **state)
{
    char text[256];
    (void)state;
    assert_int_equal(crash_with(1, false, text), SIGABRT);
    assert_string_equal(text, LEAVE);
}

/* As after each time that the program was stopped and continued. */
static void armed_again_it_is_no_other(void **state)
{
    char text[256];
    (void)state;
    assert_int_equal(crash_with(3, false, text), SIGABRT);
    assert_string_equal(text, LEAVE);
}

static void disarmed_it_is_gone(void **state)
{
    char text[256];
    (void)state;
    assert_int_equal(crash_with(2, true, text), SIGABRT);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_gives_the_terminal_back),
        cmocka_unit_test(armed_again_it_is_no_other),
        cmocka_unit_test(disarmed_it_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
