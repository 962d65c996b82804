/* The model thread: loads the model and runs requests. See generator.h. */
#include "midi/base/clock.h"
#include "app/generation/generator_state.h"

#include "app/decoding/learnt_styles.h"
#include "app/decoding/model_file.h"
#include "app/base/paths.h"
#include "app/generation/generator.h"
#include "midi/base/array.h"
#include "midi/base/thread.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    if (!g->loads) {
        g->progress.failed = true;
        g->progress.running = false;
        snprintf(g->progress.error, sizeof g->progress.error, "%.100s %s%s%.60s",
                 subject, why, *detail ? ": " : "", detail);
    }
    pthread_mutex_unlock(&g->lock);
    wake(g);
}

static void unload(struct generator *g)
{
    continuation_destroy(g->continuation);
    model_close(g->model);
    g->continuation = NULL;
    g->model = NULL;
}

/* The path of the requested model. */
static bool find_model(struct generator *g, char path[4096])
{
    pthread_mutex_lock(&g->lock);
    g->loads = false;
    bool found = paths_model(path, 4096, g->model_path);
    pthread_mutex_unlock(&g->lock);
    return found;
}

static bool load(struct generator *g)
{
    char path[4096], detail[96] = "";
    unload(g);
    if (!find_model(g, path)) {
        fail_load(g, "the model", "was not found: start with --model FILE", "");
        return false;
    }
    enum model_status st = model_file_open(&g->model, path, detail, sizeof detail);
    if (!st) {
        g->model->precision = g->precision;
        if (!g->pool)
            g->pool = pool_create(g->n_threads);
        st = g->pool ? continuation_create(&g->continuation, g->model, g->pool)
                     : MODEL_NO_THREAD;
    }
    const char *name = file_base_name(path);
    if (st) {
        fail_load(g, name, model_strerror(st), detail);
        return false;
    }
    uint64_t styles = learnt_styles(g->model);
    pthread_mutex_lock(&g->lock);
    g->progress.loaded = !g->loads;
    g->progress.styles = styles;
    snprintf(g->progress.model_name, sizeof g->progress.model_name, "%.63s", name);
    pthread_mutex_unlock(&g->lock);
    wake(g);
    if (!g->has_critic)
        g->has_critic = critic_find(&g->critic);
    continuation_set_live(g->continuation, g->live);
    uint64_t hash = model_hash(g->model);
    pthread_mutex_lock(&g->lock);
    if (!g->loads)
        g->progress.model_hash = hash;
    pthread_mutex_unlock(&g->lock);
    return true;
}

/* The running request was cancelled, or another waits. Under the lock. */
static bool is_stale(struct generator *g)
{
    return g->has_request || g->quit || atomic_load(&g->cancel);
}

bool generator_is_over(struct generator *g)
{
    pthread_mutex_lock(&g->lock);
    bool is_over = is_stale(g);
    pthread_mutex_unlock(&g->lock);
    return is_over;
}

/* Publishes the result of the last call to the continuation. n NULL: no note. false: this
 * request is over. A stale request changes nothing. */
static bool publish(struct generator *g, const struct continued_note *n)
{
    pthread_mutex_lock(&g->lock);
    struct generator_progress *p = &g->progress;
    bool go_on = !is_stale(g) &&
                 (!n || array_add(&g->notes, &g->n_notes, &g->cap_notes, n, sizeof *n));
    if (go_on) {
        p->seconds = clock_now_seconds() - g->started;
        p->style = continuation_style(g->continuation);
        p->drawn = 0;
        for (int i = 0; i < p->n_takes; i++) {
            continuation_stats(g->continuation, i, &p->takes[i]);
            p->drawn += continuation_share(&p->takes[i]);
        }
        if (n && p->seconds_to_first == 0)
            p->seconds_to_first = p->seconds;
    }
    pthread_mutex_unlock(&g->lock);
    if (n)
        wake(g);
    return go_on;
}

void generator_tell_drawn(struct generator *g, double drawn)
{
    pthread_mutex_lock(&g->lock);
    const bool is_news = !is_stale(g) && (int)drawn > (int)g->progress.drawn;
    if (!is_stale(g)) {
        g->progress.drawn = drawn;
        g->progress.seconds = clock_now_seconds() - g->started;
    }
    pthread_mutex_unlock(&g->lock);
    if (is_news)
        wake(g);
}

/* `state` is that of the last call; NOTE means that its note found no room. Takes the
 * choice. */
static void finish(struct generator *g, const struct generation *wanted,
                   enum continuation_state state, struct generator_choice *choice)
{
    const char *why = state == CONTINUATION_ERROR ? continuation_error(g->continuation)
                      : state == CONTINUATION_NOTE
                          ? "it needs more memory than is available"
                          : NULL;
    pthread_mutex_lock(&g->lock);
    if (!is_stale(g)) {
        g->choice = *choice;
        *choice = (struct generator_choice){0};
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
    generator_choice_free(choice);
    wake(g);
}

/* As many as are shown, note by note. */
static enum continuation_state stream(struct generator *g, const struct score *s,
                                      const struct generation *wanted, struct drawn *d)
{
    struct continued_note n;
    continuation_set_cancel(g->continuation, &g->cancel);
    enum continuation_state state =
        continuation_begin(g->continuation, s, &wanted->options);
    bool go_on = publish(g, NULL);
    while (go_on && (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE)) {
        state = continuation_next(g->continuation, &n);
        bool is_note = state == CONTINUATION_NOTE;
        go_on =
            publish(g, is_note ? &n : NULL) && (!is_note || drawn_keep(d, n.take, &n));
    }
    return state;
}

/* The request runs until all takes are drawn; the takes streamed by then remain if the rest
 * fails. */
static void choose(struct generator *g, const struct score *s,
                   const struct generation *wanted, struct drawn *d,
                   struct generator_choice *out)
{
    for (int i = 0; i < wanted->options.n_takes; i++)
        continuation_stats(g->continuation, i, &d->takes[i].stats);
    if (!drawn_go_on(d, g, s, wanted) || !drawn_choose(d, g, s, wanted, out))
        return;
    pthread_mutex_lock(&g->lock);
    for (int i = 0; !is_stale(g) && i < wanted->options.n_takes; i++)
        g->progress.takes[i] = d->takes[i].stats;
    pthread_mutex_unlock(&g->lock);
}

static void generate(struct generator *g, const struct score *s,
                     const struct generation *wanted, double start)
{
    struct drawn d;
    struct generator_choice choice = {0};
    int n = draws_wanted(&wanted->options, g->has_critic ? &g->critic : NULL);
    enum continuation_state state = CONTINUATION_NOTE; /* no memory */
    g->started = start;
    pthread_mutex_lock(&g->lock);
    if (!is_stale(g))
        g->progress.n_draws = n;
    pthread_mutex_unlock(&g->lock);
    if (drawn_init(&d, n))
        state = stream(g, s, wanted, &d);
    const bool is_answer = wanted->options.end_tick > 0; /* it may play by now */
    if (state == CONTINUATION_DONE && n > 1 && !is_answer)
        choose(g, s, wanted, &d, &choice);
    drawn_fini(&d);
    finish(g, wanted, state, &choice);
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

void *generator_thread(void *generator)
{
    struct generator *g = generator;
    thread_step_back();
    bool usable = false;
    for (;;) {
        pthread_mutex_lock(&g->lock);
        while (!g->quit && !g->has_request && !g->loads)
            pthread_cond_wait(&g->wanted, &g->lock);
        bool quit = g->quit, loads = g->loads;
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
        if (loads && !quit)
            usable = load(g);
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
