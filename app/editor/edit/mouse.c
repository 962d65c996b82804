/* The gestures of the mouse. The position of a press decides which gesture begins; moves and the
 * release continue it. A drag past the edge of the roll scrolls. The score changes only at the
 * release; Escape before the release cancels the gesture. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/answer.h"
#include "app/editor/edit/lane.h"
#include "app/editor/edit/mouse.h"
#include "app/editor/edit/tracks.h"
#include "midi/base/ids.h"
#include "app/editor/session/edit.h"
#include "midi/base/array.h"
#include "tui/base/names.h"

#include <glib.h>
#include <stdlib.h>

/* Finds the grid line before, and the pitch of, the cell of the roll that is nearest to c. */
static void find_place(const struct session *s, const struct command *c, int64_t *tick,
                       int *pitch)
{
    layout_point(&s->layout, &s->view.port, c->column, c->row, tick, pitch);
    *tick = grid_floor(s, *tick);
}

/* -- the roll: left on empty ground draws a note, as long as the drag. On a note it selects it
 * and drags the selection: at a note's ends it resizes, between them it moves, with Ctrl it
 * copies. With Ctrl or Shift a click on a note adds it to the selection or removes it, and
 * empty ground begins a box (always in SELECT). Right erases what it passes. -- */

/* Returns the note in a cell of the roll, of the active track, else of any visible track. */
static const struct note *note_at(const struct session *s, int column, int row,
                                  int *track)
{
    const struct score *score = s->project.score;
    int64_t from = layout_tick(&s->layout, &s->view.port, column);
    int pitch = layout_pitch(&s->layout, &s->view.port, row);
    for (int k = -1; k < (int)score->n_tracks; k++) {
        *track = k < 0 ? s->view.track : k;
        if (*track < 0 || (*track != s->view.track &&
                           (s->view.tracks.hide_others || score->tracks[*track].hide ||
                            !session_has_rows_for(s, *track))))
            continue; /* hidden */
        const struct note *n = session_note_at(
            s, *track, from, from + s->view.port.ticks_per_column, pitch);
        if (n)
            return n;
    }
    return NULL;
}

/* Selects the note and takes hold of all selected notes. */
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
    /* An end is a handle if a column is left between the ends. */
    int64_t first = layout_column(&s->layout, &s->view.port, n->start);
    int64_t last = layout_column(&s->layout, &s->view.port, note_end(n) - 1);
    bool has_ends = !s->view.kit.is_shown;
    s->drag = has_ends && c->column == last && last > first        ? DRAG_RIGHT
              : has_ends && c->column == first && last - first > 1 ? DRAG_LEFT
                                                                   : DRAG_MOVE;
}

/* Drafts a note from the press to the mouse; on the rows of a kit a hit at each grid step. */
static void draft_new(struct session *s, int64_t tick)
{
    struct mouse *m = s->parts.mouse;
    int64_t from = tick < m->tick ? tick : m->tick;
    int64_t to = grid_next(s, tick < m->tick ? m->tick : tick);
    m->n_drafts = 0;
    for (int64_t end; from < to; from = end) {
        end = s->view.kit.is_shown ? grid_next(s, from) : to;
        struct ghost drawn = {.track = s->view.track,
                              .note = edit_new_note(from, end - from,
                                                    session_snap_pitch(s, m->pitch),
                                                    s->new_note.velocity)};
        if (!array_push(&m->drafts, &m->n_drafts, &drawn, sizeof drawn))
            return;
    }
}

/* Erases along the line from the last cell, since terminals report few of the cells between.
 * Erases notes of one track only, that of the first note. */
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

static void press_roll(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int track;
    const struct note *n = note_at(s, c->column, c->row, &track);
    find_place(s, c, &m->tick, &m->pitch);
    s->view.cursor = (struct roll_point){m->tick, m->pitch};
    m->taken = n ? *n : (struct note){0};
    m->adds = c->with_ctrl || c->with_shift;
    m->copies = c->with_ctrl;
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

/* Moves the drafts towards the mouse as far as all notes can. A hit among other notes keeps its
 * pitch, since another pitch is another sound. */
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
        pitches = CLAMP(pitches, -n->pitch, 127 - n->pitch);
    }
    const int taken_to =
        session_carry_pitch(s, m->taken.pitch, pitches, m->taken.pitch);
    if (m->n_drafts && pitches && taken_to != m->sounding) {
        m->sounding = taken_to;
        edit_sound(s, m->sounding, m->taken.velocity);
    }
    for (size_t i = 0; i < m->n_held; i++) {
        struct note *n = &m->drafts[i].note;
        n->start += ticks;
        if (is_all_drums || !is_held_hit(s, i))
            n->pitch =
                (uint8_t)session_carry_pitch(s, n->pitch, pitches, m->taken.pitch);
    }
}

