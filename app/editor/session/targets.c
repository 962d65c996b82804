/* Lists the targets of an edit, and replaces them. Targets are sorted by track, then in the
 * track's order, so each track is a run of them. */
#include "app/editor/session/edit.h"
#include "midi/edit/apply.h"
#include "midi/edit/held.h"
#include "midi/edit/lyrics.h"
#include "midi/score/notes.h"
#include "tui/base/names.h"

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct note *session_note_at(const struct session *s, int track, int64_t from,
                                   int64_t to, int pitch)
{
    const struct note *found = NULL;
    struct survey_walk w = session_walk(s, track, from, to);
    for (const struct note *n; (n = survey_walk(&w));)
        if (n->pitch == pitch && (n->start >= from || !s->view.kit.is_shown))
            found = n;
    return found;
}

const struct note *session_note_under_cursor(const struct session *s)
{
    int64_t tick = s->view.cursor.tick;
    return s->view.track < 0
               ? NULL
               : session_note_at(s, s->view.track, tick, grid_next(s, tick),
                                 s->view.cursor.pitch);
}

size_t edit_targets(struct session *s, struct target **out)
{
    const struct score *score = s->project.score;
    size_t n = 0, n_selected = s->selection.n;
    *out = calloc(n_selected ? n_selected : 1, sizeof **out);
    if (!*out)
        return session_no_memory(s);
    const struct note *here = n_selected ? NULL : session_note_under_cursor(s);
    if (here)
        (*out)[n++] = (struct target){s->view.track, *here};
    for (int track = 0; track < (int)score->n_tracks && n < n_selected; track++) {
        const struct track *t = &score->tracks[track];
        for (size_t i = 0; i < t->n_notes && n < n_selected; i++)
            if (select_has(s, t->notes[i].id))
                (*out)[n++] = (struct target){track, t->notes[i]};
    }
    if (!n)
        session_say(s, "no note here: select notes, or move to one");
    return n;
}

struct edit_span edit_targets_span(const struct target *t, size_t n)
{
    struct edit_span span = {INT64_MAX, 0};
    for (size_t i = 0; i < n; i++) {
        const struct note *note = &t[i].note;
        span.from = note->start < span.from ? note->start : span.from;
        span.to = note_end(note) > span.to ? note_end(note) : span.to;
    }
    return span;
}

struct change *edit_begin(const char *format, ...)
{
    char label[EDIT_LABEL_BYTES];
    const char *end;
    va_list args;
    va_start(args, format);
    vsnprintf(label, sizeof label, format, args);
    va_end(args);
    if (!g_utf8_validate(label, -1, &end)) /* the cut was inside a letter */
        label[end - label] = '\0';
    return change_create(label);
}

bool edit_do(struct session *s, struct change *c)
{
    char pitch[PITCH_NAME_BYTES];
    enum midi_status st = change_status(c);
    if (st == MIDI_OVERLAP)
        session_say(s, "cannot %s: it would overlap a note of the same pitch",
                    c->label);
    else if (st == MIDI_UNISON)
        session_say(s, "cannot %s: two %s would begin together in bar %lld", c->label,
                    pitch_name_octave(c->clash.pitch, SPELL_SHARPS, pitch),
                    (long long)session_bar_at(s, c->clash.start).index + 1);
    else if (st)
        session_error(s, "not possible: it %s", midi_strerror(st));
    if (st) {
        change_destroy(c);
        return false;
    }
    st = project_do(&s->project, c);
    if (st)
        session_error(s, "not possible: it %s", midi_strerror(st));
    if (s->view.mode == MODE_SELECT)
        select_leave_box(s);
    session_revalidate(s);
    return st == MIDI_OK;
}

bool edit_do_aloud(struct session *s, struct change *c)
{
    const bool is_done = edit_do(s, c);
    if (is_done)
        session_say(s, "%s", history_now(s->project.history)->change->label);
    return is_done;
}

bool edit_do_some(struct session *s, struct change *c, const char *nothing)
{
    if (change_status(c) || c->n_edits)
        return edit_do(s, c);
    change_destroy(c);
    session_say(s, "%s", nothing);
    return false;
}

static int by_track_and_start(const void *a, const void *b)
{
    const struct note_move *x = a, *y = b;
    return x->track != y->track ? x->track - y->track
                                : (x->from > y->from) - (x->from < y->from);
}

bool edit_replace(struct session *s, struct change *c, const struct target *before,
                  const struct note *after, size_t n, enum overlap_rule rule,
                  size_t *n_cut)
{
    struct note_move *moves = calloc(n + 1, sizeof *moves);
    /* By how many ticks all notes move; 0: not by the same. */
    int64_t by = n ? after[0].start - before[0].note.start : 0;
    bool removes_all = c && !c->n_edits;
    if (!moves)
        change_fail(c, MIDI_NO_MEMORY);
    for (size_t i = 0; i < n; i++) {
        removes_all &= after[i].pitch == PITCH_GONE;
        if (after[i].start - before[i].note.start != by)
            by = 0;
        if (after[i].pitch == PITCH_GONE)
            change_remove_note(c, before[i].track, &before[i].note);
        else if (!note_equal(&before[i].note, &after[i]))
            change_replace_note(c, before[i].track, &before[i].note, after[i]);
    }
    const size_t n_shorter = change_settle(
        c, s->project.score, s->view.kit.is_shown ? OVERLAP_TRUNCATE : rule);
    if (n_cut)
        *n_cut = n_shorter;
    for (size_t i = 0; moves && i < n; i++)
        moves[i] = (struct note_move){before[i].track, before[i].note.start,
                                      removes_all ? -1 : after[i].start};
    if (moves && !change_status(c)) {
        qsort(moves, n, sizeof *moves, by_track_and_start);
        change_move_lyrics(c, s->project.score, moves, n);
    }
    const struct box *box = s->selection.bars ? session_box(s) : NULL;
    if (box && !change_status(c) && (by || removes_all)) {
        /* The gestures of the bars move by as much, or are removed. */
        struct score *stays = score_clone(s->project.score);
        struct change *gone = change_create("");
        uint64_t tracks = 0;
        for (size_t i = 0; i < n; i++) {
            change_remove_note(gone, before[i].track, &before[i].note);
            tracks |= before[i].track < 64 ? UINT64_C(1) << before[i].track : 0;
        }
        if (!change_fail(c, stays ? change_apply(gone, stays, true) : MIDI_NO_MEMORY))
            change_move_gestures(c, s->project.score, stays, tracks, box->from, box->to,
                                 by);
        change_destroy(gone);
        score_destroy(stays);
    }
    free(moves);
    return edit_do_some(s, c, "it is as it was");
}

struct note edit_new_note_here(const struct session *s, int pitch, int64_t end)
{
    const struct track *t = &s->project.score->tracks[s->view.track];
    const int64_t tick = s->view.cursor.tick;
    for (size_t i = 0; i < t->n_notes && t->notes[i].start < end; i++) {
        const struct note *n = &t->notes[i];
        if (n->pitch == pitch && n->start > tick)
            end = n->start;
        else if (n->pitch == pitch && (n->start == tick || note_end(n) > tick))
            end = tick;
    }
    return edit_new_note(tick, end - tick, pitch, s->new_note.velocity);
}

struct note edit_copy_note(const struct note *n)
{
    struct note copy = *n;
    copy.id = 0;
    copy.flags = 0;
    note_lose_order(&copy);
    return copy;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity)
{
    return (struct note){.start = start,
                         .length = length,
                         .pitch = (uint8_t)pitch,
                         .velocity = (uint8_t)velocity,
                         .off_velocity = 64,
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
}
