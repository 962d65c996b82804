#include "midi/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

/* As much as glibc gives. macOS gives 512 KB and musl 128 KB, which SQLite and long
 * paths would overflow. */
enum { STACK_BYTES = 8 << 20 };

bool thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                              SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    pthread_attr_t attributes;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = pthread_create(thread, &attributes, run, context);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !error;
}

#ifndef SCHED_RESET_ON_FORK /* Linux only */
#define SCHED_RESET_ON_FORK 0
#endif

/* Real-time priority; FluidSynth's drivers have 10 to 60. Niceness is added. */
enum { PRIORITY = 5, NICENESS = 5 };

void thread_come_first(void)
{
    const struct sched_param param = {.sched_priority = PRIORITY};
    pthread_setschedparam(pthread_self(), SCHED_RR | SCHED_RESET_ON_FORK, &param);
}

/* SCHED_RESET_ON_FORK stays set, because clearing it needs a privilege. */
void thread_be_ordinary(void)
{
    const struct sched_param param = {.sched_priority = 0};
    pthread_setschedparam(pthread_self(), SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
}

void thread_step_back(void)
{
#ifdef __linux__
    const int before = getpriority(PRIO_PROCESS, (id_t)gettid());
    setpriority(PRIO_PROCESS, (id_t)gettid(), before + NICENESS);
#endif
}
