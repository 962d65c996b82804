/* The inspector: opening and closing it, going from note to note, and the mouse. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"

/* A note attends to earlier notes, so it is placed at three quarters of the width. */
static void make_room_before(struct session *s)
{
    struct viewport *p = &s->view.port;
    int64_t columns = s->layout.roll.columns;
    bool is_left =
        s->view.cursor.tick - p->left_tick < columns / 2 * p->ticks_per_column;
    if (s->parts.inspect->pinned || !is_left ||
        s->parts.inspect->look.way == IS_LOOKED_AT_BY)
        return;
    p->left_tick = s->view.cursor.tick - columns * 3 / 4 * p->ticks_per_column;
    viewport_clamp(p, &s->layout);
}

/* Whatever leaves INSPECT closes it: a list that is opened over it, or another file. It is back,
 * and asks anew, when the list is closed. */
void inspect_fit(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_spot at;
    bool is_over = session_is_inspecting(s);
    /* The cursor was moved by bars, to the end, by a click on the ruler: the note there. */
    bool has_moved = s->view.cursor.tick != i->cursor_tick ||
                     s->view.cursor.pitch != i->cursor_pitch;
    if (s->view.mode == MODE_INSPECT && i->at.id && has_moved &&
        inspect_nearest(s, s->view.cursor.tick, s->view.cursor.pitch, &at))
        inspect_go(s, &at);
    if (is_over == (s->view.inspect != NULL))
        return;
    s->view.inspect = is_over ? &i->view : NULL;
    if (!is_over) {
        i->follows = false;
        i->request = 0;
    }
    if (!is_over && i->inspector)
        inspector_stop(i->inspector);
    session_lay_out(s, s->layout.columns, s->layout.rows);
    session_show_cursor(s);
    if (is_over) {
        make_room_before(s);
        inspect_change(s);
    }
}

static void open_inspector(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    session_clear_selection(s);
    session_open_mode(s, MODE_INSPECT);
    i->pinned = 0;
    i->without = WITHOUT_NOTHING;
    i->page = INSPECT_ROLL;
    i->wants_rewrite = false;
    struct inspect_spot at;
    if (inspect_nearest(s, s->view.cursor.tick, s->view.cursor.pitch, &at))
        inspect_go(s, &at);
    else
        i->at.id = 0;
    inspect_change(s);
}

static void close_inspector(struct session *s)
{
    session_close_mode(s);
    s->parts.inspect->wants_rewrite = false;
    const int n = __builtin_popcountll(s->muted.heads);
    if (n)
        session_say(s, "%d head%s muted: takes do without %s; M in I undoes it", n,
                    n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
}

bool inspect_escape(struct session *s)
{
    const bool is_here = s->view.mode == MODE_INSPECT;
    if (is_here)
        close_inspector(s);
    return is_here;
}

static void say_no_note(struct session *s)
{
    session_say(s, "there is no note to inspect yet; Esc goes back");
}

void act_inspect(struct session *s)
{
    if (s->view.mode == MODE_INSPECT) {
        close_inspector(s);
        return;
    }
    s->parts.inspect->shows_surprise = false;
    open_inspector(s);
    if (!s->parts.inspect->at.id)
        say_no_note(s);
}

void inspect_go(struct session *s, const struct inspect_spot *to)
{
    struct inspecting *i = s->parts.inspect;
    i->at = *to;
    if (i->without == WITHOUT_NOTE && i->pinned)
        i->without_of = to->id;
    s->view.cursor.tick = grid_floor(s, to->note.start);
    s->view.cursor.pitch = to->note.pitch;
    i->cursor_tick = s->view.cursor.tick;
    i->cursor_pitch = s->view.cursor.pitch;
    if (!to->is_ghost)
        s->view.track = to->track;
    session_show_cursor(s);
    inspect_change(s);
}

void act_inspect_move(struct session *s, const struct command *c)
{
    bool moved = false;
    for (int i = 0; i < command_times(c) && i < 10000; i++) {
        struct inspect_spot to, from = s->parts.inspect->at;
        bool found = !from.id ? inspect_nearest(s, s->view.cursor.tick,
                                                s->view.cursor.pitch, &to)
                     : c->id == CMD_INSPECT_LEFT || c->id == CMD_INSPECT_RIGHT
                         ? inspect_step(s, &from, c->id == CMD_INSPECT_RIGHT, &to)
                         : inspect_climb(s, &from, c->id == CMD_INSPECT_UP, &to);
        if (!found)
            break;
        s->parts.inspect->is_live = false;
        inspect_go(s, &to);
        make_room_before(s);
        moved = true;
    }
    if (!moved)
        session_say(s, "no note is further %s",
                    c->id == CMD_INSPECT_LEFT    ? "left on this track"
                    : c->id == CMD_INSPECT_RIGHT ? "right on this track"
                    : c->id == CMD_INSPECT_UP    ? "up near here"
                                                 : "down near here");
}

void act_inspect_pin(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_spot pinned;
    if (i->pinned) {
        bool is_there = inspect_find(s, i->pinned, &pinned);
        i->pinned = 0;
        if (is_there)
            inspect_go(s, &pinned);
        session_say(s, "no longer pinned");
    } else if (i->at.id) {
        i->pinned = i->at.id;
        session_say(s, "pinned: h j k l choose the note to compare it with");
    } else {
        session_say(s, "there is no note to pin");
    }
    inspect_change(s);
}

/* Also from NORMAL. */
void act_inspect_surprise(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    bool was_open = s->view.mode == MODE_INSPECT;
    if (!was_open)
        open_inspector(s);
    i->shows_surprise = !was_open || !i->shows_surprise;
    i->is_new = true;
    if (!i->at.id)
        say_no_note(s);
    else
        session_say(
            s, i->shows_surprise
                   ? "how surprising each note is: R rewrites the most surprising bar"
                   : "what the note attended to");
    inspect_change(s);
}

/* The note that a token of the matrix speaks of. */
static bool spot_of_token(const struct session *s, int token, struct inspect_spot *out)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    const int note =
        token >= 0 && token < r->found.queries.n_tokens ? r->note_of[token] : -1;
    return note >= 0 && inspect_find(s, r->found.notes[note].id, out);
}

void act_inspect_point(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    const struct layout *l = &s->layout;
    struct inspect_spot at;
    int layer, head, query, key, pitch;
    int64_t tick;
    bool is_page = i->page != INSPECT_ROLL && region_has(&l->page, c->column, c->row);
    if (inspect_thumbnail_at(l, &i->view, c->column, c->row, &layer, &head)) {
        i->look.layer = i->one_layer = layer;
        i->look.head = i->one_head = head;
        inspect_change(s);
    } else if (inspect_cell_at(l, &i->view, c->column, c->row, &query, &key)) {
        /* A cell is a pair: the query is pinned, the key compared with it. */
        struct inspect_spot other;
        bool is_by = i->look.way == IS_LOOKED_AT_BY;
        if (!spot_of_token(s, is_by ? key : query, &at)) {
            session_say(s, "that row belongs to no note");
            return;
        }
        bool has_other = spot_of_token(s, is_by ? query : key, &other);
        i->pinned = has_other && other.id != at.id ? at.id : 0;
        inspect_go(s, i->pinned ? &other : &at);
    } else if (!is_page &&
               layout_point(l, &s->view.port, c->column, c->row, &tick, &pitch) &&
               inspect_nearest(s, tick, pitch, &at)) {
        i->is_live = false;
        inspect_go(s, &at);
    }
}
