/* Cuts, copies and pastes notes by the registers (app/document/clipboard.h). A copy of several
 * tracks has their distances from the active track, and is pasted around the track that is
 * active then. Missing tracks are added. Pasted notes are selected. */
#include "app/document/state.h"
#include "app/editor/edit/reshape.h"
#include "midi/edit/lyrics.h"
#include "midi/score/notes.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the time that a copy of these notes spans: the selected bars, else from the grid line
 * before the notes to the grid line after them. */
static struct edit_span span_of(const struct session *s, const struct target *t,
                                size_t n)
{
    const struct box *box = session_box(s);
    if (box && s->selection.bars)
        return (struct edit_span){box->from, box->to};
    struct edit_span span = edit_targets_span(t, n);
    int64_t end = span.to;
    span.from = grid_floor(s, span.from);
    if (grid_floor(s, end) < end || end == span.from)
        span.to = grid_next(s, end);
    return span;
}

/* Copies targets to *p, whose notes the caller frees, and to a register. false: that failed, and
 * the user was told. */
static bool copy_notes(struct session *s, uint32_t name, struct clipboard *p,
                       const struct target *t, size_t n, bool taken_away)
{
    const struct score *score = s->project.score;
    const bool of_bars = session_box(s) && s->selection.bars;
    const struct edit_span span = span_of(s, t, n);
    int active = s->view.track - t[0].track, last = t[n - 1].track - t[0].track;
    struct lyrics l;
    *p = (struct clipboard){.ticks_per_quarter = score->ticks_per_quarter,
                            .span = span.to - span.from,
                            .at_track = CLAMP(active, 0, last),
                            .n = n};
    p->notes = calloc(n, sizeof *p->notes);
    bool ok = lyrics_init(&l, score) && p->notes;
    for (size_t i = 0; ok && i < n; i++) {
        const struct note *note = &t[i].note;
        struct clipboard_note *to = &p->notes[i];
        *to = (struct clipboard_note){
            .offset = note->start - span.from,
            .length = note->length,
            .track = t[i].track - t[0].track,
            .pitch = note->pitch,
            .velocity = note->velocity,
            .off_velocity = note->off_velocity,
        };
        /* Of notes that begin together on a track, the first gets the lyric. */
        const bool is_first =
            !i || t[i - 1].track != t[i].track || t[i - 1].note.start != note->start;
        const struct event *e =
            is_first ? lyrics_at(&l, t[i].track, note->start) : NULL;
        if (e && e->n_data <= CLIPBOARD_LYRIC) {
            memcpy(to->lyric, e->data, e->n_data);
            to->n_lyric = (uint8_t)e->n_data;
        }
    }
    lyrics_fini(&l);
    if (ok && of_bars)
        ok = clipboard_take_controls(p, score, t[0].track, clipboard_n_tracks(p),
                                     span.from, span.to);
    ok =
        ok && clipboard_is_sane(p) && registers_put(&s->registers, name, p, taken_away);
    if (!ok)
        session_error(s, "that is too much to copy");
    return ok;
}

/* "12 notes of 2 tracks"; buf is returned. */
static const char *count_name(size_t n, int n_tracks, char buf[64])
{
    char of[32] = "";
    if (n_tracks > 1)
        snprintf(of, sizeof of, " of %d tracks", n_tracks);
    snprintf(buf, 64, "%zu note%s%s", n, plural(n), of);
    return buf;
}

/* Writes how to paste the n notes of a register: "\"ap pastes them", or "all of it" if they were
 * added to the register. Returns buf. */
static const char *way_back(uint32_t reg, size_t n, char buf[32])
{
    bool adds = reg >= 'A' && reg <= 'Z';
    const char *what = adds ? "all of it" : n == 1 ? "it" : "them";
    char name = (char)(adds ? reg - 'A' + 'a' : reg);
    if (reg)
        snprintf(buf, 32, "\"%cp pastes %s", name, what);
    else
        snprintf(buf, 32, "p pastes %s", what);
    return buf;
}

void act_yank(struct session *s, const struct command *c)
{
    char count[64], to[32];
    struct clipboard p = {0};
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_notes(s, c->reg, &p, notes, n, false)) {
        session_clear_selection(s);
        session_say(s, "%s copied%s%s",
                    count_name(n, notes[n - 1].track - notes[0].track + 1, count),
                    c->reg ? ": " : "", c->reg ? way_back(c->reg, n, to) : "");
    }
    clipboard_fini(&p);
    free(notes);
}

