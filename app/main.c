/* continuo: which verb was asked for, and the workstation when none was. */
#include "app/commands.h"
#include "app/man.h"
#include "app/workstation.h"

#include <stdio.h>
#include <string.h>

static const struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} VERBS[] = {
    {"continue", cmd_continue, "write a continuation of a MIDI file"},
    {"inpaint", cmd_inpaint, "write a part of a MIDI file anew"},
    {"accompany", cmd_accompany, "write the voices below a melody"},
    {"render", cmd_render, "render a MIDI file to WAV"},
    {"train", cmd_train, "train a model on a folder of MIDI files"},
    {"compare", cmd_compare, "train every variant of the decoder on four voices"},
    {"eval", cmd_eval, "measure a model on held-out music"},
    {"logits", cmd_logits, "print a model's logits for given tokens"},
    {"tokens", cmd_tokens, "write training music as numbers, for models/train.py"},
    {"quantise", cmd_quantise, "write a model with 8-bit or 16-bit weights"},
    {"models", cmd_models, "list the models that can be found"},
    {"info", cmd_info, "what a MIDI file or a model holds"},
    {"copy", cmd_copy, "load and save a MIDI file, nothing else"},
    {"bench", cmd_bench, "speeds, beside the limits of this machine"},
    {"demo", cmd_demo, "continue the example: a MIDI file, a WAV, a picture"},
};
enum { N_VERBS = sizeof VERBS / sizeof VERBS[0] };

static int help(FILE *to)
{
    fputs("continuo: compose in the terminal, with a transformer that continues you\n\n"
          "  continuo [FILE.mid]     open the workstation\n",
          to);
    for (size_t i = 0; i < N_VERBS; i++)
        fprintf(to, "  continuo %-14s %s\n", VERBS[i].name, VERBS[i].summary);
    fputs(
        "\nEach has --help. In the workstation: ? for the keys, :q to leave.\n"
        "Options of the workstation: --model FILE, --soundfont FILE, --audio DRIVER,\n"
        "--seed N, --threads N, --precision f32|bf16|int8, --example.\n",
        to);
    return to == stdout ? 0 : 2;
}

static int man(void)
{
    struct man_verb verbs[N_VERBS];
    for (size_t i = 0; i < N_VERBS; i++)
        verbs[i] = (struct man_verb){VERBS[i].name, VERBS[i].summary};
    man_write(stdout, verbs, N_VERBS);
    return 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
        return help(stdout);
    if (!strcmp(word, "--man"))
        return man();
    if (!strcmp(word, "--version")) {
        puts("continuo 0.1");
        return 0;
    }
    for (size_t i = 0; i < N_VERBS; i++)
        if (!strcmp(word, VERBS[i].name))
            return VERBS[i].run(argc - 1, argv + 1);
    return cmd_workstation(argc, argv);
}
