/* Spreads chords, in one step. :strum starts each note a little after the one before it.
 * :arpeggio plays the notes one after the other on the grid, repeated until the chord would
 * end.
 *
 * Notes of one track that begin nearly together are a chord. Without a selection it is the
 * chord of the note under the cursor. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IN_CHORD = 128, MOST_IN_ARPEGGIO = 1024, MOST_MS = 500 };

/* Ticks between the first and the last start of a chord, at most: played notes differ. */
static int64_t together(const struct session *s)
{
    return s->project.score->ticks_per_quarter / 8;
}

static bool begins_with(const struct session *s, const struct note *n, const void *of)
{
    const struct note *here = of;
    return llabs(n->start - here->start) <= together(s);
}

/* A chord's notes in the order in which they are played. */
struct spread {
    size_t n, order[MOST_IN_CHORD]; /* indices from the chord's first */
    int64_t from;                   /* start of the chord */
    int64_t first_end, last_end;    /* ends of the note that ends first, and last */
};

/* Finds the chord that begins with the first of these targets. */
static struct spread find_chord(const struct session *s, const struct target *t,
                                size_t n_targets, bool is_down)
{
    struct spread c = {.from = t->note.start, .first_end = INT64_MAX};
    const int way = is_down ? -1 : 1;
    while (c.n < n_targets && c.n < MOST_IN_CHORD && t[c.n].track == t->track &&
           t[c.n].note.start - c.from <= together(s)) {
        const struct note *n = &t[c.n].note;
        c.first_end = note_end(n) < c.first_end ? note_end(n) : c.first_end;
        c.last_end = note_end(n) > c.last_end ? note_end(n) : c.last_end;
        size_t at = c.n++;
        for (; at > 0 && way * n->pitch < way * t[c.order[at - 1]].note.pitch; at--)
            c.order[at] = c.order[at - 1];
        c.order[at] = c.n - 1;
    }
    return c;
}

/* The ends stay. The last note begins by the middle of the shortest. */
static void strum_chord(struct reshape *r, size_t at, const struct spread *chord,
                        int ms)
{
    const struct score *score = r->session->project.score;
    const double bpm = timeline_bpm(&score->timeline, chord->from);
    int64_t step = (int64_t)(ms * bpm * score->ticks_per_quarter / 60000 + 0.5);
    const int64_t most = (chord->first_end - chord->from) / (2 * (int64_t)chord->n);
    step = step < most ? step : most;
    for (size_t i = 0; i < chord->n; i++) {
        struct note *note = &r->after[at + chord->order[i]];
        const int64_t end = note_end(note);
        note->start = chord->from + (int64_t)i * step;
        note->length = end - note->start;
    }
}

/* The first note of each pitch is the chord's own note, the others are new. The arpeggio ends
 * with the chord's last note, or where the next chord of the track begins. false: the chord
 * is too short. */
static bool arpeggiate_chord(struct reshape *r, size_t at, const struct spread *chord)
{
    const struct target *notes = r->before + at;
    const size_t n = chord->n;
    int64_t end = chord->last_end, step = session_grid_ticks(r->session);
    if (at + n < r->n && notes[n].track == notes->track && notes[n].note.start < end)
        end = notes[n].note.start;
    /* Each of the chord's notes comes at least once. */
    const int64_t span = end - chord->from;
    assert(n > 0);
    step = step < span / (int64_t)n ? step : span / (int64_t)n;
    step = step > span / MOST_IN_ARPEGGIO ? step : span / MOST_IN_ARPEGGIO + 1;
    if (step <= 0 || (span + step - 1) / step < (int64_t)n)
        return false;
    for (int64_t i = 0, start; (start = chord->from + i * step) < end; i++) {
        const size_t k = chord->order[(size_t)i % n];
        struct note played = notes[k].note;
        played.start = start;
        played.length = step < end - start ? step : end - start;
        played.raw_start = played.raw_length = 0;
        if (i < (int64_t)n)
            r->after[at + k] = played;
        else
            change_add_note(r->added, notes[k].track, edit_copy_note(&played));
    }
    return true;
}

/* ms: between the starts of strummed notes; 0: an arpeggio. */
static void spread_chords(struct session *s, int ms, bool is_down)
{
    struct reshape r;
    const struct note *here = s->selection.n ? NULL : session_note_under_cursor(s);
    if (here) {
        const struct note n = *here;
        select_where(s, &(struct choice){.has = begins_with, .of = &n});
    }
    if (!reshape_begin(&r, s))
        return;
    const uint64_t first_new = s->project.score->next_id;
    size_t n_chords = 0;
    bool fits = true;
    for (size_t at = 0; fits && at < r.n;) {
        const struct spread chord = find_chord(s, r.before + at, r.n - at, is_down);
        n_chords += chord.n > 1;
        if (chord.n > 1 && ms)
            strum_chord(&r, at, &chord, ms);
        else if (chord.n > 1 && !(fits = arpeggiate_chord(&r, at, &chord)))
            session_say(s, "cannot arpeggiate: the chord is too short");
        at += chord.n;
    }
    if (fits && !n_chords)
        session_say(s, "no chord here: a chord is two notes that begin together");
    if (!fits || !n_chords)
        reshape_forget(&r);
    else if (reshape_do(&r, ms ? OVERLAP_TRUNCATE : OVERLAP_REFUSE,
                        ms ? "strum" : "arpeggiate", ", the %s first",
                        is_down ? "highest" : "lowest") &&
             !ms)
        select_with_new(s, first_new);
}

/* :strum and, with ms 0, :arpeggio. The words are "up", "down" and, of a strum, "30" or "30ms",
 * in any order. */
void act_spread_line(struct session *s, const char *line, int ms)
{
    char text[64], *rest = NULL;
    const bool is_strum = ms > 0;
    bool is_down = false, ok = strlen(line) < sizeof text;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " ", &rest); ok && w;
         w = strtok_r(NULL, " ", &rest)) {
        char *unit = strstr(w, "ms");
        const bool is_way = !strcmp(w, "up") || !strcmp(w, "down");
        if (unit && unit > w && !unit[2])
            *unit = '\0';
        if (is_way)
            is_down = *w == 'd';
        else
            ok = is_strum && value_count(w, 1, MOST_MS, &ms);
    }
    if (ok)
        spread_chords(s, ms, is_down);
    else if (is_strum)
        session_error(s, "strum: use up or down, and 1 to %d ms from note to note",
                      MOST_MS);
    else
        session_error(s, "arpeggio: use up or down; its step is the grid");
}
