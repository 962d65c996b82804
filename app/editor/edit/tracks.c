/* The list of tracks; the chosen track is the active one. Also a track's colour and
 * marks, which the session saves beside the file; undo leaves them alone. */
#include "app/editor/edit/tracks.h"
#include "app/editor/session/edit.h"
#include "app/editor/session/list.h"
#include "app/editor/takes/hearing.h"
#include "app/base/values.h"
#include "midi/score/band.h"
#include "tui/base/names.h"
#include "tui/panels/panels.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Returns the active track, to change marks that belong to the session. There must be one. */
static struct track *tracks_active(struct session *s)
{
    return &s->project.score->tracks[s->view.track];
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
    if (s->view.mode == MODE_SELECT)
        select_leave_box(s);
    list_toggle(s, MODE_TRACKS);
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

/* -- the mixer: a track's volume, pan and effects, by typed lines and by the columns of the list -- */

enum { KNOB_STEP = 4, TURN_MS = 1500 /* at most, between steps of one turn */ };

/* Tells the user "track 2: pan -20, like all 2 tracks of channel 1; another value from bar 9
 * on: :lane 10". */
static void say_knob(struct session *s, enum mix_knob k)
{
    const struct score *score = s->project.score;
    const struct mix_knob_about *about = mix_about(k);
    int64_t next = mix_next_tick(score, s->view.track, k);
    char others[64], later[64] = "";
    if (next >= 0)
        snprintf(later, sizeof later, "; another value from bar %lld on: :lane %d",
                 (long long)timeline_bar_at(&score->timeline, next).index + 1,
                 about->control.number);
    session_say(s, "track %d: %s %d%s%s", s->view.track + 1, about->name,
                mix_value(score, s->view.track, k), tracks_sharing(s, others), later);
}

static void set_knob(struct session *s, enum mix_knob k, int value)
{
    struct change *c = change_create(mix_about(k)->label);
    change_mix(c, s->project.score, s->view.track, k, value);
    if (edit_do(s, c))
        say_knob(s, k);
}

void act_knob_line(struct session *s, const char *word, int k)
{
    int value;
    const struct mix_knob_about *about = mix_about((enum mix_knob)k);
    if (!*word)
        say_knob(s, (enum mix_knob)k);
    else if (!value_count(word, about->low, about->high, &value))
        session_error(s, "%s must be a whole number from %d to %d", about->name,
                      about->low, about->high);
    else
        set_knob(s, (enum mix_knob)k, value);
}

/* Returns the number of columns of the mixer that the list has room for. */
static int n_knobs(const struct session *s)
{
    const struct list_box b =
        list_box(&s->layout, LIST_TRACKS, &s->view.lists[LIST_TRACKS]);
    return b.frame.rows ? track_columns_of(&b).n_knobs : 0;
}

enum mix_knob mix_chosen(const struct session *s)
{
    const enum mix_knob knob = s->parts.track_list->knob;
    return (int)knob < n_knobs(s) ? knob : MIX_VOLUME;
}

void act_mix_choose(struct session *s, const struct command *c)
{
    int n = n_knobs(s);
    if (!n) {
        session_say(s, "the list is too narrow for the mixer; use :volume and :pan");
        return;
    }
    s->parts.track_list->knob = (enum mix_knob)(((int)mix_chosen(s) + n + c->by) % n);
    say_knob(s, s->parts.track_list->knob);
}

/* Successive steps are one turn of the knob and one step of undo: each replaces the last. */
static void turn_by(struct session *s, enum mix_knob k, int by)
{
    const struct mix_knob_about *about = mix_about(k);
    struct turned_knob *t = &s->parts.track_list->turned;
    const int before = mix_value(s->project.score, s->view.track, k),
              value = CLAMP(before + by, about->low, about->high);
    if (value == before) {
        session_say(s, "%s goes from %d to %d", about->name, about->low, about->high);
        return;
    }
    uint64_t last = history_state(s->project.history);
    bool goes_on = t->state && t->state == last && t->track == s->view.track &&
                   t->knob == k && clock_now_ms() - t->ms < TURN_MS &&
                   project_step(&s->project, -1, NULL);
    set_knob(s, k, value);
    uint64_t now = history_state(s->project.history);
    if (goes_on && now == history_at(s->project.history, last)->parent)
        project_go(&s->project, last); /* it was refused */
    *t = (struct turned_knob){k, s->view.track, now, clock_now_ms()};
}

/* A count is the size of the step: 10+ is ten more. */
void act_mix_turn(struct session *s, const struct command *c)
{
    const int by = c->count > 0 ? MIN(c->count, 128) : KNOB_STEP;
    turn_by(s, mix_chosen(s), c->by * by);
}

/* Sets the knob to its default. */
void act_mix_reset(struct session *s)
{
    const struct mix_knob_about *about = mix_about(mix_chosen(s));
    int rest = control_rest(about->control) - about->centre;
    if (mix_value(s->project.score, s->view.track, mix_chosen(s)) != rest)
        set_knob(s, mix_chosen(s), rest);
    else
        say_knob(s, mix_chosen(s));
}

/* -- the list -- */

static void fill_list(struct session *s, struct list_view *l)
{
    s->view.tracks.knob = mix_chosen(s);
    l->n = tracks_count(s);
    l->point = s->view.track;
}

/* A press on a column of the mixer chooses it, and the wheel there turns the knob. Presses on
 * other columns run commands; those on words only in the line that was chosen before. */
static bool touch(struct session *s, const struct list_box *b, int line,
                  const struct command *c)
{
    static const enum command_id MARKS[] = {CMD_MUTE, CMD_SOLO, CMD_ARM, CMD_HIDE,
                                            CMD_NONE};
    if (line < 0)
        return tracks_press_line(s, c);
    const struct track_columns at = track_columns_of(b);
    const enum mix_knob knob = track_knob_at(&at, c->column);
    const int column = c->column;
    const bool again = line == b->point;
    enum command_id id = MARKS[track_mark_at(&at, column)];
    if (!id && column >= at.colour && column < at.name - 1)
        id = CMD_TRACK_COLOUR;
    if (!id && again && at.instrument && column >= at.instrument &&
        column < at.channel - 1)
        id = CMD_TRACK_INSTRUMENT;
    if (!id && again && at.channel && column >= at.channel && column < at.channel + 2)
        id = CMD_TRACK_CHANNEL;
    if (knob == MIX_KNOBS && (c->by || !id))
        return false;
    tracks_choose(s, line);
    if (knob == MIX_KNOBS) {
        act_run(s, &(struct command){.id = id});
        return true;
    }
    s->parts.track_list->knob = knob;
    if (c->by)
        turn_by(s, knob, -c->by * KNOB_STEP);
    else
        say_knob(s, knob);
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
    if (c->id == CMD_TRACK_RENAME)
        snprintf(line, sizeof line, "rename %s", t->name);
    else
        strcpy(line, "instrument ");
    act_open_command_line(s, line);
}

static void set_colour(struct session *s, int colour)
{
    tracks_active(s)->colour = (uint8_t)colour;
    session_say(s, "track %d is %s", s->view.track + 1,
                colour ? theme_track_name(colour - 1) : "coloured by its position");
}

void act_track_colour(struct session *s, const struct command *c)
{
    const struct track *t = tracks_active(s);
    const int now = t->colour ? t->colour : s->view.track % TRACK_COLOURS + 1;
    set_colour(s, c->count ? MIN(c->count, TRACK_COLOURS) : now % TRACK_COLOURS + 1);
}

void act_colour_line(struct session *s, const char *word)
{
    int colour = 0;
    while (colour < TRACK_COLOURS && strcasecmp(word, theme_track_name(colour)) != 0)
        colour++;
    if (colour < TRACK_COLOURS)
        set_colour(s, colour + 1);
    else if (!strcmp(word, "auto"))
        set_colour(s, 0);
    else if (value_count(word, 1, TRACK_COLOURS, &colour))
        set_colour(s, colour);
    else
        session_error(s,
                      "colour: use 1 to %d, auto, or sky blue, orange, green, purple, "
                      "yellow, vermilion, blue, grey",
                      TRACK_COLOURS);
}

/* A flag of the active track that a command flips, with its messages. */
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
    const struct track_switch *w = &SWITCHES[c->by];
    bool *is_on = (bool *)((char *)tracks_active(s) + w->at);
    *is_on = !*is_on;
    if (w->is_heard)
        hearing_changed(s);
    session_say(s, "track %d %s", s->view.track + 1, *is_on ? w->on : w->off);
}

/* The active track is always visible, so hiding it in the roll chooses another track. */
void act_hide(struct session *s)
{
    struct track *t = tracks_active(s);
    int track = s->view.track;
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

/* The new track plays the instrument of its name, else the piano. Without a name it gets the
 * name of its instrument. Drums get the channel of drums. */
void act_track_line(struct session *s, const char *name)
{
    struct change *change = edit_begin("add track %d", tracks_count(s) + 1);
    struct band_part part;
    const bool has_part =
        band_part_named(&part, name) && !score_names_voice(s->project.score, name);
    uint8_t program = has_part ? part.program : 0;
    const uint8_t channel = part.is_drums
                                ? score_drum_channel(s->project.score, &program)
                                : score_free_channel(s->project.score, 0);
    change_add_track(change, s->project.score,
                     *name ? name : program_name(channel, program), channel, program);
    if (edit_do_aloud(s, change))
        s->view.track = tracks_count(s) - 1;
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
