/* The workstation from start to end: the terminal, the signals, the ui thread's loop
 * (app/editor/shell/desk.h).
 *
 * Descriptors 1 and 2 go to the message log while the screen is up, since audio
 * libraries write to them when there is no device. */
#include "app/editor/perform/outward.h"
#include "app/editor/keep/keep.h"
#include "app/editor/perform/recorder.h"
#include "app/cli/workstation.h"

#include "app/editor/shell/desk.h"
#include "app/editor/shell/input.h"
#include "app/base/paths.h"
#include "app/cli/start.h"
#include "app/document/state.h"
#include "app/editor/shell/ways.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int wake_pipe[2] = {-1, -1};
static volatile sig_atomic_t ended_by; /* the signal that asked us to end */

static void on_end_signal(int number)
{
    int saved = errno;
    ended_by = number;
    if (write(wake_pipe[1], "s", 1) < 0)
        ended_by = number; /* a full pipe wakes the loop as well */
    errno = saved;
}

static bool open_wake_pipe(void)
{
    return pipe2(wake_pipe, O_NONBLOCK | O_CLOEXEC) == 0;
}

static void catch_signals(void)
{
    struct sigaction end = {.sa_handler = on_end_signal};
    sigemptyset(&end.sa_mask);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Sends 1 and 2 to the log and keeps the terminal for the screen alone. Returns
 * the terminal's descriptor. */
static int divert_messages(void)
{
    char path[4096];
    int terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    int log = paths_log(path, sizeof path)
                  ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                  : -1;
    if (log < 0)
        log = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        close(log);
    }
    return terminal;
}

static void restore_messages(int terminal)
{
    dup2(terminal, STDOUT_FILENO);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
}

static void loop(struct desk *d)
{
    while (!d->session.quit && !ended_by) {
        desk_show(d);
        int news = desk_wait(d, 1000);
        if (news & SCREEN_GONE)
            ended_by = SIGHUP;
        desk_obey(d, news);
    }
}

/* The program is being ended from outside: what was not saved is in the store, which is
 * looked at once more, and takes that wait are with it. */
static void leave_to_the_next(struct session *s)
{
    session_flush_beside(s);
    if (!project_modified(&s->project))
        return;
    if (project_is_kept(&s->project))
        fprintf(stderr,
                "continuo: what was not saved is kept%s, and back when the piece is "
                "opened\n",
                keeping_is_elsewhere(&s->project.keep) ? " in the state folder" : "");
    else
        fprintf(stderr, "continuo: what was not saved could not be kept: %s\n",
                strerror(keeping_error(&s->project.keep)));
}

/* What to open: a file of the user's, or the bundled example, which is never
 * written: saving puts it where the user is. */
static void open_first(struct session *s, const struct start *first)
{
    char path[4096];
    if (first->file)
        session_open(s, first->file);
    else if (first->example && paths_example(path, sizeof path))
        session_open_copy(s, path, "continuo-example.mid");
    else if (first->example)
        session_error(s, "the example was not found; this is an empty score");
    else
        session_open_unnamed(s);
}

static void recall_line(void *history, int prompt, const char *text)
{
    input_remember(history, prompt, text);
}

/* What was copied and typed, by the continuo before. */
static void recall(struct session *s)
{
    char why[STORE_WHY_BYTES];
    if (!registers_recall(&s->registers, why))
        fprintf(stderr, "continuo: what was copied cannot be used: %s\n", why);
    lines_recall(recall_line, s->parts.input);
}

/* What the screen is told by its environment, unless that says something already. */
static void wish_for_looks(struct settings *s)
{
    const char *theme = getenv("CONTINUO_THEME");
    if (theme && theme_is_known(theme))
        snprintf(s->theme, sizeof s->theme, "%s", theme);
    else
        setenv("CONTINUO_THEME", s->theme, 1);
    if (s->ascii)
        setenv("CONTINUO_ASCII", "1", 0);
}

static int run(const struct start *first, struct config *config)
{
    const struct session_options *o = &first->session;
    static struct desk d;
    int terminal = divert_messages();
    d.wake_fd = wake_pipe[0];
    catch_signals(); /* from the first change of the terminal on */
    wish_for_looks(&config->settings);
    d.screen = screen_open(terminal);
    if (!d.screen) {
        restore_messages(terminal);
        const char *term = getenv("TERM");
        fprintf(stderr, "continuo: this terminal cannot be used (TERM=%s)\n",
                term ? term : "");
        return 1;
    }
    enum midi_status st = session_init(&d.session, o);
    if (!st) {
        recall(&d.session);
        ways_begin(&d.session, config);
        open_first(&d.session, first);
        ways_greet(&d.session, config, first->tutor);
        if (o->seed_is_asked)
            d.session.steering.seed = o->seed;
        loop(&d);
    }
    if (!st)
        record_stop(&d.session);
    screen_close(d.screen);
    restore_messages(terminal);
    if (st) {
        fprintf(stderr, "continuo: the workstation %s\n", midi_strerror(st));
        return 1;
    }
    if (ended_by)
        leave_to_the_next(&d.session);
    session_fini(&d.session);
    return ended_by ? 1 : 0;
}

static int work(struct start *start, struct config *config)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        fputs("continuo: the workstation needs a terminal; without one, `make demo` "
              "continues\n"
              "the example and writes a MIDI file, a WAV and a picture (continuo "
              "--help)\n",
              stderr);
        return 1;
    }
    if (!open_wake_pipe()) {
        perror("continuo: a pipe");
        return 1;
    }
    start->session.wake_fd = wake_pipe[1];
    return run(start, config);
}

int cmd_workstation(int argc, char **argv)
{
    static struct config config;
    struct start start;
    config_init(&config);
    config_read(&config);
    int status = start_parse(&start, &config, argc, argv);
    if (status < 0)
        status = work(&start, &config);
    config_fini(&config);
    return status;
}
