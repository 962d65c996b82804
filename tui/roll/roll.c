/* The roll's ground and the notes of the score.
 *
 * Time is drawn in half cells: a half block in two colours shows two halves, so a note
 * shorter than a cell has its place. Without colour, glyphs tell notes apart: solid for
 * the edited track, shaded for others. */
#include "tui/paint/inspect_paint.h"
#include "tui/roll/roll.h"

#include <stdio.h>

enum {
    LEFT_EDGE = 0x258F,
    MIDDLE_LINE = 0x2502,
    DASHES = 0x254C,
    DASHES_BEGIN = 0x251C,
    MEDIUM_SHADE = 0x2592,
    DARK_SHADE = 0x2593,
};

void paint_ground(const struct paint *p)
{
    const struct region *r = &p->l.roll;
    enum mark marks[CELLS_MAX] = {MARK_NONE};
    int64_t bar;
    for (int i = 0; i < r->columns; i++)
        marks[i] = paint_mark_at(p, r->column + i, &bar);
    for (int row = r->row; row < r->row + r->rows; row++) {
        const int pitch = p->pitches[row];
        const struct region here = {r->column, row, r->columns, 1};
        const bool is_black = pitch >= 0 && paint_is_shaded(p, pitch);
        /* Rows of the tonic are a little brighter than others in the scale. */
        const bool is_tonic = p->v->scale.pitches && pitch % 12 == p->v->scale.tonic;
        const uint32_t ground = pitch < 0  ? p->t->panel
                                : is_black ? p->t->row_black
                                : is_tonic
                                    ? theme_mix(p->t->row_white, p->t->line_bar, 0.25)
                                    : p->t->row_white;
        cells_fill(p->c, here, ' ', p->t->line_beat, ground);
        /* If rows have no shade of their own, dots on the beats show it. */
        const uint32_t beat = theme_paints(p->t) ? LEFT_EDGE : is_black ? 0xB7 : ' ';
        for (int i = 0; i < r->columns && pitch >= 0; i++)
            if (marks[i] != MARK_NONE)
                paint_put(p, r->column + i, row,
                          marks[i] == MARK_BAR ? LEFT_EDGE : beat,
                          marks[i] == MARK_BAR ? p->t->line_bar : p->t->line_beat, 0);
    }
}

/* What was painted last at each pitch of one track. */
struct pass {
    int track;
    enum presence presence;
    /* In ticks: a note that begins before `begun` and ends by `over` covers the same
     * half cells as the last one painted. */
    int64_t begun[128], over[128];
    struct span last[128]; /* its last note; to == 0: none yet */
    bool odd[128];         /* its last note has the second shade */
};

/* The tick at which a half cell begins, counted from the roll's left edge. With an odd
 * number of ticks in a cell the first half is longer (tui/roll/span.c). */
static int64_t half_tick(const struct paint *p, int half)
{
    int64_t zoom = p->port.ticks_per_column;
    return p->port.left_tick + half / 2 * zoom + (half % 2 ? (zoom + 1) / 2 : 0);
}

/* The note's label on the roll, or "": a kit's rows have names. */
static const char *note_name(const struct paint *p, const struct pass *pass,
                             const struct note *n, char name[PITCH_NAME_BYTES])
{
    if (pass->track == p->v->track)
        return p->v->kit.is_shown ? "" : pitch_name(n->pitch, p->sharps, name);
    /* Other tracks show their number, so that colour is not needed. */
    snprintf(name, PITCH_NAME_BYTES, "%d", pass->track + 1);
    return name;
}

