/* A folder with a tiny model in it, for all tests of a group. */
#ifndef TESTS_APP_MODEL_FOLDER_H
#define TESTS_APP_MODEL_FOLDER_H

#include "tests/app/tiny_model.h"

static char *folder;
static char model[600];

static inline int make_model(void **state)
{
    (void)state;
    folder = temp_folder();
    if (!folder)
        return -1;
    snprintf(model, sizeof model, "%s/tiny.safetensors", folder);
    return tiny_model_save(model, 512, 1) && !setenv("XDG_STATE_HOME", folder, 1) ? 0
                                                                                  : -1;
}

static inline int remove_model(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

#endif
