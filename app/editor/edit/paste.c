/* Pastes a clipboard into the score, once or several times in a row. */
#include "app/editor/session/edit.h"
#include "app/editor/session/overlap.h"
#include "midi/edit/lyrics.h"
#include "midi/score/notes.h"

#include <stdio.h>
#include <stdlib.h>

/* What is being put where. */
struct pasting {
    const struct clipboard *from;
    int times;          /* one after another */
    int track;          /* of its first */
    int64_t origin;     /* ticks */
    struct note *notes; /* [from->n * times]: track after track, in the order of time */
    bool *is_bad;       /* which of them cannot be there */
};

/* One of its notes, in the score's ticks. What has a length keeps some of it. */
static struct note place(const struct pasting *p, const struct clipboard_note *n,
                         int64_t origin, int ticks_per_quarter)
{
    int64_t length = clipboard_ticks(p->from, n->length, ticks_per_quarter);
    struct note placed =
        edit_new_note(origin + clipboard_ticks(p->from, n->offset, ticks_per_quarter),
                      n->length && !length ? 1 : length, n->pitch, n->velocity);
    placed.off_velocity = (uint8_t)n->off_velocity;
    return placed;
}

/* How many of the clipboard, from `first` on, are of its track. */
static size_t run_length(const struct clipboard *p, size_t first)
{
    size_t i = first;
    while (i < p->n && p->notes[i].track == p->notes[first].track)
        i++;
    return i - first;
}

static bool missing_tracks(struct session *s, struct change *c, int n_tracks)
{
    const struct score *score = s->project.score;
    char name[32];
    for (int i = (int)score->n_tracks; i < n_tracks; i++) {
        snprintf(name, sizeof name, "Track %d", i + 1);
        int nth = i - (int)score->n_tracks;
        if (change_add_track(c, score, name, score_free_channel(score, nth), 0))
            return false;
    }
    return true;
}

/* The lyrics of the notes that are put, each at its note. */
static enum midi_status put_lyrics(const struct session *s, struct change *c,
                                   const struct pasting *p)
{
    const struct score *score = s->project.score;
    const int tpq = score->ticks_per_quarter;
    const int64_t span = clipboard_ticks(p->from, p->from->span, tpq);
    struct lyrics l;
    enum midi_status st = lyrics_init(&l, score) ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < p->from->n; i++) {
        const struct clipboard_note *n = &p->from->notes[i];
        const int track = p->track + n->track;
        for (int k = 0;
             !st && n->n_lyric && track < (int)score->n_tracks && k < p->times; k++) {
            const int64_t at = place(p, n, p->origin + k * span, tpq).start;
            if (at >= 0 && !lyrics_at(&l, track, at))
                st = change_add_lyric(c, &l, track, at, n->lyric, n->n_lyric);
        }
    }
    lyrics_fini(&l);
    return st;
}

/* One step of all notes that are not bad, and of the controllers; *n_good: how many
 * notes. NULL: it could not be built. */
static struct change *change_for(struct session *s, const struct pasting *p,
                                 const char *label, size_t *n_good)
{
    struct change *c = change_create(label);
    bool ok = c && missing_tracks(s, c, p->track + clipboard_n_tracks(p->from));
    size_t at = 0;
    *n_good = 0;
    for (size_t i = 0, run; ok && i < p->from->n; i += run) {
        run = run_length(p->from, i);
        int track = p->track + p->from->notes[i].track;
        for (size_t k = 0; ok && k < run * (size_t)p->times; k++, at++) {
            ok = p->is_bad[at] || !change_add_note(c, track, p->notes[at]);
            *n_good += !p->is_bad[at];
        }
    }
    if (ok && *n_good)
        ok = !clipboard_put_controls(p->from, c, s->project.score, p->track, p->origin,
                                     p->times);
    if (ok && *n_good)
        ok = !put_lyrics(s, c, p);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}

/* Marks as bad what cannot be on its track, or would begin before the piece. */
static void place_all(const struct session *s, struct pasting *p)
{
    static const struct track none = {0};
    const struct score *score = s->project.score;
    int tpq = score->ticks_per_quarter;
    int64_t span = clipboard_ticks(p->from, p->from->span, tpq);
    struct note *notes = p->notes;
    bool *is_bad = p->is_bad;
    for (size_t at = 0, run, n; at < p->from->n; at += run, notes += n, is_bad += n) {
        run = run_length(p->from, at);
        n = run * (size_t)p->times;
        int track = p->track + p->from->notes[at].track;
        bool is_there = track < (int)score->n_tracks;
        for (size_t i = 0; i < n; i++)
            notes[i] = place(p, &p->from->notes[at + i % run],
                             p->origin + (int64_t)(i / run) * span, tpq);
        edit_sort_notes(notes, n); /* a long note reaches into the next copy */
        overlap_count(is_there ? &score->tracks[track] : &none, NULL, 0, notes, n,
                      is_bad);
        for (size_t i = 0; i < n; i++)
            is_bad[i] |= notes[i].start < 0;
    }
}

static void do_paste(struct session *s, struct pasting *p, const char *label)
{
    size_t n = p->from->n * (size_t)p->times, n_good;
    int n_new =
        p->track + clipboard_n_tracks(p->from) - (int)s->project.score->n_tracks;
    place_all(s, p);
    struct change *c = change_for(s, p, label, &n_good);
    if (!c) {
        session_error(
            s, "that does not fit here: it would be too long, or need too many tracks");
    } else if (!n_good) {
        change_destroy(c);
        session_say(s, "nothing %sd: notes of the same pitch are there already", label);
    } else if (session_do(s, c)) {
        size_t i = 0;
        while (p->is_bad[i]) /* not all are */
            i++;
        s->cursor.pitch = p->notes[i].pitch; /* the first new note is visible */
        session_show_cursor(s);
        /* "12 notes pasted, on 2 new tracks"; the label is "paste" or the like. */
        size_t n_left_out = n - n_good;
        char tracks[48] = "";
        const char *notes = plural(n_good);
        if (n_new > 0)
            snprintf(tracks, sizeof tracks, ", on %d new track%s", n_new,
                     plural(n_new));
        if (n_left_out)
            session_say(s,
                        "%zu note%s %sd%s; %zu left out: notes of the same pitch are "
                        "already there",
                        n_good, notes, label, tracks, n_left_out);
        else
            session_say(s, "%zu note%s %sd%s", n_good, notes, label, tracks);
    }
}

enum { MOST_PASTED = 1 << 22 }; /* notes and controllers at once */

void paste_clipboard(struct session *s, const struct clipboard *from, int track,
                     int64_t origin, int times, const char *label)
{
    struct pasting p = {.from = from, .times = times, .track = track, .origin = origin};
    int64_t span =
        clipboard_ticks(from, from->span, s->project.score->ticks_per_quarter);
    /* Also its last one is limited, so that no sum of times overflows. */
    if ((size_t)times > MOST_PASTED / (from->n + from->n_points) ||
        span > TICK_MAX / times) {
        session_say(s, "that is too much for %d times", times);
        return;
    }
    p.notes = calloc(from->n * (size_t)times, sizeof *p.notes);
    p.is_bad = calloc(from->n * (size_t)times, sizeof *p.is_bad);
    if (p.notes && p.is_bad)
        do_paste(s, &p, label);
    else
        session_error(s, "out of memory: nothing was pasted");
    free(p.notes);
    free(p.is_bad);
}
