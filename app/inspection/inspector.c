/* The inspector's thread. See inspector.h.
 *
 * One mutex guards the shared data; a condition wakes the thread for a request. The
 * decoders read the cancel flag between layers, without the lock. */
#include "app/inspection/inspector_internal.h"

#include "app/generation/generator.h"
#include "app/inspection/head_names.h"
#include "midi/base/array.h"
#include "midi/base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct inspector {
    int n_threads, wake_fd; /* constant after create */
    pthread_t thread;

    atomic_bool cancel; /* ui sets, decoders read */

    struct head_names names; /* the thread's, until it is known; then constant */
    atomic_bool has_names;

    pthread_mutex_t lock; /* guards the fields below */
    pthread_cond_t wanted;
    bool quit, has_asked;
    struct asked asked;
    struct score *snapshot; /* NULL: the old one */
    uint64_t n_asked;
    struct inspector_report news;
    bool has_news;

    struct inspector_work work; /* the thread's own */
};

static void wake(const struct inspector *i)
{
    /* A full pipe already holds a wake-up. */
    if (i->wake_fd >= 0 && write(i->wake_fd, "i", 1) < 0)
        return;
}

/* -- reports: parts are moved; replaced ones are freed -- */

void inspector_report_fini(struct inspector_report *r)
{
    free(r->wash.notes);
    free(r->wash.tokens);
    free(r->wash.weights);
    free(r->wash.compared);
    free(r->alternatives.given);
    free(r->matrix.cells);
    free(r->thumbnails.cells);
    free(r->surprise.notes);
    *r = (struct inspector_report){0};
}

/* Swaps a part of n bytes, if it was found: for the request `of`; 0: it was not. */
static void swap_part(void *to, void *from, size_t n, uint64_t of)
{
    char before[sizeof(struct inspector_report)];
    if (!of)
        return;
    memcpy(before, to, n);
    memcpy(to, from, n);
    memcpy(from, before, n);
}

#define SWAP(part) swap_part(&to->part, &from->part, sizeof to->part, from->part.of)

static void merge_report(struct inspector_report *to, struct inspector_report *from)
{
    SWAP(wash);
    SWAP(alternatives);
    SWAP(matrix);
    SWAP(thumbnails);
    SWAP(mutes);
    SWAP(who_matters);
    SWAP(surprise);
    to->request = from->request;
    to->is_done = from->is_done;
    memcpy(to->error, from->error, sizeof to->error);
}

/* What is found for a request that another came after is not news any more. */
void inspector_publish(struct inspector *in, struct inspector_report *found)
{
    pthread_mutex_lock(&in->lock);
    bool is_news = !in->has_asked && !in->quit && !atomic_load(&in->cancel);
    if (is_news) {
        merge_report(&in->news, found);
        in->has_news = true;
    }
    pthread_mutex_unlock(&in->lock);
    if (is_news)
        wake(in);
}

const char *inspector_head_name(const struct inspector *i, int layer, int head)
{
    return i && atomic_load(&i->has_names) ? head_names_of(&i->names, layer, head) : "";
}

/* -- the request -- */

static void asked_fini(struct asked *a)
{
    free((void *)a->take.notes);
    request_fini(&a->options);
    *a = (struct asked){0};
}

/* false: no memory, and nothing is in it. */
static bool asked_copy(struct asked *to, const struct inspector_request *r)
{
    const struct inspected_take *take = r->read.take;
    *to = (struct asked){.r = *r};
    if (!take)
        return true;
    to->take = *take;
    to->take.notes = array_copy(take->notes, take->n_notes, sizeof *take->notes);
    bool ok = to->take.notes && request_copy(&to->options, take->options);
    if (!ok)
        asked_fini(to);
    return ok;
}

uint64_t inspector_ask(struct inspector *i, struct score *snapshot,
                       const struct inspector_request *r)
{
    struct asked own;
    if (!asked_copy(&own, r)) {
        score_destroy(snapshot);
        return 0;
    }
    pthread_mutex_lock(&i->lock);
    struct asked unused = i->asked;
    struct score *old = snapshot ? i->snapshot : NULL;
    own.number = ++i->n_asked;
    i->asked = own;
    i->snapshot = snapshot ? snapshot : i->snapshot;
    i->has_asked = true;
    atomic_store(&i->cancel, true); /* the running one; cleared when this begins */
    pthread_cond_signal(&i->wanted);
    pthread_mutex_unlock(&i->lock);
    asked_fini(&unused);
    score_destroy(old);
    return own.number;
}

