/* The handler of watched signals only writes a byte to a pipe; the rest happens where it
 * is read. */
#include "tui/terminal/signals.h"

#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int WATCHED[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { N_WATCHED = sizeof WATCHED / sizeof WATCHED[0] };

static int signal_pipe[2] = {-1, -1};
static struct sigaction before[N_WATCHED];

static void on_watched(int number)
{
    int saved = errno;
    char byte = number == SIGTSTP ? 'z' : number == SIGCONT ? 'c' : 'w';
    if (write(signal_pipe[1], &byte, 1) < 0)
        errno = saved; /* a full pipe wakes the loop, too */
    errno = saved;
}

bool signals_open(void)
{
    struct sigaction action = {.sa_handler = on_watched, .sa_flags = SA_RESTART};
    if (!file_pipe(signal_pipe, O_NONBLOCK))
        return false;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_WATCHED; i++)
        sigaction(WATCHED[i], &action, &before[i]);
    return true;
}

void signals_close(void)
{
    for (int i = 0; i < N_WATCHED; i++)
        sigaction(WATCHED[i], &before[i], NULL);
    close(signal_pipe[0]);
    close(signal_pipe[1]);
    signal_pipe[0] = signal_pipe[1] = -1;
}

int signals_fd(void)
{
    return signal_pipe[0];
}

int signals_read(void)
{
    char bytes[64];
    ssize_t n;
    int came = 0;
    while ((n = read(signal_pipe[0], bytes, sizeof bytes)) > 0) {
        came |= SIGNALS_ANY;
        came |= memchr(bytes, 'z', (size_t)n) ? SIGNALS_STOP : 0;
        came |= memchr(bytes, 'c', (size_t)n) ? SIGNALS_CONTINUED : 0;
    }
    return came;
}

void signals_stop_here(void)
{
    static const int ITS[] = {SIGTSTP, SIGCONT};
    struct sigaction as_usual = {.sa_handler = SIG_DFL}, ours[2];
    sigemptyset(&as_usual.sa_mask);
    for (int i = 0; i < 2; i++)
        sigaction(ITS[i], &as_usual, &ours[i]);
    raise(SIGTSTP);
    for (int i = 0; i < 2; i++)
        sigaction(ITS[i], &ours[i], NULL);
}

/* All signals that end a process, except SIGKILL, SIGPIPE and those that app
 * handles. */
static const int FATAL[] = {
    SIGSEGV,   SIGABRT, SIGBUS,  SIGFPE,    SIGILL,  SIGQUIT, SIGTRAP,
    SIGSYS,    SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
#ifdef SIGPOLL
    SIGPOLL,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
enum { N_FATAL = sizeof FATAL / sizeof FATAL[0], STACK_BYTES = 64 * 1024 };

/* Written by guard_arm before the handlers are installed, constant while armed. */
static struct {
    int input_fd, output_fd;
    struct termios old;
    const char *leave;
    size_t n_leave;
    struct sigaction before[N_FATAL];
} guard;
static atomic_bool armed; /* lock-free, so a handler may read it */

/* After a stack overflow the handler has no other stack. */
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
    guard_disarm(); /* else it would be its own predecessor */
    sigemptyset(&action.sa_mask);
    guard.input_fd = input_fd;
    guard.output_fd = output_fd;
    guard.old = *old;
    guard.leave = leave;
    guard.n_leave = strlen(leave);
    sigaltstack(&stack, NULL);
    for (int i = 0; i < N_FATAL; i++) {
        sigaction(FATAL[i], &action, &guard.before[i]);
        if (guard.before[i].sa_handler == SIG_IGN) /* ignored signals end nothing */
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
