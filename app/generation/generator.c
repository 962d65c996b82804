/* The model thread, and the ui's side of it: requests go in, notes and news come out. See
 * generator.h.
 *
 * The decoder reads the worker's cancel flag between layers, without the lock. */
#include "app/generation/generator.h"

#include "app/base/paths.h"
#include "app/base/worker.h"
#include "app/decoding/styles.h"
#include "app/decoding/metadata.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was published of a take that is shown. */
struct published {
    int32_t *tokens; /* [n_tokens] all so far */
    size_t n_tokens, n_notes;
};

/* A request that owns its data. */
struct asked {
    struct continuation_options options;
    struct score
        *snapshot;   /* NULL: the model is to be loaded, and nothing else is asked */
    bool only_reads; /* to prepare for another */
    double at;       /* seconds, monotonic */
};

struct generator {
    int n_threads;
    struct model_precision precision;
    struct asked loading; /* what is asked when nothing is */

    struct worker worker; /* its lock guards the fields below */
    char *model_path;     /* NULL: the bundled one */
    bool loads;           /* the model at model_path must be loaded */
    uint64_t n_requests;
    struct continued_note *notes;
    size_t n_notes, cap_notes;
    struct published published[CONTINUATION_MAX_TAKES];
    struct generator_progress progress;
    struct take *choice; /* [n_choice] NULL: there is none */
    int n_choice;

    /* the model thread's own */
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
    struct critic critic;
    bool has_critic, is_usable;
    double started; /* when the running request was made, seconds */
};

/* -- the model thread -- */

/* Loads the model at model_path. false: progress says why not, unless another is wanted by now. */
static bool load(struct generator *g)
{
    char path[4096], why[200] = "", detail[96] = "";
    continuation_destroy(g->continuation);
    model_close(g->model);
    g->continuation = NULL;
    g->model = NULL;
    pthread_mutex_lock(&g->worker.lock);
    g->loads = false;
    const bool is_found = paths_model(path, sizeof path, g->model_path);
    pthread_mutex_unlock(&g->worker.lock);
    enum model_status st = is_found
                               ? model_file_open(&g->model, path, detail, sizeof detail)
                               : MODEL_NO_FILE;
    if (!st) {
        g->model->precision = g->precision;
        if (!g->pool)
            g->pool = pool_create(g->n_threads);
        st = g->pool ? continuation_create(&g->continuation, g->model, g->pool,
                                           &g->worker.cancel)
                     : MODEL_NO_THREAD;
    }
    if (!is_found)
        snprintf(why, sizeof why, "the model was not found: start with --model FILE");
    else if (st)
        snprintf(why, sizeof why, "%.100s %s%s%.60s", file_base_name(path),
                 model_strerror(st), *detail ? ": " : "", detail);
    const uint64_t styles = st ? 0 : learnt_styles(g->model);
    pthread_mutex_lock(&g->worker.lock);
    struct generator_progress *p = &g->progress;
    if (!st) {
        p->loaded = !g->loads;
        p->styles = styles;
        snprintf(p->model_name, sizeof p->model_name, "%.63s", file_base_name(path));
    } else if (!g->loads) {
        p->failed = true;
        p->running = false;
        memcpy(p->error, why, sizeof why);
    }
    pthread_mutex_unlock(&g->worker.lock);
    worker_wake(&g->worker);
    if (st)
        return false;
    if (!g->has_critic)
        g->has_critic = critic_find(&g->critic);
    uint64_t hash = model_hash(g->model);
    pthread_mutex_lock(&g->worker.lock);
    if (!g->loads)
        p->model_hash = hash;
    pthread_mutex_unlock(&g->worker.lock);
    return true;
}

/* Publishes how far the drawing is, and of takes that are shown the notes and tokens that came. false:
 * this request is over, or there is no memory for them. A stale request changes nothing. */
