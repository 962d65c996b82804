/* The list of tracks, and what is done to a track as a whole. The chosen track of the
 * list is the active one. Names, instruments, channels and places are the file's and are
 * undone; colours and marks are the session's, kept beside the file. */
#include "app/edit.h"
#include "app/say.h"
#include "app/values.h"
#include "midi/track_edit.h"
#include "tui/track_line.h"
#include "tui/track_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHANNELS = 16, SAFE_NAME_BYTES = 4 * sizeof((struct track *)0)->name };

static int n_tracks(const struct session *s)
{
    return (int)s->project.score->n_tracks;
}

/* The active track, to be changed; NULL, which is said: there is none. */
static struct track *active(struct session *s)
{
    if (!session_track(s)) {
        session_say(s, "this score has no tracks; A adds one");
        return NULL;
    }
    return &s->project.score->tracks[s->track];
}

/* "2 Alto", fit to be shown; buf is returned. */
static const char *title(const struct session *s, char buf[SAFE_NAME_BYTES + 16])
{
    char name[SAFE_NAME_BYTES];
    const struct track *t = session_track(s);
    say_copy(name, sizeof name, t->name);
    snprintf(buf, SAFE_NAME_BYTES + 16, "%d%s%s", s->track + 1, *name ? " " : "", name);
    return buf;
}

/* -- the list -- */

static void close_list(struct session *s)
{
    bool gone = s->tracks_from == MODE_TAKES && !s->has_take;
    s->mode = gone ? MODE_NORMAL : s->tracks_from;
}

void act_tracks(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_TRACKS) {
        close_list(s);
        return;
    }
    if (s->mode == MODE_SELECT) { /* the notes stay chosen */
        s->mode = select_mode_after(s);
        s->has_box = false;
    }
    s->tracks_from = s->mode;
    s->mode = MODE_TRACKS;
    s->drag = DRAG_NONE;
    tracks_show_chosen(s);
}

void tracks_show_chosen(struct session *s)
{
    s->tracks_first =
        track_list_reveal(&s->layout, n_tracks(s), s->tracks_first, s->track);
}

static void choose(struct session *s, int track)
{
    if (track != s->track)
        session_clear_selection(s);
    s->track = track;
    tracks_show_chosen(s);
}

void act_tracks_scroll(struct session *s, const struct command *c)
{
    enum { ROWS = 3 };
    bool is_down = c->id == CMD_TRACKS_SCROLL_DOWN;
    struct track_list list = track_list_for(&s->layout, n_tracks(s),
                                            s->tracks_first + (is_down ? ROWS : -ROWS));
    s->tracks_first = list.first;
}

static void toggle(struct session *s, enum track_mark mark)
{
    static const enum command_id COMMANDS[TRACK_MARKS] = {CMD_MUTE, CMD_SOLO, CMD_ARM,
                                                          CMD_HIDE};
    if (mark < TRACK_MARKS)
        act_run(s, &(struct command){.id = COMMANDS[mark]});
}

/* Beside the list a click closes it. */
void act_tracks_point(struct session *s, const struct command *c)
{
    struct track_list list = track_list_for(&s->layout, n_tracks(s), s->tracks_first);
    int track = track_list_at(&list, c->column, c->row);
    if (tracks_press_line(s, c))
        return;
    if (!region_has(&list.frame, c->column, c->row)) {
        close_list(s);
        return;
    }
    if (track < 0 || c->button != 1)
        return;
    choose(s, track);
    toggle(s, track_list_mark_at(&list, c->column));
}

bool tracks_press_line(struct session *s, const struct command *c)
{
    if (!region_has(&s->layout.tracks, c->column, c->row))
        return false;
    int track = track_line_at(&s->layout, s->project.score, s->track, c->column);
    if (track >= 0)
        choose(s, track);
    return true;
}

/* The command line, with what is likely to be wanted in it. */
void act_tracks_prompt(struct session *s, const struct command *c)
{
    char line[SAFE_NAME_BYTES + 16];
    const struct track *t = active(s);
    if (!t)
        return;
    if (c->id == CMD_TRACK_RENAME)
        snprintf(line, sizeof line, "rename %s", t->name);
    else
        strcpy(line, "instrument ");
    prompt_open_line(s, line);
}

