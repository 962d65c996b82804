/* The workstation from start to end: the terminal, the signals, the ui thread's loop
 * (app/desk.h).
 *
 * Descriptors 1 and 2 go to the message log while the screen is up, since audio
 * libraries write to them when there is no device. */
#include "app/workstation.h"

#include "app/desk.h"
#include "app/paths.h"
#include "app/registers_file.h"
#include "app/values.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
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

/* The program is being ended from outside: what was not saved is put beside, and takes
 * that wait where they belong. */
static void rescue(struct session *s)
{
    char where[4096];
    if (!project_modified(&s->project)) {
        session_keep_sidecar(s, "");
        return;
    }
    if (project_rescue(&s->project, where, sizeof where) == MIDI_OK)
        fprintf(stderr, "continuo: unsaved music was put in %s\n", where);
    else
        fprintf(stderr, "continuo: unsaved music could not be written to %s\n", where);
}

/* What to open: a file of the user's, or the bundled example, which is never
 * written: saving puts it where the user is. */
struct opening {
    const char *file;
    bool example;
};

static void open_first(struct session *s, const struct opening *first)
{
    char path[4096];
    if (first->file)
        session_open(s, first->file);
    else if (first->example && paths_example(path, sizeof path))
        session_open_copy(s, path, "continuo-example.mid");
    else if (first->example)
        session_error(s, "the example was not found; this is an empty score");
}

/* What was copied, by the continuo before; and what is there for the next. */
static void recall_copies(struct session *s)
{
    char path[4096], why[SIDECAR_WHY_BYTES];
    if (paths_state(path, sizeof path, "registers") &&
        registers_read(&s->registers, path, why) == SIDECAR_FAILED)
        fprintf(stderr, "continuo: %s cannot be used: %s\n", path, why);
}

static void keep_copies(struct session *s)
{
    char path[4096], why[SIDECAR_WHY_BYTES];
    if (paths_state(path, sizeof path, "registers") &&
        registers_write(&s->registers, path, why) == SIDECAR_FAILED)
        fprintf(stderr, "continuo: what was copied is not in %s: %s\n", path, why);
}

static int run(const struct session_options *o, const struct opening *first)
{
    static struct desk d;
    int terminal = divert_messages();
    d.wake_fd = wake_pipe[0];
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
        recall_copies(&d.session);
        open_first(&d.session, first);
        if (o->seed_is_asked)
            d.session.steering.seed = o->seed;
        catch_signals();
        loop(&d);
    }
    screen_close(d.screen);
    restore_messages(terminal);
    if (st) {
        fprintf(stderr, "continuo: the workstation %s\n", midi_strerror(st));
        return 1;
    }
    if (ended_by)
        rescue(&d.session);
    keep_copies(&d.session);
    session_fini(&d.session);
    return ended_by ? 1 : 0;
}

static int usage(void)
{
    fputs("usage: continuo [--model FILE] [--soundfont FILE] [--audio DRIVER] [--seed "
          "N]\n"
          "                [--threads N] [--precision f32|bf16|int8] [--example] "
          "[FILE.mid]\n"
          "       continuo --help tells the other verbs\n",
          stderr);
    return 2;
}

static bool parse(struct session_options *o, struct opening *first, int argc,
                  char **argv)
{
    static const struct option LONG[] = {
        {"model", required_argument, NULL, 'm'},
        {"soundfont", required_argument, NULL, 'f'},
        {"audio", required_argument, NULL, 'a'},
        {"seed", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"precision", required_argument, NULL, 'p'},
        {"example", no_argument, NULL, 'e'},
        {NULL, 0, NULL, 0},
    };
    int c;
    while ((c = getopt_long(argc, argv, "", LONG, NULL)) != -1) {
        switch (c) {
        case 'm':
            o->model = optarg;
            break;
        case 'f':
            o->soundfont = optarg;
            break;
        case 'a':
            o->driver = optarg;
            break;
        case 's':
            if (!value_seed(optarg, &o->seed))
                return false;
            o->seed_is_asked = true;
            break;
        case 't':
            if (!value_count(optarg, 0, 256, &o->n_threads))
                return false;
            break;
        case 'p':
            if (!value_precision(optarg, &o->precision))
                return false;
            break;
        case 'e':
            first->example = true;
            break;
        default:
            return false;
        }
    }
    if (optind < argc)
        first->file = argv[optind++];
    return optind == argc;
}

int cmd_workstation(int argc, char **argv)
{
    struct session_options o = {.seed = 1, .precision = PRECISION_DEFAULT};
    struct opening first = {0};
    if (!parse(&o, &first, argc, argv))
        return usage();
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
    o.wake_fd = wake_pipe[1];
    return run(&o, &first);
}
