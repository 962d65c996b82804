/* The workstation from start to end: the terminal, the signals, the ui thread's loop
 * (app/editor/shell/ui_loop.h).
 *
 * Descriptors 1 and 2 go to the message log while the screen is up, since audio
 * libraries write to them when there is no device. */
#include "app/cli/workstation.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/document/state.h"
#include "app/editor/keep/keep.h"
#include "app/editor/perform/devices.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/shell/ui_loop.h"
#include "app/editor/shell/shell.h"
#include "app/settings/config.h"
#include "tui/terminal/tty.h"
#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int wake_pipe[2] = {-1, -1};
static volatile sig_atomic_t ended_by; /* the signal that ends the program */

static void on_end_signal(int number)
{
    int saved = errno;
    ended_by = number;
    if (write(wake_pipe[1], "s", 1) < 0)
        ended_by = number; /* a full pipe wakes the loop as well */
    errno = saved;
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
    int log = paths_state(path, sizeof path, "messages.log")
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

static void loop(struct ui_loop *d)
{
    while (!d->session.quit && !ended_by) {
        ui_loop_show(d);
        int news = ui_loop_wait(d, 1000);
        if (news & SCREEN_GONE)
            ended_by = SIGHUP;
        ui_loop_execute(d, news);
    }
}

/* The program is ended by a signal: unsaved changes and waiting takes are in the store,
 * which is checked once more. words: what to say of it, unless it is nothing. */
static void leave_to_the_next(struct session *s, char *words, size_t n_words)
{
    session_autosave_flush(s);
    if (!project_modified(&s->project))
        return;
    if (project_is_kept(&s->project))
        snprintf(words, n_words,
                 "continuo: unsaved changes are kept%s and return when you open the "
                 "piece\n",
                 autosave_is_elsewhere(&s->project) ? " in the state folder" : "");
    else
        snprintf(words, n_words, "continuo: unsaved changes could not be kept: %s\n",
                 strerror(autosave_error(&s->project)));
}

/* Of the command line, the configuration or the last run. Only opening one tells more. */
static void say_missing(struct session *s, const struct session_options *o)
{
    char model[4096];
    struct stat st;
    if (o->model && paths_model(model, sizeof model, o->model) && stat(model, &st))
        session_error(s, "the model %.60s cannot be opened: %s; :models lists others",
                      o->model, strerror(errno));
    else if (o->soundfont && stat(o->soundfont, &st))
        session_error(s, "the soundfont %.60s cannot be opened: %s", o->soundfont,
                      strerror(errno));
}

/* What to open: a file of the user's, or the bundled example, which is never
 * written: saving puts it where the user is. */
static void open_first(struct session *s, const struct start *first)
{
    char path[4096];
    if (first->file)
        session_open(s, first->file);
    else if (first->example && paths_find(path, sizeof path, PATHS_EXAMPLE))
        session_open_copy(s, path, "continuo-example.mid");
    else if (first->example)
        session_error(s, "the example was not found; the score is empty");
    else
        session_open_unnamed(s);
}

static void recall_line(void *session, int prompt, const char *text)
{
    input_remember(session, prompt, text);
}

/* Sets the screen's environment variables, unless they are set. */
static void set_looks(struct settings *s)
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
    static struct ui_loop d;
    int terminal = divert_messages();
    d.wake_fd = wake_pipe[0];
    catch_signals(); /* from the first change of the terminal on */
    set_looks(&config->settings);
    d.screen = screen_open(terminal);
    if (!d.screen) {
        restore_messages(terminal);
        const char *term = getenv("TERM");
        fputs("continuo: this terminal cannot be used (TERM=", stderr);
        say_safe(stderr, term ? term : "");
        fputs(")\n", stderr);
        return 1;
    }
    enum midi_status st = session_init(&d.session, o);
    if (!st) {
        char why[STORE_WHY_BYTES];
        if (!registers_recall(&d.session.registers, why))
            fprintf(stderr, "continuo: the registers cannot be used: %s\n", why);
        lines_recall(recall_line, &d.session);
        preferences_begin(&d.session, config);
        open_first(&d.session, first);
        preferences_greet(&d.session, config, first->tutor);
        if (!project_modified(&d.session.project)) /* else it says what is restored */
            say_missing(&d.session, o);
        if (o->seed_is_asked)
            d.session.steering.seed = o->seed;
        loop(&d);
        record_stop(&d.session);
    }
    screen_close(d.screen);
    char words[256] = "";
    if (st)
        snprintf(words, sizeof words, "continuo: the workstation %s\n",
                 midi_strerror(st));
    else if (ended_by)
        leave_to_the_next(&d.session, words, sizeof words);
    if (!st)
        session_fini(&d.session);
    struct tty tty; /* which may have stopped reading: it is not waited for long */
    tty_open(&tty, terminal);
    tty_send(&tty, words, strlen(words), 0);
    tty_close(&tty, 500);
    restore_messages(terminal);
    return st || ended_by ? 1 : 0;
}

