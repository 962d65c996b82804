/* Selects notes: by a box from an anchor to the cursor, or by whole bars.
 * app/editor/edit/choose.c has the other ways. */
#include "midi/base/ids.h"
#include "midi/base/array.h"
#include "app/editor/session/session.h"

#include <stdlib.h>
#include <string.h>

bool select_has(const struct session *s, uint64_t id)
{
    return ids_find(s->selection.ids, s->selection.n, id) != NULL;
}

/* Whether the previous selection has the note. */
static bool select_had(const struct session *s, uint64_t id)
{
    return ids_find(s->selection.before.ids, s->selection.before.n, id) != NULL;
}

static bool add(struct selection *s, uint64_t id)
{
    return array_add(&s->ids, &s->n, &s->cap, &id, sizeof id);
}

static void forget(struct session *s)
{
    s->selection.n = 0;
    s->selection.n_tracks = 0;
    s->selection.box_tracks = 0;
}

const struct box *session_box(const struct session *s)
{
    return s->view.mode == MODE_SELECT && s->selection.has_box ? &s->selection.box
                                                               : NULL;
}

bool session_marked_time(const struct session *s, int64_t *from, int64_t *to)
{
    const struct box *box = session_box(s);
    *from = box ? box->from : s->loop.from;
    *to = box ? box->to : s->loop.to;
    return *to > *from;
}

void select_leave_box(struct session *s)
{
    s->selection.has_box = false;
    if (s->view.mode == MODE_SELECT)
        session_close_mode(s);
}

/* The old selection becomes the one that gv selects again. */
void session_clear_selection(struct session *s)
{
    struct selection *now = &s->selection;
    struct selected_before was = now->before;
    if (now->n) {
        now->before = (struct selected_before){
            .ids = now->ids,
            .n = now->n,
            .cap = now->cap,
            .has_box = session_box(s) != NULL,
            .bars = now->bars,
            .all_tracks = now->all_tracks,
            .track = s->view.track,
            .box = now->box,
        };
        now->ids = was.ids;
        now->cap = was.cap;
    }
    forget(s);
    select_leave_box(s);
}

static bool in_box(const struct session *s, const struct note *n, const void *of)
{
    const struct box *b = of;
    (void)s;
    return n->pitch >= b->pitch_lo && n->pitch <= b->pitch_hi;
}

/* Selects the notes that sound in [from, to) and that the choice accepts. */
static void choose(struct session *s, int64_t from, int64_t to, const struct choice *c)
{
    const struct score *score = s->project.score;
    forget(s);
    for (int track = 0; track < (int)score->n_tracks; track++) {
        size_t before = s->selection.n;
        struct survey_walk w = session_walk(s, track, from, to);
        if (c->all_tracks ? score->tracks[track].hide : track != s->view.track)
            continue;
        for (const struct note *n; (n = survey_walk(&w));)
            if ((!c->among || select_had(s, n->id) == (c->among == AMONG_SELECTED)) &&
                (!c->has || c->has(s, n, c->of)))
                add(&s->selection, n->id);
        s->selection.n_tracks += s->selection.n > before;
        if (s->selection.n > before && track < TOKEN_MAX_TRACKS)
            s->selection.box_tracks |= UINT64_C(1) << track;
    }
    ids_sort(s->selection.ids, s->selection.n);
}

void select_where(struct session *s, const struct choice *c)
{
    session_clear_selection(s);
    choose(s, 0, INT64_MAX, c);
}

static bool was_or_is_new(const struct session *s, const struct note *n,
                          const void *first_new)
{
    return n->id >= *(const uint64_t *)first_new || select_had(s, n->id);
}

void select_with_new(struct session *s, uint64_t first_new)
{
    select_where(s, &(struct choice){was_or_is_new, &first_new, true, AMONG_ALL});
}

void select_one(struct session *s, uint64_t id)
{
    session_clear_selection(s);
    add(&s->selection, id);
    s->selection.n_tracks = (int)s->selection.n;
}

