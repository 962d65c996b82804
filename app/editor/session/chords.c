/* The row of chord symbols above the roll. It has the symbols of the file. If the file has none
 * and the user shows the row, it has symbols guessed from the notes. Where the shown take has
 * planned chords and the file has none, it has the plan. `o` and snapping use the row. The
 * model uses only the chords of the file (app/decoding/context.c), so editing a plan writes
 * the plan into the file. */
#include "app/editor/session/edit.h"

#include "app/document/chord_texts.h"
#include "midi/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of the row; its content is session.view.chords. */
struct chord_row {
    enum { ROW_WITH_CHORDS, ROW_SHOWN, ROW_HIDDEN } wish;
    bool is_read;
    uint64_t version;         /* of the project when the row was read */
    char letter;              /* the take whose plan the row has; 0: none */
    int n_planned;            /* chords of that plan */
    struct chord_mark *marks; /* owned; view.chords.marks points to them */
};

/* Reads the marks, and puts the plan of *t between them if there are none where it is. t may be
 * NULL. Without memory the row is empty. */
static void read_marks(struct session *s, const struct proposal *t)
{
    const struct score *score = s->project.score;
    struct chord_row *r = s->parts.chords;
    struct chords_view row = {.is_shown = s->view.chords.is_shown};
    const struct timeline_events *all = session_signs(s);
    const size_t n_planned = t ? (size_t)t->stats.n_chords : 0;
    size_t n_in_plan = 0, before = 0;
    free(r->marks);
    r->marks = calloc(all->n + 1, sizeof *r->marks);
    for (size_t i = 0; r->marks && i < all->n; i++) {
        if (all->list[i].kind != TIMELINE_CHORD)
            continue;
        struct chord_mark *m = &r->marks[row.n++];
        m->tick = all->list[i].tick;
        timeline_event_copy_text(score, &all->list[i], m->symbol, sizeof m->symbol);
    }
    if (r->marks && !row.n && r->wish == ROW_SHOWN) {
        free(r->marks);
        row.are_guessed = !chords_guess(&r->marks, &row.n, score, false);
    }
    for (size_t i = 0; t && i < row.n; i++) {
        before += r->marks[i].tick < t->stats.from_tick;
        n_in_plan += r->marks[i].tick >= t->stats.from_tick &&
                     r->marks[i].tick < t->stats.to_tick;
    }
    struct chord_mark *more =
        r->marks && n_planned && !n_in_plan
            ? array_resize(r->marks, row.n + n_planned + 1, sizeof *more)
            : NULL;
    if (more) {
        r->marks = more;
        memmove(more + before + n_planned, more + before,
                (row.n - before) * sizeof *more);
        for (size_t i = 0; i < n_planned; i++) {
            const struct planned_chord *c = &t->stats.chords[i];
            more[before + i].tick =
                c->tick < t->stats.from_tick ? t->stats.from_tick : c->tick;
            planned_chord_name(c, more[before + i].symbol);
        }
        row.n += n_planned;
        row.plan_from = t->stats.from_tick;
        row.plan_to = t->stats.to_tick;
    }
    row.marks = r->marks;
    s->view.chords = row;
}

/* Reads the row again if the music or the shown plan has changed, and lays out the roll. */
static void follow(struct session *s)
{
    struct chord_row *r = s->parts.chords;
    const struct proposal *t = s->has_take ? proposals_shown(&s->takes) : NULL;
    const int n_planned = t ? t->stats.n_chords : 0;
    const char letter = n_planned ? t->letter : 0;
    if (!r->is_read || r->version != s->project.version || r->letter != letter ||
        r->n_planned != n_planned) {
        read_marks(s, n_planned ? t : NULL);
        r->is_read = true;
        r->version = s->project.version;
        r->letter = letter;
        r->n_planned = n_planned;
    }
    bool is_shown =
        r->wish == ROW_SHOWN || (r->wish == ROW_WITH_CHORDS && s->view.chords.n);
    if (is_shown == s->view.chords.is_shown)
        return;
    s->view.chords.is_shown = is_shown;
    session_lay_out(s, s->layout.columns, s->layout.rows);
    session_show_cursor(s);
}

static void forget(struct session *s)
{
    struct chord_row *r = s->parts.chords;
    r->is_read = false;
    r->wish = ROW_WITH_CHORDS;
}

static void fini(struct session *s)
{
    free(s->parts.chords->marks);
}

static const struct chord_mark *mark_at(const struct session *s, int64_t tick)
{
    const struct chords_view *r = &s->view.chords;
    size_t after;
    ARRAY_PASS(after, r->n, r->marks[after].tick <= tick);
    return after ? &r->marks[after - 1] : NULL;
}

const char *session_chord_at(const struct session *s, int64_t tick)
{
    const struct chord_mark *m = mark_at(s, tick);
    return m ? m->symbol : NULL;
}

