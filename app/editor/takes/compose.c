/* Larger requests, typed after `:`: insert or remove bars, write a lead-in before the music, add
 * voices below and above a melody. Each is an edit and then a hole: takes can be
 * rejected, and the edit undone. */
#include "app/editor/takes/machine.h"
#include "app/base/values.h"
#include "app/document/chord_texts.h"
#include "app/editor/session/edit.h"
#include "midi/edit/held.h"
#include "midi/score/general_midi.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BARS = 64, MOST_REMOVED = 9999, MOST_VOICES = 8 };

/* Reads a number from 1 to `most`; "" is 1. */
static bool read_count(struct session *s, const char *word, int most, const char *what,
                       int *n)
{
    *n = 1;
    if (!*word || value_count(word, 1, most, n))
        return true;
    session_error(s, "%s: use a number from 1 to %d", what, most);
    return false;
}

/* Inserts n bars like the one at this tick, before it. false: the user was told why. */
static bool insert_bars(struct session *s, int64_t tick, int n, const char *label,
                        int64_t *by)
{
    char kinds[80];
    struct held_kinds restored = {0};
    struct change *c = change_create(label);
    change_insert_bars(c, s->project.score, tick, n, by, &restored);
    if (!edit_do(s, c))
        return false;
    held_say(&restored, kinds, sizeof kinds);
    session_say(s, "%d empty bar%s inserted%s%s; u undoes this", n, plural(n),
                *kinds ? ", before the music with the usual " : "", kinds);
    return true;
}

void act_insert_line(struct session *s, const char *word)
{
    int n;
    int64_t by, at;
    if (!read_count(s, word, MOST_BARS, "insert", &n))
        return;
    if (s->has_take && !machine_is_free(s)) /* a take fits one position */
        return;
    at = session_bar_at(s, s->view.cursor.tick).start;
    insert_bars(s, at, n, "insert bars", &by);
}

/* Removes the selected bars, or n bars from the cursor's bar on; without a number one bar. */
void act_remove_line(struct session *s, const char *word)
{
    int n;
    char first[PLACE_BYTES], last[PLACE_BYTES];
    if (!read_count(s, word, MOST_REMOVED, "remove", &n))
        return;
    if (s->has_take) {
        session_say(s, "takes wait for this music: accept or reject them first");
        return;
    }
    const struct box *box = session_box(s);
    const struct bar begin = session_bar_at(s, box ? box->from : s->view.cursor.tick);
    const struct bar end = box ? session_bar_at(s, box->to - 1)
                               : timeline_bar(session_timeline(s), begin.index + n - 1);
    const int64_t from = begin.start, to = end.start + end.length;
    size_t n_notes = score_n_notes(s->project.score);
    place_name(session_timeline(s), from, first);
    place_name(session_timeline(s), to, last);
    struct change *c = change_create("remove bars");
    change_remove_time(c, s->project.score, from, to - from);
    if (!edit_do(s, c))
        return;
    session_go_to(s, from);
    n_notes -= score_n_notes(s->project.score);
    session_say(s, "removed %s up to %s, with %zu note%s; u undoes this", first, last,
                n_notes, plural((long long)n_notes));
}

void act_lead_in_line(struct session *s, const char *word)
{
    int n;
    int64_t by;
    if (!read_count(s, word, MOST_BARS, "lead-in", &n) || !machine_is_free(s))
        return;
    uint64_t tracks = machine_tracks(s);
    if (!tracks || !insert_bars(s, 0, n, "lead-in", &by))
        return;
    session_go_to(s, 0);
    hole_change(s, &(struct box){0, by, 0, 127}, tracks);
}

/* Returns a bit for each track from `first` on that the model can write on and that is not
 * muted, without the melody's. */
static uint64_t other_tracks(const struct session *s, int first)
{
    const struct score *score = s->project.score;
    uint64_t tracks = 0;
    for (int t = first; t < (int)score->n_tracks && t < TOKEN_MAX_TRACKS; t++)
        if (t != s->view.track && !score->tracks[t].mute)
            tracks |= UINT64_C(1) << t;
    return tracks;
}

static void say_no_room(struct session *s, int n)
{
    session_say(s, "no room for %d more tracks: only the first %d can be written on", n,
                TOKEN_MAX_TRACKS);
}

/* Returns whether the active track has a melody; if not, tells the user. */
static bool has_melody(struct session *s, const char *why)
{
    const struct track *melody = session_track(s);
    const bool has_notes = melody && melody->n_notes;
    const bool is_drums = has_notes && track_is_drums(melody);
    if (is_drums)
        session_say(s, "these are drums: there is no melody to %s", why);
    else if (!has_notes)
        session_say(s, "this track has no melody to %s", why);
    return has_notes && !is_drums;
}

