/* The list of tracks with the mixer, at the roll's left. A narrow list leaves out
 * columns in this order: effects, number of notes, level, volume and pan, channel,
 * instrument. */
#include "midi/edit/held.h"
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

#include "tui/base/text.h"

#include <stdio.h>

enum {
    NUMBER = 5, /* columns with their gap, as all below */
    COLOUR = 3,
    LEAST_NAME = 10,
    INSTRUMENT = 24,
    CHANNEL = 4,
    NOTES = 8,
    MARKS = 2 * TRACK_MARKS + 1,
    LEVEL = 4,
    KNOB = 5,
};

struct track_columns track_columns_of(const struct list_box *b)
{
    /* As long as a name still fits, a wider list adds these in their order. */
    enum { PROGRAM, PORT, MIX, METER, COUNT, EFFECTS, N };
    static const int WIDTHS[N] = {INSTRUMENT, CHANNEL, 2 * KNOB,
                                  LEVEL,      NOTES,   2 * KNOB};
    int room = b->frame.columns - 2 * LIST_MARGIN - NUMBER - COLOUR - MARKS;
    int has[N] = {0};
    for (int i = 0; i < N && room >= LEAST_NAME + WIDTHS[i]; i++) {
        has[i] = WIDTHS[i];
        room -= WIDTHS[i];
    }
    struct track_columns t = {.number = b->frame.column + LIST_MARGIN};
    t.colour = t.number + NUMBER;
    t.name = t.colour + COLOUR;
    t.n_name = room - 1;
    int at = t.name + room;
    t.instrument = has[PROGRAM] ? at : 0;
    t.channel = has[PORT] ? at + has[PROGRAM] : 0;
    at += has[PROGRAM] + has[PORT];
    t.knobs = has[MIX] ? at : 0;
    t.n_knobs = (has[MIX] + has[EFFECTS]) / KNOB;
    at += has[MIX] + has[EFFECTS];
    t.notes = has[COUNT] ? at : 0;
    t.marks = at + has[COUNT];
    t.level = has[METER] ? t.marks + MARKS : 0;
    return t;
}

enum track_mark track_mark_at(const struct track_columns *t, int column)
{
    int into = column - t->marks;
    return into >= 0 && into < 2 * TRACK_MARKS && into % 2 == 0
               ? (enum track_mark)(into / 2)
               : TRACK_MARKS;
}

enum mix_knob track_knob_at(const struct track_columns *t, int column)
{
    int into = column - t->knobs;
    return t->n_knobs && into >= 0 && into < t->n_knobs * KNOB
               ? (enum mix_knob)(into / KNOB)
               : MIX_KNOBS;
}

