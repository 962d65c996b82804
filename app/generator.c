/* The model thread. See generator.h.
 *
 * One mutex guards what both sides touch; a condition wakes the thread when
 * there is a request. The cancel flag is also read by the decoder, between
 * layers, without the lock. */
#include "app/generator.h"

#include "app/live_row.h"
#include "app/background.h"
#include "app/paths.h"
#include "app/request.h"
#include "midi/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct generator {
    char *model_path; /* constant after create */
    int n_threads, wake_fd;
    struct model_precision precision;
    struct live_rows *live;
    pthread_t thread;

    atomic_bool cancel; /* ui sets, decoder reads */

    pthread_mutex_t lock; /* guards the fields below */
    pthread_cond_t wanted;
    bool quit, has_request;
    bool only_reads; /* the request is to read, and to be ready for another */
    struct generation request;
    double requested_at; /* seconds, monotonic */
    struct score *snapshot;
    uint64_t n_requests;
    struct continued_note *notes;
    size_t n_notes, cap_notes;
    struct generator_progress progress;

    /* the model thread's own */
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wake(const struct generator *g)
{
    /* A full pipe already holds a wake-up. */
    if (g->wake_fd >= 0 && write(g->wake_fd, "m", 1) < 0)
        return;
}

static void fail_load(struct generator *g, const char *subject, const char *why,
                      const char *detail)
{
    pthread_mutex_lock(&g->lock);
    g->progress.failed = true;
    g->progress.running = false;
    snprintf(g->progress.error, sizeof g->progress.error, "%.100s %s%s%.60s", subject,
             why, *detail ? ": " : "", detail);
    pthread_mutex_unlock(&g->lock);
    wake(g);
}

