/* continuo train: a model from a folder of MIDI files, or of four voices. */
#include "app/cli/verbs.h"

#include "app/training/train_run.h"

static int cmd_train(int argc, char **argv)
{
    struct train_settings s;
    int status = train_options_parse(&s, &VERB_TRAIN, argc, argv);
    return status >= 0 ? status : train_run(&s.request, NULL);
}

const struct verb VERB_TRAIN = {
    .name = "train",
    .summary = "train a model on a folder of MIDI files",
    .main = cmd_train,
    .arguments = "--data PATH -o OUT.safetensors [options]",
    .about =
        "Trains a model on the MIDI files in a folder. Folders PATH/NAME/train, valid\n"
        "and test are used as splits; other files are split nine to one.",
    .after =
        "Every few minutes, and on an interrupt, OUT.state is written for --resume.\n"
        "OUT.safetensors is the model with the lowest validation loss.",
    .takes = IN_TRAIN,
    .table = &TRAIN_OPTIONS,
};
