/* See verbs.h. */
#include "app/cli/verbs.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/cli/commands.h"
#include "app/cli/start.h"
#include "app/training/train_options.h"

#include <stdio.h>
#include <string.h>

const struct verb_entry VERBS[] = {
    {"continue", "write a continuation of a MIDI file", cmd_continue, &VERB_CONTINUE},
    {"inpaint", "write a part of a MIDI file anew", cmd_inpaint, &VERB_INPAINT},
    {"accompany", "write the voices below a melody", cmd_accompany, &VERB_ACCOMPANY},
    {"render", "render a MIDI file to WAV, FLAC or Ogg", cmd_render, &VERB_RENDER},
    {"attention", "where a model looked: pictures, tables, a survey", cmd_attention,
     &VERB_ATTENTION},
    {"score", "how surprising each note is to a model", cmd_score, &VERB_SCORE},
    {"train", "train a model on a folder of MIDI files", cmd_train, NULL},
    {"compare", "train every variant of the decoder on four voices", cmd_compare, NULL},
    {"critic", "learn to tell what follows from what a model writes", cmd_critic,
     &VERB_CRITIC},
    {"eval", "measure a model on held-out music", cmd_eval, &VERB_EVAL},
    {"logits", "print a model's logits for given tokens", cmd_logits, &VERB_LOGITS},
    {"tokens", "write training music as numbers, for models/train.py", cmd_tokens,
     &VERB_TOKENS},
    {"quantise", "write a model with 8-bit or 16-bit weights", cmd_quantise,
     &VERB_QUANTISE},
    {"models", "list the models that can be found", cmd_models, &VERB_MODELS},
    {"devices", "list keyboards, MIDI outputs and audio drivers", cmd_devices,
     &VERB_DEVICES},
    {"info", "what a MIDI file or a model holds", cmd_info, &VERB_INFO},
    {"copy", "load and save a MIDI file, nothing else", cmd_copy, &VERB_COPY},
    {"bench", "speeds, beside the limits of this machine", cmd_bench, &VERB_BENCH},
    {"demo", "continue the example: a MIDI file, a WAV, a picture", cmd_demo,
     &VERB_DEMO},
    {"config", "print every setting, as a configuration file", cmd_config,
     &VERB_CONFIG},
    {"completions", "print a completion script: bash, zsh or fish", cmd_completions,
     &VERB_COMPLETIONS},
};
const int n_verbs = sizeof VERBS / sizeof VERBS[0];

const struct verb_entry *verb_find(const char *name)
{
    for (int i = 0; i < n_verbs; i++)
        if (!strcmp(name, VERBS[i].name))
            return &VERBS[i];
    return NULL;
}

static enum train_verb which(const struct verb_entry *v)
{
    return v->run == cmd_compare ? VERB_COMPARE : VERB_TRAIN;
}

bool verb_option(const struct verb_entry *v, int i, struct option_about *out)
{
    int n = 0;
    while (v->verb ? options_about(v->verb, n, out)
                   : train_options_about(which(v), n, out)) {
        if (n == i)
            return true;
        n++;
    }
    *out = (struct option_about){"help", NULL, "tell of the options, and nothing else"};
    return i == n;
}

const char *verb_usage(const struct verb_entry *v, char *buf, size_t n)
{
    const char *arguments = v->verb ? v->verb->arguments
                            : which(v) == VERB_COMPARE
                                ? "--data FILE.json -o DIR"
                                : "--data PATH -o OUT.safetensors";
    snprintf(buf, n, "%s %s", v->name, arguments);
    return buf;
}

/* -- verb_score -- */

int verb_on_score(const struct verb *v, int argc, char **argv,
                  int (*run)(struct options *o, struct score *s))
{
    struct options o;
    int status = options_parse(&o, v, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    status = run(&o, s);
    score_destroy(s);
    return status;
}

/* -- usage -- */

void usage_write(FILE *to)
{
    struct option_about o;
    char left[40], path[4096];
    fputs(
        "continuo: compose in the terminal, with a transformer that continues you\n\n"
        "usage: continuo [options] [FILE.mid]     open the workstation\n"
        "       continuo VERB ...                 do one thing, without a terminal\n\n"
        "verbs, each with --help:\n",
        to);
    for (int i = 0; i < n_verbs; i++)
        fprintf(to, "  continuo %-12s %s\n", VERBS[i].name, VERBS[i].summary);
    fputs("\nOptions of the workstation:\n", to);
    for (int i = 0; start_option(i, &o); i++) {
        snprintf(left, sizeof left, "--%s %s", o.name, o.argument ? o.argument : "");
        fprintf(to, "  %-18s %s\n", left, o.help);
    }
    fputs("\nIn the workstation ? tells the keys, Ctrl-P finds what there is to do, "
          ":tutor\nshows the way from a note to a continuation, :q leaves.\n",
          to);
    if (user_config_file(path, sizeof path))
        fprintf(to, "Settings: %s\n(`continuo config` prints one to begin with).\n",
                path);
}
