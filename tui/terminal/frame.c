/* Puts a frame together: works out what all painters need, then calls them from
 * the ground up. */
#include "tui/terminal/frame.h"

#include "tui/paint/inspect_paint.h"
#include "tui/view/lane.h"
#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <stdio.h>

const struct track *paint_track(const struct paint *p)
{
    const struct view *v = p->v;
    return v->track >= 0 && (size_t)v->track < v->score->n_tracks
               ? &v->score->tracks[v->track]
               : NULL;
}

int paint_hue(const struct paint *p, int track)
{
    const struct score *s = p->v->score;
    int own = track >= 0 && (size_t)track < s->n_tracks ? s->tracks[track].colour : 0;
    return own ? own - 1 : track;
}

bool paint_is_heard(const struct paint *p, int track)
{
    const struct score *s = p->v->score;
    bool any_solo = false;
    for (size_t i = 0; i < s->n_tracks; i++)
        any_solo |= s->tracks[i].solo;
    return !s->tracks[track].mute && (!any_solo || s->tracks[track].solo);
}

bool paint_is_shaded(const struct paint *p, int pitch)
{
    return p->v->scale.pitches ? !paint_in_scale(p, pitch) : pitch_is_black(pitch);
}

/* ids is ascending. */
static bool has_id(const uint64_t *ids, size_t n, uint64_t id)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ids[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && ids[lo] == id;
}

bool paint_is_selected(const struct paint *p, uint64_t id)
{
    return has_id(p->v->selection.ids, p->v->selection.n, id);
}

bool paint_goes(const struct paint *p, uint64_t id)
{
    return has_id(p->v->ghosts.replaced, p->v->ghosts.n_replaced, id);
}

const struct note *paint_note_at_cursor(const struct paint *p)
{
    const struct track *t = paint_track(p);
    if (!t)
        return NULL;
    const struct score *s = p->v->score;
    int64_t tick = p->v->cursor.tick;
    for (size_t i = survey_next_note(p->survey, s, p->v->track, 0, tick);
         i < t->n_notes && t->notes[i].start <= tick;
         i = survey_next_note(p->survey, s, p->v->track, i + 1, tick))
        if (t->notes[i].pitch == p->v->cursor.pitch)
            return &t->notes[i];
    return NULL;
}

/* As much of it as there is room for. */
static void paint_too_small(const struct paint *p)
{
    char texts[3][48];
    struct region all = {0, 0, p->l.columns, p->l.rows};
    int i = 0;
    cells_fill(p->c, all, ' ', p->t->text, p->t->panel);
    snprintf(texts[0], sizeof texts[0], "continuo needs %dx%d, this is %dx%d",
             LAYOUT_MIN_COLUMNS, LAYOUT_MIN_ROWS, p->l.columns, p->l.rows);
    snprintf(texts[1], sizeof texts[1], "needs %dx%d", LAYOUT_MIN_COLUMNS,
             LAYOUT_MIN_ROWS);
    snprintf(texts[2], sizeof texts[2], "too small");
    while (i < 2 && text_columns(texts[i]) > p->l.columns)
        i++;
    cells_text(p->c, 0, p->l.rows / 2, p->l.columns, texts[i], p->t->text, COLOUR_KEEP,
               0);
}

static void paint_roll(const struct paint *p)
{
    paint_ground(p);
    paint_tap_lines(p);
    paint_notes(p);
    paint_found(p);
    paint_ghosts(p);
    paint_drafts(p);
    paint_wash(p);
    paint_selection(p);
    paint_hole(p);
    paint_ruler(p);
    paint_signs(p);
    paint_loop(p);
    paint_taps(p);
    paint_frontier(p);
    if (!p->v->inspect || p->v->inspect->is_pinned)
        paint_cursor(p);
    paint_playhead(p);
    paint_keyboard(p);
    paint_edges(p);
    paint_lanes(p);
    paint_strip(p);
    paint_piece_map(p);
    paint_take_list(p);
    paint_map_list(p);
}

static void paint_all(const struct paint *p)
{
    if (p->l.too_small) {
        paint_too_small(p);
    } else if (p->v->mode == MODE_HELP) {
        paint_help(p);
    } else {
        paint_roll(p);
        paint_inspector(p);
        paint_steer_panel(p);
        paint_track_list(p);
        paint_instruments(p);
        paint_history_list(p);
        paint_top(p);
        paint_tracks(p);
        paint_status(p);
        paint_hints(p);
        paint_banner(p);
        paint_which_key(p);
        paint_palette(p);
    }
    if (p->t->ascii)
        cells_to_ascii(p->c);
}

static void draw_with(struct cells *c, const struct view *v, const struct theme *t,
                      struct survey *survey, struct lane_points *lane)
{
    struct paint p = {
        .c = c, .v = v, .t = t, .survey = survey, .lane = lane, .port = v->port};
    survey_update(survey, v->score, v->version);
    lane_points_update(lane, v->score, v->version, v->track, v->lane.control);
    p.l = layout_with_map(c->columns, c->rows, v->piece_map);
    layout_grow_lane(&p.l, v->lane.is_tall);
    if (v->inspect)
        layout_inspect(&p.l);
    else if (v->takes.is_listed)
        layout_list_takes(&p.l);
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
    paint_all(&p);
}

void frame_draw(struct cells *c, const struct view *v, const struct theme *t)
{
    struct survey *survey = v->survey ? v->survey : survey_create();
    struct lane_points *lane = v->lane.points ? v->lane.points : lane_points_create();
    if (survey && lane) /* no memory: the last frame stays */
        draw_with(c, v, t, survey, lane);
    if (!v->survey)
        survey_destroy(survey);
    if (!v->lane.points)
        lane_points_destroy(lane);
}
