/* Takes of one request, decoded together over the tokens they share, beside one take
 * alone: how many tokens a second, and what they cost in takes alone. */
#include "midi/base/clock.h"
#include "app/benchmark/bench.h"

#include "app/decoding/model_file.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/training/train_report.h"
#include "model/decoder/decoder.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 11, STEPS = 24, MOST_READ = 900, MOST = DECODER_MOST_TOGETHER };
static const int CONTEXTS[] = {0, 450, MOST_READ}, N_TAKES[] = {1, 2, 4, MOST};
enum {
    N_CONTEXTS = sizeof CONTEXTS / sizeof *CONTEXTS,
    N_SIZES = sizeof N_TAKES / sizeof *N_TAKES,
};

struct race {
    struct pool *pool;
    struct decoder *reader, *takes[MOST];
    int vocab, n_read; /* tokens that the reader has read */
    float *logits[MOST];
};

/* Of N_TAKES[i] takes: seconds a step, and those over one's in the same round. */
struct measured {
    double seconds[N_SIZES], cost[N_SIZES];
};

static int32_t token_of(const struct race *r, int i)
{
    return (int32_t)((uint32_t)i * 2654435761u % (uint32_t)r->vocab);
}

static enum model_status read_request(struct race *r, int context)
{
    int32_t tokens[MOST_READ], times[MOST_READ];
    r->n_read = context - STEPS < MOST_READ ? context - STEPS : MOST_READ;
    for (int i = 0; i < r->n_read; i++) {
        tokens[i] = token_of(r, i);
        times[i] = 3 * i;
    }
    return decoder_prefill(r->reader, tokens, times, r->n_read, false, NULL);
}

static enum model_status race_init(struct race *r, const struct model *m, int threads)
{
    const struct model_config *c = model_config(m);
    *r = (struct race){.pool = pool_create(threads), .vocab = c->vocab};
    enum model_status st =
        r->pool ? decoder_create(&r->reader, m, r->pool) : MODEL_NO_MEMORY;
    for (int i = 0; !st && i < MOST; i++) {
        st = decoder_create(&r->takes[i], m, r->pool);
        r->logits[i] = calloc((size_t)c->vocab, sizeof **r->logits);
        if (!r->logits[i])
            st = MODEL_NO_MEMORY;
    }
    return st ? st : read_request(r, c->context);
}

static void race_fini(struct race *r)
{
    for (int i = 0; i < MOST; i++) {
        decoder_destroy(r->takes[i]);
        free(r->logits[i]);
    }
    decoder_destroy(r->reader);
    pool_destroy(r->pool);
}

/* *seconds: a step of n takes that go on from the first `context` tokens. */
static enum model_status run(const struct race *r, int context, int n, double *seconds)
{
    int32_t tokens[MOST], times[MOST];
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = decoder_copy(r->takes[i], r->reader, context);
    double start = clock_now_seconds();
    for (int step = 0; !st && step < STEPS; step++) {
        for (int i = 0; i < n; i++) {
            tokens[i] = token_of(r, step * MOST + i);
            times[i] = 3 * (context + step);
        }
        st = decoder_step_many(r->takes, n, tokens, times, r->logits);
    }
    *seconds = (clock_now_seconds() - start) / STEPS;
    return st;
}

/* Interleaved: what slows one down slows the others. The first round is for the
 * caches. */
static enum model_status measure(struct measured *m, const struct race *r, int context)
{
    double seconds[N_SIZES][ROUNDS], cost[N_SIZES][ROUNDS];
    enum model_status st = MODEL_OK;
    for (int k = -1; k < ROUNDS; k++)
        for (int i = 0; !st && i < N_SIZES; i++) {
            int at = k < 0 ? 0 : k;
            st = run(r, context, N_TAKES[i], &seconds[i][at]);
            cost[i][at] = seconds[i][at] / seconds[0][at];
        }
    for (int i = 0; !st && i < N_SIZES; i++) {
        m->seconds[i] = bench_median(seconds[i], ROUNDS);
        m->cost[i] = bench_median(cost[i], ROUNDS);
    }
    return st;
}

/* list NULL: lines. */
static void put(cJSON *list, const struct measured *m, int context)
{
    for (int i = 0; i < N_SIZES; i++)
        if (list)
            json_append(list,
                        "context %d takes %d tokens_per_second %g step_seconds %g "
                        "cost_of_one %g",
                        context, N_TAKES[i], N_TAKES[i] / m->seconds[i], m->seconds[i],
                        m->cost[i]);
        else
            printf("%7d  %5d  %12.0f  %10.3f ms  %9.2f\n", context, N_TAKES[i],
                   N_TAKES[i] / m->seconds[i], 1e3 * m->seconds[i], m->cost[i]);
}

/* list NULL: a table instead. */
static enum model_status report(const struct race *r, cJSON *list)
{
    enum model_status st = MODEL_OK;
    if (!list)
        printf("Takes decoded together over the tokens they share, %d threads.\n\n"
               "context  takes  tokens/s in all  a step  takes alone\n",
               pool_n_threads(r->pool));
    for (int i = 0; !st && i < N_CONTEXTS && CONTEXTS[i] <= r->n_read; i++) {
        struct measured m;
        st = measure(&m, r, CONTEXTS[i]);
        if (!st)
            put(list, &m, CONTEXTS[i]);
    }
    return st;
}

static enum model_status race_run(const struct model *m, int threads, bool json)
{
    struct race r;
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    enum model_status st = race_init(&r, m, threads);
    if (!st)
        st = report(&r, list);
    if (json && !st)
        say_json(stdout, list);
    cJSON_Delete(list);
    race_fini(&r);
    return st;
}

int bench_takes(const char *model, int threads, bool json)
{
    struct model *m = NULL;
    char path[4096];
    int status = verb_model_open(&m, model, path, sizeof path);
    if (!status) {
        enum model_status st = race_run(m, threads, json);
        status = st ? say_model_error(path, st, NULL) : 0;
    }
    model_close(m);
    return status;
}
