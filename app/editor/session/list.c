/* The commands of all lists: steps, pages, ends and clicks. See list.h. */
#include "app/editor/session/list.h"

bool list_toggle(struct session *s, enum mode mode)
{
    const bool opens = s->view.mode != mode;
    s->drag = DRAG_NONE;
    if (opens)
        session_open_mode(s, mode);
    else
        session_close_mode(s);
    return opens;
}

static bool is_open(const struct session *s, const struct list_owner *o)
{
    return o->is_open ? o->is_open(s)
                      : s->view.mode == o->mode || session_mode_behind(s) == o->mode;
}

bool list_is_open(const struct session *s, enum list_id id)
{
    EACH_PART (p)
        if ((*p)->list && (*p)->list->id == id)
            return is_open(s, (*p)->list);
    return false;
}

struct list_box list_update(struct session *s, const struct list_owner *o)
{
    struct list_view *l = &s->view.lists[o->id];
    const bool was_open = l->is_open;
    l->is_open = is_open(s, o);
    o->fill(s, l);
    l->point = l->point < l->n ? l->point : l->n - 1;
    struct list_box b = list_box(&s->layout, o->id, l);
    if (l->is_open && !was_open) { /* the chosen line begins in the middle */
        l->top = l->point - b.n_shown / 2;
        b = list_box(&s->layout, o->id, l);
    }
    l->top = b.first;
    return b;
}

void list_update_all(struct session *s)
{
    EACH_PART (p) {
        if ((*p)->list && is_open(s, (*p)->list))
            list_update(s, (*p)->list);
        else if ((*p)->list)
            s->view.lists[(*p)->list->id].is_open = false;
    }
}

/* Returns the list that has the keys. */
static const struct list_owner *owner_here(const struct session *s)
{
    EACH_PART (p)
        if ((*p)->list && (*p)->list->mode == s->view.mode)
            return (*p)->list;
    return NULL;
}

static void choose(struct session *s, const struct list_owner *o, int line)
{
    if (o->choose)
        o->choose(s, line);
    else
        s->view.lists[o->id].point = line;
}

/* Chooses a line, or the end of the list that is nearest to it. */
static void go_to_line(struct session *s, const struct list_owner *o, int n, int64_t to)
{
    if (n > 0)
        choose(s, o, to < 0 ? 0 : to < n ? (int)to : n - 1);
}

void list_step(struct session *s, const struct list_owner *o, int by)
{
    struct list_box b = list_update(s, o);
    /* From none, a step back goes to the last line. */
    int64_t to = (int64_t)b.point + by + (b.point < 0 && by < 0);
    if (o->is_ring && b.n > 0)
        to = (to % b.n + b.n) % b.n;
    go_to_line(s, o, b.n, to);
}

/* A turn of the wheel has a position and stays at an end of the list. A key has none. */
void act_list_step(struct session *s, const struct command *c)
{
    const struct list_owner *o = owner_here(s);
    struct list_box b = list_update(s, o);
    int line = list_box_at(&b, c->column, c->row);
    if (line >= 0 && o->touch && o->touch(s, &b, line, c))
        return;
    if (c->column || c->row)
        go_to_line(s, o, b.n, b.point + (int64_t)command_steps(c));
    else
        list_step(s, o, command_steps(c));
}

void act_list_page(struct session *s, const struct command *c)
{
    enum { HELP_PAGE = 10 }; /* lines of a page of the help, which has no frame */
    const struct list_owner *o = owner_here(s);
    struct list_box b = list_update(s, o);
    int lines = b.n_shown > 1 ? b.n_shown - 1 : HELP_PAGE;
    go_to_line(s, o, b.n, b.point + (int64_t)command_steps(c) * lines);
}

void act_list_end(struct session *s, const struct command *c)
{
    const struct list_owner *o = owner_here(s);
    struct list_box b = list_update(s, o);
    go_to_line(s, o, b.n, c->by < 0 ? 0 : b.n);
}

bool list_press(struct session *s, const struct list_owner *o, const struct command *c)
{
    struct list_box b = list_update(s, o);
    int line = list_box_at(&b, c->column, c->row);
    const bool is_inside = region_has(&b.frame, c->column, c->row);
    if (is_inside && (line < 0 || c->button > 1))
        return true;
    if (o->touch && o->touch(s, &b, line, c))
        return true;
    if (!is_inside)
        return false;
    if (line != b.point)
        choose(s, o, line);
    if (o->enter && (o->is_menu || line == b.point))
        act_call(s, o->enter);
    return true;
}

void act_list_point(struct session *s, const struct command *c)
{
    const struct list_owner *o = owner_here(s);
    if (!list_press(s, o, c))
        act_call(s, o->close);
}
