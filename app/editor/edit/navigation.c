/* Moves the cursor on grid lines (session/grid.c) and to tracks; moves the view; follows
 * playback. */
#include "app/editor/takes/framing.h"
#include "app/editor/takes/takes.h"
#include "app/editor/edit/tracks.h"

#include <glib.h>
#include <stdlib.h>

void act_move(struct session *s, const struct command *c)
{
    int64_t tick = s->view.cursor.tick;
    for (int i = 0; i < command_times(c) && i < 100000; i++)
        tick = c->by < 0 ? grid_previous(s, tick) : grid_next(s, tick);
    session_go_to(s, tick);
}

void act_bar(struct session *s, const struct command *c)
{
    struct bar bar = session_bar_at(s, s->view.cursor.tick);
    /* To the left, first goes to the line of this bar, as `b` does in vim. */
    bool is_inside = c->by < 0 && s->view.cursor.tick > bar.start;
    int64_t index = bar.index + command_steps(c) + is_inside;
    session_go_to(s, timeline_bar(session_timeline(s), index < 0 ? 0 : index).start);
}

void act_pitch(struct session *s, const struct command *c)
{
    const int by = command_small_steps(c);
    int pitch = CLAMP(s->view.cursor.pitch + by, 0, 127);
    if (abs(c->by) == 1)
        pitch = session_step_pitch(s, s->view.cursor.pitch, by);
    else if (s->view.kit.is_shown) /* the nearest row */
        pitch = viewport_step_pitch(&s->view.port, pitch, 0);
    s->view.cursor.pitch = pitch;
    session_show_cursor(s);
}

/* Goes to the first note of the next onset (by 1) or of the one before (-1). by 0, for `e`: to
 * the last grid cell of the note here, else to the next note. false: there is none. */
static bool step_note(struct session *s, int by)
{
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    if (!t)
        return false;
    if (by < 0) {
        size_t i = score_first_note_at(score, s->view.track, s->view.cursor.tick);
        if (i == 0)
            return false;
        const int64_t onset = t->notes[i - 1].start;
        i = score_first_note_at(score, s->view.track, onset);
        session_go_to_place(s, onset, t->notes[i].pitch);
        return true;
    }
    const struct note *here = session_note_under_cursor(s);
    if (!by && here && !s->view.kit.is_shown) {
        int64_t last = grid_previous(s, here->start + here->length);
        if (last > s->view.cursor.tick) {
            session_go_to(s, last);
            return true;
        }
    }
    size_t i = score_first_note_at(score, s->view.track, s->view.cursor.tick + 1);
    if (i == t->n_notes)
        return false;
    session_go_to_place(s, t->notes[i].start, t->notes[i].pitch);
    return true;
}

void act_note_step(struct session *s, const struct command *c)
{
    bool by_ghosts = s->view.mode == MODE_TAKES && c->by && proposals_shown(&s->takes);
    for (int i = 0; i < command_times(c); i++)
        if (by_ghosts ? !session_step_ghost(s, c->by > 0) : !step_note(s, c->by))
            return;
}

void act_jump(struct session *s, const struct command *c)
{
    struct bar bar = session_bar_at(s, s->view.cursor.tick);
    int64_t end = score_end_tick(s->project.score);
    /* G goes to the end, or with a count to that bar. */
    session_go_to(s, c->id == CMD_LINE_START ? bar.start
                     : c->id == CMD_LINE_END ? grid_previous(s, bar.start + bar.length)
                     : c->id == CMD_PIECE_START ? 0
                     : c->count > 0
                         ? timeline_bar(session_timeline(s), c->count - 1).start
                     : end > 0 ? grid_floor(s, end - 1)
                               : 0);
}

void act_track(struct session *s, const struct command *c)
{
    int n = tracks_count(s);
    if (n == 0) {
        session_say(s, "this score has no tracks; :track NAME adds one");
        return;
    }
    tracks_choose(s, (s->view.track + n + command_steps(c) % n) % n);
}

/* -- the view: by the wheel, and by zooming at the cursor or at the pointer -- */

void act_scroll(struct session *s, const struct command *c)
{
    if (takes_press(s, c))
        return;
    framing_unfold(s);
    viewport_scroll(&s->view.port, &s->layout, 0, c->by);
}

void act_scroll_sideways(struct session *s, const struct command *c)
{
    viewport_scroll(&s->view.port, &s->layout, c->by, 0);
}

/* by: 1 or -1 for time, 2 or -2 for the height of rows; above 0: in. */
static void zoom(struct session *s, int by)
{
    const int64_t widest = 16 * (int64_t)s->project.score->ticks_per_quarter;
    int64_t *ticks = &s->view.port.ticks_per_column;
    int *height = &s->view.port.rows_per_pitch;
    if (by == 1)
        *ticks = (*ticks + 1) / 2;
    else if (by == -1 && *ticks < widest)
        *ticks *= 2;
    else if (by == 2 && *height < 3)
        ++*height;
    else if (by == -2 && *height > 1)
        --*height;
    else if (abs(by) > 1)
        session_say(s, by > 0 ? "rows cannot be higher" : "rows cannot be lower");
}

/* The cursor keeps its position on the screen. */
void act_zoom(struct session *s, const struct command *c)
{
    struct viewport *p = &s->view.port;
    int64_t column = (s->view.cursor.tick - p->left_tick) / p->ticks_per_column;
    if (abs(c->by) > 1)
        framing_unfold(s);
    zoom(s, c->by);
    int64_t left = s->view.cursor.tick - column * p->ticks_per_column;
    p->left_tick = left < 0 ? 0 : left;
    session_show_cursor(s);
}

/* What is under the pointer stays under it. */
void act_zoom_here(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.roll;
    struct viewport *p = &s->view.port;
    if (s->layout.too_small)
        return;
    if (abs(c->by) > 1)
        framing_unfold(s); /* rows are other pitches then */
    const int column = c->column < r->column ? 0 : c->column - r->column,
              row = c->row < r->row ? 0 : c->row - r->row,
              pitch = layout_pitch(&s->layout, p, r->row + row);
    const int64_t tick = p->left_tick + column * p->ticks_per_column;
    zoom(s, c->by);
    p->left_tick = tick - column * p->ticks_per_column;
    if (abs(c->by) > 1)
        p->top_pitch = pitch + row / p->rows_per_pitch;
    viewport_clamp(p, &s->layout);
}

void act_follow(struct session *s)
{
    act_toggle(s, &s->roll.follow, "the view follows the music",
               "the view stays where it is");
}

static void follow_playhead(struct session *s)
{
    if (!s->roll.follow || !player_is_playing(s->player) || s->drag ||
        session_is_inspecting(s)) /* the inspected note stays visible */
        return;
    viewport_follow(&s->view.port, &s->layout, player_tick(s->player));
}

const struct editor_part NAVIGATION_PART = {
    .tick = follow_playhead,
};
