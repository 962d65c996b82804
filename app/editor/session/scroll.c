/* Scrolls to the cursor, to notes of a track, or to an edit, unless they are visible already. */
#include "app/editor/session/session.h"

#include <stdlib.h>

void session_show_cursor(struct session *s)
{
    session_fold(s);
    viewport_show(&s->view.port, &s->layout, s->view.cursor.tick, s->view.cursor.pitch);
    if (s->view.mode == MODE_SELECT)
        select_box(s);
}

void session_go_to(struct session *s, int64_t tick)
{
    session_go_to_place(s, tick, s->view.cursor.pitch);
}

void session_go_to_place(struct session *s, int64_t tick, int pitch)
{
    s->view.cursor = (struct roll_point){tick < 0 ? 0 : tick, pitch};
    session_show_cursor(s);
}

/* Finds the ticks that the roll shows, [left, right). */
static void time_seen(const struct session *s, int64_t *left, int64_t *right)
{
    const struct region *r = &s->layout.roll;
    *left = s->view.port.left_tick;
    *right = layout_tick(&s->layout, &s->view.port, r->column + r->columns);
}

static bool is_seen(const struct session *s, const struct note *n)
{
    int64_t left, right;
    const struct region *r = &s->layout.roll;
    int row = layout_row(&s->layout, &s->view.port, n->pitch);
    time_seen(s, &left, &right);
    return n->start < right && n->start + n->length > left && row >= r->row &&
           row < r->row + r->rows;
}

int scroll_pitch_of_track(struct session *s)
{
    int best = -1;
    int64_t left, right;
    session_fold(s); /* to the rows of that track */
    time_seen(s, &left, &right);
    struct survey_walk w = session_walk(s, s->view.track, left, right);
    for (const struct note *n; (n = survey_walk(&w));) {
        int pitch = n->pitch;
        if (is_seen(s, n))
            return s->view.cursor.pitch;
        if (best < 0 ||
            abs(pitch - s->view.cursor.pitch) < abs(best - s->view.cursor.pitch))
            best = pitch;
    }
    return best < 0 ? s->view.cursor.pitch : best;
}

void scroll_to_change(struct session *s, const struct change *c)
{
    const struct note *nearest = NULL;
    int64_t least = INT64_MAX;
    for (size_t i = 0; c && i < 2 * c->n_edits; i++) {
        const struct edit *e = &c->edits[i / 2];
        const struct note *n = i % 2 ? &e->after : &e->before;
        if (e->kind != EDIT_NOTE || !(i % 2 ? e->has_after : e->has_before))
            continue;
        if (is_seen(s, n))
            return;
        int64_t away = llabs(n->start - s->view.cursor.tick);
        nearest = away < least ? n : nearest;
        least = away < least ? away : least;
    }
    if (nearest)
        session_go_to_place(s, grid_floor(s, nearest->start), nearest->pitch);
}
