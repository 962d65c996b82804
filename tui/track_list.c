/* The list of tracks, at the roll's left. A narrow one leaves out, in this order, how
 * loud a track is, its number of notes, its channel and its instrument. */
#include "tui/track_list.h"

#include "tui/paint.h"
#include "tui/text.h"

#include <stdio.h>

enum {
    MOST_COLUMNS = 90,
    MARGIN = 2,  /* from the frame to the text, the border among it */
    BORDERS = 3, /* rows that are no tracks: two of the frame, one of headings */
    NUMBER = 5,  /* columns, as all below, with a gap */
    COLOUR = 3,
    LEAST_NAME = 10,
    INSTRUMENT = 24,
    CHANNEL = 4,
    NOTES = 8,
    MARKS = 2 * TRACK_MARKS + 1,
    LEVEL = 4,
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Gives a column its place when there is room for it beside a name. */
static int take(int *room, int columns)
{
    if (*room < LEAST_NAME + columns)
        return 0;
    *room -= columns;
    return columns;
}

static void place_columns(struct track_list *t)
{
    int room = t->frame.columns - 2 * MARGIN - NUMBER - COLOUR - MARKS;
    int instrument = take(&room, INSTRUMENT);
    int channel = instrument ? take(&room, CHANNEL) : 0;
    int notes = channel ? take(&room, NOTES) : 0,
        level = notes ? take(&room, LEVEL) : 0;
    t->number = t->frame.column + MARGIN;
    t->colour = t->number + NUMBER;
    t->name = t->colour + COLOUR;
    t->n_name = room - 1;
    int at = t->name + room;
    t->instrument = instrument ? at : 0;
    t->channel = channel ? (at += instrument) : 0;
    t->notes = notes ? (at += channel) : 0;
    at += notes ? notes : channel ? channel : instrument;
    t->marks = at;
    t->level = level ? at + MARKS : 0;
}

struct track_list track_list_for(const struct layout *l, int n_tracks, int first)
{
    struct track_list t = {0};
    int room = l->roll.rows - BORDERS;
    if (l->too_small || room < 1)
        return t;
    t.n_shown = least(n_tracks, room);
    t.first = least(first, n_tracks - t.n_shown);
    t.first = t.first > 0 ? t.first : 0;
    t.frame = (struct region){l->roll.column, l->roll.row,
                              least(l->roll.columns, MOST_COLUMNS),
                              (t.n_shown > 0 ? t.n_shown : 1) + BORDERS};
    t.frame.rows = least(t.frame.rows, l->roll.rows);
    t.top = t.frame.row + 2;
    place_columns(&t);
    return t;
}

int track_list_reveal(const struct layout *l, int n_tracks, int first, int track)
{
    struct track_list t = track_list_for(l, n_tracks, first);
    if (track < 0 || track >= n_tracks)
        return t.first;
    if (track < t.first)
        return track;
    return track >= t.first + t.n_shown ? track - t.n_shown + 1 : t.first;
}

int track_list_at(const struct track_list *t, int column, int row)
{
    struct region rows = {t->frame.column + 1, t->top, t->frame.columns - 2,
                          t->n_shown};
    return region_has(&rows, column, row) ? t->first + row - t->top : -1;
}

enum track_mark track_list_mark_at(const struct track_list *t, int column)
{
    int into = column - t->marks;
    return into >= 0 && into < 2 * TRACK_MARKS && into % 2 == 0
               ? (enum track_mark)(into / 2)
               : TRACK_MARKS;
}

/* -- drawing -- */

static void frame_row(const struct paint *p, const struct region *f, int row,
                      uint32_t left, uint32_t between, uint32_t right)
{
    int last = f->column + f->columns - 1;
    for (int column = f->column; column <= last; column++) {
        uint32_t glyph = column == f->column ? left : column == last ? right : between;
        cells_put(p->c, column, row, glyph, p->t->quiet, p->t->panel, 0);
    }
}

static void write_at(const struct paint *p, int column, int row, int room,
                     const char *text, uint32_t ink, int attr)
{
    if (column > 0)
        cells_text(p->c, column, row, room, text, ink, COLOUR_KEEP, attr);
}

static void paint_frame(const struct paint *p, const struct track_list *t)
{
    const struct region *f = &t->frame;
    int bottom = f->row + f->rows - 1, row = f->row + 1;
    frame_row(p, f, f->row, 0x250C, 0x2500, 0x2510);
    for (int i = row; i < bottom; i++)
        frame_row(p, f, i, 0x2502, ' ', 0x2502);
    frame_row(p, f, bottom, 0x2514, 0x2500, 0x2518);
    write_at(p, f->column + MARGIN, f->row, f->columns, " tracks ", p->t->accent,
             ATTR_BOLD);
    write_at(p, t->name, row, t->n_name, "name", p->t->quiet, 0);
    write_at(p, t->instrument, row, INSTRUMENT - 1, "instrument", p->t->quiet, 0);
    write_at(p, t->channel, row, CHANNEL, "ch", p->t->quiet, 0);
    write_at(p, t->notes, row, NOTES, " notes", p->t->quiet, 0);
    write_at(p, t->marks, row, MARKS, "M S a h", p->t->quiet, 0);
}

/* Where there are tracks out of sight. */
static void paint_more(const struct paint *p, const struct track_list *t)
{
    int column = t->frame.column + t->frame.columns - MARGIN - 1;
    if (t->first > 0)
        cells_put(p->c, column, t->frame.row, 0x2191, p->t->accent, COLOUR_KEEP, 0);
    if (t->first + t->n_shown < (int)p->v->score->n_tracks)
        cells_put(p->c, column, t->frame.row + t->frame.rows - 1, 0x2193, p->t->accent,
                  COLOUR_KEEP, 0);
}

/* The loudest velocity that sounds at the playhead, 0..127. */
static int level_of(const struct paint *p, int track)
{
    const struct track *t = &p->v->score->tracks[track];
    int64_t now = (int64_t)p->v->playhead_tick;
    int loudest = 0;
    if (!p->v->playing || !paint_is_heard(p, track))
        return 0;
    for (size_t i = survey_next_note(p->survey, p->v->score, track, 0, now);
         i < t->n_notes && t->notes[i].start <= now;
         i = survey_next_note(p->survey, p->v->score, track, i + 1, now))
        if (t->notes[i].start + t->notes[i].length > now &&
            t->notes[i].velocity > loudest)
            loudest = t->notes[i].velocity;
    return loudest;
}

static void paint_level(const struct paint *p, const struct track_list *t, int row,
                        int track)
{
    const int steps = LEVEL - 1;
    int lit = t->level ? (level_of(p, track) * steps + 126) / 127 : 0;
    for (int i = 0; i < lit; i++)
        cells_put(p->c, t->level + i, row, 0x25AE, p->t->playhead, COLOUR_KEEP, 0);
}

static void paint_marks(const struct paint *p, const struct track_list *list, int row,
                        const struct track *t)
{
    const bool is_on[TRACK_MARKS] = {t->mute, t->solo, t->arm, t->hide};
    static const char *const LETTERS[TRACK_MARKS] = {"M", "S", "●", "h"};
    for (int i = 0; i < TRACK_MARKS; i++)
        write_at(p, list->marks + 2 * i, row, 1, is_on[i] ? LETTERS[i] : "·",
                 !is_on[i]        ? p->t->faint
                 : i == TRACK_ARM ? p->t->error
                                  : p->t->accent,
                 is_on[i] ? ATTR_BOLD : 0);
}

static void paint_figures(const struct paint *p, const struct track_list *list, int row,
                          const struct track *t)
{
    char text[32];
    snprintf(text, sizeof text, "%2d", (t->channel & 15) + 1);
    write_at(p, list->channel, row, CHANNEL, text, p->t->text, 0);
    snprintf(text, sizeof text, "%6zu", t->n_notes);
    write_at(p, list->notes, row, NOTES, text, p->t->quiet, 0);
}

/* Between the borders: a ground of its own, or the reverse of what is there, but for the
 * track's colour. */
static void mark_chosen(const struct paint *p, const struct track_list *list, int row)
{
    const struct region *f = &list->frame;
    for (int column = f->column + 1; column < f->column + f->columns - 1; column++) {
        struct cell *cell = cells_at(p->c, column, row);
        bool is_colour = column >= list->colour && column < list->colour + COLOUR - 1;
        if (theme_paints(p->t)) {
            cell->bg = theme_mix(p->t->panel, p->t->accent, 0.2);
        } else if (!is_colour) {
            cell->fg = p->t->text;
            cell->attr |= ATTR_REVERSE;
        }
    }
}

static void paint_row(const struct paint *p, const struct track_list *list, int row,
                      int track)
{
    char number[16];
    const struct track *t = &p->v->score->tracks[track];
    uint32_t ink = paint_is_heard(p, track) ? p->t->text : p->t->quiet;
    int attr = track == p->v->track ? ATTR_BOLD : 0;
    snprintf(number, sizeof number, "%4d", track + 1);
    write_at(p, list->number, row, NUMBER, number, p->t->quiet, 0);
    write_at(p, list->colour, row, COLOUR, "■■", theme_track(p->t, paint_hue(p, track)),
             0);
    write_at(p, list->name, row, list->n_name, t->name, ink, attr);
    write_at(p, list->instrument, row, INSTRUMENT - 1,
             program_name(t->channel, t->program), ink, 0);
    paint_figures(p, list, row, t);
    paint_marks(p, list, row, t);
    paint_level(p, list, row, track);
    if (track == p->v->track)
        mark_chosen(p, list, row);
}

void paint_track_list(const struct paint *p)
{
    int n = (int)p->v->score->n_tracks;
    struct track_list list = track_list_for(&p->l, n, p->v->tracks_first);
    if (!p->v->list_tracks || !list.frame.rows)
        return;
    paint_frame(p, &list);
    paint_more(p, &list);
    if (!n)
        write_at(p, list.name, list.top, list.n_name, "none; A adds one", p->t->quiet,
                 0);
    for (int i = 0; i < list.n_shown; i++)
        paint_row(p, &list, list.top + i, list.first + i);
}
