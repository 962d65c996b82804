/* The roll's ground and notes.
 *
 * Time is drawn in half cells: a cell whose halves differ is a half block in two
 * colours, so a note shorter than a cell still has its place. Without colour,
 * fills tell things apart: solid for the edited track, shaded for others. */
#include "tui/paint/inspect_paint.h"
#include "tui/paint/span.h"

#include <stdio.h>

enum {
    FULL = 0x2588,
    LEFT_HALF = 0x258C,
    RIGHT_HALF = 0x2590,
    LEFT_EDGE = 0x258F,
    MIDDLE_LINE = 0x2502,
    DASHES = 0x254C,
    DASHES_BEGIN = 0x251C,
    MEDIUM_SHADE = 0x2592,
    DARK_SHADE = 0x2593,
};

/* The tonic's rows are a little brighter than the others of its scale. */
static uint32_t ground_of(const struct paint *p, int pitch)
{
    if (pitch < 0)
        return p->t->panel;
    if (paint_is_shaded(p, pitch))
        return p->t->row_black;
    bool is_tonic = p->v->scale.pitches && pitch % 12 == p->v->scale.tonic;
    return is_tonic ? theme_mix(p->t->row_white, p->t->line_bar, 0.25)
                    : p->t->row_white;
}

static void ground_column(const struct paint *p, int column)
{
    const struct region *r = &p->l.roll;
    int64_t bar;
    enum mark mark = paint_mark_at(p, column, &bar);
    uint32_t line = mark == MARK_BAR ? p->t->line_bar : p->t->line_beat;
    for (int row = r->row; row < r->row + r->rows; row++) {
        int pitch = p->pitches[row];
        uint32_t glyph = mark == MARK_NONE ? ' ' : LEFT_EDGE;
        /* Where the rows have no shade of their own, the beats draw it. */
        if (mark == MARK_BEAT && !theme_paints(p->t))
            glyph = pitch >= 0 && paint_is_shaded(p, pitch) ? 0xB7 : ' ';
        cells_put(p->c, column, row, pitch < 0 ? ' ' : glyph, line, ground_of(p, pitch),
                  0);
    }
}

void paint_ground(const struct paint *p)
{
    const struct region *r = &p->l.roll;
    for (int column = r->column; column < r->column + r->columns; column++)
        ground_column(p, column);
}

/* Colours of a cell's two halves. */
static void halves(const struct cell *cell, uint32_t half[2])
{
    half[0] = cell->glyph == LEFT_HALF ? cell->fg : cell->bg;
    half[1] = cell->glyph == RIGHT_HALF ? cell->fg : cell->bg;
}

static void paint_half(struct cells *c, int column, int row, int side, uint32_t colour)
{
    uint32_t half[2];
    halves(cells_at(c, column, row), half);
    uint32_t other = half[!side];
    if (other == colour)
        cells_put(c, column, row, ' ', colour, colour, 0);
    else
        cells_put(c, column, row, side ? RIGHT_HALF : LEFT_HALF, colour, other, 0);
}

/* Without colour a half is there or not. */
static void paint_half_mono(struct cells *c, int column, int row, int side)
{
    uint32_t glyph = cells_at(c, column, row)->glyph;
    uint32_t mine = side ? RIGHT_HALF : LEFT_HALF,
             other = side ? LEFT_HALF : RIGHT_HALF;
    cells_put(c, column, row, glyph == other || glyph == FULL ? FULL : mine,
              COLOUR_DEFAULT, COLOUR_DEFAULT, 0);
}

struct look {
    uint32_t colour;
    uint32_t fill; /* without colour: a shade for whole cells, or 0 for solid halves */
};

