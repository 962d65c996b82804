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

enum { MOST_IN_CHORD = 128, MOST_IN_ARPEGGIO = 1024, STRUM_MS = 20, MOST_MS = 500 };

/* How far apart the notes of a chord may begin, ticks: played ones differ. */
static int64_t together(const struct session *s)
{
    return s->project.score->ticks_per_quarter / 8;
}

static bool begins_with(const struct session *s, const struct note *n, const void *of)
{
    const struct note *here = of;
    return llabs(n->start - here->start) <= together(s);
}

/* As reshape_begin. */
static bool begin(struct reshape *r, struct session *s)
{
    const struct note *here = s->selection.n ? NULL : session_note_under_cursor(s);
    if (here) {
        const struct note n = *here;
        select_where(s, &(struct choice){begins_with, &n, false});
    }
    return reshape_begin(r, s);
}

/* How many targets from `at` on are a chord. */
static size_t chord_length(const struct reshape *r, size_t at)
{
    const struct target *t = r->before;
    size_t end = at + 1;
    while (end < r->n && end - at < MOST_IN_CHORD && t[end].track == t[at].track &&
           t[end].note.start - t[at].note.start <= together(r->session))
        end++;
    return end - at;
}

/* A chord's notes in the order in which they are played. */
struct spread {
    size_t n, order[MOST_IN_CHORD]; /* indices from the chord's first */
    int64_t from;                   /* where it begins, */
    int64_t first_end, last_end;    /* where its first note ends, and its last */
};

static struct spread spread_of(const struct target *chord, size_t n, bool is_down)
{
    struct spread s = {
        .n = n, .from = chord->note.start, .first_end = INT64_MAX, .last_end = 0};
    for (size_t i = 0; i < n; i++) {
        int64_t end = note_end(&chord[i].note);
        s.first_end = end < s.first_end ? end : s.first_end;
        s.last_end = end > s.last_end ? end : s.last_end;
        size_t at = i;
        int way = is_down ? -1 : 1;
        for (; at > 0 &&
               way * chord[i].note.pitch < way * chord[s.order[at - 1]].note.pitch;
             at--)
            s.order[at] = s.order[at - 1];
        s.order[at] = i;
    }
    return s;
}

static void say_chords(struct session *s, size_t n, const char *done)
{
    if (n)
        session_say(s, "%zu chord%s %s", n, plural((long long)n), done);
    else
        session_say(s, "no chord here: a chord is two notes that begin together");
}

static void strum(struct session *s, int ms, bool is_down)
{
    struct reshape r;
    size_t n_chords = 0;
    if (!begin(&r, s))
        return;
    for (size_t at = 0, n; at < r.n; at += n) {
        n = chord_length(&r, at);
        n_chords += n > 1;
        if (n > 1) {
            /* The ends stay. The last one begins by the middle of the shortest. */
            const struct spread chord = spread_of(r.before + at, n, is_down);
            const struct score *score = r.session->project.score;
            double bpm = timeline_bpm(&score->timeline, chord.from);
            int64_t step = (int64_t)(ms * bpm * score->ticks_per_quarter / 60000 + 0.5);
            int64_t most = (chord.first_end - chord.from) / (2 * (int64_t)n);
            step = step < most ? step : most;
            for (size_t i = 0; i < n; i++) {
                struct note *note = &r.after[at + chord.order[i]];
                int64_t end = note_end(note);
                note->start = chord.from + (int64_t)i * step;
                note->length = end - note->start;
            }
        }
    }
    if (!n_chords)
        reshape_forget(&r);
    if (n_chords && !reshape_do(&r, "strum", OVERLAP_TRUNCATE))
        return;
    say_chords(s, n_chords,
               is_down ? "strummed, the highest note first"
                       : "strummed, the lowest note first");
}

/* Adds a chord's arpeggio to the change: the first of each pitch is the chord's own note, the
 * others are new. It ends with its last note, or where the next chord of the track begins.
 * false: the chord is too short. */
static bool add_arpeggio(const struct reshape *r, struct change *c, size_t at, size_t n,
                         bool is_down)
{
    const struct target *notes = r->before + at;
    const struct spread chord = spread_of(notes, n, is_down);
    int64_t end = chord.last_end, step = session_grid_ticks(r->session);
    if (at + n < r->n && notes[n].track == notes->track && notes[n].note.start < end)
        end = notes[n].note.start;
    /* Each of the chord's notes comes at least once. */
    const int64_t span = end - chord.from;
    assert(chord.n > 0);
    step = step < span / (int64_t)chord.n ? step : span / (int64_t)chord.n;
    step = step > span / MOST_IN_ARPEGGIO ? step : span / MOST_IN_ARPEGGIO + 1;
    if (step <= 0 || (span + step - 1) / step < (int64_t)n)
        return false;
    for (int64_t i = 0, start; (start = chord.from + i * step) < end; i++) {
        const struct target *t = &notes[chord.order[(size_t)i % n]];
        struct note played = t->note;
        played.start = start;
        played.length = step < end - start ? step : end - start;
        played.raw_start = played.raw_length = 0;
        if (i < (int64_t)n)
            change_replace_note(c, t->track, &t->note, played);
        else
            change_add_note(c, t->track, edit_copy_note(&played));
    }
    return true;
}

static void arpeggiate(struct session *s, bool is_down)
{
    struct reshape r;
    size_t n_chords = 0;
    if (!begin(&r, s))
        return;
    const uint64_t first_new = s->project.score->next_id;
    struct change *c = change_create("arpeggiate");
    bool ok = true;
    for (size_t at = 0, n; ok && at < r.n; at += n) {
        n = chord_length(&r, at);
        n_chords += n > 1;
        ok = n == 1 || add_arpeggio(&r, c, at, n, is_down);
    }
    reshape_forget(&r);
    change_settle(c, s->project.score, OVERLAP_REFUSE);
    if (!ok || !n_chords) {
        change_destroy(c);
    } else if (edit_do(s, c)) {
        select_with_new(s, first_new);
    } else {
        return;
    }
    if (ok)
        say_chords(s, n_chords,
                   is_down ? "arpeggiated, downwards" : "arpeggiated, upwards");
    else
        session_say(s, "cannot arpeggiate: the chord is too short");
}

/* "up", "down" and, where ms is not NULL, "30" or "30ms", in any order. */
static bool read_words(const char *line, bool *is_down, int *ms)
{
    char text[64], *rest = NULL;
    if (strlen(line) >= sizeof text)
        return false;
    strcpy(text, line);
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        char *unit = strstr(w, "ms");
        if (!strcmp(w, "up") || !strcmp(w, "down")) {
            *is_down = *w == 'd';
            continue;
        }
        if (unit && unit > w && !unit[2])
            *unit = '\0';
        if (!ms || !value_count(w, 1, MOST_MS, ms))
            return false;
    }
    return true;
}

void act_strum_line(struct session *s, const char *line)
{
    bool is_down = false;
    int ms = STRUM_MS;
    if (read_words(line, &is_down, &ms))
        strum(s, ms, is_down);
    else
        session_error(s, "strum: use up or down, and 1 to %d ms from note to note",
                      MOST_MS);
}

void act_arpeggio_line(struct session *s, const char *line)
{
    bool is_down = false;
    if (read_words(line, &is_down, NULL))
        arpeggiate(s, is_down);
    else
        session_error(s, "arpeggio: use up or down; its step is the grid");
}
