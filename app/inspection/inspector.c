/* See inspector.h. The inspector's thread answers a request part by part.
 *
 * The decoders read the worker's cancel flag between layers, without the lock. */
#include "app/inspection/inspector.h"

#include "app/base/worker.h"
#include "app/generation/generator.h"
#include "app/inspection/head_names.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"
#include "midi/base/larger.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A request that owns its data. */
struct asked {
    uint64_t number;
    struct inspector_request r;
    struct continuation_options take; /* of r.read */
    struct score *snapshot;
};

/* How much of a piece was read for the surprise of its notes: n_read of its windows, from `from` on
 * and round its end. */
struct surprise_so_far {
    uint64_t piece, version; /* version 0: of nothing */
    enum style style;        /* that it was read in */
    size_t cap;              /* of the report's list */
    int from, n_read, n_windows;
    double published_at; /* seconds, monotonic */
};

struct inspector {
    const struct model *model; /* constant after create */
    int n_threads;

    struct head_names names; /* the thread's, until it is known; then constant */
    atomic_bool has_names;

    struct worker worker; /* its lock guards the fields below */
    uint64_t n_asked;
    struct inspector_report news; /* request 0: there is none */

    /* the thread's own */
    struct pool *pool;
    struct inspection *near; /* of the inspected music */
    struct inspection *far;  /* of the rest of the piece; created when first needed */
    struct inspector_report report; /* all that is known; the ui gets copies */
    struct surprise_so_far surprise;
};

static const char NO_MEMORY[] = "it needs more memory than is available";

/* -- reports -- */

void inspector_report_fini(struct inspector_report *r)
{
    free(r->found.notes);
    free((void *)r->found.queries.marks);
    free(r->found.matrix.shades);
    free(r->found.thumbnails.shades);
    free(r->surprise);
    *r = (struct inspector_report){0};
}

/* Weights lie after their shades. false: out of memory, and *to is empty. */
static bool copy_map(struct inspect_map *to, const struct inspect_map *from, int n_maps)
{
    const size_t n = (size_t)n_maps * (size_t)from->n_rows * (size_t)from->n_columns;
    *to = *from;
    if (from->shades)
        to->shades = array_copy(from->shades, 2 * n, sizeof *to->shades);
    to->weights = to->shades ? to->shades + n : NULL;
    return !from->shades || to->shades;
}

/* Gives the ui a copy of what is known; without memory for it, only says so. A result for an older
 * request than the newest is no news. */
static void publish(struct inspector *in)
{
    const struct inspect_view *v = &in->report.found;
    struct inspector_report copy = in->report;
    copy.found.notes = array_copy(v->notes, v->n_notes, sizeof *v->notes);
    copy.found.queries.marks = array_copy(v->queries.marks, (size_t)v->queries.n_marks,
                                          sizeof *v->queries.marks);
    copy.found.keys = copy.found.queries;
    copy.surprise =
        array_copy(in->report.surprise, copy.n_surprise, sizeof *copy.surprise);
    const bool has_matrix = copy_map(&copy.found.matrix, &v->matrix, 1),
               has_heads = copy_map(&copy.found.thumbnails, &v->thumbnails,
                                    v->n_layers * v->n_heads);
    if (!copy.found.notes || !copy.found.queries.marks || !copy.surprise ||
        !has_matrix || !has_heads) {
        inspector_report_fini(&copy);
        copy = (struct inspector_report){.request = in->report.request,
                                         .is_done = in->report.is_done,
                                         .found = {.chosen = -1, .pair = -1}};
        snprintf(copy.error, sizeof copy.error, "%s", NO_MEMORY);
    }
    pthread_mutex_lock(&in->worker.lock);
    const bool is_news = !worker_is_stale(&in->worker);
    if (is_news) {
        const struct inspector_report old = in->news;
        in->news = copy;
        copy = old;
    }
    pthread_mutex_unlock(&in->worker.lock);
    inspector_report_fini(&copy);
    if (is_news)
        worker_wake(&in->worker);
}

const char *inspector_head_name(const struct inspector *i, int layer, int head)
{
    return i && atomic_load(&i->has_names) ? head_names_of(&i->names, layer, head) : "";
}

/* -- the request -- */

static void asked_free(struct asked *a)
{
    if (!a)
        return;
    free((void *)a->r.read.notes);
    continuation_options_fini(&a->take);
    score_destroy(a->snapshot);
    free(a);
}

