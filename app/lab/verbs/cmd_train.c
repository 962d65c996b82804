/* continuo train: a model from a folder of MIDI files, or of four voices. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/say.h"
#include "app/document/overwrite.h"
#include "app/lab/training/train_run.h"
#include "model/weights/safetensors.h"

#include <errno.h>

static int cmd_train(int argc, char **argv)
{
    struct train_settings s;
    int status = train_options_parse(&s, &VERB_TRAIN, argc, argv);
    if (status >= 0)
        return status;
    const struct train_request *q = &s.request;
    const char *const inputs[] = {q->data, q->rehearsal, q->log};
    if (overwrite_check(q->out, s.force, inputs, 3))
        return 1;
    errno = 0;
    const enum model_status st = safetensors_can_save(q->out); /* not after an hour */
    return st ? say_model_error(q->out, st, NULL) : train_run(q);
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
    .takes = 1,
    .table = &TRAIN_OPTIONS,
};
