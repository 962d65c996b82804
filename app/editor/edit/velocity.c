/* Changes velocities. A group keeps its differences: it goes up or down only as far as every
 * note can. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far all of them can go that way. */
static int room(const struct reshape *r, bool louder)
{
    int room = 126;
    for (size_t i = 0; i < r->n; i++) {
        int here = louder ? 127 - r->after[i].velocity : r->after[i].velocity - 1;
        room = here < room ? here : room;
    }
    return room;
}

static void say_velocity(struct session *s)
{
    const struct note *here = session_note_under_cursor(s);
    if (!here || s->selection.n)
        return;
    s->new_note.velocity = here->velocity;
    session_say(s, "velocity %d", here->velocity);
}

static void shift(struct session *s, int by)
{
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    int most = room(&r, by > 0), step = abs(by) < most ? abs(by) : most;
    if (step == 0) {
        session_say(s, by > 0 ? "it cannot be louder" : "it cannot be softer");
        reshape_forget(&r);
        return;
    }
    for (size_t i = 0; i < r.n; i++)
        r.after[i].velocity = (uint8_t)(r.after[i].velocity + (by > 0 ? step : -step));
    if (reshape_do_strictly(&r, by > 0 ? "strengthen" : "soften"))
        say_velocity(s);
}

static void act_velocity(struct session *s, const struct command *c)
{
    int by = 8 * (command_times(c) > 16 ? 16 : command_times(c));
    shift(s, c->id == CMD_LOUDER ? by : -by);
}

/* -- :velocity -- */

/* From one velocity to another over the time of the notes, times a factor. */
struct ramp {
    double from, to; /* negative: what there is */
    double times;
};

static int64_t first_start(const struct reshape *r)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < r->n; i++)
        first = r->after[i].start < first ? r->after[i].start : first;
    return first;
}

static int64_t last_start(const struct reshape *r)
{
    int64_t last = 0;
    for (size_t i = 0; i < r->n; i++)
        last = r->after[i].start > last ? r->after[i].start : last;
    return last;
}

static uint8_t bounded(double v)
{
    return (uint8_t)(v < 1 ? 1 : v > 127 ? 127 : lround(v));
}

static void apply(struct session *s, const struct ramp *ramp)
{
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    int64_t first = first_start(&r), span = last_start(&r) - first;
    for (size_t i = 0; i < r.n; i++) {
        struct note *n = &r.after[i];
        double at = span ? (double)(n->start - first) / (double)span : 0;
        double v =
            ramp->from < 0 ? n->velocity : ramp->from + at * (ramp->to - ramp->from);
        n->velocity = bounded(v * ramp->times);
    }
    if (reshape_do_strictly(&r, "change the velocity of"))
        session_say(s, "velocity of %zu note%s changed", r.n_changed,
                    plural(r.n_changed));
}

/* "80" or "60-100" */
static bool read_ramp(const char *word, struct ramp *r)
{
    char first[8];
    const char *dash = strchr(word, '-');
    size_t n = dash ? (size_t)(dash - word) : strlen(word);
    int from, to;
    if (n >= sizeof first)
        return false;
    memcpy(first, word, n);
    first[n] = '\0';
    if (!value_count(first, 1, 127, &from) ||
        !value_count(dash ? dash + 1 : first, 1, 127, &to))
        return false;
    *r = (struct ramp){from, to, 1};
    return true;
}

static void act_velocity_line(struct session *s, const char *word)
{
    struct ramp r = {-1, -1, 1};
    int by;
    bool is_signed = *word == '+' || *word == '-';
    if (is_signed && value_count(word + 1, 1, 126, &by))
        shift(s, *word == '+' ? by : -by);
    else if (*word == '*' ? value_real(word + 1, 0, 127, &r.times)
                          : read_ramp(word, &r))
        apply(s, &r);
    else
        session_error(s,
                      "velocity wants 80, 60-100 from first to last, *1.2, +10 or -10");
}

const struct editor_part VELOCITY_PART = {
    ON_COMMANDS({{CMD_SOFTER, CMD_LOUDER}, .run = act_velocity}),
    ON_EDIT_LINES({"velocity", .run = act_velocity_line}),
};
