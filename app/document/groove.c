/* See groove.h. Everything is worked out from the time that was played and the grid; what
 * an earlier quantising made of a note does not count. */
#include "app/document/groove.h"
#include "midi/score/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const SUFFIXES[N_GRID_KINDS] = {"", "T", "."};

bool grid_step_parse(const char *text, struct grid_step *out)
{
    if (!strcasecmp(text, "free") || !strcasecmp(text, "off")) {
        out->is_free = true;
        return true;
    }
    char *end;
    const char *number = strncmp(text, "1/", 2) == 0 ? text + 2 : text;
    long division = *number >= '1' && *number <= '9' ? strtol(number, &end, 10) : 0;
    if (division < 1 || division > GRID_FINEST || (division & (division - 1)))
        return false;
    end += strspn(end, " ");
    for (int i = 0; i < N_GRID_KINDS; i++)
        if (!strcasecmp(end, SUFFIXES[i])) {
            *out = (struct grid_step){(int)division, (enum grid_kind)i, false};
            return true;
        }
    return false;
}

const char *grid_step_format(const struct grid_step *g, char buf[GRID_STEP_TEXT])
{
    if (g->is_free)
        snprintf(buf, GRID_STEP_TEXT, "free");
    else
        snprintf(buf, GRID_STEP_TEXT, "1/%d%s", g->division & 127, SUFFIXES[g->kind]);
    return buf;
}

/* Each line is rounded on its own, so that lines do not drift if a triplet is not a whole
 * number of ticks. */
struct lattice grid_step_lattice(const struct grid_step *g, int ticks_per_quarter)
{
    static const int PARTS[N_GRID_KINDS][2] = {{1, 1}, {2, 3}, {3, 2}};
    struct lattice l = {.ticks = 4 * (int64_t)ticks_per_quarter * PARTS[g->kind][0],
                        .steps = (int64_t)g->division * PARTS[g->kind][1]};
    return l.ticks >= l.steps ? l : (struct lattice){1, 1};
}

const struct groove GROOVE_DEFAULT = {.strength = 100, .starts = true, .swing = 50};

/* Returns by how many ticks every second line is late. Pairs of steps swing only if they fill a beat,
 * or several. */
static int64_t lateness(const struct groove_grid *grid, int swing, int64_t tick)
{
    const struct lattice *l = &grid->lattice;
    int64_t beats = timeline_beat_ticks(grid->timeline, tick) * l->steps;
    int64_t pair = 2 * l->ticks;
    if (swing <= 50 || (beats % pair && pair % beats))
        return 0;
    return pair * (swing - 50) / (100 * l->steps);
}

/* Returns the k-th line of a bar, or the end of the bar if that is earlier. */
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

/* Moves a part of the way to the line, to the nearest tick; not at all if the line is too
 * far away. */
static int64_t towards(const struct groove *g, const struct groove_grid *grid,
                       int64_t from, int64_t line)
{
    int64_t way = line - from;
    const struct lattice *l = &grid->lattice;
    if (g->within > 0 && distance(from, line) * 100 * l->steps > g->within * l->ticks)
        return from;
    return from + (way * g->strength + (way < 0 ? -50 : 50)) / 100;
}

/* Returns the nearest whole number of steps, at least one, in ticks. */
static int64_t whole_steps(const struct lattice *l, int64_t length)
{
    int64_t rest = length % l->ticks, round = length - rest; /* whole steps, too */
    int64_t k = lattice_before(l, rest);
    int64_t less = lattice_line(l, k), more = lattice_line(l, k + 1);
    if (round == 0 && k == 0)
        return more;
    return round + (distance(less, rest) < distance(more, rest) ? less : more);
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
        int64_t end = start + length, to = groove_line(grid, g->swing, end);
        if (to <= line)
            to = groove_line_after(grid, g->swing, line);
        n->length = towards(g, grid, end, to) - n->start;
    }
    if (length > 0 && n->length < 1)
        n->length = 1;
    played_keep(n, &was);
}

/* -- as it is typed and stored: a few words -- */

bool groove_parse(const char *text, struct groove *g)
{
    struct groove read = *g;
    char words[256], *rest = NULL;
    bool said_which = false;
    if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
        return false;
    for (char *w = strtok_r(words, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
        const size_t n = strlen(w);
        if (w[n - 1] == 's' && *w > '9') /* "starts" is "start" */
            w[n - 1] = '\0';
        const bool is_swing = !strcmp(w, "swing"), is_within = !strcmp(w, "within"),
                   is_start = !strcmp(w, "start"), is_end = !strcmp(w, "end");
        if (!strcmp(w, "straight")) {
            read.swing = 50;
        } else if (is_start || is_end || !strcmp(w, "length")) {
            if (!said_which) {
                read.starts = false;
                read.ends = GROOVE_ENDS_FOLLOW;
            }
            said_which = true;
            if (is_start)
                read.starts = true;
            else
                read.ends = is_end ? GROOVE_ENDS_LINES : GROOVE_ENDS_LENGTHS;
        } else { /* "80%" or "80": of the word before, or of the way */
            if (is_swing || is_within)
                w = strtok_r(NULL, " \t", &rest);
            const size_t n_digits = w ? strspn(w, "0123456789") : 0;
            const int value = n_digits && n_digits < 4 ? (int)strtol(w, NULL, 10) : -1,
                      low = is_swing ? 50 : 0, high = is_swing ? 75 : 100;
            if (value < low || value > high || w[n_digits + (w[n_digits] == '%')])
                return false;
            *(is_swing    ? &read.swing
              : is_within ? &read.within
                          : &read.strength) = value;
        }
    }
    *g = read;
    return true;
}

const char *groove_format(const struct groove *g, char buf[GROOVE_TEXT])
{
    static const char *const ENDS[] = {"", " end", " length"};
    char swing[16] = "", within[16] = "";
    if (g->swing != 50)
        snprintf(swing, sizeof swing, " swing %d", g->swing);
    if (g->within)
        snprintf(within, sizeof within, " within %d%%", g->within);
    snprintf(buf, GROOVE_TEXT, "%d%%%s%s%s%s", g->strength, g->starts ? " start" : "",
             ENDS[g->ends], swing, within);
    return buf;
}
