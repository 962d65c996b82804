/* A folder in which the program is run as a script would: checks its exit status, its output
 * and its files. $CONTINUO_BIN names the program; `make test` sets it. Include cmocka.h before
 * it. */
#ifndef TESTS_APP_PROGRAM_HOME_H
#define TESTS_APP_PROGRAM_HOME_H

#include "midi/smf/smf.h"
#include "tests/app/json_at.h"
#include "tests/app/tiny_model.h"

#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { QUARTER = 96, MAX_SAID = 1 << 20 };

static char *home;
static char said[MAX_SAID]; /* by the last run, on both outputs */

static inline const char *in_home(const char *name)
{
    static char path[4][1024];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", home, name);
    return path[next];
}

/* Runs the program in `home`; returns its exit status. `arguments` is shell. */
static inline int run(const char *arguments)
{
    char command[2048];
    const char *program = getenv("CONTINUO_BIN");
    if (!program)
        fail_msg("CONTINUO_BIN is not set: run through make test");
    snprintf(command, sizeof command, "cd '%s' && CONTINUO_HOME='%s' '%s' %s 2>&1",
             home, home, program, arguments);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    size_t n = fread(said, 1, sizeof said - 1, f);
    said[n] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void assert_done(const char *arguments)
{
    int status = run(arguments);
    if (status != 0)
        fail_msg("%s: exit %d, said %s", arguments, status, said);
}

static inline void assert_says(const char *text)
{
    if (!strstr(said, text))
        fail_msg("never said \"%s\" but: %s", text, said);
}

/* Each of n command lines ends with that status and says why. */
static inline void assert_all_end_with(int wanted, const char *const *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int status = run(lines[i]);
        if (status != wanted || strncmp(said, "continuo: ", 10) != 0)
            fail_msg("%s: exit %d, said %s", lines[i], status, said);
    }
}

static inline uint8_t *read_all(const char *name, size_t *n)
{
    FILE *f = fopen(in_home(name), "rb");
    if (!f)
        fail_msg("%s was not written", name);
    uint8_t *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    return bytes;
}

static inline bool same_bytes(const char *a, const char *b)
{
    size_t n_a, n_b;
    uint8_t *x = read_all(a, &n_a), *y = read_all(b, &n_b);
    bool same = n_a == n_b && n_a > 0 && !memcmp(x, y, n_a);
    free(x);
    free(y);
    return same;
}

static inline void write_text(const char *name, const char *text)
{
    FILE *f = fopen(in_home(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static inline int tear_down(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

#endif
