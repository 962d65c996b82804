/* Undoable changes of tracks, as the file has them: name, channel, adding, deleting,
 * order. For the instrument see instrument.c. */
#include "app/editor/session/edit.h"
#include "app/base/say.h"
#include "app/editor/edit/tracks.h"
#include "app/base/values.h"
#include "midi/edit/track_edit.h"

#include <stdio.h>

enum { CHANNELS = 16, SAFE_NAME_BYTES = 4 * sizeof((struct track *)0)->name };

/* "2 Alto", safe to display; returns buf. */
static const char *title(const struct session *s, char buf[SAFE_NAME_BYTES + 16])
{
    char name[SAFE_NAME_BYTES];
    const struct track *t = session_track(s);
    say_copy(name, sizeof name, t->name);
    snprintf(buf, SAFE_NAME_BYTES + 16, "%d%s%s", s->view.track + 1, *name ? " " : "",
             name);
    return buf;
}

void act_rename_line(struct session *s, const char *name)
{
    char safe[SAFE_NAME_BYTES + 16];
    const struct score *score = s->project.score;
    if (!tracks_active(s))
        return;
    bool is_shared = track_n_in_chunk(score, s->view.track) > 1;
    struct change *c = change_create("rename a track");
    change_rename_track(c, score, s->view.track, name);
    if (edit_do(s, c))
        session_say(s, "track %s%s%s", title(s, safe), *name ? "" : " has no name now",
                    is_shared ? "; in this file the channel names it" : "");
}

static void set_channel(struct session *s, int channel)
{
    const struct score *score = s->project.score;
    int other = -1;
    for (int i = 0; i < tracks_count(s); i++)
        if (i != s->view.track &&
            score_channel(score, i) ==
                (score_channel(score, s->view.track) & ~15) + channel)
            other = i;
    struct change *c = change_create("set a channel");
    change_set_channel(c, score, s->view.track, (uint8_t)channel);
    tracks_follow_name(c, s, channel, session_track(s)->program);
    if (change_status(c) == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_error(s, "channel %d has other notes in this track's part of the file",
                      channel + 1);
    } else if (edit_do(s, c)) {
        if (other >= 0)
            session_say(s, "channel %d, as track %d: they share an instrument",
                        channel + 1, other + 1);
        else
            session_say(s, "channel %d%s", channel + 1,
                        track_is_drums(session_track(s)) ? ", which plays drums" : "");
    }
}

void act_channel_line(struct session *s, const char *word)
{
    int channel;
    const struct track *t = tracks_active(s);
    if (!t)
        return;
    if (!value_count(word, 1, CHANNELS, &channel))
        session_error(s, "channel: use 1 to %d; it is %d", CHANNELS, t->channel + 1);
    else if (channel - 1 == t->channel)
        session_say(s, "it is already on channel %d", channel);
    else
        set_channel(s, channel - 1);
}

void act_track_channel(struct session *s, const struct command *c)
{
    char word[16];
    snprintf(word, sizeof word, "%d", c->count);
    if (c->count)
        act_channel_line(s, word);
    else if (tracks_active(s))
        act_open_command_line(s, "channel ");
}

/* What waits speaks of tracks by number. */
static bool takes_wait(struct session *s)
{
    if (s->has_take)
        session_say(s, "takes wait for these tracks: accept or reject them first");
    return s->has_take;
}

/* Tracks that go elsewhere keep the colours that they had by their places. */
static void keep_colours(struct session *s)
{
    struct track *tracks = s->project.score->tracks;
    for (int i = 0; i < tracks_count(s); i++)
        if (!tracks[i].colour)
            tracks[i].colour = (uint8_t)(i % TRACK_COLOURS + 1);
}

void act_track_remove(struct session *s)
{
    char safe[SAFE_NAME_BYTES + 16];
    const struct track *t = tracks_active(s);
    if (!t || takes_wait(s))
        return;
    size_t n = t->n_notes;
    title(s, safe);
    keep_colours(s);
    struct change *c = change_create("remove a track");
    change_remove_track(c, s->project.score, s->view.track);
    if (edit_do(s, c))
        session_say(s, "track %s and %zu note%s removed; u undoes this", safe, n,
                    plural(n));
}

void act_track_duplicate(struct session *s)
{
    char safe[SAFE_NAME_BYTES + 16], name[sizeof((struct track *)0)->name];
    const struct score *score = s->project.score;
    const struct track *t = tracks_active(s);
    if (!t)
        return;
    snprintf(name, sizeof name, "%.50s%scopy", t->name, *t->name ? " " : "");
    const uint8_t channel = track_is_drums(t)
                                ? (uint8_t)score_channel(score, s->view.track)
                                : score_free_channel(score, 0);
    struct change *c = change_create("duplicate a track");
    change_duplicate_track(c, score, s->view.track, name, channel);
    if (!edit_do(s, c))
        return;
    tracks_choose(s, tracks_count(s) - 1);
    session_say(s, "track %s, with %zu note%s", title(s, safe),
                session_track(s)->n_notes,
                plural((long long)session_track(s)->n_notes));
}

/* To the place of the track whose chunk is so many further, or the last one. */
void act_track_move(struct session *s, const struct command *c)
{
    if (!tracks_active(s) || takes_wait(s))
        return;
    const struct score *score = s->project.score;
    const struct track *t = score->tracks;
    const int chunk = t[s->view.track].chunk, channel = t[s->view.track].channel;
    int other = -1, last = chunk, by = command_steps(c), step = by < 0 ? -1 : 1;
    for (int i = s->view.track; by && i >= 0 && i < tracks_count(s); i += step)
        if (t[i].chunk != last) {
            other = i;
            last = t[i].chunk;
            by -= step;
        }
    if (other < 0) {
        session_say(s,
                    track_n_in_chunk(score, s->view.track) > 1
                        ? "in this file the tracks are in the order of their channels"
                    : c->by < 0 ? "it is the first"
                                : "it is the last");
        return;
    }
    struct change *change = change_create("move a track");
    if (change_move_track(change, score, s->view.track, other) == MIDI_BAD_EDIT) {
        change_destroy(change);
        session_say(s,
                    "the first part of the file must stay first: it holds the tempo");
        return;
    }
    keep_colours(s);
    if (!edit_do(s, change))
        return;
    for (t = s->project.score->tracks; t->chunk != last || t->channel != channel;)
        t++;
    tracks_choose(s, (int)(t - s->project.score->tracks));
}
