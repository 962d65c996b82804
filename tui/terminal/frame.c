/* Paints a frame: computes what all painters need, then calls them from the ground
 * up. */
#include "tui/terminal/frame.h"

#include "midi/base/ids.h"
#include "tui/paint/inspect_paint.h"
#include "tui/base/text.h"

#include <stdio.h>

const struct track *paint_track(const struct paint *p)
{
    const struct view *v = p->v;
    return v->track >= 0 && (size_t)v->track < v->score->n_tracks
               ? &v->score->tracks[v->track]
               : NULL;
}

struct position paint_position_of(const struct score *s, int64_t tick)
{
    tick = tick < 0 ? 0 : tick;
    struct bar bar = timeline_bar_at(&s->timeline, tick);
    int64_t beat = timeline_beat_ticks(&s->timeline, tick), into = tick - bar.start;
    beat = beat > 0 ? beat : 1;
    return (struct position){bar.index + 1, into / beat + 1, into % beat};
}

int paint_colour_index(const struct paint *p, int track)
{
    const struct score *s = p->v->score;
    int own = track >= 0 && (size_t)track < s->n_tracks ? s->tracks[track].colour : 0;
    return own ? own - 1 : track;
}

bool paint_is_heard(const struct paint *p, int track)
{
    return track_is_audible(&p->v->score->tracks[track], p->has_solo);
}

bool paint_has_rows_for(const struct paint *p, int track)
{
    const struct score *s = p->v->score;
    return !p->v->kit.is_shown || (track >= 0 && (size_t)track < s->n_tracks &&
                                   track_is_drums(&s->tracks[track]));
}

/* Every other row of a kit is shaded. */
bool paint_is_shaded(const struct paint *p, int pitch)
{
    if (p->v->kit.is_shown)
        return (p->rows[pitch] - p->l.roll.row) / p->port.rows_per_pitch & 1;
    return p->v->scale.pitches ? !paint_in_scale(p, pitch) : pitch_is_black(pitch);
}

bool paint_is_selected(const struct paint *p, uint64_t id)
{
    const struct selection_view *s = &p->v->selection;
    return ids_find(s->ids, s->n, id) != NULL;
}

bool paint_is_replaced(const struct paint *p, uint64_t id)
{
    const struct ghosts_view *g = &p->v->ghosts;
    return ids_find(g->replaced, g->n_replaced, id) != NULL;
}

const struct note *paint_note_at_cursor(const struct paint *p)
{
    int64_t tick = p->v->cursor.tick, end = tick + 1;
    bool is_kit = p->v->kit.is_shown;
    if (is_kit && p->v->grid.ticks > 0 && p->v->grid.ticks < INT64_MAX - tick)
        end = tick + p->v->grid.ticks;
    struct survey_walk w = {p->survey, p->v->score, p->v->track, tick, end, 0};
    for (const struct note *n; paint_track(p) && (n = survey_walk(&w));)
        if (n->pitch == p->v->cursor.pitch && (!is_kit || n->start >= tick))
            return n;
    return NULL;
}

/* The painters, from the ground up. */
static painter *const OF_PICTURE[] = {paint_ground,   paint_notes,    paint_wash,
                                      paint_ruler,    paint_keyboard, paint_strip,
                                      paint_inspector};
static painter *const OF_SCREEN[] = {
    paint_ground,    paint_ruler,     paint_signs,
    paint_chords,    paint_loop,      paint_taps,
    paint_notes,     paint_found,     paint_ghosts,
    paint_drafts,    paint_wash,      paint_selection,
    paint_hole,      paint_frontier,  paint_cursor,
    paint_playhead,  paint_keyboard,  paint_offscreen_notes,
    paint_lane,      paint_strip,     paint_piece_map,
    paint_inspector, paint_lists,     paint_top,
    paint_tracks,    paint_status,    paint_hints,
    paint_banner,    paint_which_key,
};

bool frame_draw(struct cells *c, const struct view *v, const struct theme *t)
{
    struct survey *survey = v->survey ? v->survey : survey_create();
    if (!survey)
        return false;
    struct paint p = {.c = c, .v = v, .t = t, .survey = survey, .port = v->port};
    p.has_solo = score_has_solo(v->score);
    survey_update(survey, v->score, v->version);
    survey_control(survey, v->score, v->track, v->lane.control);
    p.l = layout_of(v, c->columns, c->rows);
    if (!p.l.too_small)
        viewport_clamp(&p.port, &p.l);
    for (int pitch = 0; pitch < 128 && !p.l.too_small; pitch++)
        p.rows[pitch] = layout_row(&p.l, &p.port, pitch);
    for (int row = 0; row < c->rows && row < CELLS_MAX; row++)
        p.pitches[row] = (int16_t)layout_row_pitch(&p.l, &p.port, row);
    p.has_key = survey_key_at(survey, v->cursor.tick, &p.key_sharps, &p.minor);
    p.sharps = v->scale.pitches ? v->scale.sharps
               : p.has_key      ? p.key_sharps
                                : SPELL_SHARPS;
    c->cursor_column = c->cursor_row = -1;
    const struct region all = {0, 0, p.l.columns, p.l.rows};
    if (p.l.too_small) {
        /* Writes the longest of three sentences that fits. */
        static const char *const TEXTS[] = {"continuo needs %dx%d, this is %dx%d",
                                            "needs %dx%d", "too small"};
        char text[48];
        cells_fill(c, all, ' ', t->text, t->panel);
        for (int i = 0; i < 3 && (i == 0 || text_columns(text) > p.l.columns); i++)
            snprintf(text, sizeof text, TEXTS[i], LAYOUT_MIN_COLUMNS, LAYOUT_MIN_ROWS,
                     p.l.columns, p.l.rows);
        paint_text(&p, 0, p.l.rows / 2, p.l.columns, text, t->text, 0);
    } else if (v->mode == MODE_HELP) {
        paint_help(&p);
    } else if (p.l.is_picture) {
        cells_fill(c, all, ' ', t->text, t->panel);
        for (size_t i = 0; i < sizeof OF_PICTURE / sizeof *OF_PICTURE; i++)
            OF_PICTURE[i](&p);
    } else {
        for (size_t i = 0; i < sizeof OF_SCREEN / sizeof *OF_SCREEN; i++)
            OF_SCREEN[i](&p);
    }
    if (t->ascii)
        cells_to_ascii(c);
    if (!v->survey)
        survey_destroy(survey);
    return true;
}
