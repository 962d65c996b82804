/* Edits the lane's values by keys: raise, lower, set, remove, ramp. */
#include "midi/base/array.h"
#include "app/editor/edit/lane.h"
#include "app/editor/session/edit.h"
#include "tui/base/names.h"

#include <stdlib.h>

enum {
    BEND_STEP = 128, /* of a bend's 16384 values, as one of a controller's 128 */
    STEPS_MOST = 1 << 16,
};

/* Moves all values in that time by `value`, or sets them to it. A controller without
 * any there gets one at the cursor; a span of it that is moved does not. */
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
    if (lane_shown(s).kind == CONTROL_BEND)
        by *= BEND_STEP;
    if (far && control_is_switch(lane_shown(s)))
        by = c->by > 0 ? control_most(lane_shown(s)) : -control_most(lane_shown(s));
    change(s, true, by);
}

/* -- pedals: pressed and lifted in pairs, so that none hangs -- */

/* The first point from `i` on that is down, or is up. */
static size_t next_that_is(const struct control_point *own, size_t n, size_t i,
                           bool down)
{
    while (i < n && (own[i].value >= 64) != down)
        i++;
    return i;
}

/* The pedal is down at `tick`, and at own[at] if that exists: removes all up to what
 * lifts it. lifts: lifts it at `tick` instead. */
static bool lift(struct session *s, const struct control_point *own, size_t n,
                 size_t at, int64_t tick, bool lifts)
{
    size_t lifted = next_that_is(own, n, at, false);
    struct control_point up = {tick, 0};
    struct edit_span t = {tick, lifted < n ? own[lifted].tick + 1 : tick + 1};
    return lane_write(s, t, &up, lifts);
}

/* Removes a press that begins here, or lifts the pedal if it is down; else presses it
 * for `steps` of the grid (0: to the bar's end), but not beyond the next press. */
static void toggle_switch(struct session *s, int steps)
{
    size_t n;
    const struct control_point *own = lane_own(s, &n);
    size_t here = ARRAY_FIRST_AT(own, n, s->view.cursor.tick);
    size_t pressed = next_that_is(own, n, here, true);
    if (pressed < n && own[pressed].tick < grid_next(s, s->view.cursor.tick)) {
        if (lift(s, own, n, pressed, own[pressed].tick, false))
            session_say(s, "no longer pressed here");
    } else if (control_held(own, n, s->view.cursor.tick, lane_shown(s)) >= 64) {
        if (lift(s, own, n, here, s->view.cursor.tick, true))
            session_say(s, "up from here");
    } else {
        size_t next = ARRAY_FIRST_AT(own, n, s->view.cursor.tick);
        struct bar bar = session_bar_at(s, s->view.cursor.tick);
        int64_t end = steps ? s->view.cursor.tick : bar.start + bar.length;
        for (int i = 0; i < steps; i++)
            end = grid_next(s, end);
        struct control_point points[2] = {
            {s->view.cursor.tick, control_most(lane_shown(s))}};
        struct edit_span t = {s->view.cursor.tick, s->view.cursor.tick + 1};
        size_t n_points = 1;
        if (next < n && own[next].tick < end)
            end = own[next].value >= 64 ? grid_previous(s, own[next].tick) : -1;
        if (end > s->view.cursor.tick) {
            points[n_points++] = (struct control_point){end, 0};
            t.to = end + 1;
        }
        if (lane_write(s, t, points, n_points))
            session_say(s, "down from here");
    }
}

void act_lane_put(struct session *s, const struct command *c)
{
    if (control_is_switch(lane_shown(s)) && !s->parts.lane->has_anchor)
        toggle_switch(s, c->count);
    else if (lane_is_of_notes(s))
        change(s, false, c->count > 0 ? c->count : s->new_note.velocity);
    else
        change(s, false, c->count > 0 ? c->count : lane_held(s, s->view.cursor.tick));
}

void act_value_line(struct session *s, const char *word)
{
    char *end;
    char name[CONTROL_NAME_BYTES];
    int least = control_least(lane_shown(s)), most = control_most(lane_shown(s));
    int rest = lane_shown(s).kind == CONTROL_BEND ? BEND_CENTRE : 0;
    long value = strtol(word, &end, 10);
    if (!lane_is_editable(s))
        return;
    if (end == word || *end || value < least - rest || value > most - rest)
        session_error(s, "a value of %s must be %d to %d",
                      control_name(lane_shown(s), name), least - rest, most - rest);
    else
        change(s, false, (int)value + rest);
}

void act_lane_remove(struct session *s)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct edit_span t = lane_time(s, &is_span);
    if (lane_is_of_notes(s)) {
        session_say(s,
                    "a velocity cannot be removed; E leaves the lane, x removes notes");
        return;
    }
    if (!lane_read(s, t, &points, &n))
        return;
    free(points);
    if (n == 0)
        session_say(s, "nothing to remove here");
    else
        lane_write(s, t, NULL, 0);
}

static int between(int from, int to, int64_t at, int64_t whole)
{
    double share = whole > 0 ? (double)at / (double)whole : 0;
    double value = from + (to - from) * share;
    return (int)(value < 0 ? value - 0.5 : value + 0.5);
}

/* A value at each grid line, from the value at the first to the value at the end. */
static void ramp_control(struct session *s, struct edit_span t)
{
    size_t n = 0, kept = 0;
    for (int64_t at = t.from; at < t.to && n < STEPS_MOST; n++)
        at = grid_next(s, at);
    struct control_point *points = calloc(n + 1, sizeof *points);
    int from = lane_held(s, t.from), to = lane_held(s, t.to - 1);
    int64_t tick = t.from, last = grid_previous(s, t.to);
    if (!points) {
        session_no_memory(s);
        return;
    }
    for (size_t i = 0; i < n; i++, tick = grid_next(s, tick)) {
        int value = between(from, to, tick - t.from, last - t.from);
        if (kept == 0 || points[kept - 1].value != value)
            points[kept++] = (struct control_point){tick, value};
    }
    if (n == STEPS_MOST)
        session_say(s, "too long for a ramp on this grid");
    else
        lane_write(s, t, points, kept);
    free(points);
}

/* Velocities stay where their notes are. */
void act_lane_ramp(struct session *s)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct edit_span t = lane_time(s, &is_span);
    if (!is_span) {
        session_say(s, "select a span first, by v; r draws a ramp from its first value "
                       "to its last");
    } else if (!lane_is_of_notes(s)) {
        ramp_control(s, t);
    } else if (lane_read(s, t, &points, &n) && n > 0) {
        int from = points[0].value, to = points[n - 1].value;
        int64_t start = points[0].tick, whole = points[n - 1].tick - start;
        for (size_t i = 0; i < n; i++)
            points[i].value = between(from, to, points[i].tick - start, whole);
        lane_write(s, t, points, n);
    }
    free(points);
}
