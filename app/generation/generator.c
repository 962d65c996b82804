/* The ui's side of the model thread: requests go in, notes and news come out. See
 * generator.h. */
#include "midi/base/clock.h"
#include "app/generation/generator_state.h"

#include "app/generation/generator.h"
#include "midi/base/array.h"
#include "midi/base/thread.h"

#include <stdlib.h>
#include <string.h>

struct generator *generator_create(const char *model_path,
                                   struct model_precision precision, int n_threads,
                                   int wake_fd)
{
    struct generator *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->model_path = model_path ? strdup(model_path) : NULL;
    g->loads = true;
    g->n_threads = n_threads;
    g->precision = precision;
    g->wake_fd = wake_fd;
    atomic_init(&g->cancel, false);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->wanted, NULL);
    if ((model_path && !g->model_path) ||
        !thread_start(&g->thread, generator_thread, g)) {
        pthread_mutex_destroy(&g->lock);
        pthread_cond_destroy(&g->wanted);
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
    pool_destroy(g->pool);
    model_close(g->model);
    request_fini(&g->request.options);
    score_destroy(g->snapshot);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->wanted);
    generator_choice_free(&g->choice);
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++)
        free(g->tokens[i].list);
    free(g->notes);
    free(g->model_path);
    free(g);
}

/* What came of the request before, under the lock. */
static void forget_results(struct generator *g)
{
    g->n_notes = 0;
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++)
        g->tokens[i].n = 0;
    generator_choice_free(&g->choice);
}

bool generator_use(struct generator *g, const char *model_path)
{
    char *path = model_path ? strdup(model_path) : NULL;
    if (model_path && !path)
        return false;
    generator_cancel(g);
    pthread_mutex_lock(&g->lock);
    char *unused = g->model_path;
    g->model_path = path;
    g->loads = true;
    g->progress = (struct generator_progress){.request = g->n_requests};
    pthread_cond_signal(&g->wanted);
    pthread_mutex_unlock(&g->lock);
    free(unused);
    return true;
}

/* Swaps both with the waiting ones, under the lock. The old ones are left in them. */
static void put_request(struct generator *g, struct score **snapshot,
                        struct generation *own, bool only_reads)
{
    struct score *unused = g->snapshot;
    struct generation not_begun = g->request;
    g->snapshot = *snapshot;
    g->request = *own;
    g->only_reads = only_reads;
    g->requested_at = clock_now_seconds();
    g->has_request = true;
    atomic_store(&g->cancel, true); /* the running one; cleared when this begins */
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
    forget_results(g);
    struct generator_progress *p = &g->progress;
    p->running = !p->failed;
    p->n_takes = p->n_draws = wanted->options.n_takes;
    p->drawn = 0;
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
    forget_results(g);
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

bool generator_take_tokens(struct generator *g, int take, int32_t **tokens, size_t *n)
{
    bool ok = true;
    pthread_mutex_lock(&g->lock);
    const size_t n_now = g->tokens[take].n;
    if (n_now > *n) {
        int32_t *room = array_resize(*tokens, n_now, sizeof *room);
        ok = room != NULL;
        *tokens = ok ? room : *tokens;
        for (; ok && *n < n_now; ++*n)
            room[*n] = g->tokens[take].list[*n];
    }
    pthread_mutex_unlock(&g->lock);
    return ok;
}

void generator_choice_free(struct generator_choice *c)
{
    for (int i = 0; i < c->n; i++)
        draws_fini(&c->takes[i]);
    *c = (struct generator_choice){0};
}

bool generator_take_choice(struct generator *g, struct generator_choice *out)
{
    pthread_mutex_lock(&g->lock);
    *out = g->choice;
    g->choice = (struct generator_choice){0};
    pthread_mutex_unlock(&g->lock);
    return out->n > 0;
}

const struct model *generator_model(struct generator *g)
{
    pthread_mutex_lock(&g->lock);
    const struct model *m = g->progress.loaded ? g->model : NULL;
    pthread_mutex_unlock(&g->lock);
    return m;
}

void generator_progress(struct generator *g, struct generator_progress *out)
{
    pthread_mutex_lock(&g->lock);
    *out = g->progress;
    pthread_mutex_unlock(&g->lock);
}
