/* Finds the lines of the grid, and changes the grid. Lines start again at every bar line, so
 * odd meters, triplets and changes of meter stay in step. If the grid is off, a step is one
 * column of the screen, and only bar lines are grid lines. */
#include "app/editor/session/session.h"

static struct lattice lattice(const struct session *s)
{
    return grid_step_lattice(&s->grid, s->project.score->ticks_per_quarter);
}

int64_t session_grid_ticks(const struct session *s)
{
    return session_grid_span(s, 1);
}

int64_t session_grid_span(const struct session *s, int n)
{
    struct lattice l = lattice(s);
    return s->grid.is_free ? n * s->view.port.ticks_per_column : lattice_line(&l, n);
}

int64_t grid_floor(const struct session *s, int64_t tick)
{
    struct bar bar = session_bar_at(s, tick < 0 ? 0 : tick);
    struct lattice l = lattice(s);
    if (tick < bar.start)
        return bar.start;
    if (s->grid.is_free)
        return tick;
    return bar.start + lattice_line(&l, lattice_before(&l, tick - bar.start));
}

int64_t grid_next(const struct session *s, int64_t tick)
{
    struct bar bar = session_bar_at(s, tick < 0 ? 0 : tick);
    struct lattice l = lattice(s);
    int64_t inside = tick < bar.start ? 0 : tick - bar.start;
    int64_t next = s->grid.is_free ? inside + s->view.port.ticks_per_column
                                   : lattice_line(&l, lattice_before(&l, inside) + 1);
    return bar.start + (next < bar.length ? next : bar.length);
}

/* If the grid is off, goes back by a column, but not past the bar line. */
int64_t grid_previous(const struct session *s, int64_t tick)
{
    if (tick <= 0)
        return 0;
    if (!s->grid.is_free)
        return grid_floor(s, tick - 1);
    int64_t bar = session_bar_at(s, tick - 1).start,
            before = tick - s->view.port.ticks_per_column;
    return before > bar ? before : bar;
}

static void say_grid(struct session *s)
{
    char name[GRID_STEP_TEXT];
    const char *more = s->grid.is_free
                           ? ": moves by a column of the screen; g0 restores the grid"
                           : "";
    session_say(s, "grid %s%s", grid_step_format(&s->grid, name), more);
}

/* Each step halves or doubles the grid. If the grid is off, the first step switches it on. */
void act_grid(struct session *s, const struct command *c)
{
    struct grid_step *g = &s->grid;
    int times = command_times(c) - g->is_free;
    g->is_free = false;
    for (; times > 0; times--)
        if (c->by > 0 && g->division < GRID_FINEST)
            g->division *= 2;
        else if (c->by < 0 && g->division > 1)
            g->division /= 2;
        else
            break;
    say_grid(s);
}

void act_grid_kind(struct session *s, const struct command *c)
{
    struct grid_step *g = &s->grid;
    enum grid_kind kind = (enum grid_kind)c->by;
    *g = (struct grid_step){g->division, g->kind == kind ? GRID_STRAIGHT : kind, false};
    say_grid(s);
}

void act_grid_free(struct session *s)
{
    s->grid.is_free = !s->grid.is_free;
    say_grid(s);
}

void act_grid_line(struct session *s, const char *word)
{
    if (!*word || grid_step_parse(word, &s->grid))
        say_grid(s);
    else
        session_error(s, "grid: use 1/1 to 1/64, as in 1/8, 1/16t (triplets) or 1/8. "
                         "(dotted); or off");
}

static void view(struct session *s, struct view *v)
{
    v->grid.ticks = grid_next(s, s->view.cursor.tick) - s->view.cursor.tick;
    grid_step_format(&s->grid, v->grid.name);
}

const struct editor_part GRID_PART = {
    .view = view,
};
