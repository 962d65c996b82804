/* A folder in which the program is run as a script would: checks its exit status, its output
 * and its files. $CONTINUO_BIN names the program; `make test` sets it. Include cmocka.h before
 * it. */
#ifndef TESTS_APP_PROGRAM_HOME_H
#define TESTS_APP_PROGRAM_HOME_H

#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"

#include <math.h>
#include <sys/wait.h>

enum { QUARTER = 96, MAX_SAID = 1 << 20 };

static char said[MAX_SAID];         /* by the last run, on both outputs */
static const char *home_of_program; /* where its models are; NULL: in `folder` */

/* Runs a line of shell in `folder`; returns its exit status. */
static inline int run_shell(const char *line)
{
    if (!getenv("CONTINUO_BIN"))
        fail_msg("CONTINUO_BIN is not set: run through make test");
    FILE *f = popen(formatted("{ cd '%s' && %s; } 2>&1", folder, line), "r");
    assert_non_null(f);
    said[fread(said, 1, sizeof said - 1, f)] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A line that finds the program at home there, too, unless `home` is set. */
static inline const char *with_program(const char *line)
{
    return formatted("export CONTINUO_HOME='%s'; %s",
                     home_of_program ? home_of_program : folder, line);
}

/* The program there; `arguments` is shell. */
static inline int run_program(const char *arguments)
{
    return run_shell(with_program(formatted("\"$CONTINUO_BIN\" %s", arguments)));
}

static inline void assert_done(const char *arguments)
{
    int status = run_program(arguments);
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
        int status = run_program(lines[i]);
        if (status != wanted || strncmp(said, "continuo: ", 10) != 0)
            fail_msg("%s: exit %d, said %s", lines[i], status, said);
    }
}

/* Command lines, as rows: how each ends, and what it says. Texts are separated by "|", each is
 * in what was said, or after "-" it is not. NULL: that it says why, if it does not end well. After
 * "$" a line is of the shell.
 *
 *   TOLD(name) = {{"info in.mid", 0, "high|-\033"}, ...}; */
struct told {
    const char *line;
    int status;
    const char *says;
};

static inline void check_told(const struct told *t)
{
    char text[256];
    const int status =
        *t->line == '$' ? run_shell(with_program(t->line + 1)) : run_program(t->line);
    bool is_right =
        status == t->status && (t->says || !status || !strncmp(said, "continuo: ", 10));
    for (const char *at = t->says; at && *at; at += strspn(at, "|")) {
        const size_t n = strcspn(at, "|");
        snprintf(text, sizeof text, "%.*s", (int)n, at);
        is_right &= *text == '-' ? !strstr(said, text + 1) : !!strstr(said, text);
        at += n;
    }
    if (!is_right)
        fail_msg("%s: exit %d, said %s", t->line, status, said);
}

#define TOLD(name)                                                                     \
    static const struct told name##_rows[64];                                          \
    TEST(name)                                                                         \
    {                                                                                  \
        for (const struct told *t = name##_rows; t->line; t++)                         \
            check_told(t);                                                             \
    }                                                                                  \
    static const struct told name##_rows[64]

static inline bool same_bytes(const char *a, const char *b)
{
    size_t n_a, n_b;
    uint8_t *x = get_bytes(a, &n_a), *y = get_bytes(b, &n_b);
    bool same = n_a == n_b && n_a > 0 && !memcmp(x, y, n_a);
    free(x);
    free(y);
    return same;
}

/* JSON in the folder. */
static inline cJSON *read_json(const char *name)
{
    size_t n;
    auto_free char *text = get_bytes(name, &n);
    cJSON *j = cJSON_Parse(text);
    assert_non_null(j);
    return j;
}

#endif
