/* Files of a test: paths in a folder of its own, which goes with all in it when the program
 * ends. */
#ifndef TESTS_TEMP_FILE_H
#define TESTS_TEMP_FILE_H

#include "tests/check.h"

#include <unistd.h>

static char temp_folder[32];
static pid_t temp_owner; /* a child that exits removes nothing */

static inline void temp_remove(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", temp_folder);
    if (getpid() == temp_owner && system(command) != 0)
        perror(temp_folder);
}

/* The caller's until the program ends; one of each name. */
static inline const char *temp_path(const char *name)
{
    static char paths[256][64];
    static size_t n;
    if (!*temp_folder) {
        strcpy(temp_folder, "/tmp/continuo-test-XXXXXX");
        assert_non_null(mkdtemp(temp_folder));
        temp_owner = getpid();
        atexit(temp_remove);
    }
    assert_true(n < sizeof paths / sizeof *paths);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(paths[i] + strlen(temp_folder) + 1, name))
            return paths[i];
    snprintf(paths[n], sizeof *paths, "%s/%s", temp_folder, name);
    return paths[n++];
}

#endif
