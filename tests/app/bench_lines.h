/* The lines of JSON that a part of continuo bench prints. */
#ifndef TESTS_APP_BENCH_LINES_H
#define TESTS_APP_BENCH_LINES_H

#include "tests/app/json_at.h"

struct bench_lines {
    FILE *to;
    char *text;
    size_t n_text;
    cJSON *all[64];
    int n;
};

static inline FILE *bench_lines_open(struct bench_lines *l)
{
    *l = (struct bench_lines){0};
    return l->to = open_memstream(&l->text, &l->n_text);
}

static inline void bench_lines_read(struct bench_lines *l)
{
    fflush(l->to);
    for (const char *at = l->text; *at; at = strchr(at, '\n') + 1) {
        assert_true(l->n < 64);
        assert_non_null(l->all[l->n] = cJSON_ParseWithOpts(at, NULL, 0));
        l->n++;
    }
}

static inline void bench_lines_close(struct bench_lines *l)
{
    for (int i = 0; i < l->n; i++)
        cJSON_Delete(l->all[i]);
    fclose(l->to);
    free(l->text);
}

#endif
