/* Under the roll, where there are rows to spare: how loud the edited track's
 * notes are, and a map of the whole piece with the seen part bright. */
#include "tui/paint.h"

enum { EIGHTHS = 8, LOWER_EIGHTH = 0x2581 };

/* A bar `eighths` high standing on the region's last row. */
static void column_bar(const struct paint *p, const struct region *r, int column,
                       int eighths, uint32_t colour)
{
    for (int i = 0; i < r->rows && eighths > 0; i++, eighths -= EIGHTHS) {
        int height = eighths < EIGHTHS ? eighths : EIGHTHS;
        /* A whole cell as ground: many fonts leave gaps between full blocks. */
        if (height == EIGHTHS && colour != COLOUR_DEFAULT) {
            cells_put(p->c, column, r->row + r->rows - 1 - i, ' ', colour, colour, 0);
            continue;
        }
        cells_put(p->c, column, r->row + r->rows - 1 - i,
                  LOWER_EIGHTH + (uint32_t)height - 1, colour, COLOUR_KEEP, 0);
    }
}

static void paint_lane_name(const struct paint *p, const struct region *r,
                            const char *name)
{
    struct region left = {0, r->row, r->column, r->rows};
    cells_fill(p->c, left, ' ', p->t->faint, p->t->panel);
    cells_fill(p->c, *r, ' ', p->t->faint, p->t->panel);
    cells_text(p->c, 0, r->row, r->column, name, p->t->faint, COLOUR_KEEP, 0);
}

/* Loudest onset in each column wins. */
static void paint_velocities(const struct paint *p)
{
    const struct region *r = &p->l.velocity;
    const struct track *t = paint_track(p);
    int64_t right = p->port.left_tick + p->port.ticks_per_column * p->l.roll.columns;
    int highest[CELLS_MAX] = {0};
    paint_lane_name(p, r, " vel");
    if (!t)
        return;
    for (size_t i = score_first_note_at(p->v->score, p->v->track, p->port.left_tick);
         i < t->n_notes && t->notes[i].start < right; i++) {
        int64_t column = layout_column(&p->l, &p->port, t->notes[i].start);
        if (column >= 0 && column < CELLS_MAX && t->notes[i].velocity > highest[column])
            highest[column] = t->notes[i].velocity;
    }
    for (int column = r->column; column < r->column + r->columns; column++)
        column_bar(p, r, column, (highest[column] * r->rows * EIGHTHS + 126) / 127,
                   theme_note(p->t, paint_hue(p, p->v->track), highest[column],
                              PRESENCE_ACTIVE));
}

/* The most notes in the part of the piece a map column stands for. */
static int map_height(const struct paint *p, int column, int columns)
{
    int first = column * SURVEY_BINS / columns,
        last = (column + 1) * SURVEY_BINS / columns;
    int most = survey_density(p->survey, first);
    for (int bin = first + 1; bin < last; bin++)
        if (survey_density(p->survey, bin) > most)
            most = survey_density(p->survey, bin);
    int densest = survey_densest(p->survey);
    return densest > 0 ? (most * EIGHTHS + densest - 1) / densest : 0;
}

/* Whether the roll shows part of what this column of the map stands for. */
static bool map_is_seen(const struct paint *p, int column, int columns)
{
    double end = (double)survey_end_tick(p->survey) + 1;
    double from = end * column / columns, to = end * (column + 1) / columns;
    double left = (double)p->port.left_tick;
    double right = left + (double)p->port.ticks_per_column * p->l.roll.columns;
    return to > left && from < right;
}

static void paint_map(const struct paint *p)
{
    const struct region *r = &p->l.map;
    paint_lane_name(p, r, " map");
    for (int i = 0; i < r->columns; i++) {
        bool seen = map_is_seen(p, i, r->columns);
        column_bar(p, r, r->column + i, map_height(p, i, r->columns),
                   seen ? p->t->quiet : p->t->faint);
        struct cell *cell = cells_at(p->c, r->column + i, r->row);
        if (seen && cell->glyph != ' ')
            cell->bg = theme_mix(p->t->panel, p->t->quiet, 0.28);
    }
    double at = (double)p->v->cursor_tick / ((double)survey_end_tick(p->survey) + 1);
    if (at >= 0 && at < 1)
        cells_put(p->c, r->column + (int)(at * r->columns), r->row, 0x2503,
                  p->t->accent, COLOUR_KEEP, 0);
}

void paint_lanes(const struct paint *p)
{
    if (p->l.velocity.rows)
        paint_velocities(p);
    if (p->l.map.rows)
        paint_map(p);
}