static void draft_held(struct session *s, int64_t tick, int pitch)
{
    struct mouse *m = s->parts.mouse;
    const bool moves = s->drag == DRAG_MOVE, stay = m->copies && moves,
               left = s->drag == DRAG_LEFT;
    for (size_t i = 0; i < m->n_held; i++)
        m->drafts[i] =
            (struct ghost){.track = m->held[i].track, .note = m->held[i].note};
    if (moves)
        draft_moved(s, tick, pitch);
    /* A drag of an end moves that end of all held notes as far as the one under the mouse. A
     * note stays at least a grid step long, or as long as it was. */
    const int64_t by = left ? m->taken.start - tick
                            : grid_next(s, tick) - note_end(&m->taken),
                  step = session_grid_ticks(s);
    for (size_t i = 0; !moves && i < m->n_held; i++) {
        struct note *n = &m->drafts[i].note;
        const int64_t end = note_end(n), least = n->length < step ? n->length : step;
        const int64_t length = n->length + by < least ? least : n->length + by;
        if (left)
            n->start = end - length < 0 ? 0 : end - length;
        n->length = left ? end - n->start : length;
    }
    for (size_t i = m->n_going; !stay && i < m->n_held; i++)
        if (!array_add(&m->going, &m->n_going, &m->cap_going, &m->held[i].note.id,
                       sizeof *m->going))
            break;
    ids_sort(m->going, m->n_going);
    m->n_drafts = m->n_held;
}

static void drag_roll(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int64_t tick;
    int pitch;
    find_place(s, c, &tick, &pitch);
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
    if (s->view.mode == MODE_SELECT)
        select_box(s);
    else
        select_begin_box(s, (struct roll_point){m->tick, m->pitch}, false, false);
}

/* -- the release: each makes one change -- */

static void drop_new(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->n_drafts)
        return;
    int64_t end = note_end(&m->drafts[m->n_drafts - 1].note);
    s->view.cursor.tick = m->drafts[0].note.start;
    int count = 0;
    for (int64_t t = s->view.cursor.tick; t < end && count < KEYS_MAX_COUNT; count++)
        t = grid_next(s, t);
    edit_put_note(s, count, false);
}

static void drop_notes(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->has_moved || !m->n_drafts) {
        /* A click without a drag selects. */
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
        edit_replace(s, change_create(s->drag == DRAG_MOVE ? "move" : "resize"),
                     m->held, after, m->n_held, OVERLAP_REFUSE, NULL);
    }
    free(after);
}

static void drop_erased(struct session *s)
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

static void drop_box(struct session *s)
{
    if (s->view.mode == MODE_SELECT)
        session_say(s, "%zu note%s selected", s->selection.n, plural(s->selection.n));
}

/* -- the lane: the stroke has one value for each column it passed over, with a straight line
 * between the cells that the mouse reports. The release replaces what was there. -- */

/* Draws the stroke from the last reported cell to this one. */
static void drag_lane(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    char name[CONTROL_NAME_BYTES], text[CONTROL_NAME_BYTES];
    const struct region *r = &s->layout.lane;
    int last = r->column + r->columns - 1;
    const int column = CLAMP(c->column, r->column, last);
    int value = lane_value_at(&s->layout, s->view.lane.control, c->row);
    int from = m->pan_column, n = abs(column - from);
    for (int i = 0; i <= n; i++) {
        int passed = from + (column < from ? -i : i), k = passed - r->column;
        if (k < 0 || k >= CELLS_MAX)
            continue;
        m->stroke[k] =
            (int16_t)(n ? m->stroke_value + (value - m->stroke_value) * i / n : value);
        m->stroke_first = passed < m->stroke_first ? passed : m->stroke_first;
        m->stroke_last = passed > m->stroke_last ? passed : m->stroke_last;
    }
    m->pan_column = column;
    m->stroke_value = value;
    s->view.cursor.tick = grid_floor(s, layout_tick(&s->layout, &s->view.port, column));
    session_say(s, "%s %s", control_name(s->view.lane.control, name),
                control_value_name(s->view.lane.control, value, text));
}

