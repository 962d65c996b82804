/* A bench of one round on a tiny model, and the lines of JSON that a part of it prints. */
#ifndef TESTS_APP_BENCH_LINES_H
#define TESTS_APP_BENCH_LINES_H

#include "app/lab/benchmark/bench.h"
#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"

struct bench_lines {
    FILE *to;
    char *text;
    size_t n_text;
    cJSON *all[64];
    int n;
};

static struct bench quick;
static struct bench_lines lines;

static inline int set_up(void **state)
{
    if (make_model(state))
        return -1;
    lines = (struct bench_lines){0};
    quick = (struct bench){.pool = pool_create(2),
                           .budget = {.rounds = 1},
                           .model = model,
                           .to = open_memstream(&lines.text, &lines.n_text)};
    lines.to = quick.to;
    return quick.pool && quick.to ? 0 : -1;
}

/* So many there are. */
static inline void read_lines(int n)
{
    fflush(lines.to);
    for (const char *at = lines.text; *at; at = strchr(at, '\n') + 1) {
        assert_true(lines.n < 64);
        assert_non_null(lines.all[lines.n++] = cJSON_ParseWithOpts(at, NULL, 0));
    }
    assert_int_equal(lines.n, n);
}

static inline int tear_down(void **state)
{
    for (int i = 0; i < lines.n; i++)
        cJSON_Delete(lines.all[i]);
    fclose(lines.to);
    free(lines.text);
    pool_destroy(quick.pool);
    return remove_own_folder(state);
}

#define BENCH_TEST(name) TEST_IN(name, set_up, tear_down)

#endif