void select_toggle(struct session *s, uint64_t id)
{
    const uint64_t *found = ids_find(s->selection.ids, s->selection.n, id);
    select_leave_box(s);
    if (found) {
        size_t i = (size_t)(found - s->selection.ids);
        memmove(s->selection.ids + i, s->selection.ids + i + 1,
                (--s->selection.n - i) * sizeof *s->selection.ids);
    } else if (add(&s->selection, id)) {
        ids_sort(s->selection.ids, s->selection.n);
    }
    select_forget_missing(s);
}

void select_forget_missing(struct session *s)
{
    const struct score *score = s->project.score;
    uint64_t *there = calloc(s->selection.n + 1, sizeof *there);
    size_t n = 0;
    s->selection.n_tracks = 0;
    for (size_t t = 0; there && n < s->selection.n && t < score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        const size_t before = n;
        for (size_t i = 0; n < s->selection.n && i < track->n_notes; i++)
            if (select_has(s, track->notes[i].id))
                there[n++] = track->notes[i].id;
        s->selection.n_tracks += n > before;
    }
    free(s->selection.ids);
    s->selection.ids = there;
    s->selection.cap = there ? s->selection.n + 1 : 0;
    s->selection.n = n;
    ids_sort(there, n);
}

void select_box(struct session *s)
{
    int64_t a = s->selection.anchor.tick, b = s->view.cursor.tick;
    int64_t first = a < b ? a : b, last = a < b ? b : a;
    int pitch = s->selection.anchor.pitch, other = s->view.cursor.pitch;
    int lo = pitch < other ? pitch : other, hi = pitch < other ? other : pitch;
    if (s->selection.bars) {
        struct bar end = session_bar_at(s, last);
        s->selection.box = (struct box){session_bar_at(s, first).start,
                                        end.start + end.length, 0, 127};
    } else {
        s->selection.box = (struct box){first, grid_next(s, last), lo, hi};
    }
    s->selection.has_box = true;
    struct choice c = {in_box, &s->selection.box,
                       s->selection.bars && s->selection.all_tracks, AMONG_ALL};
    choose(s, s->selection.box.from, s->selection.box.to, &c);
}

void select_begin_box(struct session *s, struct roll_point anchor, bool bars,
                      bool all_tracks)
{
    if (s->view.mode != MODE_SELECT)
        s->below[MODE_SELECT] = s->view.mode == MODE_TAKES ? MODE_TAKES : MODE_NORMAL;
    s->selection.anchor = anchor;
    s->selection.bars = bars;
    s->selection.all_tracks = all_tracks;
    s->view.mode = MODE_SELECT;
    select_box(s);
}

void act_select(struct session *s, const struct command *c)
{
    bool bars = c->by > 0, all_tracks = c->by > 1;
    if (s->view.mode == MODE_SELECT && s->selection.bars == bars &&
        s->selection.all_tracks == all_tracks) {
        session_clear_selection(s);
        return;
    }
    const bool goes_on = s->view.mode == MODE_SELECT;
    select_begin_box(s, goes_on ? s->selection.anchor : s->view.cursor, bars,
                     all_tracks);
}

void act_draw(struct session *s)
{
    s->view.mode = s->view.mode == MODE_DRAW ? MODE_NORMAL : MODE_DRAW;
    if (s->view.mode == MODE_DRAW)
        session_say(s, "Enter puts a note and moves on; a count makes it longer");
}

static void reset(struct session *s)
{
    session_clear_selection(s);
    s->selection.before.n = 0;
}

static void follow_edit(struct session *s)
{
    if (s->seen.tracks_moved)
        session_clear_selection(s);
    select_forget_missing(s);
    if (s->view.mode == MODE_SELECT)
        select_box(s);
}

/* Leaves DRAW, else clears the selection. */
static bool escape(struct session *s)
{
    if (s->view.mode == MODE_DRAW)
        s->view.mode = MODE_NORMAL;
    else
        session_clear_selection(s);
    return true;
}

const struct editor_part SELECT_PART = {
    .escape = escape,
    .reset = reset,
    .edited = follow_edit,
};
