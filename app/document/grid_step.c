/* See groove.h. Each line is rounded on its own, so that lines do not drift if a triplet is
 * not a whole number of ticks. */
#include "app/document/groove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const SUFFIXES[N_GRID_KINDS] = {"", "T", "."};

static bool parse_kind(const char *text, enum grid_kind *kind)
{
    while (*text == ' ')
        text++;
    for (int i = 0; i < N_GRID_KINDS; i++)
        if (!strcasecmp(text, SUFFIXES[i])) {
            *kind = (enum grid_kind)i;
            return true;
        }
    return false;
}

bool grid_step_parse(const char *text, struct grid_step *out)
{
    if (!strcasecmp(text, "free") || !strcasecmp(text, "off")) {
        out->is_free = true;
        return true;
    }
    struct grid_step g = {0};
    char *end;
    const char *number = strncmp(text, "1/", 2) == 0 ? text + 2 : text;
    long division = *number >= '1' && *number <= '9' ? strtol(number, &end, 10) : 0;
    if (division < 1 || division > GRID_FINEST || (division & (division - 1)) ||
        !parse_kind(end, &g.kind))
        return false;
    g.division = (int)division;
    *out = g;
    return true;
}

const char *grid_step_format(const struct grid_step *g, char buf[GRID_STEP_TEXT])
{
    if (g->is_free)
        snprintf(buf, GRID_STEP_TEXT, "free");
    else
        snprintf(buf, GRID_STEP_TEXT, "1/%d%s", g->division & 127, SUFFIXES[g->kind]);
    return buf;
}

struct lattice grid_step_lattice(const struct grid_step *g, int ticks_per_quarter)
{
    static const int PARTS[N_GRID_KINDS][2] = {{1, 1}, {2, 3}, {3, 2}};
    struct lattice l = {.ticks = 4 * (int64_t)ticks_per_quarter * PARTS[g->kind][0],
                        .steps = (int64_t)g->division * PARTS[g->kind][1]};
    return l.ticks >= l.steps ? l : (struct lattice){1, 1};
}

int64_t lattice_line(const struct lattice *l, int64_t k)
{
    return (2 * k * l->ticks + l->steps) / (2 * l->steps);
}

int64_t lattice_before(const struct lattice *l, int64_t ticks)
{
    int64_t k = ticks * l->steps / l->ticks + 1; /* rounding moves a line by one */
    while (k > 0 && lattice_line(l, k) > ticks)
        k--;
    return k;
}
