#include "midi/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>

bool thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                              SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int error = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !error;
}

/* FluidSynth's drivers have 10 to 60. */
enum { PRIORITY = 5 };

void thread_come_first(void)
{
    const struct sched_param param = {.sched_priority = PRIORITY};
    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &param);
}

/* With the flag all the same: taking it away needs a right of its own. */
void thread_be_ordinary(void)
{
    const struct sched_param param = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
}
