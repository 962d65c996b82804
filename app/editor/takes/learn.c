/* `:learn 5m FOLDER`: trains the model in use on the user's music, in the background, into a
 * model of the user's own. Without a folder: on the open piece. */
#include "app/editor/takes/machine.h"

#include "app/base/paths.h"
#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- the program, run a second time, that trains (`continuo train --rehearse`). It has its own
 * memory and priority, and its crash does not crash us. It reports its progress through a
 * pipe. Nothing here blocks -- */

/* What to train. Strings are borrowed for the call. */
struct lesson {
    const char *program; /* NULL: unknown */
    const char *from;    /* a model's file */
    const char *data;    /* a folder of MIDI files, or one of them */
    const char *out;     /* the new model's file */
    double minutes;
};

/* Nats of a held-out note, before it began and now. NAN: nothing is held out. */
struct learnt {
    double share; /* of the time, 0 to 1 */
    double own_before, own_now, other_before, other_now;
};

enum { LEARNER_WHY_BYTES = 160 };

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

/* Makes it end soon; the best model so far stays. measures: it first measures its newest
 * state. */
static void learner_stop(struct learner *l, bool measures)
{
    if (l->pid)
        kill(l->pid, measures ? SIGINT : SIGTERM);
}

/* Also ends it, as without measures; it is not waited for. NULL is fine. */
static void learner_destroy(struct learner *l)
{
    if (!l)
        return;
    learner_stop(l, false);
    if (l->pid)
        waitpid(l->pid, NULL, WNOHANG);
    close(l->from);
    free(l);
}

/* NULL: errno says why. */
static struct learner *learner_start(const struct lesson *lesson)
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

/* Reads its reports. true: it has ended. */
static bool learner_has_ended(struct learner *l, struct learnt *news)
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

/* -- the part -- */

enum { LOOK_MS = 200, USUAL_MINUTES = 5, MOST_OF_A_NAME = 99 };
static const double MOST_MINUTES = 24 * 60;
static const char SNAPSHOT[] =
    "learnt/%s.mid"; /* the open piece, in the state folder */

const char *learn_program;

struct learning {
    struct learner *learner; /* NULL: none is running */
    struct learnt news;
    char name[64], out[4096];
    char snapshot[4096]; /* "": a folder is learnt */
    char said[240];      /* of its progress, last */
};

/* "5m", "90s", "1h" at the line's start, which *line then is behind. */
static double take_minutes(const char **line)
{
    static const struct {
        char unit;
        double minutes;
    } UNITS[] = {{'s', 1.0 / 60}, {'m', 1}, {'h', 60}};
    char *end;
    double n = strtod(*line, &end);
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (end != *line && *end == UNITS[i].unit && (!end[1] || end[1] == ' ')) {
            *line = end + 1 + strspn(end + 1, " ");
            return n * UNITS[i].minutes;
        }
    return USUAL_MINUTES;
}

/* A name that no model has: "joplin", "joplin-2". false: there is none, or no folder. */
static bool choose_name(struct learning *l, const char *path)
{
    char whole[4096], base[48], is_there[4096];
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    /* The last part of the path, without its ending. */
    snprintf(whole, sizeof whole, "%.*s", (int)n, path);
    const char *last = file_base_name(whole), *dot = strrchr(last, '.');
    snprintf(base, sizeof base, "%.*s", (int)(dot && dot != last ? dot - last : 40),
             last);
    for (char *at = base; *at; at++)
        if (*at == ' ' || (unsigned char)*at < ' ' || *at == 127)
            *at = '-';
    for (int i = 1; i <= MOST_OF_A_NAME; i++) {
        if (i == 1)
            snprintf(l->name, sizeof l->name, "%s", base);
        else
            snprintf(l->name, sizeof l->name, "%s-%d", base, i);
        paths_model(is_there, sizeof is_there, l->name);
        if (access(is_there, F_OK))
            return paths_own_model(l->out, sizeof l->out, l->name);
    }
    return false;
}

/* The open piece, as it is now. */
static bool take_snapshot(struct session *s, struct learning *l)
{
    char file[80];
    snprintf(file, sizeof file, SNAPSHOT, l->name);
    if (!paths_state(l->snapshot, sizeof l->snapshot, file))
        l->snapshot[0] = '\0';
    errno = 0;
    enum midi_status st =
        *l->snapshot ? smf_save(s->project.score, l->snapshot) : MIDI_CANNOT_WRITE;
    if (st)
        session_file_error(s, l->snapshot, st, "");
    return !st;
}

