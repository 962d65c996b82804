/* Pastes a clipboard into the score, once or several times in a row. */
#include "app/editor/session/edit.h"
#include "midi/edit/lyrics.h"
#include "midi/score/notes.h"

#include <stdio.h>
#include <stdlib.h>

/* What is being put where. */
struct pasting {
    const struct clipboard *from;
    int times;      /* one after another */
    int track;      /* of its first */
    int64_t origin; /* ticks */
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

/* Track after track, each in the order of time. Returns how many notes are left out, since they
 * would begin before the piece: selected bars have notes that began before them. */
static size_t put_notes(const struct score *score, struct change *c,
                        const struct pasting *p)
{
    size_t n_before = 0;
    const int tpq = score->ticks_per_quarter;
    const int64_t span = clipboard_ticks(p->from, p->from->span, tpq);
    struct note *notes = calloc(p->from->n * (size_t)p->times, sizeof *notes);
    if (!notes)
        change_fail(c, MIDI_NO_MEMORY);
    for (size_t at = 0, run, n; notes && at < p->from->n; at += run) {
        run = run_length(p->from, at);
        n = run * (size_t)p->times;
        for (size_t i = 0; i < n; i++)
            notes[i] = place(p, &p->from->notes[at + i % run],
                             p->origin + (int64_t)(i / run) * span, tpq);
        qsort(notes, n, sizeof *notes,
              note_compare); /* long ones reach into the next */
        for (size_t i = 0; i < n; i++)
            if (notes[i].start < 0)
                n_before++;
            else
                change_add_note(c, p->track + p->from->notes[at].track, notes[i]);
    }
    free(notes);
    return n_before;
}

/* The lyrics of the notes that are put, each at its note. */
static void put_lyrics(const struct score *score, struct change *c,
                       const struct pasting *p)
{
    const int tpq = score->ticks_per_quarter;
    const int64_t span = clipboard_ticks(p->from, p->from->span, tpq);
    struct lyrics l;
    if (!lyrics_init(&l, score))
        change_fail(c, MIDI_NO_MEMORY);
    for (size_t i = 0; !change_status(c) && i < p->from->n; i++) {
        const struct clipboard_note *n = &p->from->notes[i];
        const int track = p->track + n->track;
        for (int k = 0; n->n_lyric && track < (int)score->n_tracks && k < p->times;
             k++) {
            const int64_t at = place(p, n, p->origin + k * span, tpq).start;
            if (at >= 0 && !lyrics_at(&l, track, at))
                change_add_lyric(c, &l, track, at, n->lyric, n->n_lyric);
        }
    }
    lyrics_fini(&l);
}

static void do_paste(struct session *s, const struct pasting *p, const char *label)
{
    const struct score *score = s->project.score;
    const int n_tracks = p->track + clipboard_n_tracks(p->from);
    const int n_new = n_tracks - (int)score->n_tracks;
    struct change *c = change_create(label);
    for (int i = 0; i < n_new; i++) {
        char name[32];
        snprintf(name, sizeof name, "Track %d", (int)score->n_tracks + i + 1);
        change_add_track(c, score, name, score_free_channel(score, i), 0);
    }
    const size_t n_before = put_notes(score, c, p),
                 n_met = change_settle(c, score, OVERLAP_SKIP),
                 n_left_out = n_before + n_met;
    const char *why = !n_before ? "notes of the same pitch are already there"
                      : !n_met  ? "the piece begins later"
                                : "no room";
    const size_t n = p->from->n * (size_t)p->times - n_left_out;
    if (!change_status(c) && !n) {
        change_destroy(c);
        session_say(s, "nothing %sd: %s", label, why);
        return;
    }
    change_fail(
        c, clipboard_put_controls(p->from, c, score, p->track, p->origin, p->times));
    put_lyrics(score, c, p);
    if (change_status(c) == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_error(
            s, "that does not fit here: it would be too long, or need too many tracks");
        return;
    }
    size_t first = 0;
    while (!change_status(c) && c->edits[first].kind != EDIT_NOTE)
        first++;
    const int pitch = change_status(c) ? 0 : c->edits[first].after.pitch;
    if (!edit_do(s, c))
        return;
    s->view.cursor.pitch = pitch; /* the first new note is visible */
    session_show_cursor(s);
    /* "12 notes pasted, on 2 new tracks"; the label is "paste" or the like. */
    char tracks[48] = "", left_out[80] = "";
    if (n_new > 0)
        snprintf(tracks, sizeof tracks, ", on %d new track%s", n_new, plural(n_new));
    if (n_left_out)
        snprintf(left_out, sizeof left_out, "; %zu left out: %s", n_left_out, why);
    session_say(s, "%zu note%s %sd%s%s", n, plural((long long)n), label, tracks,
                left_out);
}

enum { MOST_PASTED = 1 << 22 }; /* notes and controllers at once */

void paste_clipboard(struct session *s, const struct clipboard *from, int track,
                     int64_t origin, int times, const char *label)
{
    int64_t span =
        clipboard_ticks(from, from->span, s->project.score->ticks_per_quarter);
    /* Also its last one is limited, so that no sum of times overflows. */
    if ((size_t)times > MOST_PASTED / (from->n + from->n_points) ||
        span > TICK_MAX / times) {
        session_say(s, "that is too much for %d times", times);
        return;
    }
    do_paste(s, &(struct pasting){from, times, track, origin}, label);
}