static bool load(struct generator *g)
{
    char path[4096], detail[96] = "";
    if (!paths_model(path, sizeof path, g->model_path)) {
        fail_load(g, "the model", "was not found: start with --model FILE", "");
        return false;
    }
    enum model_status st = model_open(&g->model, path, detail, sizeof detail);
    if (!st) {
        model_set_precision(g->model, g->precision);
        g->pool = pool_create(g->n_threads);
        st = g->pool ? continuation_create(&g->continuation, g->model, g->pool)
                     : MODEL_NO_THREAD;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (st) {
        fail_load(g, name, model_strerror(st), detail);
        return false;
    }
    pthread_mutex_lock(&g->lock);
    g->progress.loaded = true;
    g->progress.model_hash = model_hash(g->model);
    snprintf(g->progress.model_name, sizeof g->progress.model_name, "%.63s", name);
    pthread_mutex_unlock(&g->lock);
    wake(g);
    continuation_set_live(g->continuation, g->live);
    continuation_warm_up(g->continuation);
    return true;
}

/* The request at work was cancelled, or another waits. Under the lock. */
static bool is_stale(struct generator *g)
{
    return g->has_request || g->quit || atomic_load(&g->cancel);
}

/* Under the lock. false: out of memory. */
static bool keep_note(struct generator *g, const struct continued_note *n)
{
    if (g->n_notes == g->cap_notes) {
        size_t cap = g->cap_notes ? 2 * g->cap_notes : 256;
        struct continued_note *grown = reallocarray(g->notes, cap, sizeof *grown);
        if (!grown)
            return false;
        g->notes = grown;
        g->cap_notes = cap;
    }
    g->notes[g->n_notes++] = *n;
    return true;
}

/* Publishes what the last call to the continuation did. n NULL: no note came.
 * false: this request is over. A stale one leaves no trace. */
static bool publish(struct generator *g, const struct continued_note *n, double start)
{
    pthread_mutex_lock(&g->lock);
    struct generator_progress *p = &g->progress;
    bool go_on = !is_stale(g) && (!n || keep_note(g, n));
    if (go_on) {
        p->seconds = now() - start;
        p->style = continuation_style(g->continuation);
        for (int i = 0; i < p->n_takes; i++)
            continuation_stats(g->continuation, i, &p->takes[i]);
        if (n && p->seconds_to_first == 0)
            p->seconds_to_first = p->seconds;
    }
    pthread_mutex_unlock(&g->lock);
    if (n)
        wake(g);
    return go_on;
}

/* `state` is that of the last call; NOTE means that its note found no room. */
static void finish(struct generator *g, const struct generation *wanted,
                   enum continuation_state state)
{
    const char *why = state == CONTINUATION_ERROR ? continuation_error(g->continuation)
                      : state == CONTINUATION_NOTE
                          ? "it needs more memory than there is"
                          : NULL;
    pthread_mutex_lock(&g->lock);
    if (!is_stale(g)) {
        g->progress.running = false;
        g->progress.request_failed = why != NULL;
        if (why)
            snprintf(g->progress.error, sizeof g->progress.error, "%s: %s",
                     wanted->options.hole.to_tick > 0
                         ? "the hole could not be filled"
                         : "the model could not continue this",
                     why);
    }
    pthread_mutex_unlock(&g->lock);
    wake(g);
}

static void generate(struct generator *g, const struct score *s,
                     const struct generation *wanted, double start)
{
    struct continued_note n;
    continuation_set_cancel(g->continuation, &g->cancel);
    enum continuation_state state =
        continuation_begin(g->continuation, s, &wanted->options);
    bool go_on = publish(g, NULL, start);
    while (go_on && (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE)) {
        state = continuation_next(g->continuation, &n);
        go_on = publish(g, state == CONTINUATION_NOTE ? &n : NULL, start);
    }
    finish(g, wanted, state);
}

/* What the continuation has read it need not read again. */
static void read_ahead(struct generator *g, const struct score *s,
                       const struct generation *wanted)
{
    continuation_set_cancel(g->continuation, &g->cancel);
    bool has_read =
        continuation_begin(g->continuation, s, &wanted->options) == CONTINUATION_BEGUN;
    pthread_mutex_lock(&g->lock);
    if (has_read && !is_stale(g))
        g->progress.style = continuation_style(g->continuation);
    pthread_mutex_unlock(&g->lock);
}

static void *run(void *arg)
{
    struct generator *g = arg;
    background_step_back();
    bool usable = load(g);
    for (;;) {
        pthread_mutex_lock(&g->lock);
        while (!g->quit && !g->has_request)
            pthread_cond_wait(&g->wanted, &g->lock);
        bool quit = g->quit;
        struct generation wanted = g->request;
        g->request = (struct generation){0};
        double start = g->requested_at;
        struct score *snapshot = g->snapshot;
        g->snapshot = NULL;
        bool only_reads = g->only_reads;
        g->has_request = false;
        if (!quit)
            atomic_store(&g->cancel, false);
        pthread_mutex_unlock(&g->lock);
        if (usable && snapshot && !quit && only_reads)
            read_ahead(g, snapshot, &wanted);
        else if (usable && snapshot && !quit)
            generate(g, snapshot, &wanted, start);
        request_fini(&wanted.options);
        score_destroy(snapshot);
        if (quit)
            return NULL;
    }
}

struct generator *generator_create(const char *model_path,
                                   struct model_precision precision, int n_threads,
                                   int wake_fd)
{
    struct generator *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->model_path = model_path ? strdup(model_path) : NULL;
    g->n_threads = n_threads;
    g->precision = precision;
    g->wake_fd = wake_fd;
    atomic_init(&g->cancel, false);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->wanted, NULL);
    g->live = live_rows_create(wake_fd);
    if ((model_path && !g->model_path) || !g->live ||
        !thread_start(&g->thread, run, g)) {
        pthread_mutex_destroy(&g->lock);
        pthread_cond_destroy(&g->wanted);
        live_rows_destroy(g->live);
        free(g->model_path);
        free(g);
        return NULL;
    }
    return g;
}

