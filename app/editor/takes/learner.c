#include "app/editor/takes/learner.h"

#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST_PRIORITY = 19 };
static const char COMPLAINT[] = "continuo: ";

#ifndef __linux__ /* where <unistd.h> has it */
extern char **environ;
#endif

struct learner {
    pid_t pid; /* 0: it has ended */
    int from;  /* its output */
    char line[512];
    size_t n_line;
    struct learnt news;
    char why[LEARNER_WHY_BYTES];
};

/* Its outputs go to `to`. It has no input; in its own process group it gets no signals from
 * the terminal. */
static int spawn(pid_t *pid, char *const *argv, int to)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, to, STDERR_FILENO);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(pid, argv[0], &files, &how, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return error;
}

struct learner *learner_start(const struct lesson *lesson)
{
    int ends[2];
    struct learner *l = calloc(1, sizeof *l);
    if (!l || !file_pipe(ends, 0)) {
        free(l);
        return NULL;
    }
    char minutes[32];
    snprintf(minutes, sizeof minutes, "%g", lesson->minutes);
    const char *argv[] = {lesson->program, "train",      "--from",     lesson->from,
                          "--data",        lesson->data, "--output",   lesson->out,
                          "--minutes",     minutes,      "--rehearse", "0.5",
                          "--progress",    NULL};
    int error = lesson->program ? spawn(&l->pid, (char *const *)argv, ends[1]) : ENOENT;
    if (!error) /* before it has threads, which get the priority that it has then */
        setpriority(PRIO_PROCESS, (id_t)l->pid, LEAST_PRIORITY);
    close(ends[1]);
    l->from = ends[0];
    if (error || fcntl(l->from, F_SETFL, O_NONBLOCK)) {
        l->pid = error ? 0 : l->pid;
        learner_destroy(l);
        errno = error ? error : errno;
        return NULL;
    }
    return l;
}

/* "0.25 2.31 2.20 2.40 2.41"; false: it is another line. */
static bool read_news(const char *line, struct learnt *n)
{
    double *const numbers[] = {&n->share, &n->own_before, &n->own_now, &n->other_before,
                               &n->other_now};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        *numbers[i] = strtod(line, &end);
        if (end == line)
            return false;
        line = end;
    }
    return true;
}

bool learner_has_ended(struct learner *l, struct learnt *news)
{
    char bytes[1024];
    ssize_t n;
    while ((n = read(l->from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] != '\n') {
                if (l->n_line < sizeof l->line - 1) /* a longer line is cut */
                    l->line[l->n_line++] = bytes[i];
                continue;
            }
            struct learnt read_now;
            l->line[l->n_line] = '\0';
            l->n_line = 0;
            if (read_news(l->line, &read_now))
                l->news = read_now;
            else if (!strncmp(l->line, COMPLAINT, sizeof COMPLAINT - 1))
                snprintf(l->why, sizeof l->why, "%.150s",
                         l->line + sizeof COMPLAINT - 1);
        }
    *news = l->news;
    if (n == 0 && waitpid(l->pid, NULL, WNOHANG) == l->pid)
        l->pid = 0;
    return !l->pid;
}

const char *learner_why(const struct learner *l)
{
    return l->why;
}

void learner_stop(struct learner *l, bool measures)
{
    if (l->pid)
        kill(l->pid, measures ? SIGINT : SIGTERM);
}

void learner_destroy(struct learner *l)
{
    if (!l)
        return;
    learner_stop(l, false);
    if (l->pid)
        waitpid(l->pid, NULL, WNOHANG);
    close(l->from);
    free(l);
}
