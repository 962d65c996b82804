/* The list of tracks; the chosen track is the active one. Also a track's colour and
 * marks, which the session saves beside the file; undo leaves them alone. */
#include "app/editor/edit/tracks.h"
#include "app/editor/session/edit.h"
#include "app/editor/session/list.h"
#include "app/editor/takes/hearing.h"
#include "app/base/values.h"
#include "midi/score/band.h"
#include "midi/score/general_midi.h"
#include "tui/base/names.h"
#include "tui/panels/panels.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct track *tracks_active(struct session *s)
{
    return session_need_track(s) ? &s->project.score->tracks[s->view.track] : NULL;
}

const char *tracks_sharing(const struct session *s, char buf[64])
{
    int channel = session_track(s)->channel, n = 0;
    for (int i = 0; i < tracks_count(s); i++)
        n += s->project.score->tracks[i].channel == channel;
    buf[0] = '\0';
    if (n > 1)
        snprintf(buf, 64, ", like all %d tracks of channel %d", n, channel + 1);
    return buf;
}

void act_tracks(struct session *s)
{
    if (s->view.mode == MODE_TRACKS) {
        session_close_mode(s);
        return;
    }
    if (s->view.mode == MODE_SELECT)
        select_leave_box(s);
    session_open_mode(s, MODE_TRACKS);
    s->drag = DRAG_NONE;
}

void tracks_choose(struct session *s, int track)
{
    if (track == s->view.track)
        return;
    session_clear_selection(s);
    s->view.track = track;
    s->view.cursor.pitch = scroll_pitch_of_track(s);
    session_show_cursor(s);
}

static void fill_list(struct session *s, struct list_view *l)
{
    s->view.tracks.knob = mix_chosen(s);
    l->n = tracks_count(s);
    l->point = s->view.track;
}

/* What a click there changes; of words, only those of the track that was chosen. */
static enum command_id command_at(const struct track_columns *t, int column, bool again)
{
    static const enum command_id COMMANDS[TRACK_MARKS] = {CMD_MUTE, CMD_SOLO, CMD_ARM,
                                                          CMD_HIDE};
    enum track_mark mark = track_mark_at(t, column);
    if (mark < TRACK_MARKS)
        return COMMANDS[mark];
    if (column >= t->colour && column < t->name - 1)
        return CMD_TRACK_COLOUR;
    if (again && t->instrument && column >= t->instrument && column < t->channel - 1)
        return CMD_TRACK_INSTRUMENT;
    bool at_channel = t->channel && column >= t->channel && column < t->channel + 2;
    return again && at_channel ? CMD_TRACK_CHANNEL : CMD_NONE;
}

/* On a mixer column a press chooses it, and the wheel turns that knob. */
static bool touch(struct session *s, const struct list_box *b, int line,
                  const struct command *c)
{
    if (line < 0)
        return tracks_press_line(s, c);
    const struct track_columns at = track_columns_of(b);
    const enum mix_knob knob = track_knob_at(&at, c->column);
    const enum command_id id = command_at(&at, c->column, line == b->point);
    if (knob == MIX_KNOBS && (c->by || !id))
        return false;
    tracks_choose(s, line);
    if (knob == MIX_KNOBS)
        act_run(s, &(struct command){.id = id});
    else
        mix_touch(s, knob, -c->by);
    return true;
}

bool tracks_press_line(struct session *s, const struct command *c)
{
    if (!region_has(&s->layout.tracks, c->column, c->row))
        return false;
    int track = track_line_at(&s->layout, s->project.score, s->view.track, c->column);
    if (track >= 0)
        tracks_choose(s, track);
    return true;
}

/* Opens the command line with a likely text. */
void act_tracks_prompt(struct session *s, const struct command *c)
{
    const struct track *t = tracks_active(s);
    char line[sizeof t->name + 16];
    if (!t)
        return;
    if (c->id == CMD_TRACK_RENAME)
        snprintf(line, sizeof line, "rename %s", t->name);
    else
        strcpy(line, "instrument ");
    act_open_command_line(s, line);
}

static void set_colour(struct session *s, struct track *t, int colour)
{
    t->colour = (uint8_t)colour;
    session_say(s, "track %d is %s", s->view.track + 1,
                colour ? theme_track_name(colour - 1) : "coloured by its position");
}

