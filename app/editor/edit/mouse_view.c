/* The mouse on the ruler, the keys and the map; and moving the view: by the wheel, by
 * dragging the roll, and by zooming at the cursor or at the pointer. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/answer.h"
#include "app/editor/takes/framing.h"
#include "app/editor/edit/mouse.h"
#include "tui/panels/panels.h"

/* -- the ruler: a click seeks, a drag is the loop -- */

void mouse_press_ruler(struct session *s, const struct command *c)
{
    int pitch;
    if (c->button != 1)
        return;
    mouse_take_place(s, c, &s->parts.mouse->tick, &pitch);
    answer_stop(s); /* whose turns are where it plays */
    s->view.cursor.tick = s->parts.mouse->tick;
    player_seek(s->player, s->view.cursor.tick);
    s->drag = DRAG_RULER;
}

/* The loop ends after the cell that it is dragged to; but a beat's line, which is aimed at,
 * is the end itself. */
void mouse_drag_ruler(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int64_t tick, from = m->tick;
    int pitch;
    mouse_take_place(s, c, &tick, &pitch);
    m->has_moved |= tick != from;
    if (!m->has_moved)
        return;
    int64_t first = tick < from ? tick : from, last = tick < from ? from : tick;
    int64_t in_bar = last - session_bar_at(s, last).start;
    bool is_beat = in_bar % timeline_beat_ticks(session_timeline(s), last) == 0;
    session_set_loop(s, first, is_beat && last > first ? last : grid_next(s, last));
}

void mouse_drop_ruler(struct session *s)
{
    if (s->parts.mouse->has_moved)
        session_say_loop(s);
}

void mouse_drag_keys(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.keys;
    const struct track *t = session_track(s);
    int last = r->row + r->rows - 1, row = c->row > last ? last : c->row;
    int pitch = layout_pitch(&s->layout, &s->view.port, row < r->row ? r->row : row);
    if (pitch == s->parts.mouse->sounding)
        return;
    s->parts.mouse->sounding = pitch;
    s->view.cursor.pitch = pitch;
    if (t)
        player_audition(s->player, track_sound_channel(t), t->program, pitch,
                        s->new_note.velocity);
}

void mouse_press_keys(struct session *s, const struct command *c)
{
    if (c->button != 1)
        return;
    s->parts.mouse->sounding = -1;
    s->drag = DRAG_KEYS;
    mouse_drag_keys(s, c);
}

void mouse_drag_map(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.map;
    int last = r->columns - 1, at = c->column - r->column;
    at = at < 0 ? 0 : at > last ? last : at;
    survey_update(s->survey, s->project.score, s->project.version);
    double end = (double)survey_end_tick(s->survey) + 1;
    int64_t tick = (int64_t)(end * (at + 0.5) / r->columns);
    s->view.cursor.tick = grid_floor(s, tick);
    s->view.port.left_tick =
        tick - s->view.port.ticks_per_column * (int64_t)s->layout.roll.columns / 2;
    viewport_clamp(&s->view.port, &s->layout);
}

void mouse_press_map(struct session *s, const struct command *c)
{
    s->drag = DRAG_MAP;
    mouse_drag_map(s, c);
}

void mouse_press_pan(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    m->port = s->view.port;
    m->pan_column = c->column;
    m->pan_row = c->row;
    s->drag = DRAG_PAN;
}

void mouse_drag_pan(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    s->view.port = m->port;
    int rows = (m->pan_row - c->row) / s->view.port.rows_per_pitch;
    viewport_scroll(&s->view.port, &s->layout, m->pan_column - c->column, rows);
}

/* Over the list of takes the wheel goes from one to the next. */
void act_scroll(struct session *s, const struct command *c)
{
    struct list_box list = take_list_box(&s->layout, s->takes.n, s->takes.shown);
    if (session_lists_takes(s) && region_has(&list.frame, c->column, c->row)) {
        int to = s->takes.shown + (c->by < 0 ? -1 : 1);
        if (to >= -1 && to < s->takes.n)
            session_show_take(s, to);
        return;
    }
    framing_unfold(s);
    viewport_scroll(&s->view.port, &s->layout, 0, c->by);
}

void act_scroll_sideways(struct session *s, const struct command *c)
{
    viewport_scroll(&s->view.port, &s->layout, c->by, 0);
}

/* `tick` is in that column of the roll, and stays there. */
static void zoom_time(struct session *s, bool in, int64_t column, int64_t tick)
{
    int64_t widest = 16 * (int64_t)s->project.score->ticks_per_quarter;
    int64_t *zoom = &s->view.port.ticks_per_column;
    if (in)
        *zoom = (*zoom + 1) / 2;
    else if (*zoom < widest)
        *zoom *= 2;
    s->view.port.left_tick = tick - column * *zoom;
}

static void zoom_pitch(struct session *s, bool in)
{
    int *height = &s->view.port.rows_per_pitch;
    if (in && *height < 3)
        ++*height;
    else if (!in && *height > 1)
        --*height;
    else
        session_say(s, in ? "rows cannot be higher" : "rows cannot be lower");
}

/* The cursor keeps its place on the screen. */
void act_zoom(struct session *s, const struct command *c)
{
    struct viewport *p = &s->view.port;
    int64_t column = (s->view.cursor.tick - p->left_tick) / p->ticks_per_column;
    if (c->id == CMD_ZOOM_IN || c->id == CMD_ZOOM_OUT) {
        zoom_time(s, c->by > 0, column, s->view.cursor.tick);
    } else {
        framing_unfold(s);
        zoom_pitch(s, c->by > 0);
    }
    int64_t left = s->view.cursor.tick - column * p->ticks_per_column;
    p->left_tick = left < 0 ? 0 : left;
    session_show_cursor(s);
}

/* What is under the pointer stays under it. */
void act_zoom_here(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.roll;
    bool in = c->by > 0;
    if (s->layout.too_small)
        return;
    int column = c->column < r->column ? 0 : c->column - r->column;
    int row = c->row < r->row ? 0 : c->row - r->row;
    if (c->id == CMD_ZOOM_IN_HERE || c->id == CMD_ZOOM_OUT_HERE) {
        zoom_time(s, in, column,
                  s->view.port.left_tick + column * s->view.port.ticks_per_column);
    } else {
        framing_unfold(s); /* rows are other pitches then */
        int pitch = layout_pitch(&s->layout, &s->view.port, r->row + row);
        zoom_pitch(s, in);
        s->view.port.top_pitch = pitch + row / s->view.port.rows_per_pitch;
    }
    viewport_clamp(&s->view.port, &s->layout);
}
