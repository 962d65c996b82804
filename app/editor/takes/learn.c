/* `:learn 5m FOLDER`: trains the model in use on the user's music, in the background, into a
 * model of the user's own. Without a folder: on the open piece.
 *
 * The program runs a second time, as `continuo train --rehearse`. It has its own memory and
 * priority, and its crash does not crash us. It reports its progress through a pipe. Nothing here
 * blocks. */
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

enum { LOOK_MS = 200, USUAL_MINUTES = 5, MOST_OF_A_NAME = 99, LEAST_PRIORITY = 19 };
static const double MOST_MINUTES = 24 * 60;
static const char COMPLAINT[] = "continuo: ";
/* The open piece, in the state folder. */
static const char SNAPSHOT[] = "learnt/%s.mid";
static const char NOWHERE[] = "no model can be written: there is no folder for it";

#ifndef __linux__ /* where <unistd.h> has it */
extern char **environ;
#endif

const char *learn_program;

struct learning {
    pid_t pid;      /* of the program; 0: none is running */
    int from;       /* its output */
    char line[512]; /* [n_line] of it, not ended yet */
    size_t n_line;
    double share; /* of the time, 0 to 1 */
    /* Nats of a held-out note, before it began and now. NAN: nothing is held out. */
    double nats[4]; /* of the own music, and of other music */
    char why[160];  /* its last complaint; "": none */

    char name[64], out[4096]; /* of the new model; its file */
    char snapshot[4096];      /* of the open piece; "": a folder is learnt */
    char said[240];           /* the last message about the progress */
};

/* Returns the minutes of "5m", "90s" or "1h" at the start of *line, which then points behind
 * it; without such a time the usual minutes. */
static double take_minutes(const char **line)
{
    char *end;
    const double n = strtod(*line, &end);
    const bool has_unit = end != *line && *end && strchr("smh", *end);
    if (!has_unit || (end[1] && end[1] != ' '))
        return USUAL_MINUTES;
    *line = end + 1 + strspn(end + 1, " ");
    return *end == 's' ? n / 60 : *end == 'm' ? n : n * 60;
}

/* Chooses a name that no model has: "joplin", "joplin-2". false: there is none, or no folder. */
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

/* "1.58 to 1.54 nats a note"; "": not known yet, or nothing is held back. */
static const char *format_losses(const struct learning *l, char *buf, size_t n)
{
    buf[0] = '\0';
    if (l->nats[0] > 0)
        snprintf(buf, n, "%.2f to %.2f nats per note, other music %.2f to %.2f",
                 l->nats[0], l->nats[1], l->nats[2], l->nats[3]);
    return buf;
}

/* Call when the program has ended. */
static void forget(struct learning *l)
{
    close(l->from);
    l->pid = 0;
    if (*l->snapshot)
        unlink(l->snapshot);
}

static void say_progress(struct session *s, struct learning *l)
{
    char losses[80];
    format_losses(l, losses, sizeof losses);
    session_say(s, "learning %s %d%%%s%s", l->name, (int)(100 * l->share),
                *losses ? ": " : "; Ctrl-C ends it and keeps the best", losses);
    snprintf(l->said, sizeof l->said, "%s", s->view.message.text);
}

/* Starts the program, in a process group of its own: it gets no signals from the terminal. It has
 * no input. Returns 0, or errno's value. */
static int start(struct learning *l, const char *from, const char *data, double minutes)
{
    const char *program = learn_program ? learn_program : file_program();
    char time[32];
    int ends[2];
    snprintf(time, sizeof time, "%g", minutes);
    const char *argv[] = {program,      "train",    "--from",     from,        "--data",
                          data,         "--output", l->out,       "--minutes", time,
                          "--rehearse", "0.5",      "--progress", NULL};
    if (!program)
        return ENOENT;
    if (!file_pipe(ends, 0))
        return errno;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETSIGDEF);
    pid_t pid = 0;
    int error = fcntl(ends[0], F_SETFL, O_NONBLOCK) ? errno : 0;
    if (!error)
        error = posix_spawn(&pid, argv[0], &files, &how, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return error;
    }
    /* The program has no threads yet; they inherit this priority. */
    setpriority(PRIO_PROCESS, (id_t)pid, LEAST_PRIORITY);
    l->pid = pid;
    l->from = ends[0];
    l->n_line = 0;
    l->share = 0;
    memset(l->nats, 0, sizeof l->nats);
    l->why[0] = '\0';
    return 0;
}

