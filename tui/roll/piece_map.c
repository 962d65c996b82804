/* The map of the whole piece under the roll: how many notes sound, the part in view
 * bright, and over it the selection, the loop, markers, cursor and playhead.
 *
 * The survey has counted the score. Each frame counts only what the shown take changes:
 * notes it replaces, and its ghosts. */
#include "tui/roll/roll.h"

/* Adds `by` to each bin that the note touches. */
static void count_note(const struct paint *p, int change[SURVEY_BINS + 1],
                       const struct note *n, int by)
{
    int64_t last = n->length > 0 ? n->length - 1 : 0;
    if (n->start > p->survey->end_tick)
        return; /* the map ends with the score */
    change[survey_bin(p->survey, n->start)] += by;
    change[survey_bin(p->survey, n->start + last) + 1] -= by;
}

/* The column of a tick; -1: past the end of the music. */
static int map_column(const struct paint *p, int64_t tick)
{
    const struct region *r = &p->l.map;
    double share = (double)tick / ((double)p->survey->end_tick + 1);
    return share >= 0 && share < 1 ? r->column + (int)(share * r->columns) : -1;
}

/* Marks [from, to), cut at the end of the music. */
static void mark_span(const struct paint *p, int64_t from, int64_t to, double share)
{
    const struct region *r = &p->l.map;
    int first = map_column(p, from), last = map_column(p, to > from ? to - 1 : from);
    if (first < 0)
        return;
    last = last < 0 ? r->column + r->columns - 1 : last;
    for (int column = first; column <= last; column++) {
        struct cell *cell = cells_at(p->c, column, r->row);
        if (theme_paints(p->t))
            cell->bg = theme_mix(cell->bg, p->t->accent, share);
        else
            cell->attr |= ATTR_UNDERLINE;
    }
}

static void put_glyph(const struct paint *p, int64_t tick, uint32_t glyph, uint32_t ink)
{
    int column = map_column(p, tick);
    if (column >= 0)
        paint_put(p, column, p->l.map.row, glyph, ink, ATTR_BOLD);
}

void paint_piece_map(const struct paint *p)
{
    const struct view *v = p->v;
    const struct region *r = &p->l.map;
    const struct timeline_events *signs = &p->survey->signs;
    if (!r->rows)
        return;
    /* The density of notes. */
    int n[SURVEY_BINS], most = 0, change[SURVEY_BINS + 1] = {0};
    for (int t = 0; v->ghosts.n_replaced && t < (int)v->score->n_tracks; t++) {
        const struct track *track = &v->score->tracks[t];
        for (size_t i = score_first_note_at(v->score, t, v->hole.box.from);
             i < track->n_notes && track->notes[i].start < v->hole.box.to; i++)
            if (paint_is_replaced(p, track->notes[i].id))
                count_note(p, change, &track->notes[i], -1);
    }
    for (size_t i = 0; i < v->ghosts.n; i++)
        count_note(p, change, &v->ghosts.notes[i].note, 1);
    for (int bin = 0, sum = 0; bin < SURVEY_BINS; bin++) {
        sum += change[bin];
        n[bin] = p->survey->density[bin] + sum;
        most = n[bin] > most ? n[bin] : most;
    }
    lane_paint_ground(p, r, " map");
    for (int i = 0; i < r->columns; i++) {
        /* Whether the roll shows a part of this column's time. */
        double end = (double)p->survey->end_tick + 1;
        double from = end * i / r->columns, to = end * (i + 1) / r->columns;
        double left = (double)p->port.left_tick;
        double right = left + (double)p->port.ticks_per_column * p->l.roll.columns;
        bool seen = to > left && from < right;
        const int bin = i * SURVEY_BINS / r->columns,
                  end_bin = (i + 1) * SURVEY_BINS / r->columns;
        int loudest = n[bin];
        for (int k = bin; k < end_bin; k++)
            loudest = n[k] > loudest ? n[k] : loudest;
        const int eighths = most > 0 ? (loudest * LANE_EIGHTHS + most - 1) / most : 0;
        lane_bar(p, r, r->column + i, 0, eighths, seen ? p->t->quiet : p->t->faint,
                 false);
        struct cell *cell = cells_at(p->c, r->column + i, r->row);
        if (seen && cell->glyph != ' ')
            cell->bg = theme_mix(p->t->panel, p->t->quiet, 0.28);
    }
    if (v->selection.has_box)
        mark_span(p, v->selection.box.from, v->selection.box.to, 0.5);
    if (v->transport.has_loop) {
        uint32_t ink = v->transport.loop_on ? p->t->accent : p->t->quiet;
        mark_span(p, v->transport.loop_from, v->transport.loop_to,
                  v->transport.loop_on ? 0.3 : 0.1);
        put_glyph(p, v->transport.loop_from, '[', ink);
        put_glyph(p, v->transport.loop_to - 1, ']', ink);
    }
    for (size_t i = 0; i < signs->n; i++)
        if (signs->list[i].kind == TIMELINE_MARKER)
            put_glyph(p, signs->list[i].tick, 0x25BC, p->t->text);
    put_glyph(p, v->cursor.tick, 0x2503, p->t->accent);
    if (v->transport.is_playing && v->transport.tick < 9e18)
        put_glyph(p, (int64_t)v->transport.tick, 0x2502, p->t->playhead);
}
