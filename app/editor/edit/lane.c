/* The lane: reads and writes its values, of which velocities of notes and events of a controller
 * are both points in time; edits them by keys; and moves in it. */
#include "app/editor/edit/lane.h"
#include "midi/base/array.h"
#include "app/editor/session/edit.h"
#include "tui/base/names.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lane_is_of_notes(const struct session *s)
{
    return s->view.lane.control.kind == CONTROL_VELOCITY;
}

/* Returns the time that an edit acts on: the selected span (*is_span), else the cursor's grid
 * cell. */
static struct edit_span lane_time(const struct session *s, bool *is_span)
{
    int64_t a = s->parts.lane->anchor, b = s->view.cursor.tick;
    *is_span = s->view.mode == MODE_LANE && s->parts.lane->has_anchor;
    if (!*is_span)
        a = b;
    return (struct edit_span){a < b ? a : b, grid_next(s, a < b ? b : a)};
}

const struct control_point *lane_own(const struct session *s, size_t *n)
{
    survey_update(s->survey, s->project.score, s->project.version);
    survey_control(s->survey, s->project.score, s->view.track, s->view.lane.control);
    *n = s->survey->own.n;
    return s->survey->own.at;
}

/* Finds the notes of the active track that begin in that time: [*first, *end). */
static void notes_in(const struct session *s, struct edit_span t, size_t *first,
                     size_t *end)
{
    *first = score_first_note_at(s->project.score, s->view.track, t.from);
    *end = score_first_note_at(s->project.score, s->view.track, t.to);
}

/* Whether only selected notes count: one of these is selected and, in more than a grid cell,
 * several notes are, since a click selects one. */
static bool means_selected(const struct session *s, struct edit_span time, size_t first,
                           size_t end)
{
    const struct track *t = session_track(s);
    size_t least = time.to - time.from > session_grid_ticks(s) ? 2 : 1;
    if (s->selection.n < least)
        return false;
    for (size_t i = first; i < end; i++)
        if (select_has(s, t->notes[i].id))
            return true;
    return false;
}

bool lane_read(struct session *s, struct edit_span time, struct control_point **out,
               size_t *n)
{
    const struct track *t = session_track(s);
    const struct control_point *own = NULL;
    size_t first = 0, end = 0, n_own;
    bool some = false;
    if (t && lane_is_of_notes(s)) {
        notes_in(s, time, &first, &end);
        some = means_selected(s, time, first, end);
    } else if (t && (own = lane_own(s, &n_own))) {
        first = ARRAY_FIRST_AT(own, n_own, time.from);
        end = ARRAY_FIRST_AT(own, n_own, time.to);
    }
    *n = 0;
    *out = calloc(end > first ? end - first + 1 : 1, sizeof **out);
    if (!*out)
        return session_no_memory(s);
    for (size_t i = first; i < end; i++)
        if (own)
            (*out)[(*n)++] = own[i];
        else if (!some || select_has(s, t->notes[i].id))
            (*out)[(*n)++] =
                (struct control_point){t->notes[i].start, t->notes[i].velocity};
    return true;
}

bool lane_write(struct session *s, struct edit_span t, struct control_point *points,
                size_t n)
{
    char name[CONTROL_NAME_BYTES];
    if (!need_track(s))
        return false;
    int least = control_least(s->view.lane.control),
        most = control_most(s->view.lane.control);
    for (size_t i = 0; i < n; i++)
        points[i].value = CLAMP(points[i].value, least, most);
    struct change *c = change_create(control_name(s->view.lane.control, name));
    if (!lane_is_of_notes(s))
        change_control(c, s->project.score, s->view.track, s->view.lane.control, t.from,
                       t.to, points, n);
    size_t first = 0, end = 0, at = 0;
    if (lane_is_of_notes(s))
        notes_in(s, t, &first, &end);
    const bool some = first < end && means_selected(s, t, first, end);
    for (size_t i = first; i < end && at < n; i++) {
        const struct note *note = &session_track(s)->notes[i];
        struct note after = *note;
        if (some && !select_has(s, note->id))
            continue;
        after.velocity = (uint8_t)points[at++].value;
        if (after.velocity != note->velocity)
            change_replace_note(c, s->view.track, note, after);
    }
    if (!change_status(c) && c->n_edits == 0) { /* all values are so already */
        change_destroy(c);
        return true;
    }
    return edit_do(s, c);
}