/* As in vim, p brings the notes back. */
void act_delete(struct session *s, const struct command *c)
{
    char back[32];
    struct clipboard p = {0};
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    const size_t n = r.n;
    const bool is_kept = copy_notes(s, c->reg, &p, r.before, n, true);
    clipboard_fini(&p);
    for (size_t i = 0; i < n; i++)
        r.after[i].pitch = PITCH_GONE;
    if (!is_kept) {
        reshape_forget(&r);
    } else if (reshape_do(&r, OVERLAP_REFUSE, "remove", NULL)) {
        session_clear_selection(s);
        session_say(s, "%zu note%s removed: %s", n, plural((long long)n),
                    way_back(c->reg, n, back));
    }
}

/* Pasted notes have ids from first_id on. The last duplicate begins at tick `at`. */
struct pasted {
    uint64_t first_id;
    int64_t at;
};

static bool is_new(const struct session *s, const struct note *n, const void *of)
{
    const struct pasted *p = of;
    (void)s;
    return n->id >= p->first_id && n->start >= p->at;
}

/* Adds the notes track after track, each in the order of time, and their lyrics. Returns how
 * many notes are left out, since they would begin before the piece: selected bars have notes
 * that began before them. */
static size_t put_notes(const struct score *score, struct change *c,
                        const struct clipboard *from, int first_track, int64_t origin,
                        int times)
{
    size_t n_before = 0;
    const int tpq = score->ticks_per_quarter;
    const int64_t span = clipboard_ticks(from, from->span, tpq);
    struct note *notes = calloc(from->n * (size_t)times, sizeof *notes);
    struct lyrics l;
    if (!lyrics_init(&l, score) || !notes)
        change_fail(c, MIDI_NO_MEMORY);
    for (size_t at = 0, run, n; notes && !change_status(c) && at < from->n; at += run) {
        const struct clipboard_note *first = &from->notes[at];
        const int track = first_track + first->track;
        for (run = 1; at + run < from->n && first[run].track == first->track;)
            run++;
        n = run * (size_t)times;
        for (size_t i = 0; i < n; i++) {
            const struct clipboard_note *one = &first[i % run];
            const int64_t length = clipboard_ticks(from, one->length, tpq),
                          start = origin + (int64_t)(i / run) * span +
                                  clipboard_ticks(from, one->offset, tpq);
            /* A note with a length keeps at least a tick. */
            notes[i] = edit_new_note(start, one->length && !length ? 1 : length,
                                     one->pitch, one->velocity);
            notes[i].off_velocity = (uint8_t)one->off_velocity;
            if (one->n_lyric && track < (int)score->n_tracks && start >= 0 &&
                !lyrics_at(&l, track, start))
                change_add_lyric(c, &l, track, start, one->lyric, one->n_lyric);
        }
        /* Long notes reach into the next time. */
        qsort(notes, n, sizeof *notes, note_compare);
        for (size_t i = 0; i < n; i++)
            if (notes[i].start < 0)
                n_before++;
            else
                change_add_note(c, track, notes[i]);
    }
    lyrics_fini(&l);
    free(notes);
    return n_before;
}

/* Pastes `times` times in a row, in one step of the history, which `label` ("paste") names; it
 * also begins the message. The clipboard's first track goes to `track`, the others to those
 * after it; missing tracks are added. Notes that would overlap one of their pitch are left out;
 * the cursor goes to the first pitch that is not. false: nothing was pasted, and the user was
 * told. */