uint64_t inspector_ask(struct inspector *i, struct score *snapshot,
                       const struct inspector_request *r)
{
    struct asked *own = calloc(1, sizeof *own);
    uint64_t number = 0;
    if (!own) {
        score_destroy(snapshot);
        return 0;
    }
    own->snapshot = snapshot;
    own->r = *r;
    own->r.read.take = r->read.take ? &own->take : NULL;
    own->r.read.notes =
        array_copy(r->read.notes, r->read.n_notes, sizeof *r->read.notes);
    if (own->r.read.notes &&
        (!r->read.take || continuation_options_copy(&own->take, r->read.take))) {
        pthread_mutex_lock(&i->worker.lock);
        number = own->number = ++i->n_asked;
        own = worker_put(&i->worker, own);
        pthread_mutex_unlock(&i->worker.lock);
    }
    asked_free(own);
    return number;
}

void inspector_stop(struct inspector *i)
{
    pthread_mutex_lock(&i->worker.lock);
    struct asked *unused = worker_put(&i->worker, NULL);
    pthread_mutex_unlock(&i->worker.lock);
    asked_free(unused);
}

bool inspector_collect(struct inspector *i, struct inspector_report *report)
{
    pthread_mutex_lock(&i->worker.lock);
    const bool any = i->news.request;
    struct inspector_report old = any ? *report : i->news;
    if (any)
        *report = i->news;
    i->news = (struct inspector_report){0};
    pthread_mutex_unlock(&i->worker.lock);
    inspector_report_fini(&old);
    return any;
}

/* -- the answer to one request: each part fills in->report, which is published after it -- */

/* The strongest note that is not listed as mattering yet; -1: none is left. */
static int find_strongest(const struct inspect_view *v)
{
    int most = -1;
    for (int k = 0; k < (int)v->n_notes; k++) {
        bool is_listed = false;
        for (int m = 0; m < v->n_matters; m++)
            is_listed |= v->matters[m].note == k;
        if (!is_listed && v->notes[k].id && v->notes[k].weight > 0 &&
            (most < 0 || v->notes[k].weight > v->notes[most].weight))
            most = k;
    }
    return most;
}

/* Finds the notes, the weights between them and the chosen one, and the figures of the chosen one and
 * another: the one that was asked for, or the strongest. */
static enum inspection_state find_notes(struct inspector *in, const struct asked *a)
{
    struct inspect_view v = in->report.found;
    const struct inspected_look *look = &a->r.look;
    const struct reading *now = &in->near->now;
    const bool looks = look->way == LOOKS_AT;
    float of_no_note[INSPECTED_KINDS];
    enum inspection_state state = inspection_read(in->near, a->snapshot, &a->r.read);
    if (state)
        return state;
    const bool has_marks =
        inspection_marks(in->near, &a->snapshot->timeline, now->tokens, now->n_tokens,
                         false, &v.queries);
    v.keys = v.queries;
    v.n_notes = (size_t)now->n_notes;
    v.notes = array_copy(now->notes, v.n_notes, sizeof *v.notes);
    v.chosen = inspection_find(in->near, a->r.read.note);
    v.pair = -1;
    v.has_pair = false;
    v.n_matters = 0;
    v.n_effects = v.chosen >= 0 ? a->r.n_mutes : 0;
    for (int k = 0; k < v.n_effects; k++) {
        v.effects[k] = (struct inspect_effect){0};
        memcpy(v.effects[k].of, a->r.mutes[k].name, INSPECT_EFFECT_BYTES);
    }
    float *row = calloc(v.n_notes + 1, sizeof *row);
    state = v.notes && has_marks && row ? INSPECTION_DONE : INSPECTION_FAILED;
    const struct inspect_note *chosen =
        !state && v.chosen >= 0 ? &v.notes[v.chosen] : NULL;
    if (chosen) {
        v.surprise = chosen->surprise;
        memcpy(v.surprise_of, chosen->surprise_of, sizeof v.surprise_of);
        state = inspection_weights(in->near, v.chosen, look, row, v.others);
    }
    /* A note cannot attend to later notes, and no earlier note attends to it. */
    for (int k = 0; chosen && !state && k < now->n_notes; k++) {
        struct inspect_note *n = &v.notes[k];
        const bool is_later = n->first_token > chosen->first_token,
                   is_seen = n->is_source || is_later != looks;
        n->is_chosen = n == chosen;
        n->weight = is_seen && n != chosen ? row[k] : -1;
        for (int m = 0; m < a->r.n_mutes; m++)
            n->is_muted |= inspection_mutes(in->near, &a->r.mutes[m].what, k);
    }
    if (chosen && !state) {
        v.itself = row[v.chosen];
        v.pair =
            a->r.other ? inspection_find(in->near, a->r.other) : find_strongest(&v);
        v.pair = v.pair == v.chosen ? -1 : v.pair;
        v.has_pair = v.pair >= 0;
    }
    if (v.has_pair) {
        struct inspected_pair pair;
        v.weight = row[v.pair];
        state = inspection_pair(in->near, looks ? v.chosen : v.pair,
                                looks ? v.pair : v.chosen, look, &pair);
        v.content = pair.content;
        v.index = pair.index;
        v.time = pair.time;
        v.entropy = pair.entropy;
        if (!state && a->r.other) /* it looked in the same way */
            state = inspection_weights(in->near, v.pair, look, row, of_no_note);
        for (size_t k = 0; !state && a->r.other && k < v.n_notes; k++)
            v.notes[k].compared = row[k];
    }
    const struct inspect_view unused = state ? v : in->report.found;
    if (!state) {
        in->report.found = v;
        in->report.notes_for = a->number;
    }
    free(row);
    free(unused.notes);
    free((void *)unused.queries.marks);
    return state;
}

