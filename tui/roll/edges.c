/* What lies above and below the rows that are shown: how many notes of the edited track
 * and of the take, in the time that is seen, as a mark over the first and the last key. */
#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <stdio.h>

enum { MOST_COUNTED = 99, UP = 0x25B2, DOWN = 0x25BC };

struct outside {
    int above, below;
    bool has_ghost_above, has_ghost_below;
};

/* The pitches of the first and the last row. */
static void shown_range(const struct paint *p, int *highest, int *lowest)
{
    const struct region *r = &p->l.roll;
    *highest = p->pitches[r->row];
    int row = r->row + r->rows - 1;
    while (row > r->row && p->pitches[row] < 0)
        row--;
    *lowest = p->pitches[row] < 0 ? 0 : p->pitches[row];
}

static void count_notes(const struct paint *p, int highest, int lowest,
                        struct outside *out)
{
    const struct track *t = paint_track(p);
    int64_t left = p->port.left_tick;
    int64_t right = left + p->port.ticks_per_column * p->l.roll.columns;
    for (size_t i = t ? survey_next_note(p->survey, p->v->score, p->v->track, 0, left)
                      : 0;
         t && i < t->n_notes && t->notes[i].start < right &&
         (out->above < MOST_COUNTED || out->below < MOST_COUNTED);
         i = survey_after(p->survey, p->v->score, p->v->track, i, left)) {
        out->above += t->notes[i].pitch > highest;
        out->below += t->notes[i].pitch < lowest;
    }
}

static void count_ghosts(const struct paint *p, int highest, int lowest,
                         struct outside *out)
{
    int64_t left = p->port.left_tick;
    int64_t right = left + p->port.ticks_per_column * p->l.roll.columns;
    for (size_t i = 0; i < p->v->ghosts.n; i++) {
        const struct note *n = &p->v->ghosts.notes[i].note;
        bool is_seen =
            n->start < right && (n->start >= left || n->length > left - n->start);
        bool above = is_seen && n->pitch > highest,
             below = is_seen && n->pitch < lowest;
        out->above += above;
        out->below += below;
        out->has_ghost_above |= above;
        out->has_ghost_below |= below;
    }
}

/* "▲3", at the right end of the key's row. */
static void paint_edge(const struct paint *p, int row, uint32_t arrow, int n,
                       bool has_ghost)
{
    char text[16];
    const struct region *r = &p->l.keys;
    if (n == 0)
        return;
    snprintf(text, sizeof text, "%d", n < MOST_COUNTED ? n : MOST_COUNTED);
    int columns = 1 + text_columns(text), column = r->column + r->columns - columns;
    uint32_t ink = has_ghost ? p->t->accent : p->t->text;
    cells_put(p->c, column, row, arrow, ink, p->t->panel, ATTR_BOLD);
    cells_text(p->c, column + 1, row, columns - 1, text, ink, p->t->panel, ATTR_BOLD);
}

void paint_edges(const struct paint *p)
{
    struct outside out = {0};
    int highest, lowest;
    const struct region *r = &p->l.roll;
    shown_range(p, &highest, &lowest);
    count_notes(p, highest, lowest, &out);
    count_ghosts(p, highest, lowest, &out);
    paint_edge(p, r->row, UP, out.above, out.has_ghost_above);
    paint_edge(p, r->row + r->rows - 1, DOWN, out.below, out.has_ghost_below);
}
