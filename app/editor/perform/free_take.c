/* Free recording (`:record free`): no click and no count-in. It begins with the first
 * played note; the keys' own clock gives the times, the piece's tempo map their ticks.
 * Bars are marked afterwards, here; then `:lay` fits the tempo map (fit_tempo.c). */
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"
#include "app/base/values.h"

#include <math.h>

bool free_take_is_on(const struct session *s)
{
    return s->parts.recorder->is_on && s->parts.recorder->span.mode == RECORD_FREE;
}

bool free_take_waits(const struct session *s)
{
    return free_take_is_on(s) && !s->parts.recorder->free.has_begun;
}

void free_take_wait(struct session *s)
{
    s->parts.recorder->free = (struct free_take){0};
    player_stop(s->player);
    session_hold_loop(s, true); /* loops are not played */
    session_say(s, "recording starts with the first note");
}

/* The tick of a moment of clock_now_ms(). */
static double tick_of(const struct session *s, double ms)
{
    const struct timeline *t = session_timeline(s);
    double from = timeline_seconds(t, (double)s->parts.recorder->recording.from);
    double since = (ms - s->parts.recorder->free.first_ms) / 1e3;
    return timeline_tick(t, from + fmax(since, 0));
}

int64_t free_take_tick(const struct session *s)
{
    return llround(tick_of(s, clock_now_ms()));
}

bool free_take_place(struct session *s, struct live_event *e)
{
    struct free_take *f = &s->parts.recorder->free;
    const int kind = e->status & 0xf0;
    if (!f->has_begun && kind == 0xb0 && e->data1 == CC_PEDAL) {
        f->pedal = *e;
        f->pedal_is_down = e->data2 >= 64;
    }
    if (!f->has_begun && (kind != 0x90 || !e->data2))
        return false;
    if (!f->has_begun) { /* the clock starts, and then the transport, which shows it */
        struct live_event pedal = f->pedal;
        f->has_begun = true;
        pedal.ms = f->first_ms = e->ms;
        player_play(s->player, s->parts.recorder->recording.from);
        if (f->pedal_is_down)
            record_take(s, &pedal);
    }
    e->has_tick = true;
    e->tick = tick_of(s, e->ms);
    e->pass = 0;
    return true;
}

void free_take_mark(const struct session *s, struct change *c)
{
    const struct tap begin_here = {s->parts.recorder->recording.from, TAP_BEGIN};
    if (!taps_has(&s->project.score->taps, begin_here))
        change_tap(c, begin_here, true);
}

/* -- bar lines: `|` marks or unmarks one at the cursor; in playback it taps one -- */

static const struct taps *taps(const struct session *s)
{
    return &s->project.score->taps;
}

static void mark(struct session *s, int64_t tick, bool puts)
{
    char place[PLACE_BYTES];
    struct change *c = change_create(puts ? "mark a bar line" : "unmark a bar line");
    change_tap(c, (struct tap){tick, TAP_BAR}, puts);
    if (!edit_do(s, c))
        return;
    size_t n = 0;
    for (size_t i = 0; i < taps(s)->n; i++)
        n += taps(s)->list[i].kind == TAP_BAR;
    place_name(session_timeline(s), tick, place);
    if (!puts)
        session_say(s, "bar line at %s unmarked", place);
    else if (n < 2)
        session_say(s, "bar line marked at %s; | marks the next", place);
    else
        session_say(s, "%zu bar lines marked; :lay fits the bars to them", n);
}

void act_tap(struct session *s)
{
    const struct timeline *t = session_timeline(s);
    const struct taps *of = taps(s);
    if (of->n >= TAPS_MOST) {
        session_error(s, "no more bar lines can be marked");
    } else if (free_take_is_on(s) && !free_take_waits(s)) {
        mark(s, free_take_tick(s), true);
    } else if (player_is_playing(s->player)) {
        /* The tick that sounds now, minus the latency of the input. */
        double seconds = timeline_seconds(t, player_tick(s->player));
        seconds -= s->sound.latency_ms / 1e3;
        mark(s, seconds > 0 ? llround(timeline_tick(t, seconds)) : 0, true);
    } else {
        /* The first bar line that is marked in the cursor's step of the grid. */
        const int64_t end = grid_next(s, s->view.cursor.tick);
        size_t i = taps_first_at(of, s->view.cursor.tick);
        while (i < of->n && of->list[i].kind != TAP_BAR)
            i++;
        bool is_marked = i < of->n && of->list[i].tick < end;
        mark(s, is_marked ? of->list[i].tick : s->view.cursor.tick, !is_marked);
    }
}