static enum inspection_state find_choices(struct inspector *in, const struct asked *a)
{
    struct inspector_report *r = &in->report;
    struct inspect_view *v = &r->found;
    const int chosen = v->chosen;
    v->n_guesses = chosen >= 0 ? inspection_alternatives(in->near, chosen, a->r.part,
                                                         v->guesses, INSPECT_GUESSES)
                               : 0;
    for (struct inspect_guess *g = v->guesses; g < v->guesses + v->n_guesses; g++)
        if (g->token >= TOKEN_PITCH && g->token < TOKEN_PITCH + 128)
            pitch_name_octave(g->token - TOKEN_PITCH, SPELL_SHARPS, g->name);
        else
            token_name(g->token, g->name, sizeof g->name);
    const struct reading *now = &in->near->now;
    r->n_given = inspection_n_given(in->near, chosen, a->r.part);
    r->n_given_note =
        r->n_given < 0
            ? -1
            : inspection_n_given(in->near, chosen,
                                 now->tokens[now->notes[chosen].first_token].part);
    r->choices_for = a->number;
    return INSPECTION_DONE;
}

/* Replaces a map by one of so many cells, if they were requested, but not more than there are
 * tokens. */
static enum inspection_state pool_map(const struct inspector *in,
                                      struct inspect_map *map,
                                      struct attention_head first, int n_heads,
                                      int n_rows, int n_columns)
{
    const int n_tokens = in->near->now.n_tokens;
    struct inspect_map m = {.n_rows = (int)smaller(n_rows, n_tokens),
                            .n_columns = (int)smaller(n_columns, n_tokens)};
    const size_t n = (size_t)n_heads * (size_t)m.n_rows * (size_t)m.n_columns;
    if (!n)
        return INSPECTION_DONE;
    m.shades = calloc(2 * n, sizeof *m.shades);
    if (!m.shades)
        return INSPECTION_FAILED;
    m.weights = m.shades + n;
    const enum inspection_state state =
        inspection_pool(in->near, first, n_heads, m.n_rows, m.n_columns, m.weights);
    if (state == INSPECTION_DONE) {
        free(map->shades);
        *map = m;
    } else {
        free(m.shades);
    }
    return state;
}

/* The matrix is published first. */
static enum inspection_state find_maps(struct inspector *in, const struct asked *a)
{
    struct inspect_view *v = &in->report.found;
    const struct attention_head head = inspected_head(in->near, &a->r.look, 0),
                                first = {.kind = a->r.look.of};
    v->matrix_layer = head.layer;
    v->matrix_head = head.head;
    enum inspection_state state =
        pool_map(in, &v->matrix, head, 1, a->r.matrix_rows, a->r.matrix_columns);
    if (state)
        return state;
    publish(in);
    return pool_map(in, &v->thumbnails, first, v->n_layers * v->n_heads,
                    a->r.thumbnail_side, a->r.thumbnail_side);
}

