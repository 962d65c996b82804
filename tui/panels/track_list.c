/* The list of tracks with the mixer, at the roll's left. A narrow list leaves out
 * columns in this order: effects, number of notes, level, volume and pan, channel,
 * instrument. */
#include "midi/edit/held.h"
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

#include <stdio.h>

enum {
    MOST_COLUMNS = 104,
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

/* Reserves columns if a name still fits. */
static int take(int *room, int columns)
{
    if (*room < LEAST_NAME + columns)
        return 0;
    *room -= columns;
    return columns;
}

struct track_list track_list_for(const struct layout *l, int n_tracks, int first)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_LEFT, .columns = MOST_COLUMNS, .above = 1};
    struct track_list t = {.box = list_box_from(l, &SHAPE, n_tracks, first)};
    if (t.box.frame.rows) {
        int room = t.box.frame.columns - 2 * LIST_MARGIN - NUMBER - COLOUR - MARKS;
        int instrument = take(&room, INSTRUMENT);
        int channel = instrument ? take(&room, CHANNEL) : 0;
        int knobs = channel ? take(&room, 2 * KNOB) : 0;
        int level = knobs ? take(&room, LEVEL) : 0;
        int notes = level ? take(&room, NOTES) : 0;
        int effects = notes ? take(&room, 2 * KNOB) : 0;
        t.number = t.box.frame.column + LIST_MARGIN;
        t.colour = t.number + NUMBER;
        t.name = t.colour + COLOUR;
        t.n_name = room - 1;
        int at = t.name + room;
        t.instrument = instrument ? at : 0;
        t.channel = channel ? at + instrument : 0;
        at += instrument + channel;
        t.knobs = knobs ? at : 0;
        t.n_knobs = (knobs + effects) / KNOB;
        at += knobs + effects;
        t.notes = notes ? at : 0;
        t.marks = at + notes;
        t.level = level ? t.marks + MARKS : 0;
    }
    return t;
}

int track_list_reveal(const struct layout *l, int n_tracks, int first, int track)
{
    const struct list_box b = track_list_for(l, n_tracks, first).box;
    if (track < 0 || track >= n_tracks)
        return b.first;
    if (track < b.first)
        return track;
    return track >= b.first + b.n_shown ? track - b.n_shown + 1 : b.first;
}

enum track_mark track_list_mark_at(const struct track_list *t, int column)
{
    int into = column - t->marks;
    return into >= 0 && into < 2 * TRACK_MARKS && into % 2 == 0
               ? (enum track_mark)(into / 2)
               : TRACK_MARKS;
}

enum mix_knob track_list_knob_at(const struct track_list *t, int column)
{
    int into = column - t->knobs;
    return t->n_knobs && into >= 0 && into < t->n_knobs * KNOB
               ? (enum mix_knob)(into / KNOB)
               : MIX_KNOBS;
}

static void paint_knobs(const struct paint *p, const struct track_list *t,
                        const struct list_row *r, int track)
{
    char text[16];
    for (int k = 0; k < t->n_knobs; k++) {
        int column = t->knobs + k * KNOB;
        snprintf(text, sizeof text, "%4d",
                 mix_value(p->v->score, track, (enum mix_knob)k));
        list_write(p, r, column, KNOB, text, r->ink, 0);
        if (r->is_chosen && k == (int)p->v->tracks.knob) {
            /* An underline is visible in the chosen row, too, where all colours are
             * one. */
            for (int i = 0; i < KNOB; i++) {
                struct cell *cell = cells_at(p->c, column + i, r->row);
                if (cell && cell->glyph != ' ')
                    cell->attr |= ATTR_UNDERLINE | ATTR_BOLD;
            }
        }
    }
}

/* The loudest velocity that sounds at the playhead, 0..127. */
static int level_of(const struct paint *p, int track)
{
    const struct track *t = &p->v->score->tracks[track];
    int64_t now = (int64_t)p->v->transport.tick;
    int loudest = 0;
    if (!p->v->transport.is_playing || !paint_is_heard(p, track))
        return 0;
    for (size_t i = survey_next_note(p->survey, p->v->score, track, 0, now);
         i < t->n_notes && t->notes[i].start <= now;
         i = survey_next_note(p->survey, p->v->score, track, i + 1, now))
        if (t->notes[i].start + t->notes[i].length > now &&
            t->notes[i].velocity > loudest)
            loudest = t->notes[i].velocity;
    return loudest;
}