void act_harmonise_line(struct session *s, const char *word)
{
    /* Semitones: between two voices; from a voice's middle. */
    enum { APART = 7, DOWN = 5 };
    const struct score *score = s->project.score;
    int n = 3;
    if (*word && !read_count(s, word, MOST_VOICES, "harmonise", &n))
        return;
    if (!has_melody(s, "harmonise") || !machine_is_free(s))
        return;
    const struct track *melody = session_track(s);
    const bool adds = *word || !other_tracks(s, 0);
    const int first = adds ? (int)score->n_tracks : 0;
    /* The bars of the selection, or all that the melody has. */
    struct box b = {s->selection.box.from, s->selection.box.to, 0, 127};
    if (!s->selection.has_box) {
        int64_t end = 0;
        for (size_t i = 0; i < melody->n_notes; i++)
            if (note_end(&melody->notes[i]) > end)
                end = note_end(&melody->notes[i]);
        const struct bar last = session_bar_at(s, end - 1);
        b.from = session_bar_at(s, melody->notes[0].start).start;
        b.to = last.start + last.length;
    }
    if (adds && first + n > TOKEN_MAX_TRACKS) {
        say_no_room(s, n);
        return;
    }
    if (adds) {
        /* Tracks like the melody's, each lower than the one before. */
        double sum = 0;
        for (size_t i = 0; i < melody->n_notes; i++)
            sum += melody->notes[i].pitch;
        const int top = (int)(sum / (double)melody->n_notes);
        struct change *c = change_create("add voices");
        for (int i = 0; i < n; i++) {
            const int pitch = top - (i + 1) * APART - DOWN;
            char name[24];
            snprintf(name, sizeof name, "Voice %d", i + 2);
            change_add_track(c, score, name, score_free_channel(score, i),
                             (uint8_t)gm_program_reaching(melody->program, pitch));
        }
        if (!edit_do(s, c))
            return;
    }
    hole_change(s, &b, other_tracks(s, first));
}

/* -- a band. Rejecting the takes removes its tracks again; accepting one makes tracks and
 * notes one step. The edit's label, which the history keeps, identifies such tracks, also
 * after a restart -- */

#define TRACKS_FOR "add tracks for "

/* The edit that added the tracks, if it is the last. */
static const struct change *find_added_tracks(const struct session *s)
{
    const struct change *c = history_now(s->project.history)->change;
    return c && !strncmp(c->label, TRACKS_FOR, strlen(TRACKS_FOR)) ? c : NULL;
}

const char *band_words(const struct session *s)
{
    const struct change *c = find_added_tracks(s);
    return c ? c->label + strlen(TRACKS_FOR) : NULL;
}

bool band_take_away(struct session *s)
{
    if (!band_words(s) || s->has_take || !project_step(&s->project, -1, NULL))
        return false;
    s->request.asked.bars = 0; /* `r` has nothing to try again */
    session_revalidate(s);
    return true;
}

bool band_do_with_tracks(struct session *s, struct change *c)
{
    const struct history *h = s->project.history;
    if (!band_words(s))
        return edit_do(s, c);
    change_add_all(c, find_added_tracks(s));
    if (change_status(c) || project_go(&s->project, history_now(h)->parent)) {
        change_destroy(c);
        return session_no_memory(s);
    }
    const bool is_done = edit_do(s, c);
    if (!is_done && project_step(&s->project, 1, NULL))
        session_revalidate(s);
    return is_done;
}

void act_accompany_line(struct session *s, const char *words)
{
    struct band band;
    char wrong[BAND_WORDS];
    if (!band_read(&band, words, wrong)) {
        session_error(s,
                      *wrong ? "there is no instrument %s"
                             : "accompany: use instruments%s: bass, drums, piano",
                      wrong);
        return;
    }
    if (!has_melody(s, "accompany") || !machine_is_free(s))
        return;
    struct box b = {s->selection.box.from, s->selection.box.to, 0, 127};
    if (!s->selection.has_box) /* the melody's bars without a pickup */
        band_bars(s->project.score, s->view.track, &b.from, &b.to);
    uint64_t tracks;
    struct change *c = edit_begin(TRACKS_FOR "%s", words);
    const enum midi_status st = change_add_band(c, s->project.score, &band, &tracks);
    change_fail(c, st);
    if (st == MIDI_TOO_LONG) {
        change_destroy(c);
        say_no_room(s, band.n);
    } else if (edit_do(s, c)) {
        hole_change(s, &b, tracks);
    }
    band_take_away(s); /* in case nothing could be requested */
}