/* Returns the value in force at `tick`: of the controller, or the velocity of the loudest note
 * that begins in the grid cell there; -1: none begins. */
static int lane_held(const struct session *s, int64_t tick)
{
    size_t n, first, end;
    int loudest = -1;
    if (!lane_is_of_notes(s)) {
        const struct control_point *own = lane_own(s, &n);
        return control_held(own, n, tick, s->view.lane.control);
    }
    const struct track *t = session_track(s);
    if (!t)
        return -1;
    notes_in(s, (struct edit_span){tick, grid_next(s, tick)}, &first, &end);
    for (size_t i = first; i < end; i++)
        if (t->notes[i].velocity > loudest)
            loudest = t->notes[i].velocity;
    return loudest;
}

/* Whether the lane's values can be changed; if not, tells the user. */
bool lane_is_editable(struct session *s)
{
    char name[CONTROL_NAME_BYTES];
    bool is_editable = control_is_editable(s->view.lane.control);
    if (!is_editable)
        session_say(s, "%s can only be shown; gE shows another lane",
                    control_name(s->view.lane.control, name));
    return is_editable;
}

/* -- edits by keys: raise, lower, set, remove, ramp -- */

enum {
    BEND_STEP = 128, /* of 16384 values of a bend; a controller has 128 */
    STEPS_MOST = 1 << 16,
};

/* Moves all values in the time of the edit by `value`, or sets them to it. A controller without
 * a value there gets one, unless a selected span is moved. */
static void change(struct session *s, bool moves, int value)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct edit_span t = lane_time(s, &is_span);
    const struct note *here = NULL;
    if (!lane_read(s, t, &points, &n))
        return;
    if (n == 0 && !lane_is_of_notes(s) && !(moves && is_span))
        points[n++] = (struct control_point){t.from, lane_held(s, t.from)};
    for (size_t i = 0; i < n; i++)
        points[i].value = moves ? points[i].value + value : value;
    if (n == 0)
        session_say(s, lane_is_of_notes(s) ? "no note begins here"
                                           : "nothing to change here");
    else if (lane_write(s, t, points, n) && moves && lane_is_of_notes(s))
        here = session_note_under_cursor(s);
    if (here)
        edit_sound(s, here->pitch, points[n - 1].value);
    free(points);
}

void act_lane_change(struct session *s, const struct command *c)
{
    bool far = abs(c->by) > 1;
    int by = command_steps(c);
    if (s->view.lane.control.kind == CONTROL_BEND)
        by *= BEND_STEP;
    if (far && control_is_switch(s->view.lane.control))
        by = c->by > 0 ? control_most(s->view.lane.control)
                       : -control_most(s->view.lane.control);
    change(s, true, by);
}

/* -- pedals: pressed and lifted in pairs, so that none hangs -- */

/* Returns the first point from `i` on at which the pedal is down, or is up. */
static size_t next_that_is(const struct control_point *own, size_t n, size_t i,
                           bool down)
{
    while (i < n && (own[i].value >= 64) != down)
        i++;
    return i;
}

/* Puts a value. On a pedal without a selected span, removes a press that begins here, or lifts the
 * pedal if it is down; else presses it for c->count steps of the grid (0: to the end of the bar),
 * but not beyond the next press. */