void paint_track_row(const struct paint *p, const struct list_row *r, int track)
{
    char text[32];
    const struct track_columns at = track_columns_of(r->box);
    const struct track *t = &p->v->score->tracks[track];
    uint32_t ink = paint_is_heard(p, track) ? r->ink : r->quiet;
    /* The program in force at the track's first note. Tracks that share a channel may have
     * different programs of their own. */
    struct control_point program = {0, t->program};
    int n_sharing = 0;
    for (int k = 0; k < (int)p->v->score->n_tracks; k++)
        n_sharing += score_channel(p->v->score, k) == score_channel(p->v->score, track);
    if (n_sharing > 1)
        held_programs(p->v->score, track, &program, 1);
    snprintf(text, sizeof text, "%4d", track + 1);
    list_write(p, r, at.number, NUMBER, text, r->quiet, 0);
    /* The swatch has the panel's ground in every row, since the accent would hide
     * it. */
    cells_fill(p->c, (struct region){at.colour, r->row, COLOUR - 1, 1}, 0x25A0,
               theme_track(p->t, paint_colour_index(p, track)), p->t->panel);
    list_write(p, r, at.name, at.n_name, t->name, ink, 0);
    list_write(p, r, at.instrument, INSTRUMENT - 1,
               program_name(track_sound_channel(t), program.value), ink, 0);
    snprintf(text, sizeof text, "%2d", (t->channel & 15) + 1);
    list_write(p, r, at.channel, CHANNEL, text, r->ink, 0);
    snprintf(text, sizeof text, "%6zu", t->n_notes);
    list_write(p, r, at.notes, NOTES, text, r->quiet, 0);
    for (int k = 0; k < at.n_knobs; k++) {
        int column = at.knobs + k * KNOB;
        snprintf(text, sizeof text, "%4d",
                 mix_value(p->v->score, track, (enum mix_knob)k));
        list_write(p, r, column, KNOB, text, r->ink, 0);
        /* An underline is visible in the chosen row, too, where all colours are one. */
        const bool is_turned = r->is_chosen && k == (int)p->v->tracks.knob;
        for (int i = 0; is_turned && i < KNOB; i++) {
            struct cell *cell = cells_at(p->c, column + i, r->row);
            if (cell && cell->glyph != ' ')
                cell->attr |= ATTR_UNDERLINE | ATTR_BOLD;
        }
    }
    const bool is_on[TRACK_MARKS] = {t->mute, t->solo, t->arm, t->hide};
    static const char *const LETTERS[TRACK_MARKS] = {"M", "S", "●", "h"};
    uint32_t armed = r->is_chosen ? r->ink : p->t->error;
    for (int i = 0; i < TRACK_MARKS; i++)
        list_write(p, r, at.marks + 2 * i, 1, is_on[i] ? LETTERS[i] : "·",
                   !is_on[i]        ? r->faint
                   : i == TRACK_ARM ? armed
                                    : r->accent,
                   is_on[i] ? ATTR_BOLD : 0);
    /* The loudest velocity that sounds at the playhead. */
    const int64_t now = (int64_t)p->v->transport.tick;
    const bool sounds = p->v->transport.is_playing && paint_is_heard(p, track);
    struct survey_walk w = {p->survey, p->v->score, track, now, now + 1, 0};
    int loudest = 0;
    for (const struct note *n; sounds && at.level && (n = survey_walk(&w));)
        if (n->start + n->length > now)
            loudest = MAX(loudest, n->velocity);
    const int lit = (loudest * (LEVEL - 1) + 126) / 127;
    for (int i = 0; i < lit; i++)
        list_write(p, r, at.level + i, 1, "▮", r->is_chosen ? r->ink : p->t->playhead,
                   0);
}

void paint_track_heading(const struct paint *p, const struct list_row *r)
{
    const struct track_columns at = track_columns_of(r->box);
    list_write(p, r, at.name, at.n_name, "name", r->quiet, 0);
    list_write(p, r, at.instrument, INSTRUMENT - 1, "instrument", r->quiet, 0);
    list_write(p, r, at.channel, CHANNEL, "ch", r->quiet, 0);
    /* The selected column stands out. */
    static const char *const WORDS[MIX_KNOBS] = {" vol", " pan", " rev", " cho"};
    for (int k = 0; k < at.n_knobs; k++) {
        bool is_turned = k == (int)p->v->tracks.knob;
        list_write(p, r, at.knobs + k * KNOB, KNOB, WORDS[k],
                   is_turned ? r->accent : r->quiet, is_turned ? ATTR_BOLD : 0);
    }
    list_write(p, r, at.notes, NOTES, " notes", r->quiet, 0);
    list_write(p, r, at.marks, MARKS, "M S a h", r->quiet, 0);
}

/* -- the line of tracks at the foot: number, name, instrument and marks of each; names only if
 * not all fit -- */

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
        const uint32_t ink = solid ? theme_ink_on(p->t, colour)
                                   : theme_legible(p->t, colour, p->t->panel);
        column += 1 + cells_text(p->c, column, r->row, p->l.columns - column - 1, label,
                                 ink, solid ? colour : COLOUR_KEEP, attr);
    }
}