void generator_destroy(struct generator *g)
{
    if (!g)
        return;
    pthread_mutex_lock(&g->lock);
    g->quit = true;
    atomic_store(&g->cancel, true);
    pthread_cond_signal(&g->wanted);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    continuation_destroy(g->continuation);
    live_rows_destroy(g->live);
    pool_destroy(g->pool);
    model_close(g->model);
    request_fini(&g->request.options);
    score_destroy(g->snapshot);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->wanted);
    free(g->notes);
    free(g->model_path);
    free(g);
}

/* Takes both, in place of what waits; under the lock. What is not wanted any more is
 * left in them. */
static void put_request(struct generator *g, struct score **snapshot,
                        struct generation *own, bool only_reads)
{
    struct score *unused = g->snapshot;
    struct generation not_begun = g->request;
    g->snapshot = *snapshot;
    g->request = *own;
    g->only_reads = only_reads;
    g->requested_at = now();
    g->has_request = true;
    atomic_store(&g->cancel, true); /* what was running; cleared when this begins */
    pthread_cond_signal(&g->wanted);
    *snapshot = unused;
    *own = not_begun;
}

uint64_t generator_start(struct generator *g, struct score *snapshot,
                         const struct generation *wanted)
{
    struct generation own = *wanted;
    if (!request_copy(&own.options, &wanted->options)) {
        score_destroy(snapshot);
        return 0;
    }
    pthread_mutex_lock(&g->lock);
    put_request(g, &snapshot, &own, false);
    g->n_notes = 0;
    struct generator_progress *p = &g->progress;
    p->running = !p->failed;
    p->n_takes = wanted->options.n_takes;
    memset(p->takes, 0, sizeof p->takes);
    p->seconds = p->seconds_to_first = 0;
    p->request_failed = false;
    p->request = ++g->n_requests;
    uint64_t number = g->n_requests;
    pthread_mutex_unlock(&g->lock);
    request_fini(&own.options);
    score_destroy(snapshot);
    return number;
}

void generator_read_ahead(struct generator *g, struct score *snapshot,
                          const struct generation *expected)
{
    struct generation own = *expected;
    if (!request_copy(&own.options, &expected->options)) {
        score_destroy(snapshot);
        return;
    }
    pthread_mutex_lock(&g->lock);
    bool is_busy = g->progress.running || g->progress.failed;
    if (!is_busy)
        put_request(g, &snapshot, &own, true);
    pthread_mutex_unlock(&g->lock);
    request_fini(&own.options);
    score_destroy(snapshot);
}

void generator_cancel(struct generator *g)
{
    pthread_mutex_lock(&g->lock);
    atomic_store(&g->cancel, true);
    g->has_request = false;
    g->progress.running = false;
    g->n_notes = 0;
    struct score *unused = g->snapshot;
    g->snapshot = NULL;
    pthread_mutex_unlock(&g->lock);
    score_destroy(unused);
}

size_t generator_take(struct generator *g, struct continued_note *notes, size_t max)
{
    pthread_mutex_lock(&g->lock);
    size_t n = g->n_notes < max ? g->n_notes : max;
    if (n) {
        memcpy(notes, g->notes, n * sizeof *notes);
        memmove(g->notes, g->notes + n, (g->n_notes - n) * sizeof *notes);
        g->n_notes -= n;
    }
    pthread_mutex_unlock(&g->lock);
    return n;
}

const struct model *generator_model(struct generator *g)
{
    pthread_mutex_lock(&g->lock);
    const struct model *m = g->progress.loaded ? g->model : NULL;
    pthread_mutex_unlock(&g->lock);
    return m;
}

struct live_rows *generator_live(struct generator *g)
{
    return g->live;
}

void generator_progress(struct generator *g, struct generator_progress *out)
{
    pthread_mutex_lock(&g->lock);
    *out = g->progress;
    pthread_mutex_unlock(&g->lock);
}
