/* A folder in which the program is run as a script would: checks its exit status, its output
 * and its files. $CONTINUO_BIN names the program; `make test` sets it. Include cmocka.h before
 * it. */
#ifndef TESTS_APP_PROGRAM_HOME_H
#define TESTS_APP_PROGRAM_HOME_H

#include "midi/smf/smf.h"
#include "tests/app/read_json.h"

#include <math.h>
#include <sys/wait.h>

enum { QUARTER = 96, MAX_SAID = 1 << 20 };

static char said[MAX_SAID]; /* by the last run, on both outputs */

/* Runs the program in `folder`; returns its exit status. `arguments` is shell. */
static inline int run(const char *arguments)
{
    char command[2048];
    const char *program = getenv("CONTINUO_BIN");
    if (!program)
        fail_msg("CONTINUO_BIN is not set: run through make test");
    snprintf(command, sizeof command, "cd '%s' && CONTINUO_HOME='%s' '%s' %s 2>&1",
             folder, folder, program, arguments);
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

static inline bool same_bytes(const char *a, const char *b)
{
    size_t n_a, n_b;
    uint8_t *x = get_bytes(a, &n_a), *y = get_bytes(b, &n_b);
    bool same = n_a == n_b && n_a > 0 && !memcmp(x, y, n_a);
    free(x);
    free(y);
    return same;
}

#endif