void tracks_view(struct session *s, struct view *v)
{
    bool is_behind = s->mode == MODE_PROMPT && s->mode_before == MODE_TRACKS;
    v->list_tracks = s->mode == MODE_TRACKS || is_behind;
    v->tracks_first = s->tracks_first;
    v->hide_others = s->hide_others;
}

/* -- what the file says of a track -- */

void act_rename_line(struct session *s, const char *name)
{
    char safe[SAFE_NAME_BYTES + 16];
    const struct score *score = s->project.score;
    if (!active(s))
        return;
    bool is_shared = track_n_in_chunk(score, s->track) > 1;
    struct change *c = change_create("rename a track");
    if (edit_do(s, c, c ? change_rename_track(c, score, s->track, name) : MIDI_OK))
        session_say(s, "track %s%s", title(s, safe),
                    is_shared ? "; in this file its name goes by its channel" : "");
}

static void set_channel(struct session *s, int channel)
{
    const struct score *score = s->project.score;
    int other = -1;
    for (int i = 0; i < n_tracks(s); i++)
        if (i != s->track && score->tracks[i].channel == channel)
            other = i;
    struct change *c = change_create("set a channel");
    enum midi_status st =
        c ? change_set_channel(c, score, s->track, (uint8_t)channel) : MIDI_OK;
    if (st == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_error(s, "channel %d has other notes in this track's part of the file",
                      channel + 1);
    } else if (edit_do(s, c, st) && other >= 0) {
        session_say(s, "channel %d, as track %d: they have one instrument", channel + 1,
                    other + 1);
    } else if (!st) {
        session_say(s, "channel %d%s", channel + 1,
                    channel == GM_DRUM_CHANNEL ? ", which plays drums" : "");
    }
}

void act_channel_line(struct session *s, const char *word)
{
    int channel;
    const struct track *t = active(s);
    if (!t)
        return;
    if (!value_count(word, 1, CHANNELS, &channel))
        session_error(s, "channel wants 1 to %d; it is %d", CHANNELS, t->channel + 1);
    else if (channel - 1 == t->channel)
        session_say(s, "it is on channel %d already", channel);
    else
        set_channel(s, channel - 1);
}

void act_track_channel(struct session *s, const struct command *c)
{
    char word[16];
    snprintf(word, sizeof word, "%d", c->count);
    if (c->count)
        act_channel_line(s, word);
    else if (active(s))
        prompt_open_line(s, "channel ");
}

/* What waits speaks of tracks by number. */
static bool takes_wait(struct session *s)
{
    if (s->has_take)
        session_say(s, "takes wait for these tracks: accept or reject them first");
    return s->has_take;
}

void act_track_remove(struct session *s, const struct command *command)
{
    char safe[SAFE_NAME_BYTES + 16];
    const struct track *t = active(s);
    (void)command;
    if (!t || takes_wait(s))
        return;
    size_t n = t->n_notes;
    title(s, safe);
    struct change *c = change_create("remove a track");
    if (edit_do(s, c, c ? change_remove_track(c, s->project.score, s->track) : MIDI_OK))
        session_say(s, "track %s is gone, with %zu note%s; u brings it back", safe, n,
                    n == 1 ? "" : "s");
    tracks_show_chosen(s);
}

/* A track of the chunk that is so many further on, or as far as there are any; -1: there
 * are none. */
static int other_chunk(const struct session *s, int by)
{
    const struct track *tracks = s->project.score->tracks;
    int found = -1, chunk = tracks[s->track].chunk, step = by < 0 ? -1 : 1;
    for (int i = s->track; by && i >= 0 && i < n_tracks(s); i += step)
        if (tracks[i].chunk != chunk) {
            chunk = tracks[i].chunk;
            found = i;
            by -= step;
        }
    return found;
}