void act_lane_put(struct session *s, const struct command *c)
{
    size_t n;
    const int64_t tick = s->view.cursor.tick;
    if (!control_is_switch(s->view.lane.control) || s->parts.lane->has_anchor) {
        change(s, false,
               c->count > 0          ? c->count
               : lane_is_of_notes(s) ? s->new_note.velocity
                                     : lane_held(s, tick));
        return;
    }
    const struct control_point *own = lane_own(s, &n);
    const size_t here = ARRAY_FIRST_AT(own, n, tick),
                 pressed = next_that_is(own, n, here, true);
    const bool begins = pressed < n && own[pressed].tick < grid_next(s, tick);
    if (begins || control_held(own, n, tick, s->view.lane.control) >= 64) {
        /* The change goes up to the value that lifts the pedal. */
        const size_t lifted = next_that_is(own, n, begins ? pressed : here, false);
        const int64_t from = begins ? own[pressed].tick : tick;
        struct control_point up = {from, 0};
        const struct edit_span t = {from, lifted < n ? own[lifted].tick + 1 : from + 1};
        if (lane_write(s, t, &up, !begins))
            session_say(s, begins ? "no longer pressed here" : "up from here");
        return;
    }
    const struct bar bar = session_bar_at(s, tick);
    int64_t end = c->count > 0 ? tick : bar.start + bar.length;
    for (int i = 0; i < c->count; i++)
        end = grid_next(s, end);
    struct control_point points[2] = {{tick, control_most(s->view.lane.control)}};
    struct edit_span t = {tick, tick + 1};
    size_t n_points = 1;
    if (here < n && own[here].tick < end)
        end = own[here].value >= 64 ? grid_previous(s, own[here].tick) : -1;
    if (end > tick) {
        points[n_points++] = (struct control_point){end, 0};
        t.to = end + 1;
    }
    if (lane_write(s, t, points, n_points))
        session_say(s, "down from here");
}

void act_value_line(struct session *s, const char *word)
{
    char *end;
    char name[CONTROL_NAME_BYTES];
    int least = control_least(s->view.lane.control),
        most = control_most(s->view.lane.control);
    int rest = s->view.lane.control.kind == CONTROL_BEND ? BEND_CENTRE : 0;
    long value = strtol(word, &end, 10);
    if (!lane_is_editable(s))
        return;
    if (end == word || *end || value < least - rest || value > most - rest)
        session_error(s, "a value of %s must be %d to %d",
                      control_name(s->view.lane.control, name), least - rest,
                      most - rest);
    else
        change(s, false, (int)value + rest);
}

void act_lane_remove(struct session *s)
{
    bool is_span;
    char name[CONTROL_NAME_BYTES];
    const struct edit_span t = lane_time(s, &is_span);
    if (lane_is_of_notes(s)) {
        session_say(s,
                    "a velocity cannot be removed; E leaves the lane, x removes notes");
        return;
    }
    if (!need_track(s))
        return;
    struct change *c = change_create(control_name(s->view.lane.control, name));
    change_control(c, s->project.score, s->view.track, s->view.lane.control, t.from,
                   t.to, NULL, 0);
    edit_do_some(s, c, "nothing to remove here");
}

/* Makes the values rise or fall evenly from the first to the last. Velocities stay at their
 * notes. A controller gets a value at each grid line where it changes. */
void act_lane_ramp(struct session *s)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0, kept = 0;
    const struct edit_span t = lane_time(s, &is_span);
    const bool of_notes = lane_is_of_notes(s);
    if (!is_span) {
        session_say(s, "select a span first, by v; r draws a ramp from its first value "
                       "to its last");
        return;
    }
    if (of_notes && !lane_read(s, t, &points, &n))
        return;
    for (int64_t at = t.from; !of_notes && at < t.to; at = grid_next(s, at)) {
        const struct control_point point = {at, 0};
        if (n == STEPS_MOST) {
            session_say(s, "too long for a ramp on this grid");
            free(points);
            return;
        }
        if (!array_push(&points, &n, &point, sizeof point)) {
            session_no_memory(s);
            free(points);
            return;
        }
    }
    if (!points || !n) {
        free(points);
        return;
    }
    const int from = of_notes ? points[0].value : lane_held(s, t.from),
              to = of_notes ? points[n - 1].value : lane_held(s, t.to - 1);
    const int64_t start = points[0].tick, whole = points[n - 1].tick - start;
    for (size_t i = 0; i < n; i++) {
        const double share =
            whole > 0 ? (double)(points[i].tick - start) / (double)whole : 0;
        const struct control_point p = {points[i].tick,
                                        (int)lround(from + (to - from) * share)};
        if (of_notes || !kept || points[kept - 1].value != p.value)
            points[kept++] = p;
    }
    lane_write(s, t, points, kept);
    free(points);
}