/* Leaves out what was asked for, then the strongest notes. Each effect is published. */
static enum inspection_state try_mutes(struct inspector *in, const struct asked *a)
{
    struct inspect_view *v = &in->report.found;
    enum inspection_state state = INSPECTION_DONE;
    struct inspected_effect effect;
    int note;
    for (int k = 0; !state && k < v->n_effects; k++) {
        struct inspect_effect *e = &v->effects[k];
        state = inspection_mute(in->near, v->chosen, &a->r.mutes[k].what, &effect);
        e->with = expf(effect.before);
        e->without = expf(effect.after);
        e->is_known = !state;
        if (!state)
            publish(in);
    }
    while (!state && a->r.wants_who_matters && v->chosen >= 0 &&
           v->n_matters < INSPECT_MATTERS && (note = find_strongest(v)) >= 0) {
        const struct inspected_mute mute = {.what = MUTE_NOTE,
                                            .note = v->notes[note].id};
        state = inspection_mute(in->near, v->chosen, &mute, &effect);
        if (state)
            break;
        v->matters[v->n_matters++] = (struct inspect_matter){
            note, v->notes[note].weight, expf(effect.before), expf(effect.after)};
        publish(in);
    }
    return state;
}

/* -- surprise, window by window, from the one before the inspected note on -- */

/* The interval of progress reports: each copies everything to the ui. */
#define PUBLISH_SECONDS 0.2

/* Adds the notes that were read, from `own` on. false: out of memory. */
static bool add_window(struct inspector *in, const struct inspection *i, int own)
{
    struct surprise_so_far *s = &in->surprise;
    struct inspector_report *r = &in->report;
    const struct reading *now = &i->now;
    bool ok = true;
    for (const struct inspect_note *n = now->notes + own;
         ok && n < now->notes + now->n_notes; n++) {
        const struct note_surprise one = {n->id, n->note.start, n->surprise, 0};
        ok = n->is_source ||
             array_add(&r->surprise, &r->n_surprise, &s->cap, &one, sizeof one);
    }
    s->n_windows = (int)i->windows.n;
    s->n_read += ok;
    return ok;
}