static int find_track(const struct score *score, int chunk, int channel)
{
    for (size_t i = 0; i < score->n_tracks; i++)
        if (score->tracks[i].chunk == chunk && score->tracks[i].channel == channel)
            return (int)i;
    return -1;
}

static void move_to(struct session *s, int other)
{
    const struct score *score = s->project.score;
    int chunk = score->tracks[other].chunk, channel = score->tracks[s->track].channel;
    struct change *c = change_create("move a track");
    enum midi_status st = c ? change_move_track(c, score, s->track, other) : MIDI_OK;
    if (st == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_say(s, "the file's first part stays first: its tempo is there");
    } else if (edit_do(s, c, st)) {
        choose(s, find_track(s->project.score, chunk, channel));
    }
}

void act_track_move(struct session *s, const struct command *c)
{
    int times = command_times(c);
    if (!active(s) || takes_wait(s))
        return;
    int other = other_chunk(s, c->id == CMD_TRACK_UP ? -times : times);
    if (other >= 0)
        move_to(s, other);
    else
        session_say(s, track_n_in_chunk(s->project.score, s->track) > 1
                           ? "in this file tracks stand in the order of their channels"
                       : c->id == CMD_TRACK_UP ? "it is the first"
                                               : "it is the last");
}

/* -- what the session has of a track -- */

static void set_colour(struct session *s, int colour)
{
    active(s)->colour = (uint8_t)colour;
    session_say(s, "track %d is %s", s->track + 1,
                colour ? theme_track_name(colour - 1) : "coloured by its place");
}

void act_track_colour(struct session *s, const struct command *c)
{
    const struct track *t = active(s);
    if (!t)
        return;
    int now = t->colour ? t->colour : s->track % TRACK_COLOURS + 1;
    set_colour(s, c->count > TRACK_COLOURS ? TRACK_COLOURS
                  : c->count               ? c->count
                                           : now % TRACK_COLOURS + 1);
}

void act_colour_line(struct session *s, const char *word)
{
    int colour = 0;
    if (!active(s))
        return;
    while (colour < TRACK_COLOURS && strcasecmp(word, theme_track_name(colour)))
        colour++;
    if (colour < TRACK_COLOURS)
        set_colour(s, colour + 1);
    else if (!strcmp(word, "auto"))
        set_colour(s, 0);
    else if (value_count(word, 1, TRACK_COLOURS, &colour))
        set_colour(s, colour);
    else
        session_error(s,
                      "colour wants 1 to %d, auto, or sky blue, orange, green, "
                      "purple, yellow, vermilion, blue, grey",
                      TRACK_COLOURS);
}

void act_arm(struct session *s, const struct command *c)
{
    struct track *t = active(s);
    (void)c;
    if (!t)
        return;
    t->arm = !t->arm;
    session_say(s, "track %d %s", s->track + 1,
                t->arm ? "is armed: it will be recorded onto" : "is not armed");
}

/* The next that is not hidden, or the same. */
static int next_seen(const struct session *s)
{
    const struct track *tracks = s->project.score->tracks;
    for (int k = 1; k < n_tracks(s); k++)
        if (!tracks[(s->track + k) % n_tracks(s)].hide)
            return (s->track + k) % n_tracks(s);
    return s->track;
}

/* The active track is always seen; so in the roll one that is hidden is left, too. */
void act_hide(struct session *s, const struct command *c)
{
    struct track *t = active(s);
    int track = s->track;
    (void)c;
    if (!t)
        return;
    t->hide = !t->hide;
    if (t->hide && s->mode != MODE_TRACKS)
        choose(s, next_seen(s));
    session_say(s, "track %d is %s", track + 1,
                !t->hide            ? "seen again"
                : track == s->track ? "hidden when another is chosen"
                                    : "hidden, and still heard; B lists it");
}

void act_ghost_notes(struct session *s, const struct command *c)
{
    (void)c;
    s->hide_others = !s->hide_others;
    session_say(s, s->hide_others ? "only the active track's notes are seen"
                                  : "the other tracks' notes are seen, too");
}