int cmd_workstation(int argc, char **argv)
{
    static struct config config;
    struct start start;
    config_init(&config);
    config_read(&config);
    int status = start_parse(&start, &config, argc, argv);
    if (status < 0 && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
        fputs("continuo: the workstation needs a terminal; without one, `make demo` "
              "continues\n"
              "the example and writes a MIDI file, a WAV and a picture (continuo "
              "--help)\n",
              stderr);
        status = 1;
    }
    if (status < 0 && !file_pipe(wake_pipe, O_NONBLOCK)) {
        perror("continuo: a pipe");
        status = 1;
    }
    if (status < 0) {
        start.session.wake_fd = wake_pipe[1];
        status = run(&start, &config);
    }
    config_fini(&config);
    return status;
}

/* -- options -- */

#define ROW(its_kind, field) .kind = &(its_kind), .set = 1, FIELD_OF(start, field)

static const struct field ROWS[] = {
    {"model", "FILE", "a model; else the configured or the bundled one",
     ROW(FIELD_ARGUMENT, session.model)},
    {"soundfont", "FILE",
     "a soundfont; else the configured, the system's or continuo's own",
     ROW(FIELD_ARGUMENT, session.soundfont)},
    {"audio", "DRIVER", "alsa, jack, pulseaudio, ... or none",
     ROW(FIELD_ARGUMENT, session.driver)},
    {"seed", "N", "seed of the first take", ROW(FIELD_SEED, session.seed),
     .given = offsetof(struct start, session.seed_is_asked)},
    {"threads", "N", "threads of the model; 0: one for each processor",
     ROW(FIELD_WHOLE, session.n_threads), .high = 256},
    {"precision", "P", "type of the weights in single steps: f32, bf16 or int8",
     ROW(FIELD_PRECISION, session.precision)},
    {"example", NULL, "open the bundled example", ROW(FIELD_FLAG, example)},
    {"tutor", NULL, "start the tutor on an empty roll", ROW(FIELD_FLAG, tutor)},
    OPTION_HELP,
    {"version", NULL, "print the version", ROW(FIELD_FLAG, version)},
    {"man", NULL, "print the manual page, for man -l", ROW(FIELD_FLAG, man)},
};

static const struct option_table TABLE = {ROWS, sizeof ROWS / sizeof ROWS[0],
                                          usage_write};

const struct verb WORKSTATION = {.name = "", .n_more = 1, .takes = 1, .table = &TABLE};

/* A choice made in the program overrides the configuration, if the file still exists. NULL:
 * the default. */
static const char *chosen(const char *what, char path[4096], const char *configured)
{
    if (access(paths_recall(what, path, 4096), R_OK) == 0)
        return path;
    return *configured ? configured : NULL;
}

static void take_config(struct start *s, const struct settings *config)
{
    static char model[4096], soundfont[4096];
    const bool has_input = *config->input, has_output = *config->output;
    s->session = (struct session_options){
        .journals = true,
        .model = chosen("model", model, config->model),
        .soundfont = chosen("soundfont", soundfont, config->soundfont),
        .driver = *config->driver ? config->driver : NULL,
        .gain = config->gain,
        .seed = config->steering.seed,
        .n_threads = config->threads,
        .precision = config->precision,
        .input = has_input ? config->input
                           : paths_recall("input", s->input, sizeof s->input),
        .output = has_output ? config->output
                             : paths_recall("output", s->output, sizeof s->output),
    };
    if (!*s->session.output)
        s->session.output = NULL;
}

/* A word that is not a file, and has no name of a MIDI file, may be a mistyped verb. */
static bool is_no_file(const char *word)
{
    return *word && *word != '-' && !strpbrk(word, "./") && access(word, F_OK);
}

static int say_no_verb(const char *word)
{
    char what[128];
    const struct verb *like = verb_like(word);
    snprintf(what, sizeof what, "is neither a verb nor a file; %s%s",
             like ? "perhaps continuo " : "a new piece has a name like new.mid",
             like ? like->name : "");
    return option_wrong(&WORKSTATION, word, what);
}

int start_parse(struct start *s, const struct config *c, int argc, char **argv)
{
    *s = (struct start){0};
    take_config(s, &c->settings);
    if (argc > 1 && is_no_file(argv[1])) /* also with the arguments of the verb */
        return say_no_verb(argv[1]);
    int status = option_table_parse(&TABLE, &WORKSTATION, s, &s->file, argc, argv);
    if (status < 0 && s->file && is_no_file(s->file))
        return say_no_verb(s->file);
    if (status >= 0 || !(s->version || s->man))
        return status;
    if (s->version)
        puts("continuo 0.1");
    else
        man_write(stdout);
    return 0;
}
