/* See groove.h. Everything is worked out from the time that was played and the grid; what
 * an earlier quantising made of a note does not count. */
#include "app/document/groove.h"
#include "midi/score/played.h"

const struct groove GROOVE_DEFAULT = {.strength = 100, .starts = true, .swing = 50};

/* Pairs of steps fill a beat or beats, so that each has a first and a second. */
static bool can_swing(const struct groove_grid *grid, int64_t tick)
{
    int64_t beats = timeline_beat_ticks(grid->timeline, tick) * grid->lattice.steps;
    int64_t pair = 2 * grid->lattice.ticks;
    return beats % pair == 0 || pair % beats == 0;
}

/* How much later every second line is, ticks. */
static int64_t lateness(const struct groove_grid *grid, int swing, int64_t tick)
{
    const struct lattice *l = &grid->lattice;
    if (swing <= 50 || !can_swing(grid, tick))
        return 0;
    return 2 * l->ticks * (swing - 50) / (100 * l->steps);
}

/* The k-th line of a bar; its end for those beyond. */
static int64_t line_of(const struct groove_grid *grid, const struct bar *bar,
                       int64_t late, int64_t k)
{
    int64_t line = lattice_line(&grid->lattice, k) + (k % 2 ? late : 0);
    return bar->start + (line < bar->length ? line : bar->length);
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

int64_t groove_line(const struct groove_grid *grid, int swing, int64_t tick)
{
    struct bar bar = timeline_bar_at(grid->timeline, tick < 0 ? 0 : tick);
    int64_t k = lattice_before(&grid->lattice, tick > bar.start ? tick - bar.start : 0);
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
    int64_t k = lattice_before(&grid->lattice, tick - bar.start);
    int64_t late = lateness(grid, swing, tick);
    int64_t line = line_of(grid, &bar, late, k);
    return line > tick ? line : line_of(grid, &bar, late, k + 1);
}

/* -- quantising -- */

/* Part of the way from where it was to the line, to the nearest tick; nothing of it where
 * the line is too far away to be meant. */
static int64_t towards(const struct groove *g, const struct groove_grid *grid,
                       int64_t from, int64_t line)
{
    int64_t way = line - from;
    const struct lattice *l = &grid->lattice;
    if (g->within > 0 && distance(from, line) * 100 * l->steps > g->within * l->ticks)
        return from;
    return from + (way * g->strength + (way < 0 ? -50 : 50)) / 100;
}

/* At least one. */
static int64_t whole_steps(const struct lattice *l, int64_t length)
{
    int64_t rest = length % l->ticks, round = length - rest; /* whole steps, too */
    int64_t k = lattice_before(l, rest);
    int64_t less = lattice_line(l, k), more = lattice_line(l, k + 1);
    if (round == 0 && k == 0)
        return more;
    return round + (distance(less, rest) < distance(more, rest) ? less : more);
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
        n->length = towards(g, grid, length, whole_steps(&grid->lattice, length));
    } else if (g->ends == GROOVE_ENDS_LINES && length > 0) {
        int64_t end = start + length;
        n->length = towards(g, grid, end, end_line(g, grid, line, end)) - n->start;
    }
    if (length > 0 && n->length < 1)
        n->length = 1;
    played_keep(n, &was);
}
