/* Undoable changes of tracks of the file: names, channels, copies, removals and their order. For
 * instruments see instrument.c. */
#include "app/editor/session/edit.h"
#include "app/base/say.h"
#include "app/editor/edit/tracks.h"
#include "app/base/values.h"
#include "midi/edit/track_edit.h"

#include <stdio.h>

enum { CHANNELS = 16, SAFE_NAME_BYTES = 4 * sizeof((struct track *)0)->name };

/* Begins a change of the active track: "VERB track 2 Alto"; the name is safe to display. */
static struct change *begin(const struct session *s, const char *verb, const char *name)
{
    char safe[SAFE_NAME_BYTES];
    say_copy(safe, sizeof safe, name);
    return edit_begin("%s track %d%s%s", verb, s->view.track + 1, *safe ? " " : "",
                      safe);
}

void act_rename_line(struct session *s, const char *name)
{
    const struct score *score = s->project.score;
    bool is_shared = track_n_in_chunk(score, s->view.track) > 1;
    struct change *c = begin(s, *name ? "rename" : "remove the name of", name);
    change_rename_track(c, score, s->view.track, name);
    if (edit_do_aloud(s, c) && is_shared)
        session_say_more(s, "; in this file the channel names it");
}

void act_channel_line(struct session *s, const char *word)
{
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    int channel, other = -1;
    if (!value_count(word, 1, CHANNELS, &channel)) {
        session_error(s, "channel: use 1 to %d; it is %d", CHANNELS, t->channel + 1);
        return;
    }
    if (--channel == t->channel) {
        session_say(s, "it is already on channel %d", channel + 1);
        return;
    }
    for (int i = 0; i < tracks_count(s); i++)
        if (i != s->view.track &&
            score_channel(score, i) ==
                (score_channel(score, s->view.track) & ~15) + channel)
            other = i;
    struct change *c = edit_begin("set channel %d", channel + 1);
    change_set_channel(c, score, s->view.track, (uint8_t)channel);
    tracks_follow_name(c, s, channel, t->program);
    if (change_status(c) == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_error(s, "channel %d has other notes in this track's part of the file",
                      channel + 1);
    } else if (edit_do_aloud(s, c)) {
        if (other >= 0)
            session_say_more(s, ", as track %d: they share an instrument", other + 1);
        else if (track_is_drums(session_track(s)))
            session_say_more(s, ", which plays drums");
    }
}

void act_track_channel(struct session *s, const struct command *c)
{
    char word[16];
    snprintf(word, sizeof word, "%d", c->count);
    if (c->count)
        act_channel_line(s, word);
    else
        act_open_command_line(s, "channel ");
}

/* Whether tracks may be removed or moved: no takes wait, which have numbers of tracks. */
bool need_track_alone(struct session *s)
{
    if (need_track(s) && s->has_take)
        session_say(s, "takes wait for these tracks: accept or reject them first");
    return session_track(s) && !s->has_take;
}

/* Gives tracks their present colours, so that they keep them when their numbers change. */
static void fix_colours(struct session *s)
{
    struct track *tracks = s->project.score->tracks;
    for (int i = 0; i < tracks_count(s); i++)
        if (!tracks[i].colour)
            tracks[i].colour = (uint8_t)(i % TRACK_COLOURS + 1);
}

void act_track_remove(struct session *s)
{
    const struct track *t = session_track(s);
    const size_t n = t->n_notes;
    struct change *c = begin(s, "remove", t->name);
    fix_colours(s);
    change_remove_track(c, s->project.score, s->view.track);
    if (edit_do_aloud(s, c))
        session_say_more(s, " with %zu note%s; u undoes this", n, plural((long long)n));
}

void act_track_duplicate(struct session *s)
{
    char name[sizeof((struct track *)0)->name];
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    snprintf(name, sizeof name, "%.50s%scopy", t->name, *t->name ? " " : "");
    const uint8_t channel = track_is_drums(t)
                                ? (uint8_t)score_channel(score, s->view.track)
                                : score_free_channel(score, 0);
    struct change *c = begin(s, "duplicate", t->name);
    change_duplicate_track(c, score, s->view.track, name, channel);
    if (edit_do_aloud(s, c))
        tracks_choose(s, tracks_count(s) - 1);
}

/* Moves the chunk of the track by that many chunks, or to the first or last place. */
void act_track_move(struct session *s, const struct command *c)
{
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
    struct change *change = begin(s, "move", t[s->view.track].name);
    if (change_move_track(change, score, s->view.track, other) == MIDI_BAD_EDIT) {
        change_destroy(change);
        session_say(s,
                    "the first part of the file must stay first: it holds the tempo");
        return;
    }
    fix_colours(s);
    if (!edit_do(s, change))
        return;
    for (t = s->project.score->tracks; t->chunk != last || t->channel != channel;)
        t++;
    tracks_choose(s, (int)(t - s->project.score->tracks));
}
