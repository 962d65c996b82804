/* Cuts, copies and pastes notes through the registers (app/document/clipboard.h). A
 * copy of several tracks keeps their distances from the active track, and is pasted
 * around the track that is active then. Missing tracks are added. What was pasted is
 * selected. */
#include "app/document/state.h"
#include "app/editor/session/edit.h"
#include "midi/edit/lyrics.h"

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

const struct editor_part CLIPBOARD_PART = {
    .tick = remember,
};