static void press_lane(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    if (!lane_is_editable(s)) {
        s->drag = DRAG_NONE;
        return;
    }
    for (int i = 0; i < CELLS_MAX; i++)
        m->stroke[i] = -1;
    m->pan_column = m->stroke_first = m->stroke_last = c->column;
    m->stroke_value = lane_value_at(&s->layout, s->view.lane.control, c->row);
}

/* Writes the stroke. A click beside all notes sets the velocity of notes a column away. A
 * controller gets a value where the stroke begins and wherever it changes. */
static void drop_lane(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    const int first = m->stroke_first, last = m->stroke_last;
    struct control_point *points = NULL;
    struct edit_span t;
    size_t n = 0;
    bool ok = true;
    const int most_room = first == last ? 1 : 0; /* columns */
    for (int room = 0; ok && !n && room <= most_room; room++) {
        free(points);
        t = (struct edit_span){layout_tick(&s->layout, &s->view.port, first - room),
                               layout_tick(&s->layout, &s->view.port, last + 1 + room)};
        if (lane_is_of_notes(s)) {
            ok = lane_read(s, t, &points, &n);
            continue;
        }
        points = calloc((size_t)(last - first) + 1, sizeof *points);
        ok = points != NULL;
        if (!ok)
            session_no_memory(s);
        for (int k = first; ok && k <= last; k++) {
            const int value = m->stroke[k - s->layout.roll.column];
            if (n == 0 || points[n - 1].value != value)
                points[n++] = (struct control_point){
                    layout_tick(&s->layout, &s->view.port, k), value};
        }
    }
    for (size_t i = 0; ok && lane_is_of_notes(s) && i < n; i++) {
        int64_t column = layout_column(&s->layout, &s->view.port, points[i].tick);
        column = CLAMP(column, first, last);
        points[i].value = m->stroke[column - s->layout.roll.column];
    }
    if (ok && n == 0)
        session_say(s, "no note begins here");
    else if (ok)
        lane_write(s, t, points, n);
    free(points);
}

/* -- the ruler: a click seeks, a drag is the loop -- */

static void press_ruler(struct session *s, const struct command *c)
{
    int pitch;
    find_place(s, c, &s->parts.mouse->tick, &pitch);
    answer_stop(s); /* its turns depend on the place of playing */
    s->view.cursor.tick = s->parts.mouse->tick;
    player_seek(s->player, s->view.cursor.tick);
}

/* The loop ends after the cell of the mouse; at the line of a beat it ends before the cell. */
static void drag_ruler(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int64_t tick, from = m->tick;
    int pitch;
    find_place(s, c, &tick, &pitch);
    m->has_moved |= tick != from;
    if (!m->has_moved)
        return;
    int64_t first = tick < from ? tick : from, last = tick < from ? from : tick;
    int64_t in_bar = last - session_bar_at(s, last).start;
    bool is_beat = in_bar % timeline_beat_ticks(session_timeline(s), last) == 0;
    session_set_loop(s, first, is_beat && last > first ? last : grid_next(s, last));
}

static void drop_ruler(struct session *s)
{
    if (s->parts.mouse->has_moved)
        session_say_loop(s);
}

static void drag_keys(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.keys;
    const struct track *t = session_track(s);
    const int row = CLAMP(c->row, r->row, r->row + r->rows - 1),
              pitch = layout_pitch(&s->layout, &s->view.port, row);
    if (pitch == s->parts.mouse->sounding)
        return;
    s->parts.mouse->sounding = pitch;
    s->view.cursor.pitch = pitch;
    if (t)
        player_audition(s->player, track_sound_channel(t), t->program, pitch,
                        s->new_note.velocity);
}

static void drag_map(struct session *s, const struct command *c)
{
    const struct region *r = &s->layout.map;
    const int at = CLAMP(c->column - r->column, 0, r->columns - 1);
    survey_update(s->survey, s->project.score, s->project.version);
    double end = (double)s->survey->end_tick + 1;
    int64_t tick = (int64_t)(end * (at + 0.5) / r->columns);
    s->view.cursor.tick = grid_floor(s, tick);
    s->view.port.left_tick =
        tick - s->view.port.ticks_per_column * (int64_t)s->layout.roll.columns / 2;
    viewport_clamp(&s->view.port, &s->layout);
}

static void press_pan(struct session *s, const struct command *c)
{
    (void)c;
    s->parts.mouse->port = s->view.port;
}

