#include "midi/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

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
enum { PRIORITY = 5, NICENESS = 5 };

void thread_come_first(void)
{
    const struct sched_param param = {.sched_priority = PRIORITY};
    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &param);
}

/* Keeps SCHED_RESET_ON_FORK: clearing it needs a privilege. */
void thread_be_ordinary(void)
{
    const struct sched_param param = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
}

void thread_step_back(void)
{
#ifdef __linux__
    const int before = getpriority(PRIO_PROCESS, (id_t)gettid());
    setpriority(PRIO_PROCESS, (id_t)gettid(), before + NICENESS);
#endif
}
