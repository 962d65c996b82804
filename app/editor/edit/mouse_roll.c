/* The mouse on the roll: the drag that a press begins, and what frames show meanwhile.
 *
 * Left on empty ground draws a note, as long as the drag. On a note it selects it and
 * drags the selection: at a note's ends it resizes, between them it moves, with Ctrl it
 * copies. With Ctrl or Shift a click on a note adds it to the selection or removes it,
 * and empty ground begins a box (always in SELECT). Right erases what it passes. */
#include "app/editor/edit/mouse.h"
#include "app/editor/session/edit.h"
#include "app/base/ids.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* In a cell of the roll: of the active track, else of any that is shown. */
static const struct note *note_at(const struct session *s, int column, int row,
                                  int *track)
{
    const struct score *score = s->project.score;
    int64_t from = layout_tick(&s->layout, &s->view.port, column);
    int pitch = layout_pitch(&s->layout, &s->view.port, row);
    for (int k = -1; k < (int)score->n_tracks; k++) {
        *track = k < 0 ? s->view.track : k;
        if (*track < 0 || (*track != s->view.track &&
                           (s->roll.hide_others || score->tracks[*track].hide ||
                            !session_has_rows_for(s, *track))))
            continue; /* it is not seen */
        const struct note *n = session_note_at(
            s, *track, from, from + s->view.port.ticks_per_column, pitch);
        if (n)
            return n;
    }
    return NULL;
}

/* Takes hold of all that is selected. */
static void press_note(struct session *s, const struct command *c, const struct note *n,
                       int track)
{
    struct mouse *m = s->parts.mouse;
    m->was_chosen = select_has(s, n->id);
    s->view.track = track;
    if (!m->was_chosen && m->adds)
        select_toggle(s, n->id);
    else if (!m->was_chosen)
        select_one(s, n->id);
    edit_sound(s, n->pitch, n->velocity);
    free(m->held);
    m->n_held = edit_targets(s, &m->held);
    struct ghost *grown = array_resize(m->drafts, m->n_held + 1, sizeof *grown);
    if (!grown)
        return;
    m->drafts = grown;
    if (!m->n_held)
        return;
    /* Each end has a column if there is another between them. */
    int64_t first = layout_column(&s->layout, &s->view.port, n->start);
    int64_t last = layout_column(&s->layout, &s->view.port, note_end(n) - 1);
    bool has_ends = !session_shows_kit(s);
    s->drag = has_ends && c->column == last && last > first        ? DRAG_RIGHT
              : has_ends && c->column == first && last - first > 1 ? DRAG_LEFT
                                                                   : DRAG_MOVE;
}

/* A note from where the mouse was taken to where it is; or hits, one a grid step. */
static void draft_new(struct session *s, int64_t tick)
{
    struct mouse *m = s->parts.mouse;
    int64_t from = tick < m->tick ? tick : m->tick;
    int64_t to = grid_next(s, tick < m->tick ? m->tick : tick);
    m->n_drafts = 0;
    for (int64_t end; from < to; from = end) {
        end = session_shows_kit(s) ? grid_next(s, from) : to;
        struct ghost drawn = {.track = s->view.track,
                              .note = edit_new_note(from, end - from,
                                                    session_snap_pitch(s, m->pitch),
                                                    s->new_note.velocity)};
        if (!array_push(&m->drafts, &m->n_drafts, &drawn, sizeof drawn))
            return;
    }
}

/* Along the line from the cell passed last: terminals report few of those between. Only
 * notes of the active track, which is that of the first note erased. */
static void erase_to(struct session *s, int column, int row)
{
    struct mouse *m = s->parts.mouse;
    int dx = column - m->pan_column, dy = row - m->pan_row, track;
    int cells = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    for (int i = 0; i <= cells; i++) {
        const struct note *n =
            note_at(s, m->pan_column + (cells ? dx * i / cells : 0),
                    m->pan_row + (cells ? dy * i / cells : 0), &track);
        if (!n || (m->n_going && track != s->view.track))
            continue;
        s->view.track = track;
        if (!ids_find(m->going, m->n_going, n->id) &&
            array_add(&m->going, &m->n_going, &m->cap_going, &n->id, sizeof n->id))
            ids_sort(m->going, m->n_going);
    }
    m->pan_column = column;
    m->pan_row = row;
}

void mouse_press_roll(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int track;
    const struct note *n = note_at(s, c->column, c->row, &track);
    mouse_take_place(s, c, &m->tick, &m->pitch);
    s->view.cursor = (struct roll_point){m->tick, m->pitch};
    m->taken = n ? *n : (struct note){0};
    m->adds = c->with_ctrl || c->with_shift;
    m->copies = c->with_ctrl;
    m->pan_column = c->column;
    m->pan_row = c->row;
    if (c->button == 3) {
        s->drag = DRAG_ERASE;
        erase_to(s, c->column, c->row);
    } else if (c->button == 1 && n) {
        press_note(s, c, n, track);
    } else if (c->button == 1) {
        bool boxes = m->adds || s->view.mode == MODE_SELECT;
        session_clear_selection(s);
        s->drag = boxes ? DRAG_BOX : DRAG_NEW;
        if (boxes)
            return;
        draft_new(s, m->tick);
        edit_sound(s, m->pitch, s->new_note.velocity);
    }
}

/* -- held notes while they move -- */

static bool is_held_hit(const struct session *s, size_t i)
{
    return track_is_drums(&s->project.score->tracks[s->parts.mouse->held[i].track]);
}

