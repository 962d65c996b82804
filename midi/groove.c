/* See groove.h. Everything is worked out from the time that was played and the grid; what
 * an earlier quantising made of a note does not count. */
#include "midi/groove.h"

#include <limits.h>

const struct groove GROOVE_DEFAULT = {.strength = 100, .starts = true, .swing = 50};

/* Pairs of steps fill a beat or beats, so that each has a first and a second. */
static bool can_swing(const struct groove_grid *grid, int64_t tick)
{
    int64_t beat = timeline_beat_ticks(grid->timeline, tick), pair = 2 * grid->step;
    return beat % pair == 0 || pair % beat == 0;
}

/* The k-th line of a bar; its end for those beyond. */
static int64_t line_of(const struct groove_grid *grid, const struct bar *bar,
                       int64_t late, int64_t k)
{
    int64_t line = k * grid->step + (k % 2 ? late : 0);
    return bar->start + (line < bar->length ? line : bar->length);
}

/* How much later every second line is. */
static int64_t lateness(const struct groove_grid *grid, int swing, int64_t tick)
{
    return swing > 50 && can_swing(grid, tick) ? 2 * grid->step * (swing - 50) / 100
                                               : 0;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

int64_t groove_line(const struct groove_grid *grid, int swing, int64_t tick)
{
    struct bar bar = timeline_bar_at(grid->timeline, tick < 0 ? 0 : tick);
    int64_t k = tick > bar.start ? (tick - bar.start) / grid->step : 0;
    int64_t late = lateness(grid, swing, tick), best = bar.start;
    for (int64_t i = k > 0 ? k - 1 : 0; i <= k + 1; i++) {
        int64_t line = line_of(grid, &bar, late, i);
        if (distance(line, tick) <= distance(best, tick))
            best = line;
    }
    return best;
}

int64_t groove_line_after(const struct groove_grid *grid, int swing, int64_t tick)
{
    struct bar bar = timeline_bar_at(grid->timeline, tick < 0 ? 0 : tick);
    int64_t k = (tick - bar.start) / grid->step, late = lateness(grid, swing, tick);
    int64_t line = line_of(grid, &bar, late, k);
    return line > tick ? line : line_of(grid, &bar, late, k + 1);
}

/* -- what was played -- */

static int64_t played_start(const struct note *n)
{
    int64_t start = n->start + n->raw_start;
    return start > 0 ? start : 0;
}

static int64_t played_length(const struct note *n)
{
    int64_t length = n->length + n->raw_length;
    return n->length == 0 ? 0 : length > 0 ? length : 1;
}

static int32_t cut_to_int32(int64_t x)
{
    return (int32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

void groove_keep_played(struct note *after, const struct note *before)
{
    after->raw_start = cut_to_int32(played_start(before) - after->start);
    after->raw_length = cut_to_int32(played_length(before) - after->length);
}

bool groove_restore(struct note *n)
{
    if (n->raw_start == 0 && n->raw_length == 0)
        return false;
    n->start = played_start(n);
    n->length = played_length(n);
    n->raw_start = 0;
    n->raw_length = 0;
    return true;
}

/* -- quantising -- */

/* Part of the way from where it was to the line, to the nearest tick; nothing of it where
 * the line is too far away to be meant. */
static int64_t towards(const struct groove *g, const struct groove_grid *grid,
                       int64_t from, int64_t line)
{
    int64_t way = line - from;
    if (g->within > 0 && distance(from, line) * 100 > g->within * grid->step)
        return from;
    return from + (way * g->strength + (way < 0 ? -50 : 50)) / 100;
}

static int64_t whole_steps(const struct groove_grid *grid, int64_t length)
{
    int64_t steps = (length + grid->step / 2) / grid->step;
    return (steps > 0 ? steps : 1) * grid->step;
}

/* A line for the end of a note that begins at `line`, or near it. */
static int64_t end_line(const struct groove *g, const struct groove_grid *grid,
                        int64_t line, int64_t end)
{
    int64_t at = groove_line(grid, g->swing, end);
    return at > line ? at : groove_line_after(grid, g->swing, line);
}

void groove_quantise(const struct groove *g, const struct groove_grid *grid,
                     struct note *n)
{
    struct note was = *n;
    int64_t start = played_start(&was), length = played_length(&was);
    int64_t line = g->starts ? groove_line(grid, g->swing, start) : was.start;
    if (g->starts)
        n->start = towards(g, grid, start, line);
    if (g->ends == GROOVE_ENDS_LENGTHS && length > 0) {
        n->length = towards(g, grid, length, whole_steps(grid, length));
    } else if (g->ends == GROOVE_ENDS_LINES && length > 0) {
        int64_t end = start + length;
        n->length = towards(g, grid, end, end_line(g, grid, line, end)) - n->start;
    }
    if (length > 0 && n->length < 1)
        n->length = 1;
    groove_keep_played(n, &was);
}