static struct track_list list_of(const struct paint *p)
{
    return track_list_for(&p->l, (int)p->v->score->n_tracks, p->v->tracks.first);
}

/* At its first note. Tracks that share a channel may have been given different ones. */
static int program_heard(const struct score *s, int track)
{
    struct control_point program = {0, s->tracks[track].program};
    int n = 0;
    for (int t = 0; t < (int)s->n_tracks; t++)
        n += score_channel(s, t) == score_channel(s, track);
    if (n > 1)
        held_programs(s, track, &program, 1);
    return program.value;
}

static void paint_one(const struct paint *p, const struct list_box *b, int track)
{
    char text[32];
    const struct track_list here = list_of(p), *list = &here;
    const struct track *t = &p->v->score->tracks[track];
    struct list_row r = list_paint_item(p, b, track, track == p->v->track);
    uint32_t ink = paint_is_heard(p, track) ? r.ink : r.quiet;
    snprintf(text, sizeof text, "%4d", track + 1);
    list_write(p, &r, list->number, NUMBER, text, r.quiet, 0);
    /* On the panel's ground in every row, since the accent would hide it. */
    cells_fill(p->c, (struct region){list->colour, r.row, COLOUR - 1, 1}, 0x25A0,
               theme_track(p->t, paint_colour_index(p, track)), p->t->panel);
    list_write(p, &r, list->name, list->n_name, t->name, ink, 0);
    list_write(p, &r, list->instrument, INSTRUMENT - 1,
               program_name(track_sound_channel(t), program_heard(p->v->score, track)),
               ink, 0);
    snprintf(text, sizeof text, "%2d", (t->channel & 15) + 1);
    list_write(p, &r, list->channel, CHANNEL, text, r.ink, 0);
    snprintf(text, sizeof text, "%6zu", t->n_notes);
    list_write(p, &r, list->notes, NOTES, text, r.quiet, 0);
    paint_knobs(p, list, &r, track);
    const bool is_on[TRACK_MARKS] = {t->mute, t->solo, t->arm, t->hide};
    static const char *const LETTERS[TRACK_MARKS] = {"M", "S", "●", "h"};
    uint32_t armed = r.is_chosen ? r.ink : p->t->error;
    for (int i = 0; i < TRACK_MARKS; i++)
        list_write(p, &r, list->marks + 2 * i, 1, is_on[i] ? LETTERS[i] : "·",
                   !is_on[i]        ? r.faint
                   : i == TRACK_ARM ? armed
                                    : r.accent,
                   is_on[i] ? ATTR_BOLD : 0);
    const int steps = LEVEL - 1;
    int lit = list->level ? (level_of(p, track) * steps + 126) / 127 : 0;
    for (int i = 0; i < lit; i++)
        list_write(p, &r, list->level + i, 1, "▮", r.is_chosen ? r.ink : p->t->playhead,
                   0);
}

void paint_track_list(const struct paint *p)
{
    struct track_list list = list_of(p);
    if (!p->v->tracks.is_listed || !list.box.frame.rows)
        return;
    list_paint(p, &list.box, "tracks", "none; A adds one", paint_one);
    struct list_row r = list_plain_row(p, &list.box, list.box.frame.row + 1);
    list_write(p, &r, list.name, list.n_name, "name", r.quiet, 0);
    list_write(p, &r, list.instrument, INSTRUMENT - 1, "instrument", r.quiet, 0);
    list_write(p, &r, list.channel, CHANNEL, "ch", r.quiet, 0);
    /* The selected column stands out. */
    static const char *const WORDS[MIX_KNOBS] = {" vol", " pan", " rev", " cho"};
    for (int k = 0; k < list.n_knobs; k++) {
        bool is_turned = k == (int)p->v->tracks.knob;
        list_write(p, &r, list.knobs + k * KNOB, KNOB, WORDS[k],
                   is_turned ? r.accent : r.quiet, is_turned ? ATTR_BOLD : 0);
    }
    list_write(p, &r, list.notes, NOTES, " notes", r.quiet, 0);
    list_write(p, &r, list.marks, MARKS, "M S a h", r.quiet, 0);
}
