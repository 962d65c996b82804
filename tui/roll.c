/* The roll's ground and notes.
 *
 * Time is drawn in half cells: a cell whose halves differ is a half block in two
 * colours, so a note shorter than a cell still has its place. Without colour,
 * fills tell things apart: solid for the edited track, shaded for others. */
#include "tui/paint.h"
#include "tui/text.h"

enum {
    FULL = 0x2588,
    LEFT_HALF = 0x258C,
    RIGHT_HALF = 0x2590,
    LEFT_EDGE = 0x258F,
    MIDDLE_LINE = 0x2502,
    DASHES = 0x254C,
    DASHES_BEGIN = 0x251C,
    LIGHT_SHADE = 0x2591,
    MEDIUM_SHADE = 0x2592,
    DARK_SHADE = 0x2593,
};

#define KEPT_MARK "*"

/* A stretch of half columns [from, to) of one pitch, clipped to the roll. */
struct span {
    int from, to;
    int row; /* of the pitch's first line; may be above the roll */
    bool cut_left;
};

static void ground_column(const struct paint *p, int column)
{
    const struct region *r = &p->l.roll;
    int64_t bar;
    enum mark mark = paint_mark_at(p, column, &bar);
    uint32_t line = mark == MARK_BAR ? p->t->line_bar : p->t->line_beat;
    for (int row = r->row; row < r->row + r->rows; row++) {
        int pitch = p->port.top_pitch - (row - r->row) / p->port.rows_per_pitch;
        bool black = pitch >= 0 && pitch_is_black(pitch);
        uint32_t glyph = mark == MARK_NONE ? ' ' : LEFT_EDGE;
        /* Where the rows have no shade of their own, the beats draw it. */
        if (mark == MARK_BEAT && !theme_paints(p->t))
            glyph = black ? 0xB7 : ' ';
        uint32_t ground = pitch < 0 ? p->t->panel
                          : black   ? p->t->row_black
                                    : p->t->row_white;
        cells_put(p->c, column, row, pitch < 0 ? ' ' : glyph, line, ground, 0);
    }
}

void paint_ground(const struct paint *p)
{
    const struct region *r = &p->l.roll;
    for (int column = r->column; column < r->column + r->columns; column++)
        ground_column(p, column);
}

/* The half column a tick lies in, clamped to just outside the roll. */
static int half_column(const struct paint *p, int64_t tick)
{
    int64_t zoom = p->port.ticks_per_column, span = zoom * p->l.roll.columns;
    int64_t offset = tick - p->port.left_tick;
    if (offset < 0)
        return -1;
    if (offset >= span)
        return 2 * p->l.roll.columns;
    return (int)(2 * (offset / zoom)) + (2 * (offset % zoom) >= zoom);
}