void act_learn_line(struct session *s, const char *line)
{
    struct learning *l = s->parts.learning;
    const double minutes = take_minutes(&line);
    const char *piece = s->project.path ? s->project.path : "untitled";
    char typed[4096], full[PATH_MAX], file[80], from[4096];
    if (l->pid)
        session_error(s, "already learning %s; Ctrl-C ends it", l->name);
    else if (!(minutes > 0 && minutes <= MOST_MINUTES))
        session_error(s, "how long? use :learn 5m FOLDER, or 30s, 2h");
    else if (*line &&
             (!file_expand(typed, sizeof typed, line) || !realpath(typed, full)))
        session_error(s, "there is no folder %s", line);
    else if (!*line && !score_n_notes(s->project.score))
        session_error(s,
                      "there is no music yet: :learn 5m FOLDER learns from a folder");
    else if (!choose_name(l, *line ? full : piece))
        session_error(s, NOWHERE);
    else {
        l->snapshot[0] = '\0';
        errno = 0;
        if (!*line) { /* the open piece, as it is now */
            snprintf(file, sizeof file, SNAPSHOT, l->name);
            if (!paths_state(l->snapshot, sizeof l->snapshot, file))
                l->snapshot[0] = '\0';
            enum midi_status st = *l->snapshot ? smf_save(s->project.score, l->snapshot)
                                               : MIDI_CANNOT_WRITE;
            if (st) {
                session_file_error(s, l->snapshot, st, "");
                return;
            }
        }
        const bool has_model = model_in_use(s, from, sizeof from);
        const int error =
            has_model ? start(l, from, *line ? full : l->snapshot, minutes) : 0;
        if (!has_model)
            session_error(s, "there is no model to train");
        else if (error)
            session_error(s, "learning cannot start: %s", strerror(error));
        else
            say_progress(s, l);
        if (!l->pid && *l->snapshot)
            unlink(l->snapshot);
    }
}

/* The best model so far stays. Nothing waits for the program. */
static void end(struct session *s)
{
    struct learning *l = s->parts.learning;
    if (!l->pid)
        return;
    kill(l->pid, SIGTERM);
    waitpid(l->pid, NULL, WNOHANG);
    forget(l);
}

/* The program measures its newest state before it ends. */
static void stop(struct session *s)
{
    kill(s->parts.learning->pid, SIGINT);
    session_say(s, "measuring once more; the model is kept if it is better");
}

/* Reads a line of the program: five numbers, "0.25 2.31 2.20 2.40 2.41", or a complaint. */
static void read_line(struct learning *l)
{
    double numbers[5]; /* the share, and the losses */
    const char *at = l->line;
    for (size_t i = 0; i < 5; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        if (end == at && !strncmp(l->line, COMPLAINT, sizeof COMPLAINT - 1))
            snprintf(l->why, sizeof l->why, "%.150s", l->line + sizeof COMPLAINT - 1);
        if (end == at)
            return;
        at = end;
    }
    l->share = numbers[0] >= 0 ? numbers[0] : 0;
    memcpy(l->nats, numbers + 1, sizeof l->nats);
}

static void poll(struct session *s)
{
    struct learning *l = s->parts.learning;
    char bytes[1024], losses[80];
    ssize_t n;
    while ((n = read(l->from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] != '\n') {
                if (l->n_line < sizeof l->line - 1) /* a longer line is cut */
                    l->line[l->n_line++] = bytes[i];
                continue;
            }
            l->line[l->n_line] = '\0';
            l->n_line = 0;
            read_line(l);
        }
    if (n != 0 || waitpid(l->pid, NULL, WNOHANG) != l->pid) {
        if (!strcmp(s->view.message.text, l->said)) /* no other message since */
            say_progress(s, l);
        return;
    }
    if (access(l->out, F_OK))
        session_error(s, "nothing was learnt: %s",
                      *l->why ? l->why : "it ended before the model improved");
    else if (isnan(l->nats[1]))
        session_say(s, ":model %s uses it; too few bars to measure progress", l->name);
    else
        session_say(s, ":model %s uses it: %s", l->name,
                    format_losses(l, losses, sizeof losses));
    forget(l);
}

static double share(const struct session *s)
{
    return s->parts.learning->pid ? s->parts.learning->share : -1;
}

static const struct editor_job LEARN_JOB = {
    .text = "learning",
    .quit = "a model is being trained: Ctrl-C ends this and keeps the best, :q! quits",
    .look_ms = LOOK_MS,
    .share = share,
    .poll = poll,
    .stop = stop,
};

const struct editor_part LEARN_PART = {
    PART_STATE(learning),
    .fini = end,
    .job = &LEARN_JOB,
};
