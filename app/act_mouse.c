/* The mouse. Left on empty ground puts a note, as long as it is dragged; left on a
 * note takes hold of it: its right end resizes, the rest moves; right drags a box,
 * and a right click on a note removes it; the ruler seeks; the wheel scrolls.
 *
 * While something is dragged a frame shows where it would go; it is done once, on
 * release, so it undoes as one step. Every one of these has a key too. */
#include "app/edit.h"
#include "tui/take_list.h"

/* The note of the active track here, else of any track, which then becomes the
 * active one. */
static const struct note *note_at(struct session *s, int64_t tick, int pitch)
{
    const struct score *score = s->project.score;
    for (int k = -1; k < (int)score->n_tracks; k++) {
        int track = k < 0 ? s->track : k;
        const struct track *t = track >= 0 ? &score->tracks[track] : NULL;
        if (k >= 0 && track != s->track && (s->hide_others || t->hide))
            continue; /* it is not seen */
        for (size_t i = 0; t && i < t->n_notes && t->notes[i].start <= tick; i++) {
            const struct note *n = &t->notes[i];
            if (n->pitch != pitch || note_end(n) <= tick)
                continue;
            if (track != s->track)
                session_clear_selection(s);
            s->track = track;
            return n;
        }
    }
    return NULL;
}

static void put_cursor(struct session *s, int64_t tick, int pitch)
{
    s->cursor_tick = grid_floor(s, tick);
    s->cursor_pitch = pitch;
}

static void press_ruler(struct session *s, const struct command *c)
{
    s->cursor_tick = grid_floor(s, layout_tick(&s->layout, &s->port, c->column));
    player_seek(s->player, s->cursor_tick);
}

/* Where the note being dragged would lie. */
static struct note dragged_note(const struct session *s, enum drag drag,
                                const struct note *held)
{
    struct note n = {.start = s->drag_tick, .pitch = (uint8_t)s->drag_pitch};
    int64_t end = grid_next(s, s->cursor_tick);
    if (held)
        n = *held;
    if (drag == DRAG_MOVE) {
        int64_t start = n.start + s->cursor_tick - s->drag_tick;
        n.start = start < 0 ? 0 : start;
        n.pitch = (uint8_t)s->cursor_pitch;
    } else {
        n.length = end > n.start ? end - n.start : grid_next(s, n.start) - n.start;
    }
    return n;
}

static const struct note *held_note(const struct session *s)
{
    return s->drag_id && session_track(s)
               ? score_find_note(s->project.score, s->track, s->drag_id)
               : NULL;
}

static void frame_drag(struct session *s)
{
    struct note n = dragged_note(s, s->drag, held_note(s));
    s->box = (struct box){n.start, note_end(&n), n.pitch, n.pitch};
    s->has_box = true;
}

static bool on_right_end(const struct session *s, const struct note *n, int64_t tick)
{
    int64_t columns = n->length / s->port.ticks_per_column;
    return columns >= 2 && tick >= note_end(n) - s->port.ticks_per_column;
}

static bool press_list(struct session *s, const struct command *c)
{
    int n = s->takes.n;
    struct region list = take_list_region(&s->layout, n);
    if (!session_lists_takes(s) || !region_has(&list, c->column, c->row))
        return false;
    int take = take_list_at(&s->layout, n, s->takes.shown, c->column, c->row);
    if (take >= 0)
        session_show_take(s, take);
    return true;
}

void act_point(struct session *s, const struct command *c)
{
    int64_t tick;
    int pitch;
    s->drag = DRAG_NONE;
    if (press_list(s, c) || tracks_press_line(s, c))
        return;
    if (region_has(&s->layout.ruler, c->column, c->row)) {
        press_ruler(s, c);
        return;
    }
    if (!layout_point(&s->layout, &s->port, c->column, c->row, &tick, &pitch) ||
        c->button == 2)
        return;
    const struct note *n = note_at(s, tick, pitch);
    session_clear_selection(s);
    put_cursor(s, tick, pitch);
    s->drag_tick = s->cursor_tick;
    s->drag_pitch = pitch;
    s->drag_id = n ? n->id : 0;
    s->drag = c->button == 3             ? DRAG_BOX
              : !n                       ? DRAG_NEW
              : on_right_end(s, n, tick) ? DRAG_RESIZE
                                         : DRAG_MOVE;
    if (s->drag == DRAG_NEW)
        frame_drag(s);
}

static void drag_box(struct session *s)
{
    if (s->mode != MODE_SELECT) {
        s->anchor_tick = s->drag_tick;
        s->anchor_pitch = s->drag_pitch;
        s->bars = false;
        s->selects_in_take = s->mode == MODE_TAKES;
        s->mode = MODE_SELECT;
    }
    select_box(s);
}

void act_drag(struct session *s, const struct command *c)
{
    int64_t tick;
    int pitch;
    if (!s->drag ||
        !layout_point(&s->layout, &s->port, c->column, c->row, &tick, &pitch))
        return;
    if (s->drag == DRAG_NEW || s->drag == DRAG_RESIZE)
        pitch = s->drag_pitch;
    put_cursor(s, tick, pitch);
    if (s->drag == DRAG_BOX)
        drag_box(s);
    else
        frame_drag(s);
}

static void drop_new(struct session *s)
{
    int count = 1;
    int64_t last = s->cursor_tick;
    for (int64_t t = s->drag_tick; t < last && count < 4096; count++)
        t = grid_next(s, t);
    s->cursor_tick = s->drag_tick;
    edit_put_note(s, count);
}

void act_release(struct session *s, const struct command *c)
{
    (void)c;
    enum drag drag = s->drag;
    const struct note *held = held_note(s);
    bool still = s->cursor_tick == s->drag_tick && s->cursor_pitch == s->drag_pitch;
    s->drag = DRAG_NONE;
    if (drag == DRAG_BOX) {
        if (still && held) {
            select_one(s, held->id);
            act_delete(s, &(struct command){.id = CMD_DELETE});
        }
        return;
    }
    s->has_box = false;
    if (drag == DRAG_NEW)
        drop_new(s);
    else if (held && !still)
        edit_move_note(s, held, dragged_note(s, drag, held));
}

void act_scroll(struct session *s, const struct command *c)
{
    int columns = c->id == CMD_SCROLL_LEFT ? -8 : c->id == CMD_SCROLL_RIGHT ? 8 : 0;
    int rows = c->id == CMD_SCROLL_UP ? -3 : c->id == CMD_SCROLL_DOWN ? 3 : 0;
    viewport_scroll(&s->port, &s->layout, columns, rows);
}
