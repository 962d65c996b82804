/* Pedals in the lane: pressed and lifted in pairs, so that none hangs. */
#include "app/editor/edit/lane.h"

static bool is_down(const struct control_point *p)
{
    return p->value >= 64;
}

/* The first point from `i` on that is down, or is up. */
static size_t next_that_is(const struct control_point *own, size_t n, size_t i,
                           bool down)
{
    while (i < n && is_down(&own[i]) != down)
        i++;
    return i;
}

/* A press in the cursor's cell goes, with what lifts it. */
static void take_out(struct session *s, const struct control_point *own, size_t n,
                     size_t pressed)
{
    size_t lifted = next_that_is(own, n, pressed, false);
    struct lane_time t = {own[pressed].tick, own[pressed].tick + 1};
    if (lifted < n)
        t.to = own[lifted].tick + 1;
    if (lane_write(s, t, NULL, 0))
        session_say(s, "not pressed here any more");
}

/* It is down here: it is lifted here instead of later. */
static void lift(struct session *s, const struct control_point *own, size_t n)
{
    size_t lifted =
        next_that_is(own, n, control_first_point(own, n, s->cursor_tick), false);
    struct control_point up = {s->cursor_tick, 0};
    struct lane_time t = {up.tick, up.tick + 1};
    if (lifted < n)
        t.to = own[lifted].tick + 1;
    if (lane_write(s, t, &up, 1))
        session_say(s, "up from here");
}

/* Where a press ends: after `steps`, or with the bar. */
static int64_t press_end(const struct session *s, int steps)
{
    struct bar bar = timeline_bar_at(&s->project.score->timeline, s->cursor_tick);
    int64_t end = s->cursor_tick;
    if (steps == 0)
        return bar.start + bar.length;
    for (int i = 0; i < steps; i++)
        end = grid_next(s, end);
    return end;
}

static void press(struct session *s, const struct control_point *own, size_t n,
                  int steps)
{
    size_t next = control_first_point(own, n, s->cursor_tick);
    int64_t end = press_end(s, steps);
    struct control_point points[2] = {
        {s->cursor_tick, control_most(s->parts.lane->shown)}};
    struct lane_time t = {s->cursor_tick, s->cursor_tick + 1};
    size_t n_points = 1;
    if (next < n && own[next].tick < end)
        end = is_down(&own[next]) ? grid_previous(s, own[next].tick) : -1;
    if (end > s->cursor_tick) {
        points[n_points++] = (struct control_point){end, 0};
        t.to = end + 1;
    }
    if (lane_write(s, t, points, n_points))
        session_say(s, "down from here");
}

void lane_toggle_switch(struct session *s, int steps)
{
    size_t n;
    const struct control_point *own = lane_own(s, &n);
    size_t here = control_first_point(own, n, s->cursor_tick);
    size_t pressed = next_that_is(own, n, here, true);
    if (pressed < n && own[pressed].tick < grid_next(s, s->cursor_tick))
        take_out(s, own, n, pressed);
    else if (control_held(own, n, s->cursor_tick, s->parts.lane->shown) >= 64)
        lift(s, own, n);
    else
        press(s, own, n, steps);
}
