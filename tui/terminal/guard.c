#include "tui/terminal/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* All that end a process at once, but SIGKILL, those that are app's, and SIGPIPE. */
static const int FATAL[] = {SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,    SIGQUIT,
                            SIGTRAP, SIGSYS,  SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF,
                            SIGPOLL, SIGUSR1, SIGUSR2, SIGPWR,  SIGSTKFLT};
enum { N_FATAL = sizeof FATAL / sizeof FATAL[0], STACK_BYTES = 64 * 1024 };

/* Written by guard_arm before the handlers are in place, constant while armed. */
static struct {
    int input_fd, output_fd;
    struct termios old;
    const char *leave;
    size_t n_leave;
    struct sigaction before[N_FATAL];
} guard;
static atomic_bool armed; /* lock-free, so a handler may look */

/* A stack overflow leaves no stack for its handler. */
static char spare_stack[STACK_BYTES];

static void on_fatal(int number)
{
    if (atomic_exchange(&armed, false)) {
        if (write(guard.output_fd, guard.leave, guard.n_leave) < 0)
            errno = 0; /* nothing more can be done */
        tcsetattr(guard.input_fd, TCSANOW, &guard.old);
    }
    for (int i = 0; i < N_FATAL; i++)
        if (FATAL[i] == number)
            sigaction(number, &guard.before[i], NULL);
    raise(number);
}

void guard_arm(int input_fd, int output_fd, const struct termios *old,
               const char *leave)
{
    stack_t stack = {.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
    struct sigaction action = {.sa_handler = on_fatal,
                               .sa_flags = SA_ONSTACK | SA_NODEFER};
    guard_disarm(); /* or it would be its own predecessor */
    sigemptyset(&action.sa_mask);
    guard.input_fd = input_fd;
    guard.output_fd = output_fd;
    guard.old = *old;
    guard.leave = leave;
    guard.n_leave = strlen(leave);
    sigaltstack(&stack, NULL);
    for (int i = 0; i < N_FATAL; i++) {
        sigaction(FATAL[i], &action, &guard.before[i]);
        if (guard.before[i].sa_handler == SIG_IGN) /* then it ends nothing */
            sigaction(FATAL[i], &guard.before[i], NULL);
    }
    atomic_store(&armed, true);
}

void guard_disarm(void)
{
    if (!atomic_exchange(&armed, false))
        return;
    for (int i = 0; i < N_FATAL; i++)
        sigaction(FATAL[i], &guard.before[i], NULL);
}
