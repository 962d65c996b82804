#include "app/cli/start.h"

#include "app/settings/soundfont_choice.h"
#include "app/cli/man.h"
#include "app/cli/verbs.h"

#include <stdio.h>
#include <unistd.h>

#define ROW(type, field)                                                               \
    .kind = OPTION_IS_##type, .set = 1, .offset = offsetof(struct start, field)

static const struct option_row ROWS[] = {
    {"model", "FILE", "a model; else the configured or bundled one",
     ROW(TEXT, session.model)},
    {"soundfont", "FILE", "a soundfont; else the configured, the system's or our own",
     ROW(TEXT, session.soundfont)},
    {"audio", "DRIVER", "alsa, jack, pulseaudio, ... or none",
     ROW(TEXT, session.driver)},
    {"seed", "N", "of the first take's dice", ROW(SEED, session.seed),
     .given = offsetof(struct start, session.seed_is_asked)},
    {"threads", "N", "that compose, 0 for one a processor",
     ROW(COUNT, session.n_threads), .high = 256},
    {"precision", "P", "weights of single steps: f32, bf16 or int8",
     ROW(PRECISION, session.precision)},
    {"example", NULL, "open the bundled example", ROW(FLAG, example)},
    {"tutor", NULL, "begin with the tutor, on an empty roll", ROW(FLAG, tutor)},
    {"help", NULL, "tell of options and verbs", .kind = OPTION_IS_HELP},
    {"version", NULL, "tell the version", ROW(FLAG, version)},
    {"man", NULL, "print the manual page, for man -l", ROW(FLAG, man)},
};

static void print_usage(void)
{
    usage_write(stdout);
}

static const struct option_table TABLE = {ROWS, sizeof ROWS / sizeof ROWS[0],
                                          print_usage};

const struct verb WORKSTATION = {.name = "", .n_more = 1, .takes = 1, .table = &TABLE};

/* What was chosen in the program comes before what is configured, if it is there yet. */
static const char *chosen_soundfont(const struct settings *s)
{
    static char path[4096];
    if (soundfont_recall(path, sizeof path) && access(path, R_OK) == 0)
        return path;
    return *s->soundfont ? s->soundfont : NULL;
}

static void take_config(struct session_options *o, const struct settings *s)
{
    *o = (struct session_options){
        .journals = true,
        .model = *s->model ? s->model : NULL,
        .soundfont = chosen_soundfont(s),
        .driver = *s->driver ? s->driver : NULL,
        .gain = s->gain,
        .seed = s->steering.seed,
        .n_threads = s->threads,
        .precision = s->precision,
    };
}

static void take_ports(struct start *s, const struct settings *config)
{
    s->session.input = *config->input
                           ? config->input
                           : port_remembered("input", s->input, sizeof s->input);
    s->session.output = *config->output
                            ? config->output
                            : port_remembered("output", s->output, sizeof s->output);
    if (!*s->session.output)
        s->session.output = NULL;
}

int start_parse(struct start *s, const struct config *c, int argc, char **argv)
{
    *s = (struct start){0};
    take_config(&s->session, &c->settings);
    take_ports(s, &c->settings);
    int status = option_table_parse(&TABLE, &WORKSTATION, s, &s->file, argc, argv);
    if (status >= 0 || !(s->version || s->man))
        return status;
    if (s->version)
        puts("continuo 0.1");
    else
        man_write(stdout);
    return 0;
}
