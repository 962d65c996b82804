/* Cuts, copies and pastes notes through the registers (app/document/clipboard.h). A
 * copy of several tracks keeps their distances from the active track, and is pasted
 * around the track that is active then. Missing tracks are added. What was pasted is
 * selected. */
#include "app/document/state.h"
#include "app/editor/session/edit.h"
#include "midi/edit/lyrics.h"
#include "midi/score/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From where to where they are taken, which a copy keeps: the bars that were chosen,
 * else the grid lines about them. */
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

/* The caller frees its notes. false: out of memory, or the notes are too far apart. */
static bool copy_to_clipboard(struct clipboard *p, const struct session *s,
                              const struct target *t, size_t n)
{
    struct edit_span span = span_of(s, t, n);
    int active = s->view.track - t[0].track, last = t[n - 1].track - t[0].track;
    *p = (struct clipboard){.ticks_per_quarter = s->project.score->ticks_per_quarter,
                            .span = span.to - span.from,
                            .at_track = active < 0      ? 0
                                        : active > last ? last
                                                        : active,
                            .n = n};
    if (!(p->notes = calloc(n, sizeof *p->notes)))
        return false;
    for (size_t i = 0; i < n; i++)
        p->notes[i] = (struct clipboard_note){
            .offset = t[i].note.start - span.from,
            .length = t[i].note.length,
            .track = t[i].track - t[0].track,
            .pitch = t[i].note.pitch,
            .velocity = t[i].note.velocity,
            .off_velocity = t[i].note.off_velocity,
        };
    /* Of notes that begin together on a track the first has it. */
    struct lyrics l;
    bool ok = lyrics_init(&l, s->project.score);
    for (size_t i = 0; ok && i < n; i++) {
        const bool is_first = !i || t[i - 1].track != t[i].track ||
                              t[i - 1].note.start != t[i].note.start;
        const struct event *e =
            is_first ? lyrics_at(&l, t[i].track, t[i].note.start) : NULL;
        if (e && e->n_data <= CLIPBOARD_LYRIC) {
            memcpy(p->notes[i].lyric, e->data, e->n_data);
            p->notes[i].n_lyric = (uint8_t)e->n_data;
        }
    }
    lyrics_fini(&l);
    if (!ok)
        return false;
    bool of_bars = session_box(s) && s->selection.bars;
    return (!of_bars ||
            clipboard_take_controls(p, s->project.score, t[0].track,
                                    clipboard_n_tracks(p), span.from, span.to)) &&
           clipboard_is_sane(p);
}

static bool keep(struct session *s, uint32_t name, const struct target *t, size_t n,
                 bool taken_away)
{
    struct clipboard p = {0};
    bool ok = copy_to_clipboard(&p, s, t, n) &&
              registers_put(&s->registers, name, &p, taken_away);
    clipboard_fini(&p);
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

/* Says how to paste the n notes that went into a register: "\"ap pastes them"; if they were
 * added to it, all that it holds. Returns buf. */
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
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, false)) {
        session_clear_selection(s);
        count_name(n, notes[n - 1].track - notes[0].track + 1, count);
        session_say(s, "%s copied%s%s", count, c->reg ? ": " : "",
                    c->reg ? way_back(c->reg, n, to) : "");
    }
    free(notes);
}

void act_delete(struct session *s, const struct command *c)
{
    char back[32];
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, true)) { /* as in vim, p brings it back */
        struct change *change = change_create("remove notes");
        edit_remove_targets(s, change, notes, n);
        if (edit_do(s, change)) {
            session_clear_selection(s);
            session_say(s, "%zu note%s removed: %s", n, plural(n),
                        way_back(c->reg, n, back));
        }
    }
    free(notes);
}

/* New notes; of duplicates the last: where it begins, and how far from its source. */
struct duplicate {
    uint64_t first_id;
    int64_t at, by;
};

static bool is_new(const struct session *s, const struct note *n, const void *of)
{
    const struct duplicate *d = of;
    (void)s;
    return n->id >= d->first_id && n->start >= d->at;
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
    const struct duplicate pasted = {.first_id = s->project.score->next_id};
    session_clear_selection(s);
    if (s->view.track < 0)
        s->view.track = 0; /* it will be there */
    int first = s->view.track - from->at_track;
    paste_clipboard(s, from, first < 0 ? 0 : first, s->view.cursor.tick,
                    command_times(c), "paste");
    session_revalidate(s);
    select_where(s, &(struct choice){is_new, &pasted, true});
}

static void duplicate(struct session *s, const struct clipboard *p,
                      const struct target *notes, size_t n, int times)
{
    int64_t cursor = s->view.cursor.tick;
    struct edit_span span = span_of(s, notes, n);
    bool is_alone = !s->selection.n;
    uint64_t state = history_state(s->project.history);
    struct duplicate d = {.first_id = s->project.score->next_id};
    session_clear_selection(s);
    paste_clipboard(s, p, notes[0].track, span.to, times, "duplicate");
    if (history_state(s->project.history) == state)
        return; /* and the user was told */
    d.by = times * (span.to - span.from);
    d.at = edit_targets_span(notes, n).from + d.by;
    if (is_alone)
        session_go_to(s, grid_floor(s, cursor + d.by));
    else {
        /* Selects the copy so that it can be duplicated again: bars if bars were
         * selected, notes if notes were, else the note under the cursor. */
        const struct selected_before *was = &s->selection.before;
        if (was->has_box && was->bars) {
            s->view.cursor.tick = grid_previous(s, was->box.to + d.by);
            select_begin_box(
                s, (struct roll_point){was->box.from + d.by, s->view.cursor.pitch},
                true, was->all_tracks);
        } else {
            select_where(s, &(struct choice){is_new, &d, true});
        }
        session_show_cursor(s);
    }
}

void act_duplicate(struct session *s, const struct command *c)
{
    struct target *notes = NULL;
    struct clipboard p = {0};
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, false) && copy_to_clipboard(&p, s, notes, n))
        duplicate(s, &p, notes, n, command_times(c));
    clipboard_fini(&p);
    free(notes);
}

void act_registers_line(struct session *s)
{
    char list[sizeof s->view.message.text] = "", count[64];
    size_t used = 0;
    for (int i = 0; i < N_REGISTERS && used < sizeof list; i++) {
        const struct clipboard *p = &s->registers.at[i];
        if (p->n)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%c %s",
                                     used ? "  " : "", REGISTER_NAMES[i],
                                     count_name(p->n, clipboard_n_tracks(p), count));
    }
    session_say(s, "%s", used ? list : "nothing was copied yet: y copies, x cuts");
}

static void remember(struct session *s)
{
    if (s->registers.changed && s->preferences.remembers_files &&
        s->project.autosave.writer)
        registers_remember(s->project.autosave.writer, &s->registers);
}

/* -- pasting: once, or several times in a row -- */

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
        const struct clipboard_note *first = &p->from->notes[at];
        for (run = 1; at + run < p->from->n && first[run].track == first->track;)
            run++;
        n = run * (size_t)p->times;
        for (size_t i = 0; i < n; i++)
            notes[i] =
                place(p, &first[i % run], p->origin + (int64_t)(i / run) * span, tpq);
        qsort(notes, n, sizeof *notes,
              note_compare); /* long ones reach into the next */
        for (size_t i = 0; i < n; i++)
            if (notes[i].start < 0)
                n_before++;
            else
                change_add_note(c, p->track + first->track, notes[i]);
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

const struct editor_part CLIPBOARD_PART = {
    .tick = remember,
};
