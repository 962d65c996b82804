/* The inspector's thread, and how it answers a request part by part. See inspector.h.
 *
 * One mutex guards the shared data; a condition wakes the thread for a request. The
 * decoders read the cancel flag between layers, without the lock. */
#include "app/inspection/inspector.h"

#include "app/generation/generator.h"
#include "app/inspection/head_names.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"
#include "midi/base/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request that owns its data. */
struct asked {
    uint64_t number;
    struct inspector_request r;
    struct inspected_take take;
    struct continuation_options options;
};

/* How much of a piece was read. */
struct surprise_so_far {
    uint64_t piece, version; /* version 0: of nothing */
    enum style style;        /* that it was read in */
    struct note_surprise *notes;
    size_t n, cap;
    bool *is_read; /* [n_windows] */
    int n_windows, n_read;
    double told_at; /* seconds, monotonic */
};

struct inspector {
    const struct model *model; /* constant after create */
    int n_threads, wake_fd;
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

    /* the thread's own */
    struct pool *pool;
    struct inspection *near; /* of the inspected music */
    struct inspection *far;  /* of the rest of the piece; created when first needed */
    struct score *score;     /* the newest snapshot */
    uint64_t piece;          /* of the request before */
    struct surprise_so_far surprise;
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

/* Swaps the parts of `found` with those that the ui collects; the old ones are left in it.
 * What is found for a request that another came after is not news any more. */
static void publish(struct inspector *in, struct inspector_report *found)
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
    free((void *)a->take.tokens);
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
    to->take.tokens = array_copy(take->tokens, take->n_tokens, sizeof *take->tokens);
    bool ok =
        to->take.notes && to->take.tokens && request_copy(&to->options, take->options);
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

/* -- the answer to one request -- */

struct answer {
    struct inspector *in;
    const struct asked *a;
    int note;                      /* of the notes read; -1: it is not among them */
    float *weights;                /* [n_notes] that it was shown with */
    struct inspector_report found; /* the part that is worked on */
};

/* Publishes a part that has no arrays, and goes on with it. */
static void publish_so_far(struct answer *x)
{
    struct inspector_report found = x->found;
    publish(x->in, &found);
}

/* -- the parts: each fills x->found, which is published after it -- */

static enum inspection_state wash(struct answer *x)
{
    struct inspector_wash *to = &x->found.wash;
    struct inspection *i = x->in->near;
    const struct inspected_look *look = &x->a->r.look;
    const int other = x->note < 0 ? -1 : inspection_find(i, x->a->r.other);
    float of_no_note[INSPECTED_KINDS];
    const struct inspected now = inspection_now(i);
    const size_t n = (size_t)now.n_notes;
    to->of = x->a->number;
    to->note = x->note;
    to->from_tick = now.from_tick;
    to->n_notes = now.n_notes;
    to->n_tokens = now.n_tokens;
    to->notes = array_copy(now.notes, n, sizeof *now.notes);
    to->tokens = array_copy(now.tokens, (size_t)now.n_tokens, sizeof *now.tokens);
    to->weights = calloc(n + 1, sizeof *to->weights);
    if (!to->notes || !to->tokens || !to->weights)
        return INSPECTION_FAILED;
    enum inspection_state state = INSPECTION_DONE;
    if (x->note >= 0)
        state = inspection_weights(i, x->note, look, to->weights, to->other);
    if (!state && other >= 0)
        state = inspection_pair(i, x->note, other, look, &to->pair);
    if (!state && other >= 0) { /* it looked in the same way */
        to->has_pair = true;
        to->compared = calloc(n + 1, sizeof *to->compared);
        state = to->compared
                    ? inspection_weights(i, other, look, to->compared, of_no_note)
                    : INSPECTION_FAILED;
    }
    x->weights = array_copy(to->weights, n, sizeof *x->weights);
    return state || x->weights ? state : INSPECTION_FAILED;
}

static enum inspection_state choices(struct answer *x)
{
    struct inspector_choices *c = &x->found.alternatives;
    c->of = x->a->number;
    c->n_given = inspection_n_given(x->in->near, x->note, x->a->r.part);
    if (x->note >= 0)
        c->n = inspection_alternatives(x->in->near, x->note, x->a->r.part, c->list,
                                       INSPECTOR_ALTERNATIVES);
    return INSPECTION_DONE;
}

/* Makes and fills cells [n_heads][n_rows][n_columns], if they were requested and there are
 * tokens; else there are none. */
static enum inspection_state pool(const struct answer *x, struct attention_head first,
                                  int n_heads, int n_rows, int n_columns, float **cells)
{
    enum { MOST = 1 << 12 };
    if (n_rows < 1 || n_columns < 1 || n_rows > MOST || n_columns > MOST ||
        !inspection_now(x->in->near).n_tokens)
        return INSPECTION_DONE;
    *cells =
        calloc((size_t)n_heads * (size_t)n_rows, (size_t)n_columns * sizeof **cells);
    return *cells
               ? inspection_pool(x->in->near, first, n_heads, n_rows, n_columns, *cells)
               : INSPECTION_FAILED;
}

static enum inspection_state matrix(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    struct inspector_matrix *m = &x->found.matrix;
    m->head = inspected_head(x->in->near, &r->look, 0);
    m->n_rows = r->matrix_rows;
    m->n_columns = r->matrix_columns;
    m->n_tokens = inspection_now(x->in->near).n_tokens;
    enum inspection_state state =
        pool(x, m->head, 1, m->n_rows, m->n_columns, &m->cells);
    m->of = m->cells ? x->a->number : 0;
    return state;
}

static enum inspection_state thumbnails(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const struct model_config *c = &x->in->model->config;
    struct inspector_thumbnails *t = &x->found.thumbnails;
    t->n_layers = c->n_layers;
    t->n_heads = c->n_heads;
    t->n_rows = r->thumbnail_rows;
    t->n_columns = r->thumbnail_columns;
    enum inspection_state state =
        pool(x, (struct attention_head){.kind = r->look.of}, c->n_layers * c->n_heads,
             t->n_rows, t->n_columns, &t->cells);
    t->of = t->cells ? x->a->number : 0;
    return state;
}

/* Published one by one. */
static enum inspection_state mutes(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const int n = x->note >= 0 ? r->n_mutes : 0;
    struct inspector_effects *so_far = &x->found.mutes;
    enum inspection_state state = INSPECTION_DONE;
    for (int k = 0; !state && k < n && k < INSPECTOR_MUTES; k++) {
        struct inspected_mute m = r->mutes[k];
        if (m.what == MUTE_NOTE) /* one that was not read changes nothing */
            m.note = inspection_find(x->in->near, r->mute_ids[k]);
        state = inspection_mute(x->in->near, x->note, &m, &so_far->list[k]);
        so_far->of = x->a->number;
        so_far->n = k + 1;
        if (!state)
            publish_so_far(x);
    }
    return state;
}

/* The note with the largest weight that is left; -1: none has any. */
static int next_most(const struct answer *x)
{
    const int n = inspection_now(x->in->near).n_notes;
    int most = -1;
    for (int k = 0; k < n; k++)
        if (k != x->note && x->weights[k] > 0 &&
            (most < 0 || x->weights[k] > x->weights[most]))
            most = k;
    return most;
}

/* Published one by one. */
static enum inspection_state who_matters(struct answer *x)
{
    struct inspector_who_matters *so_far = &x->found.who_matters;
    enum inspection_state state = INSPECTION_DONE;
    const struct inspected_note *notes = inspection_now(x->in->near).notes;
    int k;
    if (!x->a->r.wants_who_matters || x->note < 0)
        return state;
    while (so_far->n < INSPECTOR_MATTERING && (k = next_most(x)) >= 0) {
        struct inspector_mattering *m = &so_far->list[so_far->n];
        const struct inspected_mute mute = {.what = MUTE_NOTE, .note = k};
        *m = (struct inspector_mattering){.id = notes[k].id, .weight = x->weights[k]};
        x->weights[k] = 0;
        state = inspection_mute(x->in->near, x->note, &mute, &m->effect);
        if (state)
            return state;
        so_far->of = x->a->number;
        so_far->n++;
        publish_so_far(x);
    }
    return state;
}

static enum inspection_state read_music(struct answer *x)
{
    struct inspection_request r = x->a->r.read;
    if (x->in->piece != x->a->r.piece)
        inspection_forget(x->in->near);
    x->in->piece = x->a->r.piece;
    r.version = x->a->r.version;
    enum inspection_state state = inspection_read(x->in->near, x->in->score, &r);
    x->note = state == INSPECTION_DONE ? inspection_find(x->in->near, r.note) : -1;
    return state;
}

/* -- surprise, window by window from the inspected note outwards -- */

/* The interval of progress reports: each copies everything to the ui. */
#define TELL_SECONDS 0.2

static bool add_window(struct surprise_so_far *s, const struct inspection *i, int index,
                       int own)
{
    const struct inspected now = inspection_now(i);
    if (!s->is_read) {
        s->n_windows = now.n_windows;
        s->is_read = calloc((size_t)s->n_windows + 1, sizeof *s->is_read);
    }
    bool ok = s->is_read != NULL;
    for (int k = own; ok && k < now.n_notes; k++) {
        const struct note_surprise one = {now.notes[k].id, now.notes[k].track,
                                          now.notes[k].tick, now.notes[k].surprise};
        ok = now.notes[k].is_source ||
             array_add(&s->notes, &s->n, &s->cap, &one, sizeof one);
    }
    if (ok) {
        s->is_read[index] = true;
        s->n_read++;
    }
    return ok;
}

static void tell(struct inspector *in, const struct asked *a, struct surprise_so_far *s)
{
    struct inspector_report found = {.request = a->number};
    struct inspector_surprise *to = &found.surprise;
    to->notes = array_copy(s->notes, s->n, sizeof *to->notes);
    if (!to->notes)
        return;
    surprise_sort(to->notes, s->n);
    to->n = s->n;
    to->is_whole = s->n_windows > 0 && s->n_read == s->n_windows;
    to->of = a->number;
    s->told_at = clock_now_seconds();
    publish(in, &found);
    inspector_report_fini(&found);
}

/* The nearest window to `from` that was not read, a later one first; -1: all were. */
static int next_window(const struct surprise_so_far *s, int from)
{
    for (int away = 0; away < s->n_windows; away++) {
        if (from + away < s->n_windows && !s->is_read[from + away])
            return from + away;
        if (from - away >= 0 && !s->is_read[from - away])
            return from - away;
    }
    return -1;
}

static enum inspection_state read_window(struct inspector *in, const struct asked *a,
                                         int index)
{
    int own;
    struct inspection_request r = a->r.read;
    r.take = NULL;
    r.version = a->r.version;
    r.style = (int)inspection_now(in->near).style; /* not guessed again */
    enum inspection_state state =
        inspection_read_window(in->far, in->score, &r, index, &own);
    if (state == INSPECTION_DONE && !add_window(&in->surprise, in->far, index, own))
        state = INSPECTION_FAILED;
    return state;
}

static void read_the_rest(struct inspector *in, const struct asked *a)
{
    struct surprise_so_far *s = &in->surprise;
    if (!in->far && inspection_create(&in->far, in->model, in->pool))
        return;
    inspection_set_cancel(in->far, &in->cancel);
    enum inspection_state state =
        s->n_read ? INSPECTION_DONE : read_window(in, a, 0); /* how many there are */
    int next, at = inspection_find(in->near, a->r.read.note);
    const int64_t tick =
        at >= 0 ? inspection_now(in->near).notes[at].tick : a->r.read.tick;
    const int from = inspection_window_at(in->far, tick);
    while (state == INSPECTION_DONE && (next = next_window(s, from)) >= 0) {
        state = read_window(in, a, next);
        if (state == INSPECTION_DONE && clock_now_seconds() - s->told_at > TELL_SECONDS)
            tell(in, a, s);
    }
}

/* Of the whole piece; results stay until the music changes. */
static void find_surprise(struct inspector *in, const struct asked *a)
{
    struct surprise_so_far *s = &in->surprise;
    const struct inspected now = inspection_now(in->near);
    const enum style style = now.style;
    if (a->r.read.take) /* its score lacks the replaced notes */
        return;
    /* Versions are counted for each piece: two may have the same one. */
    if (!a->r.version || s->version != a->r.version || s->piece != a->r.piece ||
        s->style != style) {
        free(s->notes);
        free(s->is_read);
        if (in->far && s->piece != a->r.piece)
            inspection_forget(in->far);
        *s = (struct surprise_so_far){
            .piece = a->r.piece, .version = a->r.version, .style = style};
    }
    /* A piece of one window was already read for the request. */
    if (!s->n_read && now.n_windows == 1)
        add_window(s, in->near, 0, 0);
    if (!s->n_read || s->n_read < s->n_windows)
        read_the_rest(in, a);
    if (!atomic_load(&in->cancel))
        tell(in, a, s);
}

/* -- the thread -- */

static void answer(struct inspector *in, const struct asked *a)
{
    /* In the order of inspector.h; what fails or is cancelled ends it. */
    static enum inspection_state (*const PARTS[])(struct answer *) = {
        read_music, wash, choices, matrix, thumbnails, mutes, who_matters};
    struct answer x = {.in = in, .a = a, .note = -1};
    enum inspection_state state = INSPECTION_DONE;
    for (size_t k = 0; !state && k < sizeof PARTS / sizeof *PARTS; k++) {
        x.found = (struct inspector_report){.request = a->number};
        state = PARTS[k](&x);
        if (!state)
            publish(in, &x.found);
        inspector_report_fini(&x.found);
    }
    free(x.weights);
    if (!state && a->r.wants_surprise)
        find_surprise(in, a);
    if (state == INSPECTION_CANCELLED || atomic_load(&in->cancel))
        return;
    struct inspector_report end = {.request = a->number, .is_done = true};
    const char *why = inspection_now(in->near).error;
    if (state == INSPECTION_FAILED)
        snprintf(end.error, sizeof end.error, "%s",
                 *why ? why : "it needs more memory than is available");
    publish(in, &end);
}

static void take_up(struct inspector *i, struct asked *a, struct score *snapshot)
{
    if (snapshot) {
        score_destroy(i->score);
        i->score = snapshot;
    }
    if (a->r.read.take) { /* at its final address */
        a->take.options = &a->options;
        a->r.read.take = &a->take;
    }
    bool ok = i->score && (i->pool || (i->pool = pool_create(i->n_threads))) &&
              (i->near || !inspection_create(&i->near, i->model, i->pool));
    if (ok) {
        inspection_set_cancel(i->near, &i->cancel);
        answer(i, a);
    } else {
        struct inspector_report failed = {
            .request = a->number,
            .is_done = true,
            .error = "this model cannot be inspected, or there is not enough memory"};
        publish(i, &failed);
    }
    if (atomic_load(&i->has_names))
        return;
    /* Read from a file, after the first answer. */
    head_names_find(&i->names, model_hash(i->model));
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
            take_up(i, &asked, snapshot);
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
    i->model = model;
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
    inspection_destroy(i->near);
    inspection_destroy(i->far);
    pool_destroy(i->pool);
    score_destroy(i->score);
    free(i->surprise.notes);
    free(i->surprise.is_read);
    inspector_report_fini(&i->news);
    asked_fini(&i->asked);
    score_destroy(i->snapshot);
    head_names_fini(&i->names);
    pthread_cond_destroy(&i->wanted);
    pthread_mutex_destroy(&i->lock);
    free(i);
}