static void fill_row(const struct paint *p, const struct span *s, int row,
                     struct look look)
{
    int left = p->l.roll.column;
    for (int half = s->from; half < s->to; half++) {
        int column = left + half / 2;
        if (half % 2 == 0 && half + 1 < s->to && p->t->depth != DEPTH_MONO) {
            cells_put(p->c, column, row, ' ', look.colour, look.colour, 0);
            half++;
        } else if (p->t->depth != DEPTH_MONO) {
            paint_half(p->c, column, row, half % 2, look.colour);
        } else if (look.fill) {
            cells_put(p->c, column, row, look.fill, COLOUR_DEFAULT, COLOUR_DEFAULT, 0);
        } else {
            paint_half_mono(p->c, column, row, half % 2);
        }
    }
}

static void fill_span(const struct paint *p, const struct span *s, struct look look)
{
    const struct region *r = &p->l.roll;
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        if (s->row + i >= r->row && s->row + i < r->row + r->rows)
            fill_row(p, s, s->row + i, look);
}

void span_fill(const struct paint *p, const struct span *s, uint32_t colour,
               uint32_t glyph)
{
    fill_span(p, s, (struct look){colour, glyph});
}

/* A thin line where one note ends and the next of the same pitch begins, but not
 * in the row `except`, which has its name there. */
static void edge(const struct paint *p, const struct span *s, uint32_t colour,
                 int except)
{
    /* Where two notes of two colours share the cell, that tells them apart. */
    int column = p->l.roll.column + s->from / 2;
    bool mono = p->t->depth == DEPTH_MONO;
    uint32_t ink = theme_paints(p->t) ? theme_mix(colour, p->t->row_black, 0.7)
                                      : theme_ink_on(p->t, colour);
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        if (region_has(&p->l.roll, column, s->row + i) && s->row + i != except &&
            (mono || cells_at(p->c, column, s->row + i)->bg == colour))
            cells_put(p->c, column, s->row + i, s->from % 2 ? MIDDLE_LINE : LEFT_EDGE,
                      ink, COLOUR_KEEP, mono ? ATTR_REVERSE : 0);
}

/* What a pass over one track remembers of each pitch. */
struct pass {
    int track;
    enum presence presence;
    /* A note that begins before the one and ends by the other lies in the same half cells
     * as the last of its pitch: ticks. */
    int64_t begun[128], over[128];
    struct span last[128]; /* where its last note was drawn; to == 0: nowhere yet */
    bool odd[128];         /* its last note was drawn in the second shade */
};

static struct look look_of(const struct paint *p, const struct pass *pass,
                           const struct note *n, bool selected)
{
    if (p->v->inspect) /* what it is about is painted over it */
        return (struct look){inspect_grey(p), INSPECT_GREY_FILL};
    struct look look = {.colour = selected ? p->t->selected
                                           : theme_note(p->t, paint_hue(p, pass->track),
                                                        n->velocity, pass->presence)};
    if (selected)
        look.fill = DARK_SHADE;
    else if (pass->presence != PRESENCE_ACTIVE)
        look.fill = pass->presence == PRESENCE_MUTED ? 0xB7 : MEDIUM_SHADE;
    return look;
}

/* Where a half cell, counted from the roll's left edge, begins; halves are uneven where
 * a cell has an odd number of ticks (tui/paint/span.c). */
static int64_t half_tick(const struct paint *p, int half)
{
    int64_t zoom = p->port.ticks_per_column;
    return p->port.left_tick + half / 2 * zoom + (half % 2 ? (zoom + 1) / 2 : 0);
}

/* Far out, thousands of notes lie in the same half cells: nothing new is to be seen of
 * this one, as two comparisons tell. */
static bool is_covered(const struct paint *p, const struct pass *pass,
                       const struct note *n)
{
    int pitch = n->pitch & 127;
    return n->start < pass->begun[pitch] && n->length < pass->over[pitch] - n->start &&
           !paint_is_selected(p, n->id) && !paint_goes(p, n->id);
}

/* What a note is called on the roll, or "". */
static const char *note_name(const struct paint *p, const struct pass *pass,
                             const struct note *n, char name[PITCH_NAME_BYTES])
{
    if (pass->track == p->v->track)
        return pitch_name(n->pitch, p->sharps, name);
    /* Not by its colour alone: the track's number tells whose it is. */
    snprintf(name, PITCH_NAME_BYTES, "%d", pass->track + 1);
    return name;
}