static void drag_pan(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    s->view.port = m->port;
    int rows = (m->pan_row - c->row) / s->view.port.rows_per_pitch;
    viewport_scroll(&s->view.port, &s->layout, m->pan_column - c->column, rows);
}

/* -- all gestures -- */

enum { SCROLL_MS = 60, SCROLL_COLUMNS = 2, SCROLL_ROWS = 1 };

static const struct gesture {
    act_fn *drag;
    act_plain_fn *drop; /* NULL: nothing */
    bool scrolls_time, scrolls_pitch;
} GESTURES[DRAG_COUNT] = {
    [DRAG_NEW] = {drag_roll, drop_new, true, false},
    [DRAG_MOVE] = {drag_roll, drop_notes, true, true},
    [DRAG_LEFT] = {drag_roll, drop_notes, true, false},
    [DRAG_RIGHT] = {drag_roll, drop_notes, true, false},
    [DRAG_ERASE] = {drag_roll, drop_erased, true, true},
    [DRAG_BOX] = {drag_roll, drop_box, true, true},
    [DRAG_LANE] = {drag_lane, drop_lane, false, false},
    [DRAG_RULER] = {drag_ruler, drop_ruler, true, false},
    [DRAG_KEYS] = {drag_keys, NULL, false, false},
    [DRAG_MAP] = {drag_map, NULL, false, false},
    [DRAG_PAN] = {drag_pan, NULL, false, false},
};

/* Ends the drag without a change. */
static void cancel_drag(struct session *s)
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
        int buttons;    /* bit i: button i begins the gesture */
        enum drag drag; /* DRAG_NONE: `press` sets it */
        act_fn *press;  /* may be NULL */
        bool drags;     /* the press is the first drag, too */
    } PLACES[] = {
        {&l->ruler, 1 << 1, DRAG_RULER, press_ruler, false},
        {&l->keys, 1 << 1, DRAG_KEYS, NULL, true},
        {&l->lane, 1 << 1, DRAG_LANE, press_lane, true},
        {&l->map, ~0, DRAG_MAP, NULL, true},
        {&l->roll, 1 << 2, DRAG_PAN, press_pan, false},
        {&l->roll, ~(1 << 2), DRAG_NONE, press_roll, false},
    };
    struct mouse *m = s->parts.mouse;
    cancel_drag(s);
    s->view.message.text[0] = '\0';
    if (l->too_small || takes_press(s, c) || tracks_press_line(s, c))
        return;
    m->column = m->pan_column = c->column;
    m->row = m->pan_row = c->row;
    m->has_moved = false;
    m->sounding = -1;
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        if (!region_has(PLACES[i].where, c->column, c->row) ||
            !(PLACES[i].buttons >> c->button & 1))
            continue;
        s->drag = PLACES[i].drag;
        if (PLACES[i].press)
            PLACES[i].press(s, c);
        if (PLACES[i].drags && s->drag)
            GESTURES[s->drag].drag(s, c);
        return;
    }
}

static int past(int at, int first, int n)
{
    return at < first ? -1 : at >= first + n ? 1 : 0;
}

/* Finds the columns and rows to scroll by. The last column of the screen counts as past the
 * edge of the roll during a drag, since terminals report no column after it. */
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
    cancel_drag(s);
}

static bool escape(struct session *s)
{
    const bool was_held = s->drag;
    cancel_drag(s);
    return was_held;
}

/* Ends the drag if the held notes belong to other tracks now. */
static void let_go(struct session *s)
{
    if (s->seen.tracks_moved)
        s->drag = DRAG_NONE;
}

/* Shows moving notes at their new position, and outlines the old one. */
static void view_mouse(struct session *s, struct view *v)
{
    const struct mouse *m = s->parts.mouse;
    if (!s->drag)
        return;
    if (m->n_drafts)
        v->drafts = (struct drafts_view){.notes = m->drafts, .n = m->n_drafts};
    if (m->n_going) {
        v->ghosts.replaced = m->going;
        v->ghosts.n_replaced = m->n_going;
    }
    if (s->drag == DRAG_LANE)
        v->lane.stroke = m->stroke;
}

const struct editor_part MOUSE_PART = {
    PART_STATE(mouse),  .fini = free_all,   .reset = cancel_drag,
    .ends_at = MOUSE, /* a command could change the held notes */
    .end = cancel_drag, .tick = mouse_tick, .timeout_ms = mouse_timeout_ms,
    .edited = let_go,   .view = view_mouse, .escape = escape,
};
