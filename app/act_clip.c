/* Notes taken away, kept, and put elsewhere, by way of the registers
 * (app/registers.h): a copy of several tracks keeps how far they are apart, and goes onto
 * the track at the cursor and those after it; where there are too few, they are added. */
#include "app/edit.h"
#include "app/passage_controls.h"
#include "app/paste.h"

#include <stdio.h>
#include <stdlib.h>

/* -- copying -- */

static int64_t first_start(const struct target *t, size_t n)
{
    int64_t first = t[0].note.start;
    for (size_t i = 1; i < n; i++)
        first = t[i].note.start < first ? t[i].note.start : first;
    return first;
}

static int64_t last_end(const struct target *t, size_t n)
{
    int64_t last = 0;
    for (size_t i = 0; i < n; i++)
        last = note_end(&t[i].note) > last ? note_end(&t[i].note) : last;
    return last;
}

/* From where to where they are taken, which a copy keeps: the bars that were chosen,
 * else the grid lines about them. */
static void span_of_targets(const struct session *s, const struct target *t, size_t n,
                            int64_t *from, int64_t *to)
{
    int64_t end = last_end(t, n);
    if (s->mode == MODE_SELECT && s->has_box && s->bars) {
        *from = s->box.from;
        *to = s->box.to;
        return;
    }
    *from = grid_floor(s, first_start(t, n));
    *to = grid_floor(s, end) < end || end == *from ? grid_next(s, end) : end;
}

/* Its notes are to be freed. false: no memory, or they are too far apart. */
static bool passage_of(struct passage *p, const struct session *s,
                       const struct target *t, size_t n)
{
    int64_t from, to;
    span_of_targets(s, t, n, &from, &to);
    *p = (struct passage){.ticks_per_quarter = s->project.score->ticks_per_quarter,
                          .span = to - from,
                          .n = n};
    if (!(p->notes = calloc(n, sizeof *p->notes)))
        return false;
    for (size_t i = 0; i < n; i++)
        p->notes[i] = (struct passage_note){
            .offset = t[i].note.start - from,
            .length = t[i].note.length,
            .track = t[i].track - t[0].track,
            .pitch = t[i].note.pitch,
            .velocity = t[i].note.velocity,
            .off_velocity = t[i].note.off_velocity,
        };
    bool of_bars = s->mode == MODE_SELECT && s->has_box && s->bars;
    return (!of_bars || passage_take_controls(p, s->project.score, t[0].track,
                                              passage_n_tracks(p), from, to)) &&
           passage_is_sane(p);
}

static bool keep(struct session *s, uint32_t name, const struct target *t, size_t n,
                 bool taken_away)
{
    struct passage p = {0};
    bool ok =
        passage_of(&p, s, t, n) && registers_put(&s->registers, name, &p, taken_away);
    passage_fini(&p);
    if (!ok)
        session_error(s, "that is too much to copy: nothing was done");
    return ok;
}

/* "12 notes of 2 tracks"; buf is returned. */
static const char *count_name(size_t n, int n_tracks, char buf[64])
{
    char of[32] = "";
    if (n_tracks > 1)
        snprintf(of, sizeof of, " of %d tracks", n_tracks);
    snprintf(buf, 64, "%zu note%s%s", n, n == 1 ? "" : "s", of);
    return buf;
}

void act_yank(struct session *s, const struct command *c)
{
    char count[64], to[24] = "";
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, false)) {
        session_clear_selection(s);
        if (c->reg)
            snprintf(to, sizeof to, ": \"%cp pastes %s", (char)c->reg,
                     n == 1 ? "it" : "them");
        session_say(s, "%s copied%s",
                    count_name(n, notes[n - 1].track - notes[0].track + 1, count), to);
    }
    free(notes);
}

void act_delete(struct session *s, const struct command *c)
{
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, true)) { /* as in vim, p brings it back */
        struct change *change = change_create("remove notes");
        enum midi_status st = MIDI_OK;
        for (size_t i = 0; change && !st && i < n; i++)
            st = change_remove_note(change, notes[i].track, &notes[i].note);
        if (edit_do(s, change, st))
            session_clear_selection(s);
    }
    free(notes);
}

/* -- putting it elsewhere -- */

void act_paste(struct session *s, const struct command *c)
{
    const struct passage *from = registers_get(&s->registers, c->reg);
    if (!from || !from->n) {
        if (c->reg && c->reg != '"')
            session_say(s, "register %c is empty; :registers lists what there is",
                        (char)c->reg);
        else
            session_say(s, "nothing to paste: y copies, x cuts");
        return;
    }
    session_clear_selection(s);
    if (s->track < 0)
        s->track = 0; /* it will be there */
    paste_passage(s, from, s->track, s->cursor_tick, command_times(c), "paste");
    session_revalidate(s);
}

void act_duplicate(struct session *s, const struct command *c)
{
    struct target *notes = NULL;
    struct passage p = {0};
    size_t n = edit_targets(s, &notes);
    if (n && keep(s, c->reg, notes, n, false) && passage_of(&p, s, notes, n)) {
        int64_t from, to;
        span_of_targets(s, notes, n, &from, &to);
        session_clear_selection(s);
        paste_passage(s, &p, notes[0].track, to, command_times(c), "duplicate");
    }
    passage_fini(&p);
    free(notes);
}

/* -- the list of them -- */

void act_registers_line(struct session *s, const char *unused)
{
    char list[sizeof s->message] = "", count[64];
    size_t used = 0;
    (void)unused;
    for (int i = 0; i < N_REGISTERS && used < sizeof list; i++) {
        const struct passage *p = &s->registers.at[i];
        if (p->n)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%c %s",
                                     used ? "  " : "", REGISTER_NAMES[i],
                                     count_name(p->n, passage_n_tracks(p), count));
    }
    session_say(s, "%s", used ? list : "nothing was copied yet: y copies, x cuts");
}