static int compare_ids(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static void publish_surprise(struct inspector *in, const struct asked *a)
{
    struct surprise_so_far *s = &in->surprise;
    struct inspector_report *r = &in->report;
    if (r->n_surprise)
        qsort(r->surprise, r->n_surprise, sizeof *r->surprise, compare_ids);
    r->surprise_is_whole = s->n_windows > 0 && s->n_read == s->n_windows;
    r->surprise_for = a->number;
    s->published_at = clock_now_seconds();
    publish(in);
}

/* Finds the surprise of the whole piece; results stay until the music changes. */
static enum inspection_state find_surprise(struct inspector *in, const struct asked *a)
{
    struct surprise_so_far *s = &in->surprise;
    struct inspection_request r = a->r.read;
    const struct inspection *near = in->near;
    const int chosen = in->report.found.chosen, n_windows = (int)near->windows.n,
              window = inspection_windows_at(
                  &near->windows,
                  chosen >= 0 ? near->now.notes[chosen].note.start : r.tick);
    if (!a->r.wants_surprise || r.take) /* its score lacks the replaced notes */
        return INSPECTION_DONE;
    /* Versions are counted for each piece: two may have the same one. */
    if (!r.version || s->version != r.version || s->piece != r.piece ||
        s->style != near->style) {
        free(in->report.surprise);
        in->report.surprise = NULL;
        in->report.n_surprise = 0;
        *s = (struct surprise_so_far){.piece = r.piece,
                                      .version = r.version,
                                      .style = near->style,
                                      .from = (int)larger(window - 1, 0),
                                      .n_windows = n_windows};
    }
    r.style = (int)s->style; /* not guessed again */
    /* A piece of one window was already read for the request. */
    const bool can =
        (s->n_read || n_windows > 1 || add_window(in, near, 0)) &&
        (s->n_read == s->n_windows || in->far ||
         !inspection_create(&in->far, in->model, in->pool, &in->worker.cancel));
    enum inspection_state state = can ? INSPECTION_DONE : INSPECTION_FAILED;
    while (!state && in->far && s->n_read < s->n_windows) {
        int own;
        const int index = (s->from + s->n_read) % s->n_windows;
        state = inspection_read_window(in->far, a->snapshot, &r, index, &own);
        if (state == INSPECTION_FAILED)
            snprintf(in->report.error, sizeof in->report.error, "%s", in->far->error);
        if (!state && !add_window(in, in->far, own))
            state = INSPECTION_FAILED;
        if (!state && clock_now_seconds() - s->published_at > PUBLISH_SECONDS)
            publish_surprise(in, a);
    }
    if (!state)
        publish_surprise(in, a);
    return state;
}

/* -- the thread -- */

/* Answers a request, which it takes, part by part, in the order of inspector.h. A part that fails or is
 * cancelled ends the answer. */
static void answer(void *inspector, void *request)
{
    static enum inspection_state (*const PARTS[])(struct inspector *,
                                                  const struct asked *) = {
        find_notes, find_choices, find_maps, try_mutes, find_surprise};
    struct inspector *in = inspector;
    struct asked *a = request;
    struct inspector_report *r = &in->report;
    r->request = a->number;
    r->is_done = false;
    r->error[0] = '\0';
    const bool can = (in->pool || (in->pool = pool_create(in->n_threads))) &&
                     (in->near || !inspection_create(&in->near, in->model, in->pool,
                                                     &in->worker.cancel));
    enum inspection_state state = can ? INSPECTION_DONE : INSPECTION_FAILED;
    for (size_t k = 0; !state && k < sizeof PARTS / sizeof *PARTS; k++) {
        state = PARTS[k](in, a);
        if (!state)
            publish(in);
    }
    if (state != INSPECTION_CANCELLED && !atomic_load(&in->worker.cancel)) {
        const char *why =
            can ? in->near->error
                : "this model cannot be inspected, or there is not enough "
                  "memory";
        if (state == INSPECTION_FAILED && !*r->error)
            snprintf(r->error, sizeof r->error, "%s", *why ? why : NO_MEMORY);
        r->is_done = true;
        publish(in);
    }
    asked_free(a);
    if (atomic_load(&in->has_names))
        return;
    /* Read from a file, after the first answer. */
    head_names_find(&in->names, model_hash(in->model));
    atomic_store(&in->has_names, true);
    worker_wake(&in->worker);
}

struct inspector *inspector_create(const struct model *model, int n_threads,
                                   int wake_fd)
{
    const struct model_config *c = &model->config;
    struct inspector *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->n_threads = n_threads;
    atomic_init(&i->has_names, false);
    i->model = model;
    i->report.found = (struct inspect_view){
        .n_layers = c->n_layers,
        .n_heads = c->n_heads,
        .is_fixed = c->mixing == MIXING_FOURIER,
        .block = c->mixing == MIXING_FOURIER ? 0 : c->block,
        .has_time = c->time == TIME_BUCKETS,
        .has_index = c->relative == RELATIVE_SHAW || c->relative == RELATIVE_MUSIC,
        .chosen = -1,
        .pair = -1};
    if (worker_start(&i->worker, i, answer, wake_fd))
        return i;
    free(i);
    return NULL;
}

void inspector_destroy(struct inspector *i)
{
    if (!i)
        return;
    asked_free(worker_stop(&i->worker));
    inspection_destroy(i->near);
    inspection_destroy(i->far);
    pool_destroy(i->pool);
    inspector_report_fini(&i->report);
    inspector_report_fini(&i->news);
    head_names_fini(&i->names);
    free(i);
}

/* -- how surprising notes are -- */

const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id)
{
    const struct note_surprise key = {.id = id};
    return n ? bsearch(&key, notes, n, sizeof *notes, compare_ids) : NULL;
}

static int compare_ticks(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->nats > y->nats) - (x->nats < y->nats);
}

bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, struct bar *bar, float *mean)
{
    struct note_surprise *list = array_copy(notes, n, sizeof *list);
    bool any = false;
    if (!list)
        return false;
    qsort(list, n, sizeof *list, compare_ticks);
    for (size_t i = 0, from; i < n;) {
        const struct bar of = timeline_bar_at(t, list[i].tick);
        double sum = 0;
        for (from = i; i < n && (i == from || list[i].tick < of.start + of.length); i++)
            sum += (double)list[i].nats;
        const float of_bar = (float)(sum / (double)(i - from));
        if (i - from < 2 || (any && of_bar <= *mean))
            continue;
        any = true;
        *bar = of;
        *mean = of_bar;
    }
    free(list);
    return any;
}
