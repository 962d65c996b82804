/* See gate.h. Distances from the grid are exact: in units of which a tick has 24, so that a
 * step has as many as a quarter has ticks. */
#include "midi/tokens/gate.h"

#include "midi/base/larger.h"
#include "midi/tokens/piece.h"

enum {
    UNITS = STEPS_PER_QUARTER, /* a tick */
    LEAST_NOTES = 4,           /* to find a gate in */
    MOST_NOTES = 256,
    LEAST_PERCENT = 80,
    FINEST = 480, /* parts of a quarter; a twelfth of one, two steps, is the most */
    LONGEST = 1 << 10, /* quarters; longer notes have no gate */
};

struct place {
    int64_t step;     /* of the nearest end on the grid */
    int64_t distance; /* from it, in units */
};

/* Ends on the grid in a quarter; and those of 32nds, which are too near to them to be told
 * from gates. */
static const int8_t GRID[] = {0, 4, 6, 8, 12, 16, 18, 20, 24, 3, 9, 15, 21};
enum { N_GRID = 9, N_WITH_32NDS = sizeof GRID };

/* The place nearest to `units` after the beginning of that quarter. */
static struct place nearest_place(int64_t quarter, int64_t units, int n_grid, int tpq)
{
    const int64_t a_quarter = (int64_t)UNITS * tpq;
    const int64_t rest = units % a_quarter;
    struct place best = {0, INT64_MAX};
    for (int i = 0; i < n_grid; i++) {
        const int64_t d = rest - (int64_t)GRID[i] * tpq, distance = d < 0 ? -d : d;
        if (distance < best.distance)
            best = (struct place){GRID[i], distance};
    }
    best.step += (quarter + units / a_quarter) * STEPS_PER_QUARTER;
    return best;
}

/* Where the note ends, or where it would end without the gate. */
static struct place place_of_end(struct gate g, const struct note *n, int n_grid,
                                 int tpq)
{
    const int64_t length = (n->length + g.ticks) * UNITS * 100 / g.percent;
    return nearest_place(n->start / tpq, n->start % tpq * UNITS + length, n_grid, tpq);
}

static bool may_have_gate(const struct note *n, int tpq)
{
    return n->start >= 0 && n->start / tpq < TOKEN_MAX_STEPS && n->length > 0 &&
           n->length / tpq < LONGEST;
}

/* Half a step, or a tick if that is more. */
static int64_t tolerance(int tpq)
{
    return larger(tpq / 2, tpq < STEPS_PER_QUARTER * 2 ? UNITS : 0);
}

struct fit {
    int64_t cost;          /* the sum of distances, each no more than the tolerance */
    size_t n, n_explained; /* notes; those nearer than it */
};

static struct fit fit_gate(struct gate g, const struct note *notes, size_t n, int tpq)
{
    const int64_t most = tolerance(tpq);
    const int n_grid = gate_is_none(g) ? N_WITH_32NDS : N_GRID;
    struct fit fit = {0};
    for (size_t i = 0; i < n && fit.n < MOST_NOTES; i++) {
        if (!may_have_gate(&notes[i], tpq))
            continue;
        const int64_t distance = place_of_end(g, &notes[i], n_grid, tpq).distance;
        fit.cost += smaller(distance, most);
        fit.n_explained += distance < most;
        fit.n++;
    }
    return fit;
}

struct gate gate_of(const struct note *notes, size_t n, int ticks_per_quarter)
{
    const struct fit plain = fit_gate(GATE_NONE, notes, n, ticks_per_quarter);
    struct gate best = GATE_NONE;
    int64_t least = plain.cost / 2 + 1; /* half of it at most */
    if (plain.n < LEAST_NOTES || plain.cost == 0)
        return best;
    const int64_t fine = larger(1, ticks_per_quarter / FINEST);
    for (int i = LEAST_PERCENT; i < 100 + FINEST / 12; i++) {
        const struct gate g =
            i < 100 ? (struct gate){i, 0} : (struct gate){100, (i - 99) * fine};
        const struct fit fit = fit_gate(g, notes, n, ticks_per_quarter);
        if (fit.cost < least && fit.n_explained * 3 >= fit.n * 2) {
            best = g;
            least = fit.cost;
        }
    }
    return best;
}

int64_t gate_read_end(struct gate g, const struct note *n, int ticks_per_quarter)
{
    const int64_t end = step_from_tick(n->start + n->length, ticks_per_quarter);
    if (gate_is_none(g) || !may_have_gate(n, ticks_per_quarter))
        return end;
    const struct place as_is = place_of_end(GATE_NONE, n, N_GRID, ticks_per_quarter),
                       gated = place_of_end(g, n, N_GRID, ticks_per_quarter),
                       place = gated.distance < as_is.distance ? gated : as_is;
    return place.distance < tolerance(ticks_per_quarter) ? place.step : end;
}

/* The latest tick up to the end, so that nothing is overlapped. */
static int64_t last_read_as(struct gate g, int64_t start, int64_t end_step,
                            int ticks_per_quarter)
{
    const int64_t end = tick_from_step(end_step, ticks_per_quarter);
    for (int64_t i = 0; i <= ticks_per_quarter / STEPS_PER_QUARTER; i++) {
        const struct note n = {.start = start, .length = end - i - start};
        if (n.length > 0 && gate_read_end(g, &n, ticks_per_quarter) == end_step)
            return end - i;
    }
    return end;
}

int64_t gate_write_end(struct gate g, int64_t start, int64_t end_step,
                       int ticks_per_quarter)
{
    const int64_t end = tick_from_step(end_step, ticks_per_quarter),
                  length = end - start;
    const struct note n = {.start = start,
                           .length = (length * g.percent + 50) / 100 - g.ticks};
    if (length / ticks_per_quarter < LONGEST && n.length > 0 &&
        gate_read_end(g, &n, ticks_per_quarter) == end_step)
        return start + n.length;
    return last_read_as(g, start, end_step, ticks_per_quarter);
}
