/* See signals.h. A handler only writes a byte; everything else happens where it is read. */
#include "tui/terminal/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
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
        errno = saved; /* a full pipe wakes the loop as well */
    errno = saved;
}

bool signals_open(void)
{
    struct sigaction action = {.sa_handler = on_watched, .sa_flags = SA_RESTART};
    if (pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC))
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