/* As far as all notes can move towards the mouse. */
static void draft_moved(struct session *s, int64_t tick, int pitch)
{
    struct mouse *m = s->parts.mouse;
    int64_t ticks = tick - m->tick;
    int pitches = pitch - m->pitch;
    bool is_all_drums = true;
    for (size_t i = 0; i < m->n_held; i++) {
        is_all_drums &= is_held_hit(s, i);
        const struct note *n = &m->held[i].note;
        ticks = n->start + ticks < 0 ? -n->start : ticks;
        pitches = n->pitch + pitches < 0     ? -n->pitch
                  : n->pitch + pitches > 127 ? 127 - n->pitch
                                             : pitches;
    }
    for (size_t i = 0; i < m->n_held; i++) {
        struct note n = m->held[i].note;
        n.start += ticks;
        if (is_all_drums || !is_held_hit(s, i)) /* a hit would be another sound */
            n.pitch = (uint8_t)session_carry_pitch(s, n.pitch, pitches, m->taken.pitch);
        m->drafts[i] = (struct ghost){.track = m->held[i].track, .note = n};
    }
    int taken_to = session_carry_pitch(s, m->taken.pitch, pitches, m->taken.pitch);
    if (m->n_drafts && pitches && taken_to != m->sounding) {
        m->sounding = taken_to;
        edit_sound(s, m->sounding, m->taken.velocity);
    }
}

static void draft_held(struct session *s, int64_t tick, int pitch)
{
    struct mouse *m = s->parts.mouse;
    if (s->drag == DRAG_MOVE)
        draft_moved(s, tick, pitch);
    else {
        /* The ends that are held go as far as that of the note under the mouse. None
         * gets shorter than a grid step, unless it is. */
        bool left = s->drag == DRAG_LEFT;
        int64_t by =
            left ? tick - m->taken.start : grid_next(s, tick) - note_end(&m->taken);
        int64_t step = session_grid_ticks(s);
        for (size_t i = 0; i < m->n_held; i++) {
            struct note n = m->held[i].note;
            int64_t end = note_end(&n), least = n.length < step ? n.length : step;
            int64_t length = left ? n.length - by : n.length + by;
            length = length < least ? least : length;
            if (left)
                n.start = end - length < 0 ? 0 : end - length;
            n.length = left ? end - n.start : length;
            m->drafts[i] = (struct ghost){.track = m->held[i].track, .note = n};
        }
    }
    bool stay = m->copies && s->drag == DRAG_MOVE;
    for (size_t i = m->n_going; !stay && i < m->n_held; i++)
        if (!array_add(&m->going, &m->n_going, &m->cap_going, &m->held[i].note.id,
                       sizeof *m->going))
            break;
    ids_sort(m->going, m->n_going);
    m->n_drafts = m->n_held;
}

void mouse_drag_roll(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int64_t tick;
    int pitch;
    mouse_take_place(s, c, &tick, &pitch);
    bool goes_up = s->drag == DRAG_MOVE || s->drag == DRAG_BOX || s->drag == DRAG_ERASE;
    s->view.cursor = (struct roll_point){tick, goes_up ? pitch : m->pitch};
    m->has_moved |= tick != m->tick || (goes_up && pitch != m->pitch);
    if (s->drag == DRAG_ERASE)
        erase_to(s, c->column, c->row);
    else if (s->drag == DRAG_NEW)
        draft_new(s, tick);
    else if (s->drag != DRAG_BOX && m->has_moved)
        draft_held(s, tick, pitch);
    if (s->drag != DRAG_BOX || !m->has_moved)
        return;
    if (s->view.mode != MODE_SELECT) {
        s->selection.anchor = (struct roll_point){m->tick, m->pitch};
        s->selection.bars = false;
        s->selection.is_of_take = s->view.mode == MODE_TAKES;
        s->view.mode = MODE_SELECT;
    }
    select_box(s);
}

/* -- the release: each makes one change -- */

void mouse_drop_new(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->n_drafts)
        return;
    int64_t end = note_end(&m->drafts[m->n_drafts - 1].note);
    s->view.cursor.tick = m->drafts[0].note.start;
    int count = 0;
    for (int64_t t = s->view.cursor.tick; t < end && count < KEYS_MAX_COUNT; count++)
        t = grid_next(s, t);
    edit_put_note(s, count);
}

void mouse_drop_notes(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->has_moved || !m->n_drafts) {
        /* Nothing was dragged: that chooses. */
        if (m->was_chosen && m->adds)
            select_toggle(s, m->taken.id);
        else if (m->was_chosen)
            select_one(s, m->taken.id);
        return;
    }
    struct note *after = calloc(m->n_held, sizeof *after);
    for (size_t i = 0; after && i < m->n_held; i++)
        after[i] = m->drafts[i].note;
    if (!after) {
        session_no_memory(s);
    } else if (s->drag == DRAG_MOVE && m->copies) {
        struct change *c = change_create("copy");
        for (size_t i = 0; i < m->n_held; i++)
            change_add_note(c, m->held[i].track, edit_copy_note(&after[i]));
        change_settle(c, s->project.score, OVERLAP_REFUSE);
        edit_do(s, c);
    } else {
        edit_replace(s, s->drag == DRAG_MOVE ? "move" : "resize", m->held, after,
                     m->n_held, OVERLAP_REFUSE, NULL);
    }
    free(after);
}

void mouse_drop_erased(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    const struct track *t = session_track(s);
    if (!t || !m->n_going)
        return;
    struct change *c = change_create(m->n_going == 1 ? "erase a note" : "erase notes");
    for (size_t i = 0; i < t->n_notes; i++)
        if (ids_find(m->going, m->n_going, t->notes[i].id))
            change_remove_note(c, s->view.track, &t->notes[i]);
    edit_do(s, c);
}

void mouse_drop_box(struct session *s)
{
    if (s->view.mode == MODE_SELECT)
        session_say(s, "%zu note%s selected", s->selection.n, plural(s->selection.n));
}