static void paint_note(const struct paint *p, struct pass *pass, const struct note *n)
{
    struct span span, *last = &pass->last[n->pitch & 127];
    if (!span_of(p, n, &span))
        return;
    char buf[PITCH_NAME_BYTES];
    /* A note that the shown take replaces is a dashed line. */
    if (paint_is_replaced(p, n->id)) {
        const int row = span_label_row(p, &span), first = span.from / 2;
        const uint32_t own = theme_track(p->t, paint_colour_index(p, pass->track)),
                       ink = theme_mix(own, p->t->row_white,
                                       pass->track == p->v->track ? 0.25 : 0.35);
        for (int column = first; row >= 0 && column < (span.to + 1) / 2; column++)
            paint_put(p, p->l.roll.column + column, row,
                      column == first && !span.cut_left ? DASHES_BEGIN : DASHES, ink,
                      0);
        span.from = 2 * first;
        span.to += span.to % 2;
        span_label(p, &span, note_name(p, pass, n, buf), p->t->quiet, 0);
        return;
    }
    const bool touches = last->to > 0 && last->to >= span.from;
    const bool is_selected = paint_is_selected(p, n->id);
    if (touches && last->from == span.from && last->to >= span.to && !is_selected)
        return; /* adds nothing: zoomed far out */
    uint32_t colour = is_selected ? p->t->selected
                                  : theme_note(p->t, paint_colour_index(p, pass->track),
                                               n->velocity, pass->presence);
    /* Without colour: a glyph for whole cells, or 0 for solid halves. */
    uint32_t fill = is_selected                         ? DARK_SHADE
                    : pass->presence == PRESENCE_ACTIVE ? 0
                    : pass->presence == PRESENCE_MUTED  ? 0xB7
                                                        : MEDIUM_SHADE;
    if (p->v->inspect) { /* the inspector paints its notes later */
        colour = inspect_grey(p);
        fill = INSPECT_GREY_FILL;
    }
    /* Half a cell has no room for an edge, so such notes alternate in shade. */
    const bool tiny = span.to - span.from == 1;
    bool *odd = &pass->odd[n->pitch];
    *odd = tiny && touches && !*odd;
    if (*odd && theme_paints(p->t))
        colour = theme_mix(colour, p->t->row_black, 0.35);
    span_fill(p, &span, colour, fill);
    const char *name = p->v->inspect ? "" : note_name(p, pass, n, buf);
    const bool is_mono = p->t->depth == DEPTH_MONO;
    const int attr = (is_selected ? ATTR_BOLD : 0) | (is_mono ? ATTR_REVERSE : 0);
    const bool is_named =
        *name && span_label(p, &span, name, theme_ink_on(p->t, colour), attr);
    /* A thin line where a note begins right after one of the same pitch, except in the row that has
     * the name. Two colours in one cell tell two notes apart already. */
    const bool has_edge = !tiny && touches && !span.cut_left;
    const int column = p->l.roll.column + span.from / 2,
              except = is_named ? span_label_row(p, &span) : -1;
    const uint32_t ink = theme_paints(p->t) ? theme_mix(colour, p->t->row_black, 0.7)
                                            : theme_ink_on(p->t, colour);
    for (int row = span.row; has_edge && row < span.row + p->port.rows_per_pitch; row++)
        if (region_has(&p->l.roll, column, row) && row != except &&
            (is_mono || cells_at(p->c, column, row)->bg == colour))
            paint_put(p, column, row, span.from % 2 ? MIDDLE_LINE : LEFT_EDGE, ink,
                      is_mono ? ATTR_REVERSE : 0);
    *last = span;
    pass->begun[n->pitch] = half_tick(p, span.from + 1);
    pass->over[n->pitch] = half_tick(p, span.to);
}

static void paint_one_track(const struct paint *p, int track)
{
    struct survey_walk w = {p->survey,         p->v->score,         track,
                            p->port.left_tick, paint_right_tick(p), 0};
    struct pass pass = {.track = track};
    pass.presence = !paint_is_heard(p, track) ? PRESENCE_MUTED
                    : track == p->v->track    ? PRESENCE_ACTIVE
                                              : PRESENCE_OTHER;
    for (const struct note *n; (n = survey_walk(&w));) {
        /* Zoomed far out, thousands of notes share the same half cells. Two comparisons tell for
         * nearly all that they add nothing. */
        const int pitch = n->pitch & 127;
        if (n->start >= pass.begun[pitch] || n->length >= pass.over[pitch] - n->start ||
            paint_is_selected(p, n->id) || paint_is_replaced(p, n->id))
            paint_note(p, &pass, n);
    }
}

void paint_notes(const struct paint *p)
{
    const struct score *s = p->v->score;
    for (int track = 0; track < (int)s->n_tracks && !p->v->tracks.hide_others; track++)
        if (track != p->v->track && !s->tracks[track].hide &&
            paint_has_rows_for(p, track))
            paint_one_track(p, track);
    if (paint_track(p))
        paint_one_track(p, p->v->track);
}
