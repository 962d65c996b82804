/* The line of tracks: number, name, instrument and marks of each; names only if not all
 * fit. */
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <stdio.h>

enum { LABEL_BYTES = 160, LEAST_ROOM = 4 };

static void write_label(const struct score *s, int track, bool is_wide,
                        char buf[LABEL_BYTES])
{
    char marks[16];
    const struct track *t = &s->tracks[track];
    const char *instrument = program_name(track_sound_channel(t), t->program);
    bool both = is_wide && *t->name;
    snprintf(marks, sizeof marks, "%s%s%s%s", t->mute ? "M" : "", t->solo ? "S" : "",
             t->arm ? "●" : "", t->hide ? "h" : "");
    snprintf(buf, LABEL_BYTES, " %d %s%s%s%s%s ", track + 1,
             *t->name ? t->name : instrument, both ? " ▸ " : "", both ? instrument : "",
             *marks ? " " : "", marks);
}

/* Whether all tracks fit with their instruments. */
static bool is_wide(const struct layout *l, const struct score *s)
{
    char label[LABEL_BYTES];
    int columns = 1;
    for (int i = 0; i < (int)s->n_tracks && columns <= l->tracks.columns; i++) {
        write_label(s, i, true, label);
        columns += text_columns(label) + 1;
    }
    return columns <= l->tracks.columns;
}

/* With many tracks the line starts before the edited one. */
static int first_shown(int active)
{
    return active > 4 ? active - 4 : 0;
}

int track_line_at(const struct layout *l, const struct score *s, int active, int column)
{
    char label[LABEL_BYTES];
    bool wide = is_wide(l, s);
    int at = 1;
    for (int i = first_shown(active);
         i < (int)s->n_tracks && at < l->tracks.columns - LEAST_ROOM; i++) {
        write_label(s, i, wide, label);
        int end = at + text_columns(label);
        if (column >= at && column < end)
            return i;
        at = end + 1;
    }
    return -1;
}

void paint_tracks(const struct paint *p)
{
    char label[LABEL_BYTES];
    const struct region *r = &p->l.tracks;
    if (r->rows == 0)
        return;
    cells_fill(p->c, *r, ' ', p->t->quiet, p->t->panel);
    bool wide = is_wide(&p->l, p->v->score);
    int column = 1, n = (int)p->v->score->n_tracks;
    for (int track = first_shown(p->v->track);
         track < n && column < r->columns - LEAST_ROOM; track++) {
        write_label(p->v->score, track, wide, label);
        bool active = track == p->v->track, mono = p->t->depth == DEPTH_MONO;
        uint32_t colour = theme_track(p->t, paint_colour_index(p, track));
        if (!paint_is_heard(p, track))
            colour = theme_mix(colour, p->t->panel, 0.6);
        bool solid = active && !mono;
        int attr = (active ? ATTR_BOLD : 0) | (active && mono ? ATTR_REVERSE : 0);
        column +=
            (cells_text(p->c, column, p->l.tracks.row, p->l.columns - column - 1, label,
                        solid ? theme_ink_on(p->t, colour)
                              : theme_legible(p->t, colour, p->t->panel),
                        solid ? colour : COLOUR_KEEP, attr)) +
            1;
    }
}