void act_chord_row(struct session *s)
{
    struct chord_row *r = s->parts.chords;
    r->wish = s->view.chords.is_shown ? ROW_HIDDEN : ROW_SHOWN;
    r->is_read = false;
    follow(s);
    session_say(s, !s->view.chords.is_shown ? "chords hidden; zc shows them"
                   : s->view.chords.are_guessed
                       ? "chords guessed from the notes; :harmony guess "
                         "keeps them, :harmony Am7 puts one here"
                   : s->view.chords.n
                       ? "the chords of the file; :harmony Am7 puts one here"
                       : "no chords yet: :harmony Am7 puts one here");
}

/* Adds the shown plan, if there is one, outside [from, to) to the change, so that new takes
 * follow the rest of the plan, too. */
static void add_plan(struct change *c, const struct session *s, int64_t from,
                     int64_t to)
{
    const struct chords_view *r = &s->view.chords;
    for (size_t i = 0; i < r->n; i++)
        if (r->marks[i].tick >= r->plan_from && r->marks[i].tick < r->plan_to &&
            (r->marks[i].tick < from || r->marks[i].tick >= to))
            change_add_chord(c, s->project.score, r->marks[i].tick, r->marks[i].symbol);
}

/* Writes chords. A list has one chord a bar and replaces the chords of those bars; one chord
 * alone begins at the cursor. */
static void put_words(struct session *s, const char *line)
{
    enum { MOST = 128 };
    char text[sizeof s->view.prompt.text], *words[MOST] = {NULL}, *rest = NULL;
    struct chord_symbol symbol;
    int n = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " |", &rest); w; w = strtok_r(NULL, " |", &rest)) {
        if (n == MOST || (strcmp(w, "%") != 0 && !chord_symbol_read(w, &symbol))) {
            session_error(
                s, "%.24s is not a chord symbol; use Am7, G7/B, Bbmaj7 or N.C.", w);
            return;
        }
        words[n++] = w;
    }
    const bool is_planned = s->view.chords.plan_to > 0;
    const struct score *score = s->project.score;
    int64_t tick = s->view.cursor.tick, end = tick;
    for (int i = 0; n > 1 && i < n; i++)
        end = session_bar_at(s, end).start + session_bar_at(s, end).length;
    struct change *c = edit_begin("write %d chord%s", n, plural(n));
    add_plan(c, s, tick, n > 1 ? end : tick + 1);
    for (int i = 0; i < n; i++) {
        const struct bar bar = session_bar_at(s, tick);
        const int64_t next = bar.start + bar.length;
        change_remove_timeline(c, score, TIMELINE_CHORD, tick, n > 1 ? next : tick + 1);
        if (strcmp(words[i], "%") != 0)
            change_add_chord(c, score, tick, words[i]);
        tick = next;
    }
    if (edit_do_aloud(s, c))
        session_say_more(s, is_planned ? "; r draws takes on the edited plan"
                            : n == 1   ? "; the machine uses it"
                                       : "; the machine uses them");
}

void act_harmony_line(struct session *s, const char *line)
{
    struct chord_row *r = s->parts.chords;
    if (!*line) {
        act_chord_row(s);
        return;
    }
    if (r->wish == ROW_HIDDEN)
        r->wish = ROW_WITH_CHORDS;
    if (!strcmp(line, "-")) {
        /* Removes all chords in the selected time, else the last chord that begins in the
         * cursor's bar, up to the cursor. */
        char none[96] = "no chord is written here";
        int64_t from, to;
        if (!session_marked_time(s, &from, &to)) {
            const struct bar here = session_bar_at(s, s->view.cursor.tick);
            const struct chord_mark *m = mark_at(s, s->view.cursor.tick);
            const bool is_here = m && m->tick >= here.start;
            from = is_here ? m->tick : s->view.cursor.tick;
            to = from + 1;
            if (m && !is_here && !s->view.chords.are_guessed)
                snprintf(none, sizeof none,
                         "no chord begins in this bar; %.24s is written in bar %lld",
                         m->symbol, (long long)session_bar_at(s, m->tick).index + 1);
        }
        struct change *c = change_create("remove chords");
        add_plan(c, s, from, to);
        change_remove_timeline(c, s->project.score, TIMELINE_CHORD, from, to);
        edit_do_some(s, c, none);
    } else if (!strcmp(line, "guess")) {
        int64_t from, to;
        if (!session_marked_time(s, &from, &to)) {
            from = 0;
            to = INT64_MAX;
        }
        struct change *c = change_create("guess chords");
        enum midi_status st = change_guess_chords(c, s->project.score, from, to, false);
        if (st != MIDI_EMPTY)
            change_fail(c, st);
        if (edit_do_some(s, c, "no chord was found there"))
            session_say(s, "chords guessed from the notes; :harmony - removes one");
    } else
        put_words(s, line);
}

const struct editor_part CHORDS_PART = {
    PART_STATE(chords), .fini = fini,     .reset = forget,
    .opened = follow,   .edited = follow, .tick = follow,
};
