/* Changing what the lane shows, by keys: more and less, a value put or removed, a ramp. */
#include "app/editor/edit/lane.h"
#include "app/base/values.h"

#include <stdlib.h>

enum {
    FAR = 16,
    BEND_STEP = 128, /* of a bend's 16384 values, as one of a controller's 128 */
    STEPS_MOST = 1 << 16,
};

static void sound_here(struct session *s, int velocity)
{
    const struct track *t = session_track(s);
    const struct note *n = session_note_under_cursor(s);
    if (t && n && !player_is_playing(s->player))
        player_audition(s->player, t->channel, t->program, n->pitch, velocity);
}

/* All values in that time moved by as much; where there is none, one is put at the
 * cursor, so much beside what holds there. */
static void change_by(struct session *s, int by)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct lane_time t = lane_time(s, &is_span);
    if (!lane_read(s, t, &points, &n))
        return;
    if (n == 0 && !is_span && s->parts.lane->shown.kind != CONTROL_VELOCITY)
        points[n++] = (struct control_point){t.from, lane_held(s, t.from)};
    for (size_t i = 0; i < n; i++)
        points[i].value += by;
    if (n == 0)
        session_say(s, s->parts.lane->shown.kind == CONTROL_VELOCITY
                           ? "no note begins here"
                           : "nothing to change here");
    else if (lane_write(s, t, points, n) &&
             s->parts.lane->shown.kind == CONTROL_VELOCITY)
        sound_here(s, points[n - 1].value);
    free(points);
}

static void act_lane_change(struct session *s, const struct command *c)
{
    bool far = c->id == CMD_LANE_UP_FAR || c->id == CMD_LANE_DOWN_FAR;
    bool up = c->id == CMD_LANE_UP || c->id == CMD_LANE_UP_FAR;
    int by = command_times(c);
    if (lane_refuses(s))
        return;
    if (s->parts.lane->shown.kind == CONTROL_BEND)
        by *= BEND_STEP;
    if (far)
        by = control_is_switch(s->parts.lane->shown)
                 ? control_most(s->parts.lane->shown)
                 : by * FAR;
    change_by(s, up ? by : -by);
}

/* The same value for all in that time; a controller is told it at the cursor when it is
 * told nothing there. */
static void set_to(struct session *s, int value)
{
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct lane_time t = lane_time(s, &is_span);
    if (!lane_read(s, t, &points, &n))
        return;
    if (n == 0 && s->parts.lane->shown.kind != CONTROL_VELOCITY)
        points[n++] = (struct control_point){t.from, value};
    for (size_t i = 0; i < n; i++)
        points[i].value = value;
    if (n == 0)
        session_say(s, "no note begins here");
    else
        lane_write(s, t, points, n);
    free(points);
}

static void act_lane_put(struct session *s, const struct command *c)
{
    if (lane_refuses(s))
        return;
    if (control_is_switch(s->parts.lane->shown) && !s->parts.lane->has_anchor)
        lane_toggle_switch(s, c->count);
    else if (s->parts.lane->shown.kind == CONTROL_VELOCITY)
        set_to(s, c->count > 0 ? c->count : s->last_velocity);
    else
        set_to(s, c->count > 0 ? c->count : lane_held(s, s->cursor_tick));
}

static void act_value_line(struct session *s, const char *word)
{
    char *end;
    char name[CONTROL_NAME_BYTES];
    int least = control_least(s->parts.lane->shown),
        most = control_most(s->parts.lane->shown);
    int rest = s->parts.lane->shown.kind == CONTROL_BEND ? BEND_CENTRE : 0;
    long value = strtol(word, &end, 10);
    if (lane_refuses(s))
        return;
    if (end == word || *end || value < least - rest || value > most - rest)
        session_error(s, "a value of %s is %d to %d",
                      control_name(s->parts.lane->shown, name), least - rest,
                      most - rest);
    else
        set_to(s, (int)value + rest);
}

static void act_lane_remove(struct session *s, const struct command *c)
{
    (void)c;
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct lane_time t = lane_time(s, &is_span);
    if (lane_refuses(s))
        return;
    if (s->parts.lane->shown.kind == CONTROL_VELOCITY) {
        session_say(s,
                    "a note always has a velocity; E leaves the lane, x removes notes");
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

/* -- ramps -- */

static int between(int from, int to, int64_t at, int64_t whole)
{
    double share = whole > 0 ? (double)at / (double)whole : 0;
    double value = from + (to - from) * share;
    return (int)(value < 0 ? value - 0.5 : value + 0.5);
}

/* Velocities stay where their notes are; *points are all there are. */
static void ramp_notes(struct control_point *points, size_t n)
{
    int from = points[0].value, to = points[n - 1].value;
    int64_t start = points[0].tick, whole = points[n - 1].tick - start;
    for (size_t i = 0; i < n; i++)
        points[i].value = between(from, to, points[i].tick - start, whole);
}

static size_t count_steps(const struct session *s, struct lane_time t)
{
    size_t n = 0;
    for (int64_t tick = t.from; tick < t.to && n < STEPS_MOST; n++)
        tick = grid_next(s, tick);
    return n;
}

/* A value at each grid line, from what holds at the first to what holds at the end. */
static void ramp_control(struct session *s, struct lane_time t)
{
    size_t n = count_steps(s, t), kept = 0;
    struct control_point *points = calloc(n + 1, sizeof *points);
    int from = lane_held(s, t.from), to = lane_held(s, t.to - 1);
    int64_t tick = t.from, last = grid_previous(s, t.to);
    if (!points) {
        session_error(s, "out of memory: nothing was done");
        return;
    }
    for (size_t i = 0; i < n; i++, tick = grid_next(s, tick)) {
        int value = between(from, to, tick - t.from, last - t.from);
        if (kept == 0 || points[kept - 1].value != value)
            points[kept++] = (struct control_point){tick, value};
    }
    if (n == STEPS_MOST)
        session_say(s, "that is too long for a ramp on this grid");
    else
        lane_write(s, t, points, kept);
    free(points);
}

static void act_lane_ramp(struct session *s, const struct command *c)
{
    (void)c;
    bool is_span;
    struct control_point *points = NULL;
    size_t n = 0;
    struct lane_time t = lane_time(s, &is_span);
    if (lane_refuses(s))
        return;
    if (!is_span) {
        session_say(s, "v chooses a span first; r then goes straight from its first "
                       "value to its last");
        return;
    }
    if (s->parts.lane->shown.kind != CONTROL_VELOCITY) {
        ramp_control(s, t);
        return;
    }
    if (lane_read(s, t, &points, &n) && n > 0) {
        ramp_notes(points, n);
        lane_write(s, t, points, n);
    }
    free(points);
}

static const struct act_row COMMANDS[] = {
    {CMD_LANE_UP, act_lane_change},     {CMD_LANE_DOWN, act_lane_change},
    {CMD_LANE_UP_FAR, act_lane_change}, {CMD_LANE_DOWN_FAR, act_lane_change},
    {CMD_LANE_PUT, act_lane_put},       {CMD_LANE_REMOVE, act_lane_remove},
    {CMD_LANE_RAMP, act_lane_ramp},     {0},
};

static const struct act_line_row LINES[] = {
    {"value", act_value_line},
    {0},
};

const struct editor_part LANE_EDIT_PART = {.commands = COMMANDS, .lines = LINES};