void inspector_stop(struct inspector *i)
{
    pthread_mutex_lock(&i->lock);
    i->has_asked = false;
    atomic_store(&i->cancel, true);
    pthread_mutex_unlock(&i->lock);
}

bool inspector_collect(struct inspector *i, struct inspector_report *report)
{
    pthread_mutex_lock(&i->lock);
    struct inspector_report news = i->news;
    bool any = i->has_news;
    i->news = (struct inspector_report){0};
    i->has_news = false;
    pthread_mutex_unlock(&i->lock);
    if (any)
        merge_report(report, &news);
    inspector_report_fini(&news);
    return any;
}

/* -- the thread -- */

static void answer(struct inspector *i, struct asked *a, struct score *snapshot)
{
    struct inspector_work *w = &i->work;
    if (snapshot) {
        score_destroy(w->score);
        w->score = snapshot;
    }
    if (a->r.read.take) { /* at its final address */
        a->take.options = &a->options;
        a->r.read.take = &a->take;
    }
    bool ok = w->score && (w->pool || (w->pool = pool_create(i->n_threads))) &&
              (w->near || !inspection_create(&w->near, w->model, w->pool));
    if (ok) {
        inspection_set_cancel(w->near, &i->cancel);
        inspector_work(w, a);
    } else {
        struct inspector_report failed = {
            .request = a->number,
            .is_done = true,
            .error = "this model cannot be inspected, or there is not enough memory"};
        inspector_publish(i, &failed);
    }
    if (atomic_load(&i->has_names))
        return;
    /* Read from a file, after the first answer. */
    head_names_find(&i->names, model_hash(w->model));
    atomic_store(&i->has_names, true);
    wake(i);
}

static void *run(void *arg)
{
    struct inspector *i = arg;
    thread_step_back();
    for (;;) {
        pthread_mutex_lock(&i->lock);
        while (!i->quit && !i->has_asked)
            pthread_cond_wait(&i->wanted, &i->lock);
        bool quit = i->quit;
        struct asked asked = i->asked;
        struct score *snapshot = i->snapshot;
        i->asked = (struct asked){0};
        i->snapshot = NULL;
        i->has_asked = false;
        if (!quit)
            atomic_store(&i->cancel, false);
        pthread_mutex_unlock(&i->lock);
        if (quit)
            score_destroy(snapshot);
        else
            answer(i, &asked, snapshot);
        asked_fini(&asked);
        if (quit)
            return NULL;
    }
}

struct inspector *inspector_create(const struct model *model, int n_threads,
                                   int wake_fd)
{
    struct inspector *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->n_threads = n_threads;
    i->wake_fd = wake_fd;
    atomic_init(&i->cancel, false);
    atomic_init(&i->has_names, false);
    i->work = (struct inspector_work){.in = i, .model = model, .cancel = &i->cancel};
    pthread_mutex_init(&i->lock, NULL);
    pthread_cond_init(&i->wanted, NULL);
    if (!thread_start(&i->thread, run, i)) {
        pthread_cond_destroy(&i->wanted);
        pthread_mutex_destroy(&i->lock);
        free(i);
        return NULL;
    }
    return i;
}

void inspector_destroy(struct inspector *i)
{
    if (!i)
        return;
    pthread_mutex_lock(&i->lock);
    i->quit = true;
    atomic_store(&i->cancel, true);
    pthread_cond_signal(&i->wanted);
    pthread_mutex_unlock(&i->lock);
    pthread_join(i->thread, NULL);
    inspection_destroy(i->work.near);
    inspection_destroy(i->work.far);
    pool_destroy(i->work.pool);
    score_destroy(i->work.score);
    free(i->work.surprise.notes);
    free(i->work.surprise.is_read);
    inspector_report_fini(&i->news);
    asked_fini(&i->asked);
    score_destroy(i->snapshot);
    head_names_fini(&i->names);
    pthread_cond_destroy(&i->wanted);
    pthread_mutex_destroy(&i->lock);
    free(i);
}
