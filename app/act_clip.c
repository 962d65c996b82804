/* Notes taken away, kept, and put elsewhere, by way of the registers
 * (app/registers.h): a copy of several tracks keeps how far they are apart, and goes onto
 * the track at the cursor and those after it; where there are too few, they are added. */
#include "app/edit.h"
#include "app/overlap.h"

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
    *to = grid_floor(s, end) < end ? grid_next(s, end) : end;
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
    return passage_is_sane(p);
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

/* What is being put where. */
struct pasting {
    const struct passage *from;
    int times;          /* one after another */
    int track;          /* of its first */
    int64_t origin;     /* ticks */
    struct note *notes; /* [from->n * times]: track after track, in the order of time */
    bool *is_bad;       /* which of them cannot be there */
};

/* A track's run of the passage, as notes, all times over; how many. */
static size_t place_run(const struct session *s, struct pasting *p, size_t first,
                        size_t n_run, struct note *out)
{
    int tpq = s->project.score->ticks_per_quarter;
    int64_t span = passage_ticks(p->from, p->from->span, tpq);
    size_t n = 0;
    for (int k = 0; k < p->times; k++)
        for (size_t i = first; i < first + n_run; i++) {
            const struct passage_note *from = &p->from->notes[i];
            out[n] = edit_new_note(
                p->origin + k * span + passage_ticks(p->from, from->offset, tpq),
                passage_ticks(p->from, from->length, tpq), from->pitch, from->velocity);
            out[n++].off_velocity = (uint8_t)from->off_velocity;
        }
    return n;
}

static int by_start(const void *a, const void *b)
{
    int64_t x = ((const struct note *)a)->start, y = ((const struct note *)b)->start;
    return (x > y) - (x < y);
}

/* Marks what cannot be on that track, or would begin before the piece. */
static void mark_bad(const struct session *s, int track, struct note *notes,
                     bool *is_bad, size_t n)
{
    static const struct track none = {0};
    const struct score *score = s->project.score;
    bool is_there = track < (int)score->n_tracks;
    qsort(notes, n, sizeof *notes, by_start); /* what is long reaches into the next */
    overlap_count(is_there ? &score->tracks[track] : &none, NULL, 0, notes, n, is_bad);
    for (size_t i = 0; i < n; i++)
        is_bad[i] |= notes[i].start < 0;
}

/* How many of the passage, from `first` on, are of its track. */
static size_t run_length(const struct passage *p, size_t first)
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

/* One step of all that is not bad; *n_good: how many. NULL: it could not be built. */
static struct change *change_for(struct session *s, const struct pasting *p,
                                 const char *label, size_t *n_good)
{
    struct change *c = change_create(label);
    bool ok = c && missing_tracks(s, c, p->track + passage_n_tracks(p->from));
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
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}

/* "12 notes pasted, on 2 new tracks"; the label is "paste" or the like. */
static void say_pasted(struct session *s, const char *label, size_t n_good,
                       size_t n_left_out, int n_new)
{
    char count[64], tracks[48] = "";
    if (n_new > 0)
        snprintf(tracks, sizeof tracks, ", on %d new track%s", n_new,
                 n_new == 1 ? "" : "s");
    count_name(n_good, 0, count);
    if (n_left_out)
        session_say(s, "%s %sd%s; %zu left out: notes of the same pitch are there",
                    count, label, tracks, n_left_out);
    else
        session_say(s, "%s %sd%s", count, label, tracks);
}

static void do_paste(struct session *s, struct pasting *p, const char *label)
{
    size_t n = p->from->n * (size_t)p->times, n_good, at = 0;
    int n_new = p->track + passage_n_tracks(p->from) - (int)s->project.score->n_tracks;
    for (size_t i = 0, run; i < p->from->n; i += run) {
        run = run_length(p->from, i);
        size_t placed = place_run(s, p, i, run, p->notes + at);
        mark_bad(s, p->track + p->from->notes[i].track, p->notes + at, p->is_bad + at,
                 placed);
        at += placed;
    }
    struct change *c = change_for(s, p, label, &n_good);
    if (!c)
        session_error(s, "that cannot be put here: it would be too long, or too many "
                         "tracks");
    else if (n_good && session_do(s, c))
        say_pasted(s, label, n_good, n - n_good, n_new);
    else if (!n_good) {
        change_destroy(c);
        session_say(s, "nothing %sd: notes of the same pitch are there already", label);
    }
}

enum { MOST_PASTED = 1 << 22 }; /* notes at once */

static void paste(struct session *s, const struct passage *from, int track,
                  int64_t origin, int times, const char *label)
{
    struct pasting p = {.from = from, .times = times, .track = track, .origin = origin};
    if ((size_t)times > MOST_PASTED / from->n) {
        session_say(s, "that is too often: at most %d times",
                    MOST_PASTED / (int)from->n);
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
    paste(s, from, s->track, s->cursor_tick, command_times(c), "paste");
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
        paste(s, &p, notes[0].track, to, command_times(c), "duplicate");
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