static bool publish(void *generator, const struct take *takes, int n_before,
                    double drawn)
{
    struct generator *g = generator;
    pthread_mutex_lock(&g->worker.lock);
    struct generator_progress *p = &g->progress;
    bool has_news = (int)drawn > (int)p->drawn, goes_on = !worker_is_stale(&g->worker);
    for (int i = n_before; goes_on && i < p->n_takes; i++) {
        struct published *to = &g->published[i];
        for (; goes_on && to->n_notes < takes[i].n_notes; to->n_notes++) {
            struct continued_note n = takes[i].notes[to->n_notes];
            n.take = i;
            goes_on = array_add(&g->notes, &g->n_notes, &g->cap_notes, &n, sizeof n);
            has_news = true;
        }
        while (goes_on && to->n_tokens < takes[i].n_tokens)
            goes_on = array_push(&to->tokens, &to->n_tokens,
                                 &takes[i].tokens[to->n_tokens], sizeof *to->tokens);
        p->takes[i] = takes[i].stats;
    }
    if (goes_on) {
        p->seconds = clock_now_seconds() - g->started;
        p->drawn = drawn;
        p->style = takes[n_before].style;
        if (g->n_notes && p->seconds_to_first == 0)
            p->seconds_to_first = p->seconds;
    }
    pthread_mutex_unlock(&g->worker.lock);
    if (goes_on && has_news)
        worker_wake(&g->worker);
    return goes_on;
}

/* Draws the takes that are shown, then others to choose among. The takes that were streamed stay if
 * only the others fail, or cannot be judged. */
static void generate(struct generator *g, const struct score *s,
                     const struct continuation_options *o)
{
    const struct draws_listener l = {publish, g, true};
    const int n = draws_wanted(o, g->has_critic ? &g->critic : NULL);
    const bool is_answer = o->end_tick > 0; /* it may play by now */
    int n_drawn = 0;
    struct take *takes = calloc((size_t)n, sizeof *takes);
    pthread_mutex_lock(&g->worker.lock);
    if (!worker_is_stale(&g->worker))
        g->progress.n_draws = n;
    pthread_mutex_unlock(&g->worker.lock);
    if (takes)
        draws_make(takes, n, g->continuation, s, o, &l, &n_drawn);
    const char *why = n_drawn >= o->n_takes ? NULL
                      : takes               ? continuation_error(g->continuation)
                                            : "";
    if (n_drawn == n && n > 1 && !is_answer &&
        draws_judge(takes, n, o, g->has_critic ? &g->critic : NULL, s)) {
        /* The takes that are shown are judged, too; the best of all are the choice. */
        struct continuation_stats shown[CONTINUATION_MAX_TAKES];
        for (int i = 0; i < o->n_takes; i++)
            shown[i] = takes[i].stats;
        draws_sort(takes, n, o->n_takes);
        pthread_mutex_lock(&g->worker.lock);
        if (!worker_is_stale(&g->worker)) {
            memcpy(g->progress.takes, shown, (size_t)o->n_takes * sizeof *shown);
            g->choice = takes;
            g->n_choice = n;
            takes = NULL;
        }
        pthread_mutex_unlock(&g->worker.lock);
    }
    takes_free(takes, n);
    pthread_mutex_lock(&g->worker.lock);
    struct generator_progress *p = &g->progress;
    if (!worker_is_stale(&g->worker)) {
        p->running = false;
        p->request_failed = why != NULL;
        if (why)
            snprintf(p->error, sizeof p->error, "%s: %s",
                     o->hole.to_tick > 0 ? "the hole could not be filled"
                                         : "the model could not continue this",
                     *why ? why : "it needs more memory than is available");
    }
    pthread_mutex_unlock(&g->worker.lock);
    worker_wake(&g->worker);
}

static void asked_free(struct asked *a)
{
    if (!a || !a->snapshot)
        return;
    continuation_options_fini(&a->options);
    score_destroy(a->snapshot);
    free(a);
}

/* Answers a request, which it takes, after loading the model if another is wanted. The continuation
 * need not read again what it has read ahead. */
static void answer(void *generator, void *request)
{
    struct generator *g = generator;
    struct asked *a = request;
    pthread_mutex_lock(&g->worker.lock);
    const bool loads = g->loads;
    pthread_mutex_unlock(&g->worker.lock);
    g->is_usable = loads ? load(g) : g->is_usable;
    g->started = a->at;
    const bool is_asked = g->is_usable && a->snapshot;
    struct take likely = {.seed = a->options.sampling.seed};
    if (is_asked && !a->only_reads) {
        generate(g, a->snapshot, &a->options);
    } else if (is_asked && continuation_begin(g->continuation, a->snapshot, &a->options,
                                              &likely, 1) == CONTINUATION_BEGUN) {
        pthread_mutex_lock(&g->worker.lock);
        if (!worker_is_stale(&g->worker))
            g->progress.style = likely.style;
        pthread_mutex_unlock(&g->worker.lock);
    }
    take_fini(&likely);
    asked_free(a);
}

