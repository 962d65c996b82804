/* The surprise of every note of a piece, window by window from the inspected note outwards.
 * Results stay until the music changes. See inspector.h. */
#include "midi/base/clock.h"
#include "app/inspection/inspector_internal.h"

#include "midi/base/array.h"

#include <stdlib.h>

/* The interval of progress reports: each copies everything to the ui. */
#define TELL_SECONDS 0.2

/* Versions are counted for each piece: two may have the same one. */
static void begin(struct inspector_work *w, const struct asked *a)
{
    struct surprise_so_far *s = &w->surprise;
    free(s->notes);
    free(s->is_read);
    if (w->far && s->piece != a->r.piece)
        inspection_forget(w->far);
    *s = (struct surprise_so_far){.piece = a->r.piece,
                                  .version = a->r.version,
                                  .style = inspection_style(w->near)};
}

static bool is_begun(const struct inspector_work *w, const struct asked *a)
{
    const struct surprise_so_far *s = &w->surprise;
    return a->r.version && s->version == a->r.version && s->piece == a->r.piece &&
           s->style == inspection_style(w->near);
}

static bool set_windows(struct surprise_so_far *s, int n)
{
    if (s->is_read)
        return true;
    s->is_read = calloc((size_t)n + 1, sizeof *s->is_read);
    s->n_windows = n;
    return s->is_read != NULL;
}

static bool add_window(struct surprise_so_far *s, const struct inspection *i, int index,
                       int own)
{
    int n;
    const struct inspected_note *notes = inspection_notes(i, &n);
    bool ok = set_windows(s, inspection_n_windows(i));
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

static void tell(const struct inspector_work *w, const struct asked *a,
                 struct surprise_so_far *s)
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

/* A piece of one window was already read for the request. */
static bool take_near(struct inspector_work *w, const struct asked *a)
{
    return !a->r.read.take && inspection_n_windows(w->near) == 1 &&
           add_window(&w->surprise, w->near, 0, 0);
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

static bool make_far(struct inspector_work *w)
{
    if (!w->far && inspection_create(&w->far, w->model, w->pool))
        return false;
    inspection_set_cancel(w->far, w->cancel);
    return true;
}

static int64_t where(const struct inspector_work *w, const struct asked *a)
{
    int n, at = inspection_find(w->near, a->r.read.note);
    const struct inspected_note *notes = inspection_notes(w->near, &n);
    return at >= 0 ? notes[at].tick : a->r.read.tick;
}

static void read_the_rest(struct inspector_work *w, const struct asked *a)
{
    struct surprise_so_far *s = &w->surprise;
    if (!make_far(w))
        return;
    enum inspection_state state =
        s->n_read ? INSPECTION_DONE : read_window(w, a, 0); /* how many there are */
    const int from = inspection_window_at(w->far, where(w, a));
    int next;
    while (state == INSPECTION_DONE && (next = next_window(s, from)) >= 0) {
        state = read_window(w, a, next);
        if (state == INSPECTION_DONE && clock_now_seconds() - s->told_at > TELL_SECONDS)
            tell(w, a, s);
    }
}

/* A take's score lacks the replaced notes, so its surprise is not that of the piece. */
void inspector_work_surprise(struct inspector_work *w, const struct asked *a)
{
    struct surprise_so_far *s = &w->surprise;
    if (a->r.read.take)
        return;
    if (!is_begun(w, a))
        begin(w, a);
    if (!s->n_read && !take_near(w, a))
        read_the_rest(w, a);
    else if (s->n_read < s->n_windows)
        read_the_rest(w, a);
    if (!atomic_load(w->cancel))
        tell(w, a, s);
}
