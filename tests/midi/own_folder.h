/* A folder for the files of a test. */
#ifndef TESTS_MIDI_OWN_FOLDER_H
#define TESTS_MIDI_OWN_FOLDER_H

#include "tests/check.h"

#include <unistd.h>

static char folder[64];

static inline int make_folder(void **state)
{
    strcpy(folder, "/tmp/continuo-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Fails if a file was left. */
static inline int remove_folder(void **state)
{
    return rmdir(folder);
}

/* Valid until the next call. */
static inline const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

#endif
