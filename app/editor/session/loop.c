/* Sets the loop, moves it with its music, and sends it to the player. */
#include "app/editor/session/session.h"
#include "midi/score/notes.h"

#include <stdio.h>

static int64_t tick_between(int64_t tick)
{
    return tick < 0 ? 0 : tick > TICK_MAX ? TICK_MAX : tick;
}

void session_set_loop(struct session *s, int64_t from, int64_t to)
{
    int64_t a = tick_between(from < to ? from : to);
    int64_t b = tick_between(from < to ? to : from);
    if (a == b)
        return;
    s->loop.from = a;
    s->loop.to = b;
    s->loop.on = true;
    s->loop.state = history_state(s->project.history);
    session_send_loop(s);
}

/* The loop moves with its music. If none of that music is left, there is no loop. */
void session_follow_loop(struct session *s)
{
    const struct history *h = s->project.history;
    uint64_t now = history_state(h);
    if (s->loop.state == now)
        return;
    int64_t from = history_follow(h, s->loop.state, now, s->loop.from, false);
    int64_t to = history_follow(h, s->loop.state, now, s->loop.to, true);
    bool is_same = from == s->loop.from && to == s->loop.to;
    s->loop.from = from;
    s->loop.to = to > from ? to : from;
    s->loop.state = now;
    if (!is_same)
        session_send_loop(s);
}

void session_send_loop(const struct session *s)
{
    bool is_on = s->loop.on && session_has_loop(s) && !s->loop.waits;
    player_set_loop(s->player, is_on ? s->loop.from : 0, is_on ? s->loop.to : 0);
}

void session_hold_loop(struct session *s, bool waits)
{
    s->loop.waits = waits;
    session_send_loop(s);
}

bool session_has_loop(const struct session *s)
{
    return s->loop.to > s->loop.from;
}

static void loop_bars(struct session *s, int n)
{
    struct bar first = session_bar_at(s, s->view.cursor.tick);
    struct bar last = timeline_bar(session_timeline(s), first.index + n - 1);
    session_set_loop(s, first.start, last.start + last.length);
}

/* Names whole bars by their numbers, "bars 3 to 6"; else "3.5 beats from bar 3". */
void session_say_loop(struct session *s)
{
    char name[64];
    struct bar first = session_bar_at(s, s->loop.from);
    struct bar last = session_bar_at(s, s->loop.to - 1);
    long long a = first.index + 1, b = last.index + 1;
    double beats = (double)(s->loop.to - s->loop.from) /
                   (double)timeline_beat_ticks(session_timeline(s), s->loop.from);
    if (first.start != s->loop.from || last.start + last.length != s->loop.to)
        snprintf(name, sizeof name, "%.3g beat%s from bar %lld", beats,
                 beats == 1 ? "" : "s", a);
    else if (a == b)
        snprintf(name, sizeof name, "bar %lld", a);
    else
        snprintf(name, sizeof name, "bars %lld to %lld", a, b);
    if (s->loop.on)
        session_say(s, "loop: %s; \\ ends it", name);
    else
        session_say(s, "no loop; \\ loops %s again", name);
}

void act_loop(struct session *s, const struct command *c)
{
    const struct box *box = session_box(s);
    if (box) {
        session_set_loop(s, box->from, box->to);
        session_clear_selection(s);
    } else if (c->count > 0) {
        loop_bars(s, c->count);
    } else if (session_has_loop(s)) {
        s->loop.on = !s->loop.on;
        session_send_loop(s);
    } else if (s->view.mode == MODE_TAKES && s->request.to > s->request.from) {
        session_set_loop(s, s->request.from, s->request.to);
    } else {
        loop_bars(s, 1);
    }
    session_say_loop(s);
}

static void reset(struct session *s)
{
    s->loop = (struct loop_span){.state = history_state(s->project.history)};
    session_send_loop(s);
}

const struct editor_part LOOP_PART = {
    .reset = reset,
    .edited = session_follow_loop,
};