/* -- moves in the lane: enters and leaves it, chooses the controller, goes from value to value,
 * and selects a span -- */

static void lane_fit(struct session *s)
{
    const bool is_tall = session_mode_behind(s) == MODE_LANE;
    if (is_tall == s->view.lane.is_tall)
        return;
    s->view.lane.is_tall = is_tall;
    session_lay_out(s, s->layout.columns, s->layout.rows);
    session_show_cursor(s);
}

static void say_lane(struct session *s)
{
    char name[CONTROL_NAME_BYTES];
    size_t n;
    control_name(s->view.lane.control, name);
    if (session_is_inspecting(s))
        session_say(s, "lane: %s, which is under the roll when Esc has closed this",
                    name);
    else if (lane_is_of_notes(s))
        session_say(s, "lane: %s", name);
    else if (lane_own(s, &n), n > 0)
        session_say(s, "lane: %s, %zu value%s on this track", name, n, plural(n));
    else
        session_say(s, "lane: %s, nothing on this track yet%s", name,
                    s->view.mode == MODE_LANE ? "" : "; E edits it");
}

/* Enters or leaves the lane. A box of notes becomes the selected span. */
void act_lane(struct session *s)
{
    struct lane *l = s->parts.lane;
    if (s->view.mode == MODE_LANE) {
        session_close_mode(s);
        return;
    }
    l->has_anchor = s->view.mode == MODE_SELECT && s->selection.has_box;
    if (l->has_anchor) {
        l->anchor = grid_floor(s, s->selection.box.from);
        s->view.cursor.tick = grid_previous(s, s->selection.box.to);
    }
    s->selection.has_box = false;
    session_open_mode(s, MODE_LANE);
    say_lane(s);
}

/* Removes the span; without a span leaves the lane. */
static bool escape(struct session *s)
{
    if (s->view.mode != MODE_LANE)
        return false;
    if (!s->parts.lane->has_anchor)
        session_close_mode(s);
    s->parts.lane->has_anchor = false;
    return true;
}

/* Shows the next lane: velocity, pedal, bend and all controllers of the track, the most used
 * first. */
void act_lane_choose(struct session *s, const struct command *c)
{
    static const uint8_t FIRST[] = {CC_PEDAL, CC_MODULATION, CC_VOLUME, CC_PAN,
                                    CC_EXPRESSION};
    struct control lanes[128 + CONTROL_KINDS] = {{CONTROL_VELOCITY, 0}};
    struct control_set set = {.has[CONTROL_VELOCITY] = true};
    int n = 1, at = 0;
    if (session_track(s))
        controls_of_track(s->project.score, s->view.track, &set);
    set.has[CONTROL_BEND] = set.has_change[CC_PEDAL] = true;
    for (size_t i = 0; i < sizeof FIRST; i++)
        if (set.has_change[FIRST[i]])
            lanes[n++] = (struct control){CONTROL_CHANGE, FIRST[i]};
    for (int i = 0; i < 128; i++)
        if (set.has_change[i] && !memchr(FIRST, i, sizeof FIRST))
            lanes[n++] = (struct control){CONTROL_CHANGE, (uint8_t)i};
    for (int kind = CONTROL_BEND; kind < CONTROL_KINDS; kind++)
        if (set.has[kind])
            lanes[n++] = (struct control){(enum control_kind)kind, 0};
    while (at < n && !control_equal(lanes[at], s->view.lane.control))
        at++;
    at %= n; /* a lane chosen by name may not be among them */
    s->view.lane.control = lanes[(at + n + command_steps(c) % n) % n];
    say_lane(s);
}