static bool name_note(const struct paint *p, const struct pass *pass,
                      const struct note *n, const struct span *s,
                      const struct look *look, bool selected)
{
    char buf[PITCH_NAME_BYTES];
    if (p->v->inspect)
        return false;
    const char *name = note_name(p, pass, n, buf);
    int attr = selected ? ATTR_BOLD : 0;
    if (p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    return *name && span_label(p, s, name, theme_ink_on(p->t, look->colour), attr);
}

/* A note that goes when the take is accepted: no more than a dashed line. */
static void paint_replaced(const struct paint *p, const struct pass *pass,
                           const struct note *n, struct span s)
{
    char name[PITCH_NAME_BYTES];
    int row = span_label_row(p, &s), first = s.from / 2;
    uint32_t ink = theme_mix(theme_track(p->t, paint_hue(p, pass->track)),
                             p->t->row_white, pass->track == p->v->track ? 0.25 : 0.35);
    if (row < 0)
        return;
    for (int column = first; column < (s.to + 1) / 2; column++)
        cells_put(p->c, p->l.roll.column + column, row,
                  column == first && !s.cut_left ? DASHES_BEGIN : DASHES, ink,
                  COLOUR_KEEP, 0);
    s.from = 2 * first;
    s.to += s.to % 2;
    span_label(p, &s, note_name(p, pass, n, name), p->t->quiet, 0);
}

static void paint_note(const struct paint *p, struct pass *pass, const struct note *n)
{
    struct span span, *last = &pass->last[n->pitch & 127];
    if (n->pitch > 127 || !span_of(p, n, &span))
        return;
    if (paint_goes(p, n->id)) {
        paint_replaced(p, pass, n, span);
        return;
    }
    bool touches = last->to > 0 && last->to >= span.from;
    bool selected = paint_is_selected(p, n->id);
    if (touches && last->from == span.from && last->to >= span.to && !selected)
        return; /* nothing new to see: zoomed far out */
    struct look look = look_of(p, pass, n, selected);
    /* Half a cell has no room for an edge: notes in a row alternate. */
    bool tiny = span.to - span.from == 1;
    bool *odd = &pass->odd[n->pitch];
    *odd = tiny && touches && !*odd;
    if (*odd && theme_paints(p->t))
        look.colour = theme_mix(look.colour, p->t->row_black, 0.35);
    fill_span(p, &span, look);
    bool named = name_note(p, pass, n, &span, &look, selected);
    if (!tiny && touches && !span.cut_left)
        edge(p, &span, look.colour, named ? span_label_row(p, &span) : -1);
    *last = span;
    pass->begun[n->pitch] = half_tick(p, span.from + 1);
    pass->over[n->pitch] = half_tick(p, span.to);
}

static void paint_one_track(const struct paint *p, int track)
{
    const struct score *s = p->v->score;
    const struct track *t = &s->tracks[track];
    int64_t left = p->port.left_tick;
    int64_t right = left + p->port.ticks_per_column * p->l.roll.columns;
    struct pass pass = {.track = track};
    pass.presence = !paint_is_heard(p, track) ? PRESENCE_MUTED
                    : track == p->v->track    ? PRESENCE_ACTIVE
                                              : PRESENCE_OTHER;
    for (size_t i = survey_next_note(p->survey, s, track, 0, left);
         i < t->n_notes && t->notes[i].start < right;
         i = survey_after(p->survey, s, track, i, left))
        if (!is_covered(p, &pass, &t->notes[i]))
            paint_note(p, &pass, &t->notes[i]);
}

void paint_notes(const struct paint *p)
{
    const struct score *s = p->v->score;
    for (int track = 0; track < (int)s->n_tracks && !p->v->tracks.hide_others; track++)
        if (track != p->v->track && !s->tracks[track].hide)
            paint_one_track(p, track);
    if (paint_track(p))
        paint_one_track(p, p->v->track);
}
