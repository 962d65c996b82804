/* Frames against saved screens in tests/tui/golden. CONTINUO_GOLDEN=write saves them
 * anew; look at them before committing. Include cmocka.h before it. */
#ifndef TESTS_TUI_GOLDEN_H
#define TESTS_TUI_GOLDEN_H

#include "tui/cells/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void golden_path(char *path, size_t n, const char *name)
{
    const char *home = getenv("CONTINUO_HOME");
    snprintf(path, n, "%s/tests/tui/golden/%s.txt", home ? home : ".", name);
}

static inline char *golden_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s is missing; CONTINUO_GOLDEN=write makes it", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t n = fread(text, 1, (1 << 20) - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static inline void compare_with_golden(const struct cells *c, const char *name)
{
    char path[4096], *got = cells_to_text(c);
    golden_path(path, sizeof path, name);
    const char *mode = getenv("CONTINUO_GOLDEN");
    if (mode && !strcmp(mode, "write")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs(got, f);
        fclose(f);
    }
    char *want = golden_read(path);
    if (strcmp(got, want) != 0)
        fail_msg("%s differs; now it is\n%s", path, got);
    free(want);
    free(got);
}

#endif
