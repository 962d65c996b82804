#include "app/cli/cmd_train.h"

#include "app/training/train_options.h"

int cmd_train(int argc, char **argv)
{
    struct train_settings s;
    int status = train_options_parse(&s, VERB_TRAIN, argc, argv);
    return status >= 0 ? status : train_run(&s.request, NULL);
}
