/* The mouse: press on a note to take hold of it, on empty ground to put the
 * cursor there; drag a note to move it, or ground to select a box; a click on the
 * cursor's own cell puts or removes a note; the right button removes; the wheel
 * scrolls. Every one of these has a key too. */
#include "app/session.h"

/* The topmost note of the active track here, else of any track, which then
 * becomes the active one. */
static const struct note *note_at(struct session *s, int64_t tick, int pitch)
{
    const struct score *score = s->project.score;
    for (int k = 0; k <= (int)score->n_tracks; k++) {
        int track = k == 0 ? s->track : k - 1;
        const struct track *t = track >= 0 ? &score->tracks[track] : NULL;
        for (size_t i = 0; t && i < t->n_notes && t->notes[i].start <= tick; i++) {
            const struct note *n = &t->notes[i];
            if (n->pitch != pitch || n->start + n->length <= tick)
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

static void seek_ruler(struct session *s, const struct command *c)
{
    int64_t tick = layout_tick(&s->layout, &s->port, c->column);
    s->cursor_tick = grid_floor(s, tick);
    player_seek(s->player, s->cursor_tick);
}

void act_point(struct session *s, const struct command *c)
{
    int64_t tick;
    int pitch;
    s->dragging = false;
    if (region_has(&s->layout.ruler, c->column, c->row)) {
        seek_ruler(s, c);
        return;
    }
    if (!layout_point(&s->layout, &s->port, c->column, c->row, &tick, &pitch))
        return;
    bool same_cell = grid_floor(s, tick) == s->cursor_tick && pitch == s->cursor_pitch;
    const struct note *n = note_at(s, tick, pitch);
    put_cursor(s, tick, pitch);
    s->dragging = c->button == 1;
    s->drag_tick = s->cursor_tick;
    s->drag_pitch = pitch;
    s->drag_id = n ? n->id : 0;
    s->drag_moves = false;
    s->click_toggles = same_cell && !n;
    if (c->button == 3 && n) {
        s->n_selected = 0;
        act_delete(s, &(struct command){.id = CMD_DELETE});
    } else if (c->button == 3) {
        session_clear_selection(s);
    }
}

/* The held note follows the mouse; undo takes the whole drag back as it is one
 * move from where it began to where it was let go. */
static void move_held(struct session *s, int64_t tick, int pitch)
{
    const struct note *n = score_find_note(s->project.score, s->track, s->drag_id);
    int64_t by = grid_floor(s, tick) - s->drag_tick;
    if (!n || (by == 0 && pitch == s->drag_pitch))
        return;
    s->n_selected = 0;
    s->cursor_tick = grid_floor(s, n->start);
    s->cursor_pitch = n->pitch;
    struct note after = *n;
    after.start = n->start + by < 0 ? 0 : n->start + by;
    after.pitch = (uint8_t)pitch;
    edit_move_note(s, n, after);
    put_cursor(s, tick, pitch);
}

void act_drag(struct session *s, const struct command *c)
{
    int64_t tick;
    int pitch;
    if (!s->dragging ||
        !layout_point(&s->layout, &s->port, c->column, c->row, &tick, &pitch))
        return;
    if (grid_floor(s, tick) != s->drag_tick || pitch != s->drag_pitch)
        s->drag_moves = true;
    put_cursor(s, tick, pitch);
    if (s->drag_id || !s->drag_moves)
        return;
    if (s->mode != MODE_SELECT) {
        s->anchor_tick = s->drag_tick;
        s->anchor_pitch = s->drag_pitch;
        s->bars = false;
        s->mode = MODE_SELECT;
    }
    select_box(s);
}

void act_release(struct session *s, const struct command *c)
{
    int64_t tick;
    int pitch;
    bool held = s->dragging;
    s->dragging = false;
    if (!held || !layout_point(&s->layout, &s->port, c->column, c->row, &tick, &pitch))
        return;
    if (s->drag_moves && s->drag_id)
        move_held(s, tick, pitch);
    else if (!s->drag_moves && s->click_toggles)
        act_toggle_note(s, &(struct command){.id = CMD_TOGGLE_NOTE});
    else if (!s->drag_moves && s->mode == MODE_SELECT)
        session_clear_selection(s);
}

void act_scroll(struct session *s, const struct command *c)
{
    int columns = c->id == CMD_SCROLL_LEFT ? -8 : c->id == CMD_SCROLL_RIGHT ? 8 : 0;
    int rows = c->id == CMD_SCROLL_UP ? -3 : c->id == CMD_SCROLL_DOWN ? 3 : 0;
    viewport_scroll(&s->port, &s->layout, columns, rows);
}
