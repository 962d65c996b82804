/* A folder of the tests' own (own_folder.h) with a tiny model in it. */
#ifndef TESTS_APP_MODEL_FOLDER_H
#define TESTS_APP_MODEL_FOLDER_H

#include "tests/app/own_folder.h"

static char model[600];

static inline int make_model(void **state)
{
    if (make_own_folder(state) || mkdir(in_folder("model"), 0700))
        return -1;
    snprintf(model, sizeof model, "%s/model/tiny.safetensors", folder);
    return tiny_model_save(model, 512, 1) ? 0 : -1;
}

/* The program's files, and those of relative names, are in it. */
static inline int live_in_folder(void)
{
    return setenv("HOME", folder, 1) || setenv("XDG_CONFIG_HOME", folder, 1) ||
           chdir(folder);
}

#endif