static bool span_of(const struct paint *p, const struct note *n, struct span *out)
{
    const struct region *r = &p->l.roll;
    out->row = layout_row(&p->l, &p->port, n->pitch);
    if (out->row <= r->row - p->port.rows_per_pitch || out->row >= r->row + r->rows)
        return false;
    int64_t end = n->length < INT64_MAX - n->start ? n->start + n->length : INT64_MAX;
    out->from = half_column(p, n->start);
    out->to = half_column(p, end);
    if (out->to <= out->from)
        out->to = out->from + 1; /* too short to see is shown all the same */
    out->cut_left = out->from < 0;
    out->from = out->from < 0 ? 0 : out->from;
    out->to = out->to > 2 * r->columns ? 2 * r->columns : out->to;
    return out->from < out->to;
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

/* The row of a span that carries its name, or -1 when that is off the roll. */
static int label_row(const struct paint *p, const struct span *s)
{
    int row = s->row + (p->port.rows_per_pitch == 3 ? 1 : 0);
    return row >= p->l.roll.row && row < p->l.roll.row + p->l.roll.rows ? row : -1;
}

/* Writes a name on whole cells of the span; false when there is no room. */
static bool label(const struct paint *p, const struct span *s, const char *name,
                  uint32_t ink, int attr)
{
    int first = (s->from + 1) / 2, columns = text_columns(name), row = label_row(p, s);
    if (s->to / 2 - first < columns || row < 0)
        return false;
    cells_text(p->c, p->l.roll.column + first, row, columns, name, ink, COLOUR_KEEP,
               attr);
    return true;
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

/* What a pass over one track remembers of each pitch. */
struct pass {
    int track;
    enum presence presence;
    struct span last[128]; /* where its last note was drawn; to == 0: nowhere yet */
    bool odd[128];         /* its last note was drawn in the second shade */
};

static struct look look_of(const struct paint *p, const struct pass *pass,
                           const struct note *n, bool selected)
{
    struct look look = {.colour = selected ? p->t->selected
                                           : theme_note(p->t, pass->track, n->velocity,
                                                        pass->presence)};
    if (selected)
        look.fill = DARK_SHADE;
    else if (pass->presence != PRESENCE_ACTIVE)
        look.fill = pass->presence == PRESENCE_MUTED ? 0xB7 : MEDIUM_SHADE;
    return look;
}

/* What a note is called on the roll, or "". */
static const char *note_name(const struct paint *p, const struct pass *pass,
                             const struct note *n, char name[PITCH_NAME_BYTES])
{
    if (pass->track == p->v->track)
        return pitch_name(n->pitch, p->sharps, name);
    /* Few colours or none: the track's number tells whose it is. */
    name[0] = theme_paints(p->t) || pass->track > 8 ? '\0' : (char)('1' + pass->track);
    name[1] = '\0';
    return name;
}

static bool name_note(const struct paint *p, const struct pass *pass,
                      const struct note *n, const struct span *s,
                      const struct look *look, bool selected)
{
    char buf[PITCH_NAME_BYTES];
    const char *name = note_name(p, pass, n, buf);
    int attr = selected ? ATTR_BOLD : 0;
    if (p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    return *name && label(p, s, name, theme_ink_on(p->t, look->colour), attr);
}

/* A note that goes when the take is accepted: no more than a dashed line. */
static void paint_replaced(const struct paint *p, const struct pass *pass,
                           const struct note *n, struct span s)
{
    char name[PITCH_NAME_BYTES];
    int row = label_row(p, &s), first = s.from / 2;
    uint32_t ink = theme_mix(theme_track(p->t, pass->track), p->t->row_white,
                             pass->track == p->v->track ? 0.25 : 0.35);
    if (row < 0)
        return;
    for (int column = first; column < (s.to + 1) / 2; column++)
        cells_put(p->c, p->l.roll.column + column, row,
                  column == first && !s.cut_left ? DASHES_BEGIN : DASHES, ink,
                  COLOUR_KEEP, 0);
    s.from = 2 * first;
    s.to += s.to % 2;
    label(p, &s, note_name(p, pass, n, name), p->t->quiet, 0);
}

static void paint_note(const struct paint *p, struct pass *pass, const struct note *n)
{
    struct span span, *last = &pass->last[n->pitch & 127];
    if (n->pitch > 127 || !span_of(p, n, &span))
        return;
    if (has_id(p->v->replaced, p->v->n_replaced, n->id)) {
        paint_replaced(p, pass, n, span);
        return;
    }
    bool touches = last->to > 0 && last->to >= span.from;
    bool selected =
        pass->track == p->v->track && has_id(p->v->selected, p->v->n_selected, n->id);
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
        edge(p, &span, look.colour, named ? label_row(p, &span) : -1);
    *last = span;
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
         i = survey_next_note(p->survey, s, track, i + 1, left))
        paint_note(p, &pass, &t->notes[i]);
}

void paint_notes(const struct paint *p)
{
    const struct score *s = p->v->score;
    for (int track = 0; track < (int)s->n_tracks; track++)
        if (track != p->v->track && !s->tracks[track].hide)
            paint_one_track(p, track);
    if (paint_track(p))
        paint_one_track(p, p->v->track);
}

/* Hatched; on request the denser, the surer the model was, in steps that dots and
 * shades tell apart where colour cannot. */
static struct look ghost_look(const struct paint *p, const struct ghost *g)
{
    static const uint32_t DENSITY[] = {0xB7, LIGHT_SHADE, MEDIUM_SHADE, DARK_SHADE};
    struct look look = {theme_track(p->t, g->track), MEDIUM_SHADE};
    if (!p->v->shade_by_probability || !(g->probability >= 0))
        return look;
    int step = g->probability >= 0.75f   ? 3
               : g->probability >= 0.5f  ? 2
               : g->probability >= 0.25f ? 1
                                         : 0;
    look.fill = DENSITY[step];
    if (!theme_paints(p->t))
        return look;
    double unsure = 1 - (double)g->probability;
    look.colour = theme_mix(look.colour, p->t->row_white, 0.6 * unsure);
    look.fill = step < 2 ? LIGHT_SHADE : look.fill;
    return look;
}

/* One that is kept has its name in a box, or a mark where that has no room. */
static void name_ghost(const struct paint *p, const struct ghost *g,
                       const struct span *s)
{
    char name[PITCH_NAME_BYTES];
    pitch_name(g->note.pitch, p->sharps, name);
    if (!g->is_kept) {
        label(p, s, name, p->t->accent, ATTR_BOLD);
        return;
    }
    int row = label_row(p, s), room = s->to / 2 - s->from / 2;
    if (row >= 0)
        cells_text(p->c, p->l.roll.column + s->from / 2, row, room > 0 ? room : 1,
                   text_columns(name) <= room ? name : KEPT_MARK, p->t->on_accent,
                   p->t->accent,
                   ATTR_BOLD | (p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0));
}

static void paint_ghost(const struct paint *p, const struct ghost *g)
{
    struct span s;
    if (g->note.pitch > 127 || !span_of(p, &g->note, &s))
        return;
    struct look look = ghost_look(p, g);
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        for (int column = s.from / 2; column < (s.to + 1) / 2; column++)
            if (region_has(&p->l.roll, p->l.roll.column + column, s.row + i))
                cells_put(p->c, p->l.roll.column + column, s.row + i, look.fill,
                          look.colour, COLOUR_KEEP, 0);
    s.from -= s.from % 2;
    name_ghost(p, g, &s);
}

void paint_ghosts(const struct paint *p)
{
    int64_t right = p->port.left_tick + p->port.ticks_per_column * p->l.roll.columns;
    for (size_t i = 0; i < p->v->n_ghosts; i++) {
        const struct note *n = &p->v->ghosts[i].note;
        bool over =
            n->start < p->port.left_tick && n->length <= p->port.left_tick - n->start;
        if (n->start < right && !over)
            paint_ghost(p, &p->v->ghosts[i]);
    }
}
