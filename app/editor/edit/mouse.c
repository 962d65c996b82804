/* The mouse: the position of a press decides which gesture begins; moves and the release
 * continue it. A drag past the roll's edge scrolls. The score changes only at the release;
 * Escape before it cancels. */
#include "app/editor/takes/takes.h"
#include "app/editor/edit/mouse.h"
#include "app/editor/edit/tracks.h"
#include "tui/panels/panels.h"

#include <stdlib.h>

enum { SCROLL_MS = 60, SCROLL_COLUMNS = 2, SCROLL_ROWS = 1 };

static const struct gesture {
    mouse_fn *drag;
    act_plain_fn *drop; /* NULL: nothing */
    bool scrolls_time, scrolls_pitch;
} GESTURES[DRAG_COUNT] = {
    [DRAG_NEW] = {mouse_drag_roll, mouse_drop_new, true, false},
    [DRAG_MOVE] = {mouse_drag_roll, mouse_drop_notes, true, true},
    [DRAG_LEFT] = {mouse_drag_roll, mouse_drop_notes, true, false},
    [DRAG_RIGHT] = {mouse_drag_roll, mouse_drop_notes, true, false},
    [DRAG_ERASE] = {mouse_drag_roll, mouse_drop_erased, true, true},
    [DRAG_BOX] = {mouse_drag_roll, mouse_drop_box, true, true},
    [DRAG_LANE] = {mouse_drag_lane, mouse_drop_lane, false, false},
    [DRAG_RULER] = {mouse_drag_ruler, mouse_drop_ruler, true, false},
    [DRAG_KEYS] = {mouse_drag_keys, NULL, false, false},
    [DRAG_MAP] = {mouse_drag_map, NULL, false, false},
    [DRAG_PAN] = {mouse_drag_pan, NULL, false, false},
};

void mouse_take_place(const struct session *s, const struct command *c, int64_t *tick,
                      int *pitch)
{
    layout_point(&s->layout, &s->view.port, c->column, c->row, tick, pitch);
    *tick = grid_floor(s, *tick);
}

void mouse_cancel(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    s->drag = DRAG_NONE;
    m->n_held = m->n_drafts = m->n_going = 0;
}

static void free_all(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    free(m->held);
    free(m->drafts);
    free(m->going);
}

void act_point(struct session *s, const struct command *c)
{
    const struct layout *l = &s->layout;
    const struct {
        const struct region *where;
        mouse_fn *press;
    } PLACES[] = {
        {&l->ruler, mouse_press_ruler}, {&l->keys, mouse_press_keys},
        {&l->lane, mouse_press_lane},   {&l->map, mouse_press_map},
        {&l->roll, mouse_press_roll},
    };
    mouse_cancel(s);
    s->view.message.text[0] = '\0';
    if (l->too_small)
        return;
    const struct list_box takes = take_list_box(l, s->takes.n, s->takes.shown);
    if (session_lists_takes(s) && region_has(&takes.frame, c->column, c->row)) {
        int take = list_box_at(&takes, c->column, c->row);
        if (take >= 0)
            session_show_take(s, take);
        return;
    }
    if (tracks_press_line(s, c))
        return;
    s->parts.mouse->column = c->column;
    s->parts.mouse->row = c->row;
    s->parts.mouse->has_moved = false;
    if (c->button == 2 && region_has(&l->roll, c->column, c->row)) {
        mouse_press_pan(s, c);
        return;
    }
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++)
        if (region_has(PLACES[i].where, c->column, c->row))
            PLACES[i].press(s, c);
}

static int past(int at, int first, int n)
{
    return at < first ? -1 : at >= first + n ? 1 : 0;
}

/* Columns and rows that the gesture wants to scroll by. The roll's last column is past its
 * edge if it ends the screen and a drag has reached it: terminals report none after it. */
static bool wants_scroll(const struct session *s, int *columns, int *rows)
{
    const struct region *r = &s->layout.roll;
    const struct mouse *m = s->parts.mouse;
    const struct gesture *g = &GESTURES[s->drag];
    bool ends_screen = r->column + r->columns == s->layout.columns;
    int inside = r->columns - (ends_screen && m->has_moved);
    *columns = *rows = 0;
    if (g->scrolls_time)
        *columns = SCROLL_COLUMNS * past(m->column, r->column, inside);
    if (g->scrolls_pitch)
        *rows = SCROLL_ROWS * past(m->row, r->row, r->rows);
    return *columns || *rows;
}

static int mouse_timeout_ms(const struct session *s)
{
    int columns, rows;
    if (!s->drag || !wants_scroll(s, &columns, &rows))
        return -1;
    int64_t left = s->parts.mouse->scrolled_ms + SCROLL_MS - clock_whole_ms();
    return left < 0 ? 0 : left < SCROLL_MS ? (int)left : SCROLL_MS;
}

static void mouse_tick(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    int columns, rows;
    if (mouse_timeout_ms(s) != 0 || !wants_scroll(s, &columns, &rows))
        return;
    m->scrolled_ms = clock_whole_ms();
    viewport_scroll(&s->view.port, &s->layout, columns, rows);
    GESTURES[s->drag].drag(
        s, &(struct command){.id = CMD_DRAG, .column = m->column, .row = m->row});
}

void act_drag(struct session *s, const struct command *c)
{
    if (!s->drag)
        return;
    s->parts.mouse->column = c->column;
    s->parts.mouse->row = c->row;
    mouse_tick(s);
    GESTURES[s->drag].drag(s, c);
}

void act_release(struct session *s)
{
    if (GESTURES[s->drag].drop)
        GESTURES[s->drag].drop(s);
    mouse_cancel(s);
}

/* A command that would change the held notes. */
static void get_out_of_the_way(struct session *s, enum command_id id)
{
    if (s->drag && !(commands[id].flags & MOUSE) && id != CMD_ESCAPE)
        mouse_cancel(s);
}

/* The held notes belong to other tracks now. */
static void let_go(struct session *s)
{
    if (s->seen.tracks_moved)
        s->drag = DRAG_NONE;
}

/* Moving notes are shown at their new position; the old one is only outlined. */
static void view_mouse(struct session *s, struct view *v)
{
    const struct mouse *m = s->parts.mouse;
    if (!s->drag)
        return;
    v->drafts.notes = m->drafts;
    v->drafts.n = m->n_drafts;
    if (m->n_going) {
        v->ghosts.replaced = m->going;
        v->ghosts.n_replaced = m->n_going;
    }
    if (s->drag == DRAG_LANE)
        v->lane.stroke = m->stroke;
}

const struct editor_part MOUSE_PART = {
    PART_STATE(mouse),        .fini = free_all,
    .reset = mouse_cancel,    .before = get_out_of_the_way,
    .tick = mouse_tick,       .timeout_ms = mouse_timeout_ms,
    .resizing = mouse_cancel, .edited = let_go,
    .view = view_mouse,
};
