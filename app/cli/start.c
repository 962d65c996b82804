#include "app/cli/start.h"

#include "app/settings/soundfont_choice.h"
#include "app/cli/verbs.h"
#include "app/base/values.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

/* Told in this order; the letter is getopt's. */
static const struct row {
    struct option_about about;
    char letter;
} ROWS[] = {
    {{"model", "FILE", "a model; else the configured or bundled one"}, 'm'},
    {{"soundfont", "FILE", "a soundfont; else the configured, the system's or our own"},
     'f'},
    {{"audio", "DRIVER", "alsa, jack, pulseaudio, ... or none"}, 'a'},
    {{"seed", "N", "of the first take's dice"}, 's'},
    {{"threads", "N", "that compose, 0 for one a processor"}, 't'},
    {{"precision", "P", "weights of single steps: f32, bf16 or int8"}, 'p'},
    {{"example", NULL, "open the bundled example"}, 'e'},
    {{"tutor", NULL, "begin with the tutor, on an empty roll"}, 'u'},
    {{"help", NULL, "tell of options and verbs"}, 'h'},
    {{"version", NULL, "tell the version"}, 'v'},
    {{"man", NULL, "print the manual page, for man -l"}, 'n'},
};
enum { N_ROWS = sizeof ROWS / sizeof ROWS[0] };

bool start_option(int i, struct option_about *out)
{
    if (i < N_ROWS)
        *out = ROWS[i].about;
    return i < N_ROWS;
}

static int wrong_usage(void)
{
    fputs("usage: continuo [options] [FILE.mid]; continuo --help tells the options\n",
          stderr);
    return 2;
}

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

static bool take(struct start *s, int letter, const char *value)
{
    struct session_options *o = &s->session;
    switch (letter) {
    case 'm':
        o->model = value;
        return true;
    case 'f':
        o->soundfont = value;
        return true;
    case 'a':
        o->driver = value;
        return true;
    case 's':
        o->seed_is_asked = true;
        return value_seed(value, &o->seed);
    case 't':
        return value_count(value, 0, 256, &o->n_threads);
    case 'p':
        return value_precision(value, &o->precision);
    case 'e':
        s->example = true;
        return true;
    case 'u':
        s->tutor = true;
        return true;
    default:
        return false;
    }
}

int start_parse(struct start *s, const struct config *c, int argc, char **argv)
{
    struct option list[N_ROWS + 1] = {{0}};
    for (int i = 0; i < N_ROWS; i++)
        list[i] = (struct option){.name = ROWS[i].about.name,
                                  .has_arg = ROWS[i].about.argument ? required_argument
                                                                    : no_argument,
                                  .val = ROWS[i].letter};
    *s = (struct start){0};
    take_config(&s->session, &c->settings);
    s->session.input = *c->settings.input
                           ? c->settings.input
                           : port_remembered("input", s->input, sizeof s->input);
    s->session.output = *c->settings.output
                            ? c->settings.output
                            : port_remembered("output", s->output, sizeof s->output);
    if (!*s->session.output)
        s->session.output = NULL;
    int letter;
    while ((letter = getopt_long(argc, argv, "h", list, NULL)) != -1)
        if (letter == 'h') {
            usage_write(stdout);
            return 0;
        } else if (!take(s, letter, optarg))
            return wrong_usage();
    if (optind < argc)
        s->file = argv[optind++];
    return optind == argc ? -1 : wrong_usage();
}