void act_lane_line(struct session *s, const char *word)
{
    if (control_find(word, &s->view.lane.control))
        say_lane(s);
    else
        session_error(s, "lane: use velocity, pedal, bend, volume, pan, ... or the "
                         "number of a controller");
}

/* Moves to the next value or the previous one. */
void act_lane_step(struct session *s, const struct command *c)
{
    const bool forwards = c->by > 0;
    const struct track *t = session_track(s);
    for (int k = 0; t && k < command_times(c); k++) {
        const int64_t tick = s->view.cursor.tick,
                      from = forwards ? grid_next(s, tick) : tick;
        size_t n, i;
        const struct control_point *own = lane_own(s, &n);
        if (lane_is_of_notes(s)) {
            n = t->n_notes;
            i = score_first_note_at(s->project.score, s->view.track, from) - !forwards;
        } else {
            i = ARRAY_FIRST_AT(own, n, from) - !forwards; /* before the first: none */
        }
        if (i >= n)
            break;
        s->view.cursor.tick =
            grid_floor(s, lane_is_of_notes(s) ? t->notes[i].start : own[i].tick);
    }
    session_show_cursor(s);
}

void act_lane_span(struct session *s)
{
    struct lane *l = s->parts.lane;
    l->has_anchor = !l->has_anchor;
    l->anchor = s->view.cursor.tick;
}

/* The cursor's column shows the value at the end of its cell. */
static void lane_view(struct session *s, struct view *v)
{
    bool is_span;
    struct lane *l = s->parts.lane;
    struct edit_span t = lane_time(s, &is_span);
    int64_t at = lane_is_of_notes(s) ? t.from : t.to - 1;
    int value = lane_held(s, is_span || at < 0 ? s->view.cursor.tick : at);
    v->lane.has_value = value >= 0;
    v->lane.value = value;
    if (is_span) {
        v->lane.from = t.from;
        v->lane.to = t.to;
    }
    if (s->view.mode != MODE_LANE)
        return;
    char name[CONTROL_NAME_BYTES], lo[CONTROL_NAME_BYTES], hi[CONTROL_NAME_BYTES];
    struct control_point *points = NULL;
    size_t n = 0;
    int least = control_most(s->view.lane.control), most = 0;
    control_name(s->view.lane.control, name);
    if (is_span && lane_read(s, t, &points, &n))
        for (size_t i = 0; i < n; i++) {
            least = points[i].value < least ? points[i].value : least;
            most = points[i].value > most ? points[i].value : most;
        }
    free(points);
    if (is_span && n == 0)
        snprintf(l->label, sizeof l->label, "%s: nothing selected here", name);
    else if (is_span)
        snprintf(l->label, sizeof l->label, "%s: %zu value%s, %s to %s", name, n,
                 plural((long long)n),
                 control_value_name(s->view.lane.control, least, lo),
                 control_value_name(s->view.lane.control, most, hi));
    else if (value < 0)
        snprintf(l->label, sizeof l->label, "%s: no note begins here", name);
    else {
        const struct control_point *own = lane_own(s, &n);
        bool is_at_rest =
            !lane_is_of_notes(s) && (n == 0 || own[0].tick > s->view.cursor.tick);
        snprintf(l->label, sizeof l->label, "%s %s%s", name,
                 control_value_name(s->view.lane.control, value, lo),
                 is_at_rest ? ", unless a value is put before" : "");
    }
    v->lane.label = l->label;
}

const struct editor_part LANE_PART = {
    PART_STATE(lane),  .acted = lane_fit, .is_of_piece = true,
    .view = lane_view, .escape = escape,
};
