/* Finds gates. Distances from the grid are exact: a tick has 24 units, so a step has as
 * many units as a quarter has ticks. */
#include "midi/tokens/gate.h"

#include "midi/base/larger.h"
#include "midi/tokens/piece.h"

enum {
    UNITS = STEPS_PER_QUARTER, /* in a tick */
    LEAST_NOTES = 6,           /* to find a gate */
    MOST_NOTES = 256,
    LEAST_PERCENT = 80,
    FINEST = 480,      /* parts of a quarter that are tried */
    LONGEST = 1 << 10, /* quarters; longer notes have no gate */
    COARSE = 48,       /* ticks a quarter; with fewer no gate can be told */
};

struct place {
    int64_t step;     /* nearest end on the grid */
    int64_t distance; /* distance from there, in units */
};

/* Ends on the grid, as steps within a quarter. Those of 32nds come last: they are so
 * near to others that they look like gated ends. */
static const int8_t GRID[] = {0, 4, 6, 8, 12, 16, 18, 20, 24, 3, 9, 15, 21};
enum { N_GRID = 9, N_WITH_32NDS = sizeof GRID };

/* Returns the place nearest to the moment `units` after the beginning of that
 * quarter. */
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

/* Returns the place nearest to where the note would end without the gate. */
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

/* Half a step. */
static int64_t tolerance(int tpq)
{
    return tpq / 2;
}

struct fit {
    int64_t cost;          /* sum of distances, each at most the tolerance */
    size_t n, n_explained; /* notes, and those nearer than half the tolerance */
    size_t n_exact;        /* notes nearer than a tick */
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
        fit.n_explained += distance < most / 2;
        fit.n_exact += distance < UNITS;
        fit.n++;
    }
    return fit;
}

struct gate gate_of(const struct note *notes, size_t n, int ticks_per_quarter)
{
    const struct fit plain = fit_gate(GATE_NONE, notes, n, ticks_per_quarter);
    struct gate best = GATE_NONE;
    int64_t least = plain.cost / 2 + 1; /* a gate must halve the cost */
    if (ticks_per_quarter < COARSE || plain.n < LEAST_NOTES || plain.cost == 0)
        return best;
    /* A gate moves all ends. If most ends lie on the grid, the others are a player's,
     * and a gate that happens to explain a few of them would move the rest. */
    if (plain.n_exact * 2 > plain.n)
        return best;
    const int64_t fine = larger(1, ticks_per_quarter / FINEST);
    const int64_t n_ticks = ticks_per_quarter / 12 / fine; /* up to two steps */
    for (int i = LEAST_PERCENT; i <= 99 + n_ticks; i++) {
        const struct gate g =
            i < 100 ? (struct gate){i, 0} : (struct gate){100, (i - 99) * fine};
        const struct fit fit = fit_gate(g, notes, n, ticks_per_quarter);
        if (fit.cost < least && fit.n_explained * 4 >= fit.n * 3) {
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
                       place = gated.distance <= as_is.distance ? gated : as_is;
    return place.distance < tolerance(ticks_per_quarter) ? place.step : end;
}

static bool is_on_grid(int64_t step)
{
    int i = 0;
    while (i < N_GRID && GRID[i] != step % STEPS_PER_QUARTER)
        i++;
    return i < N_GRID;
}

/* Returns how long a note from tick `start` to a step lasts with the gate, or 0 if that
 * end has none. */
static int64_t gated_length(struct gate g, int64_t start, int64_t end_step, int tpq)
{
    const int64_t length = tick_from_step(end_step, tpq) - start;
    return gate_is_none(g) || length / tpq >= LONGEST || !is_on_grid(end_step)
               ? 0
               : larger((length * g.percent + 50) / 100 - g.ticks, 0);
}

/* An end off the grid has no gate. It comes a tick sooner if the gated end of a later
 * step is at the same tick, so that the two can be told apart. */
int64_t gate_write_end(struct gate g, int64_t start, int64_t end_step,
                       int ticks_per_quarter)
{
    const int64_t end = tick_from_step(end_step, ticks_per_quarter),
                  gated = gated_length(g, start, end_step, ticks_per_quarter);
    if (gated > 0)
        return start + gated;
    const int64_t later = end_step + 1,
                  most = later + 3 +
                         (later - step_from_tick(start, ticks_per_quarter)) / 4;
    bool is_taken = false;
    for (int64_t step = later; step <= most; step++)
        is_taken |= gated_length(g, start, step, ticks_per_quarter) == end - start;
    return end - (is_taken && end > start + 1);
}