/* -- the ui's side -- */

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
    if ((model_path && !g->model_path) ||
        !worker_start(&g->worker, g, answer, wake_fd)) {
        free(g->model_path);
        free(g);
        return NULL;
    }
    pthread_mutex_lock(&g->worker.lock);
    worker_put(&g->worker, &g->loading);
    pthread_mutex_unlock(&g->worker.lock);
    return g;
}

void generator_destroy(struct generator *g)
{
    if (!g)
        return;
    asked_free(worker_stop(&g->worker));
    continuation_destroy(g->continuation);
    pool_destroy(g->pool);
    model_close(g->model);
    takes_free(g->choice, g->n_choice);
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++)
        free(g->published[i].tokens);
    free(g->notes);
    free(g->model_path);
    free(g);
}

/* Forgets the results of the request before. Call with the lock. */
static void forget_results(struct generator *g)
{
    g->n_notes = 0;
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++)
        g->published[i].n_tokens = g->published[i].n_notes = 0;
    takes_free(g->choice, g->n_choice);
    g->choice = NULL;
}

bool generator_use(struct generator *g, const char *model_path)
{
    char *path = model_path ? strdup(model_path) : NULL;
    if (model_path && !path)
        return false;
    generator_cancel(g);
    pthread_mutex_lock(&g->worker.lock);
    char *unused = g->model_path;
    g->model_path = path;
    g->loads = true;
    g->progress = (struct generator_progress){.request = g->n_requests};
    worker_put(&g->worker, &g->loading);
    pthread_mutex_unlock(&g->worker.lock);
    free(unused);
    return true;
}

uint64_t generator_ask(struct generator *g, struct score *snapshot,
                       const struct continuation_options *wanted, bool only_reads)
{
    struct generator_progress *p = &g->progress;
    struct asked *a = calloc(1, sizeof *a);
    uint64_t number = 0;
    if (!a || !continuation_options_copy(&a->options, wanted)) {
        score_destroy(snapshot);
        free(a);
        return 0;
    }
    a->snapshot = snapshot;
    a->only_reads = only_reads;
    a->at = clock_now_seconds();
    pthread_mutex_lock(&g->worker.lock);
    if (!only_reads || !(p->running || p->failed))
        a = worker_put(&g->worker, a);
    if (!only_reads) {
        forget_results(g);
        p->running = !p->failed;
        p->n_takes = p->n_draws = wanted->n_takes;
        p->drawn = 0;
        memset(p->takes, 0, sizeof p->takes);
        p->seconds = p->seconds_to_first = 0;
        p->request_failed = false;
        p->request = number = ++g->n_requests;
    }
    pthread_mutex_unlock(&g->worker.lock);
    asked_free(a);
    return number;
}

void generator_cancel(struct generator *g)
{
    pthread_mutex_lock(&g->worker.lock);
    struct asked *unused = worker_put(&g->worker, g->loads ? &g->loading : NULL);
    g->progress.running = false;
    forget_results(g);
    pthread_mutex_unlock(&g->worker.lock);
    asked_free(unused);
}

size_t generator_take(struct generator *g, struct continued_note *notes, size_t max)
{
    pthread_mutex_lock(&g->worker.lock);
    size_t n = g->n_notes < max ? g->n_notes : max;
    if (n) {
        memcpy(notes, g->notes, n * sizeof *notes);
        memmove(g->notes, g->notes + n, (g->n_notes - n) * sizeof *notes);
        g->n_notes -= n;
    }
    pthread_mutex_unlock(&g->worker.lock);
    return n;
}

bool generator_take_tokens(struct generator *g, int take, int32_t **tokens, size_t *n)
{
    bool ok = true;
    pthread_mutex_lock(&g->worker.lock);
    const struct published *of = &g->published[take];
    while (ok && *n < of->n_tokens)
        ok = array_push(tokens, n, &of->tokens[*n], sizeof *of->tokens);
    pthread_mutex_unlock(&g->worker.lock);
    return ok;
}

struct take *generator_take_choice(struct generator *g, int *n)
{
    pthread_mutex_lock(&g->worker.lock);
    struct take *choice = g->choice;
    *n = g->n_choice;
    g->choice = NULL;
    pthread_mutex_unlock(&g->worker.lock);
    return choice;
}

const struct model *generator_model(struct generator *g)
{
    pthread_mutex_lock(&g->worker.lock);
    const struct model *m = g->progress.loaded ? g->model : NULL;
    pthread_mutex_unlock(&g->worker.lock);
    return m;
}

void generator_progress(struct generator *g, struct generator_progress *out)
{
    pthread_mutex_lock(&g->worker.lock);
    *out = g->progress;
    pthread_mutex_unlock(&g->worker.lock);
}