/* "1.58 to 1.54 nats a note"; "": not known yet, or nothing is held back. */
static const char *say_losses(const struct learnt *n, char *buf, size_t n_buf)
{
    buf[0] = '\0';
    if (n->own_before > 0)
        snprintf(buf, n_buf, "%.2f to %.2f nats per note, other music %.2f to %.2f",
                 n->own_before, n->own_now, n->other_before, n->other_now);
    return buf;
}

static void say_progress(struct session *s, struct learning *l)
{
    char losses[80];
    say_losses(&l->news, losses, sizeof losses);
    session_say(s, "learning %s %d%%%s%s", l->name, (int)(100 * l->news.share),
                *losses ? ": " : "; Ctrl-C ends it and keeps the best", losses);
    snprintf(l->said, sizeof l->said, "%s", s->view.message.text);
}

static void begin(struct session *s, const char *data, double minutes)
{
    struct learning *l = s->parts.learning;
    char from[4096];
    struct lesson lesson = {.program = learn_program ? learn_program : file_program(),
                            .from = from,
                            .data = data,
                            .out = l->out,
                            .minutes = minutes};
    l->news = (struct learnt){0};
    if (!model_in_use(s, from, sizeof from))
        session_error(s, "there is no model to train");
    else if (!(l->learner = learner_start(&lesson)))
        session_error(s, "learning cannot start: %s", strerror(errno));
    else
        say_progress(s, l);
}

static const char NOWHERE[] = "no model can be written: there is no folder for it";

void act_learn_line(struct session *s, const char *line)
{
    double minutes = take_minutes(&line);
    if (learn_is_at_work(s))
        session_error(s, "already learning %s; Ctrl-C ends it",
                      s->parts.learning->name);
    else if (!(minutes > 0 && minutes <= MOST_MINUTES))
        session_error(s, "how long? use :learn 5m FOLDER, or 30s, 2h");
    else if (*line) {
        struct learning *l = s->parts.learning;
        char typed[4096], full[PATH_MAX];
        l->snapshot[0] = '\0';
        if (!file_expand(typed, sizeof typed, line) || !realpath(typed, full))
            session_error(s, "there is no folder %s", line);
        else if (!choose_name(l, full))
            session_error(s, NOWHERE);
        else
            begin(s, full, minutes);
    } else {
        struct learning *l = s->parts.learning;
        if (!score_n_notes(s->project.score))
            session_error(
                s, "there is no music yet: :learn 5m FOLDER learns from a folder");
        else if (!choose_name(l, s->project.path ? s->project.path : "untitled"))
            session_error(s, NOWHERE);
        else if (take_snapshot(s, l))
            begin(s, l->snapshot, minutes);
    }
}

bool learn_is_at_work(const struct session *s)
{
    return s->parts.learning->learner;
}

static bool stop(struct session *s)
{
    struct learning *l = s->parts.learning;
    if (!l->learner)
        return false;
    learner_stop(l->learner, true);
    session_say(s, "measuring once more; the model is kept if it is better");
    return true;
}

static void end(struct session *s)
{
    struct learning *l = s->parts.learning;
    learner_destroy(l->learner);
    l->learner = NULL;
    if (*l->snapshot)
        unlink(l->snapshot);
}

static void learn_watch(struct session *s)
{
    struct learning *l = s->parts.learning;
    if (!l->learner)
        return;
    if (!learner_has_ended(l->learner, &l->news)) {
        if (!strcmp(s->view.message.text, l->said)) /* no other message since */
            say_progress(s, l);
        return;
    }
    const char *why = l->learner->why;
    char losses[80];
    if (access(l->out, F_OK))
        session_error(s, "nothing was learnt: %s",
                      *why ? why : "it ended before the model improved");
    else if (isnan(l->news.own_now))
        session_say(s, ":model %s uses it; too few bars to measure progress", l->name);
    else
        session_say(s, ":model %s uses it: %s", l->name,
                    say_losses(&l->news, losses, sizeof losses));
    end(s);
}

static int timeout_ms(const struct session *s)
{
    return learn_is_at_work(s) ? LOOK_MS : -1;
}

static void learn_view(struct session *s, struct view *v)
{
    if (learn_is_at_work(s))
        session_show_work(v, "learning %d%%",
                          (int)(100 * s->parts.learning->news.share));
}

const struct editor_part LEARN_PART = {
    PART_STATE(learning),     .fini = end,        .stop = stop, .tick = learn_watch,
    .timeout_ms = timeout_ms, .view = learn_view,
};
