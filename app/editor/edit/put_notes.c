/* Adds notes, moves them and changes their lengths. Each command is one change and so one step
 * of undo. Notes that would overlap are refused (app/editor/session/targets.c). */
#include "app/editor/edit/reshape.h"

void edit_sound(struct session *s, int pitch, int velocity)
{
    const struct track *t = session_track(s);
    if (t && !player_is_playing(s->player))
        player_audition(s->player, track_sound_channel(t), t->program, pitch, velocity);
}

/* Puts a hit at each of n grid steps where there is none yet. The cursor moves past them, unless
 * the mouse puts them. */
static void put_hits(struct session *s, int n)
{
    const int pitch = s->view.cursor.pitch, velocity = s->new_note.velocity;
    struct change *c = change_create(n > 1 ? "add hits" : "add a hit");
    int64_t tick = s->view.cursor.tick, next;
    for (int i = 0; i < n; i++, tick = next) {
        next = grid_next(s, tick);
        if (!session_note_at(s, s->view.track, tick, next, pitch))
            change_add_note(c, s->view.track,
                            edit_new_note(tick, next - tick, pitch, velocity));
    }
    change_settle(c, s->project.score, OVERLAP_TRUNCATE);
    if (!edit_do_some(s, c, "this hit is already here"))
        return;
    edit_sound(s, pitch, velocity);
    if (!s->drag)
        session_go_to(s, tick);
}

void edit_put_note(struct session *s, int n_steps, bool removes)
{
    if (!need_track(s))
        return;
    const int pitch = s->view.cursor.pitch;
    const struct note *here = session_note_under_cursor(s);
    if (here && removes) {
        session_clear_selection(s);
        act_call(s, CMD_DELETE);
        return;
    }
    if (s->view.kit.is_shown) {
        put_hits(s, n_steps);
        return;
    }
    if (s->roll.snaps || s->roll.snaps_to_chord) {
        s->view.cursor.pitch = session_snap_pitch(s, pitch);
        here = session_note_under_cursor(s);
    }
    if (here) {
        session_say(s, "a note is already here");
        return;
    }
    int64_t end = s->view.cursor.tick;
    for (int i = 0; i < n_steps; i++)
        end = grid_next(s, end);
    const struct note n = edit_new_note_here(s, s->view.cursor.pitch, end);
    struct change *c = change_create("add a note");
    change_add_note(c, s->view.track, n);
    if (!edit_do(s, c))
        return;
    s->new_note.length = n.length;
    edit_sound(s, n.pitch, n.velocity);
    if (s->view.mode == MODE_DRAW)
        session_go_to(s, note_end(&n));
}

void act_toggle_note(struct session *s, const struct command *c)
{
    const bool fills = c->count > 1 && s->view.kit.is_shown;
    if (s->open & KEEPS_CHORD)
        edit_put_chord(s);
    else
        edit_put_note(s, command_times(c), s->view.mode != MODE_DRAW && !fills);
}

void act_nudge(struct session *s, const struct command *c)
{
    struct reshape r;
    const int64_t by = c->by * session_grid_span(s, command_times(c)),
                  to = s->view.cursor.tick + by;
    if (!reshape_begin(&r, s))
        return;
    for (size_t i = 0; i < r.n; i++)
        r.after[i].start += by;
    if (reshape_do(&r, OVERLAP_REFUSE, "move", NULL) && !s->selection.n)
        session_go_to(s, to);
}

void act_resize_note(struct session *s, const struct command *c)
{
    struct reshape r;
    const int64_t by = c->by * session_grid_span(s, command_times(c));
    if (!reshape_begin(&r, s))
        return;
    r.keeps_to_end = true;
    bool fits = true;
    for (size_t i = 0; i < r.n; i++) {
        r.after[i].length += by;
        r.after[i].raw_length = 0; /* the played length no longer counts */
        fits &= r.after[i].length > 0;
    }
    if (!fits)
        reshape_give_up(&r, "shorten");
    else
        reshape_do(&r, OVERLAP_REFUSE, by > 0 ? "lengthen" : "shorten", NULL);
    const struct note *here = session_note_under_cursor(s);
    if (here)
        s->new_note.length = here->length;
}
