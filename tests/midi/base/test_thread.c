/* Real-time threads run first where the system allows it, and all works where it
 * does not; threads that they start are ordinary. No thread takes a signal, except
 * for its own crash. */
#include "tests/check.h"
#include "midi/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How threads run: a real-time one, one that it starts, and itself made ordinary
 * again. */
struct seen {
    int first, started, after;
};

static int policy(void)
{
    return sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
}

static void *look(void *seen)
{
    *(int *)seen = policy();
    return NULL;
}

static void *come_first(void *context)
{
    struct seen *seen = context;
    pthread_t started;
    thread_come_first();
    seen->first = policy();
    if (thread_start(&started, look, &seen->started))
        pthread_join(started, NULL);
    thread_be_ordinary();
    seen->after = policy();
    return NULL;
}

static struct seen look_at_threads(void)
{
    struct seen seen = {-1, -1, -1};
    pthread_t thread;
    if (thread_start(&thread, come_first, &seen))
        pthread_join(thread, NULL);
    return seen;
}

static bool is_allowed(void)
{
    const struct sched_param ordinary = {0}, param = {.sched_priority = 5};
    bool is = sched_setscheduler(0, SCHED_RR, &param) == 0;
    sched_setscheduler(0, SCHED_OTHER, &ordinary);
    return is;
}

TEST(test_comes_first_where_it_may)
{
    struct seen seen = look_at_threads();
    assert_int_equal(seen.first, is_allowed() ? SCHED_RR : SCHED_OTHER);
    assert_int_equal(seen.started, SCHED_OTHER);
    assert_int_equal(seen.after, SCHED_OTHER);
}

/* In a process without the right: its limit is 0, and it is not root. */
TEST(test_goes_on_where_it_may_not)
{
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_RTPRIO, &(struct rlimit){0, 0});
        if (geteuid() == 0 && setuid(65534))
            _exit(1);
        struct seen seen = look_at_threads();
        _exit(seen.first == SCHED_OTHER && seen.started == SCHED_OTHER &&
                      seen.after == SCHED_OTHER
                  ? 0
                  : 2);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* -- signals -- */

static void take(int number)
{
    _exit(3);
}

static void *raise_it(void *number)
{
    raise(*(int *)number);
    return NULL;
}

/* A thread sends the signal to itself, in a process of its own. */
static bool takes_its_own(int number)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        signal(number, take);
        if (thread_start(&thread, raise_it, &number))
            pthread_join(thread, NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 3;
}

/* Errors of GLib, in FluidSynth's threads too, are traps. A blocked trap ends the
 * process before its handler has restored the terminal (tui/terminal/signals.h). */
TEST(test_crashes_of_its_own)
{
    static const int crashes[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        assert_true(takes_its_own(crashes[i]));
    assert_false(takes_its_own(SIGTERM));
    assert_false(takes_its_own(SIGWINCH));
}
