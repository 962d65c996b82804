/* Adds and changes notes. Every action makes one change, so it is one step of undo, and
 * refuses to make notes overlap (app/editor/session/targets.c). */
#include "app/editor/session/edit.h"

static bool add_note(struct session *s, struct note n, const char *label)
{
    struct change *c = change_create(label);
    return edit_do(s, c, c ? change_add_note(c, s->track, n) : MIDI_OK);
}

void edit_sound(struct session *s, int pitch, int velocity)
{
    const struct track *t = session_track(s);
    if (t && !player_is_playing(s->player))
        player_audition(s->player, t->channel, t->program, pitch, velocity);
}

/* The end of `count` grid steps from the cursor, before the next note of this
 * pitch. */
static int64_t free_end(const struct session *s, int count)
{
    int64_t end = s->cursor.tick;
    for (int i = 0; i < count; i++)
        end = grid_next(s, end);
    struct note n = {.start = s->cursor.tick, .pitch = (uint8_t)s->cursor.pitch};
    n.length = end - n.start;
    const struct track *t = session_track(s);
    for (size_t i = score_first_note_at(s->project.score, s->track, s->cursor.tick + 1);
         i < t->n_notes && t->notes[i].start < end; i++)
        if (t->notes[i].pitch == n.pitch)
            return t->notes[i].start;
    return end;
}

void edit_put_note(struct session *s, int n_steps)
{
    if (!session_need_track(s))
        return;
    s->cursor.pitch = session_snap_pitch(s, s->cursor.pitch);
    if (session_note_under_cursor(s)) {
        session_say(s, "a note is here already");
        return;
    }
    int64_t length = free_end(s, n_steps) - s->cursor.tick;
    struct note n =
        edit_new_note(s->cursor.tick, length, s->cursor.pitch, s->new_note.velocity);
    if (!add_note(s, n, "add a note"))
        return;
    s->new_note.length = length;
    edit_sound(s, n.pitch, n.velocity);
    if (s->mode == MODE_DRAW) {
        s->cursor.tick = note_end(&n);
        session_show_cursor(s);
    }
}

static void act_toggle_note(struct session *s, const struct command *c)
{
    if (s->mode == MODE_DRAW || !session_note_under_cursor(s)) {
        edit_put_note(s, command_times(c));
        return;
    }
    session_clear_selection(s);
    act_call(s, CMD_DELETE);
}

static bool move_note(const struct session *s, struct note *n, int64_t ticks)
{
    (void)s;
    n->start += ticks;
    return n->start >= 0;
}

static void act_nudge(struct session *s, const struct command *c)
{
    int64_t by = session_grid_span(s, command_times(c));
    if (c->id == CMD_NUDGE_LEFT)
        by = -by;
    bool alone = !s->selection.n;
    if (edit_transform(s, "move", move_note, by) && alone) {
        s->cursor.tick = s->cursor.tick + by < 0 ? 0 : s->cursor.tick + by;
        session_show_cursor(s);
    }
}

static bool resize_note(const struct session *s, struct note *n, int64_t by)
{
    (void)s;
    n->length += by;
    n->raw_length = 0; /* as long as it is meant now */
    return n->length > 0;
}

/* The cursor goes back onto the note whose end has passed it by. */
static void stay_on(struct session *s, uint64_t id)
{
    const struct note *n = score_find_note(s->project.score, s->track, id);
    if (!n || s->cursor.tick < note_end(n))
        return;
    s->cursor.tick = grid_floor(s, note_end(n) - 1);
    session_show_cursor(s);
}

static void act_resize_note(struct session *s, const struct command *c)
{
    int64_t by = session_grid_span(s, command_times(c));
    bool longer = c->id == CMD_LONGER;
    const struct note *here = session_note_under_cursor(s);
    uint64_t id = here && !s->selection.n ? here->id : 0;
    edit_transform(s, longer ? "lengthen" : "shorten", resize_note, longer ? by : -by);
    if (id)
        stay_on(s, id);
    here = session_note_under_cursor(s);
    if (here)
        s->new_note.length = here->length;
}

const struct editor_part PUT_NOTES_PART = {
    ON_COMMANDS({{CMD_TOGGLE_NOTE}, .run = act_toggle_note},
                {{CMD_NUDGE_LEFT, CMD_NUDGE_RIGHT}, .run = act_nudge},
                {{CMD_SHORTER, CMD_LONGER}, .run = act_resize_note}),
};
