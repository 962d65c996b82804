/* The surprise of every note of a piece, window by window from the inspected note outwards.
 * Results stay until the music changes. See inspector.h. */
#include "app/inspection/inspector_internal.h"

#include "midi/base/array.h"
#include "midi/base/clock.h"

#include <stdlib.h>

/* The interval of progress reports: each copies everything to the ui. */
#define TELL_SECONDS 0.2

static bool add_window(struct surprise_so_far *s, const struct inspection *i, int index,
                       int own)
{
    int n;
    const struct inspected_note *notes = inspection_notes(i, &n);
    if (!s->is_read) {
        s->n_windows = inspection_n_windows(i);
        s->is_read = calloc((size_t)s->n_windows + 1, sizeof *s->is_read);
    }
    bool ok = s->is_read != NULL;
    for (int k = own; ok && k < n; k++) {
        const struct note_surprise one = {notes[k].id, notes[k].track, notes[k].tick,
                                          notes[k].surprise};
        ok = notes[k].is_source ||
             array_add(&s->notes, &s->n, &s->cap, &one, sizeof one);
    }
    if (ok) {
        s->is_read[index] = true;
        s->n_read++;
    }
    return ok;
}

static int compare_ids(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id)
{
    const struct note_surprise key = {.id = id};
    return n ? bsearch(&key, notes, n, sizeof *notes, compare_ids) : NULL;
}

static void tell(const struct inspector_work *w, const struct asked *a,
                 struct surprise_so_far *s)
{
    struct inspector_report found = {.request = a->number};
    struct inspector_surprise *to = &found.surprise;
    to->notes = array_copy(s->notes, s->n, sizeof *to->notes);
    if (!to->notes)
        return;
    qsort(to->notes, s->n, sizeof *to->notes, compare_ids);
    to->n = s->n;
    to->is_whole = s->n_windows > 0 && s->n_read == s->n_windows;
    to->of = a->number;
    s->told_at = clock_now_seconds();
    inspector_publish(w->in, &found);
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

static enum inspection_state read_window(struct inspector_work *w,
                                         const struct asked *a, int index)
{
    int own;
    struct inspection_request r = a->r.read;
    r.take = NULL;
    r.version = a->r.version;
    r.style = (int)inspection_style(w->near); /* not guessed again */
    enum inspection_state state =
        inspection_read_window(w->far, w->score, &r, index, &own);
    if (state == INSPECTION_DONE && !add_window(&w->surprise, w->far, index, own))
        state = INSPECTION_FAILED;
    return state;
}

static void read_the_rest(struct inspector_work *w, const struct asked *a)
{
    struct surprise_so_far *s = &w->surprise;
    if (!w->far && inspection_create(&w->far, w->model, w->pool))
        return;
    inspection_set_cancel(w->far, w->cancel);
    enum inspection_state state =
        s->n_read ? INSPECTION_DONE : read_window(w, a, 0); /* how many there are */
    int n, next, at = inspection_find(w->near, a->r.read.note);
    const int64_t tick =
        at >= 0 ? inspection_notes(w->near, &n)[at].tick : a->r.read.tick;
    const int from = inspection_window_at(w->far, tick);
    while (state == INSPECTION_DONE && (next = next_window(s, from)) >= 0) {
        state = read_window(w, a, next);
        if (state == INSPECTION_DONE && clock_now_seconds() - s->told_at > TELL_SECONDS)
            tell(w, a, s);
    }
}

void inspector_work_surprise(struct inspector_work *w, const struct asked *a)
{
    struct surprise_so_far *s = &w->surprise;
    const enum style style = inspection_style(w->near);
    if (a->r.read.take) /* its score lacks the replaced notes */
        return;
    /* Versions are counted for each piece: two may have the same one. */
    if (!a->r.version || s->version != a->r.version || s->piece != a->r.piece ||
        s->style != style) {
        free(s->notes);
        free(s->is_read);
        if (w->far && s->piece != a->r.piece)
            inspection_forget(w->far);
        *s = (struct surprise_so_far){
            .piece = a->r.piece, .version = a->r.version, .style = style};
    }
    /* A piece of one window was already read for the request. */
    if (!s->n_read && inspection_n_windows(w->near) == 1)
        add_window(s, w->near, 0, 0);
    if (!s->n_read || s->n_read < s->n_windows)
        read_the_rest(w, a);
    if (!atomic_load(w->cancel))
        tell(w, a, s);
}

/* -- the most surprising bar -- */

static int compare_ticks(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->nats > y->nats) - (x->nats < y->nats);
}

bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, uint64_t tracks, struct bar *bar, float *mean)
{
    struct note_surprise *list = calloc(n + 1, sizeof *list);
    size_t n_list = 0;
    bool any = false;
    if (!list)
        return false;
    for (size_t i = 0; i < n; i++) {
        const int track = notes[i].track;
        if (!tracks || (track >= 0 && track < 64 && tracks >> track & 1))
            list[n_list++] = notes[i];
    }
    qsort(list, n_list, sizeof *list, compare_ticks);
    for (size_t i = 0, from; i < n_list;) {
        const struct bar of = timeline_bar_at(t, list[i].tick);
        double sum = 0;
        for (from = i; i < n_list && (i == from || list[i].tick < of.start + of.length);
             i++)
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