static bool paste(struct session *s, const struct clipboard *from, int track,
                  int64_t origin, int times, const char *label)
{
    enum { MOST_PASTED = 1 << 22 }; /* notes and controllers at once */
    const struct score *score = s->project.score;
    const int64_t span = clipboard_ticks(from, from->span, score->ticks_per_quarter);
    /* The limits prevent sums of times from overflowing. */
    if ((size_t)times > MOST_PASTED / (from->n + from->n_points) ||
        span > TICK_MAX / times) {
        session_say(s, "that is too much for %d times", times);
        return false;
    }
    const int n_new = track + clipboard_n_tracks(from) - (int)score->n_tracks;
    struct change *c = change_create(label);
    for (int i = 0; i < n_new; i++) {
        char name[32];
        snprintf(name, sizeof name, "Track %d", (int)score->n_tracks + i + 1);
        change_add_track(c, score, name, score_free_channel(score, i), 0);
    }
    const size_t n_before = put_notes(score, c, from, track, origin, times),
                 n_met = change_settle(c, score, OVERLAP_SKIP),
                 n_left_out = n_before + n_met;
    const char *why = !n_before ? "notes of the same pitch are already there"
                      : !n_met  ? "the piece begins later"
                                : "no room";
    const size_t n = from->n * (size_t)times - n_left_out;
    if (!change_status(c) && !n) {
        change_destroy(c);
        session_say(s, "nothing %sd: %s", label, why);
        return false;
    }
    change_fail(c, clipboard_put_controls(from, c, score, track, origin, times));
    if (change_status(c) == MIDI_BAD_EDIT) {
        change_destroy(c);
        session_error(
            s, "that does not fit here: it would be too long, or need too many tracks");
        return false;
    }
    size_t first = 0;
    while (!change_status(c) && c->edits[first].kind != EDIT_NOTE)
        first++;
    const int pitch = change_status(c) ? 0 : c->edits[first].after.pitch;
    if (!edit_do(s, c))
        return false;
    s->view.cursor.pitch = pitch; /* the first new note is visible */
    session_show_cursor(s);
    /* "12 notes pasted, on 2 new tracks"; the label is "paste" or the like. */
    session_say(s, "%zu note%s %sd", n, plural((long long)n), label);
    if (n_new > 0)
        session_say_more(s, ", on %d new track%s", n_new, plural(n_new));
    if (n_left_out)
        session_say_more(s, "; %zu left out: %s", n_left_out, why);
    return true;
}

void act_paste(struct session *s, const struct command *c)
{
    const struct clipboard *from = registers_get(&s->registers, c->reg);
    if (!from || !from->n) {
        if (c->reg && c->reg != '"')
            session_say(s, "register %c is empty; :registers lists all", (char)c->reg);
        else
            session_say(s, "nothing to paste: y copies, x cuts");
        return;
    }
    const struct pasted pasted = {.first_id = s->project.score->next_id};
    session_clear_selection(s);
    if (s->view.track < 0)
        s->view.track = 0; /* it will be there */
    int first = s->view.track - from->at_track;
    paste(s, from, first < 0 ? 0 : first, s->view.cursor.tick, command_times(c),
          "paste");
    session_revalidate(s);
    select_where(s, &(struct choice){is_new, &pasted, true, AMONG_ALL});
}

void act_duplicate(struct session *s, const struct command *c)
{
    struct target *notes = NULL;
    struct clipboard p = {0};
    const size_t n = edit_targets(s, &notes);
    if (n && copy_notes(s, c->reg, &p, notes, n, false)) {
        const struct edit_span span = span_of(s, notes, n);
        const int64_t cursor = s->view.cursor.tick;
        const bool is_alone = !s->selection.n;
        struct pasted last = {s->project.score->next_id,
                              edit_targets_span(notes, n).from};
        session_clear_selection(s);
        const struct selected_before *was = &s->selection.before;
        const bool is_pasted =
            paste(s, &p, notes[0].track, span.to, command_times(c), "duplicate");
        const int64_t by = is_pasted ? command_times(c) * (span.to - span.from) : 0;
        last.at += by;
        /* Selects the copy so that it can be duplicated again: bars if bars were
         * selected, notes if notes were, else the note under the cursor. */
        if (is_pasted && is_alone) {
            session_go_to(s, grid_floor(s, cursor + by));
        } else if (is_pasted && was->has_box && was->bars) {
            s->view.cursor.tick = grid_previous(s, was->box.to + by);
            select_begin_box(
                s, (struct roll_point){was->box.from + by, s->view.cursor.pitch}, true,
                was->all_tracks);
            session_show_cursor(s);
        } else if (is_pasted) {
            select_where(s, &(struct choice){is_new, &last, true, AMONG_ALL});
            session_show_cursor(s);
        }
    }
    clipboard_fini(&p);
    free(notes);
}

void act_registers_line(struct session *s)
{
    char count[64];
    s->view.message.text[0] = '\0';
    for (int i = 0; i < N_REGISTERS; i++) {
        const struct clipboard *p = &s->registers.at[i];
        if (p->n)
            session_say_more(s, "%s\"%c %s", *s->view.message.text ? "  " : "",
                             REGISTER_NAMES[i],
                             count_name(p->n, clipboard_n_tracks(p), count));
    }
    if (!*s->view.message.text)
        session_say(s, "nothing was copied yet: y copies, x cuts");
}

static void remember(struct session *s)
{
    if (s->registers.changed && s->preferences.remembers_files &&
        s->project.autosave.writer)
        registers_remember(s->project.autosave.writer, &s->registers);
}

const struct editor_part CLIPBOARD_PART = {
    .tick = remember,
};