void act_track_colour(struct session *s, const struct command *c)
{
    struct track *t = tracks_active(s);
    if (!t)
        return;
    int now = t->colour ? t->colour : s->view.track % TRACK_COLOURS + 1;
    set_colour(s, t,
               c->count > TRACK_COLOURS ? TRACK_COLOURS
               : c->count               ? c->count
                                        : now % TRACK_COLOURS + 1);
}

void act_colour_line(struct session *s, const char *word)
{
    int colour = 0;
    struct track *t = tracks_active(s);
    if (!t)
        return;
    while (colour < TRACK_COLOURS && strcasecmp(word, theme_track_name(colour)) != 0)
        colour++;
    if (colour < TRACK_COLOURS)
        set_colour(s, t, colour + 1);
    else if (!strcmp(word, "auto"))
        set_colour(s, t, 0);
    else if (value_count(word, 1, TRACK_COLOURS, &colour))
        set_colour(s, t, colour);
    else
        session_error(s,
                      "colour: use 1 to %d, auto, or sky blue, orange, green, purple, "
                      "yellow, vermilion, blue, grey",
                      TRACK_COLOURS);
}

/* A flag of the active track that a command flips, and the messages. */
static const struct track_switch {
    size_t at; /* in struct track, a bool */
    const char *on, *off;
    bool is_heard;
} SWITCHES[] = {
    [TRACK_MUTE] = {offsetof(struct track, mute), "muted", "heard again", true},
    [TRACK_SOLO] = {offsetof(struct track, solo), "alone", "no longer solo", true},
    [TRACK_ARM] = {offsetof(struct track, arm), "is armed for recording",
                   "is not armed", false},
};

void act_switch(struct session *s, const struct command *c)
{
    struct track *t = tracks_active(s);
    const struct track_switch *w = &SWITCHES[c->by];
    if (!t)
        return;
    bool *is_on = (bool *)((char *)t + w->at);
    *is_on = !*is_on;
    if (w->is_heard)
        hearing_changed(s);
    session_say(s, "track %d %s", s->view.track + 1, *is_on ? w->on : w->off);
}

/* The active track is always seen; so in the roll one that is hidden is left, too. */
void act_hide(struct session *s)
{
    struct track *t = tracks_active(s);
    int track = s->view.track;
    if (!t)
        return;
    t->hide = !t->hide;
    if (t->hide && s->view.mode != MODE_TRACKS) {
        int next = track;
        do
            next = (next + 1) % tracks_count(s);
        while (next != track && s->project.score->tracks[next].hide);
        tracks_choose(s, next);
    }
    session_say(s, "track %d is %s", track + 1,
                !t->hide                 ? "visible again"
                : track == s->view.track ? "hidden when another track is selected"
                                         : "hidden but still heard; B lists it");
}

void act_ghost_notes(struct session *s)
{
    act_toggle(s, &s->view.tracks.hide_others,
               "only the notes of the active track are visible",
               "the notes of other tracks are visible too");
}

/* Plays the instrument that it is named for, or else the piano; without a name it has that
 * of its instrument. Drums have their channel. */
void act_track_line(struct session *s, const char *name)
{
    struct change *change = change_create("add a track");
    struct band_part part;
    int n = tracks_count(s);
    const bool has_part =
        band_part_named(&part, name) && !score_names_voice(s->project.score, name);
    uint8_t program = has_part ? part.program : 0;
    const uint8_t channel = part.is_drums
                                ? score_drum_channel(s->project.score, &program)
                                : score_free_channel(s->project.score, 0);
    change_add_track(change, s->project.score,
                     *name ? name : program_name(channel, program), channel, program);
    if (edit_do(s, change)) {
        s->view.track = n;
        session_say(s, "track %d added", n + 1);
    }
}

void act_track_add(struct session *s)
{
    act_track_line(s, "");
}

const struct editor_part TRACKS_PART = {
    PART_STATE(track_list),
    .list = &(const struct list_owner){.id = LIST_TRACKS,
                                       .mode = MODE_TRACKS,
                                       .enter = CMD_TRACK_RENAME,
                                       .close = CMD_TRACKS,
                                       .is_ring = true,
                                       .fill = fill_list,
                                       .choose = tracks_choose,
                                       .touch = touch},
};
