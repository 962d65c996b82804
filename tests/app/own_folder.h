/* A folder for the tests of a program, which is their state folder, too; removed with all that is in it. Include cmocka.h
 * before it. */
#ifndef TESTS_APP_OWN_FOLDER_H
#define TESTS_APP_OWN_FOLDER_H

#include "tests/app/tiny_model.h"

static char *own_folder;

static inline int make_own_folder(void **state)
{
    (void)state;
    own_folder = temp_folder();
    return own_folder && !setenv("XDG_STATE_HOME", own_folder, 1) ? 0 : -1;
}

static inline int remove_own_folder(void **state)
{
    (void)state;
    remove_folder(own_folder);
    return 0;
}

/* One of four names is good at a time. */
static inline const char *in_folder(const char *name)
{
    static char paths[4][800];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", own_folder, name);
    return path;
}

/* A new file each time: what is written over is flushed to the disk by ext4. */
static inline void put_in_folder(const char *name, const char *bytes, size_t n)
{
    unlink(in_folder(name));
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

#endif
