/* Changing notes. Every action builds one change, so it undoes as one step.
 *
 * Two notes of one pitch on one track never overlap by our hand: MIDI cannot
 * tell whose note-off is whose, and the file would come back different. */
#include "app/session.h"

#include <stdlib.h>

static int64_t note_end(const struct note *n)
{
    return n->start + n->length;
}

static int times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

const struct note *session_note_under_cursor(const struct session *s)
{
    const struct track *t = session_track(s);
    int64_t right = grid_next(s, s->cursor_tick);
    const struct note *found = NULL;
    for (size_t i = 0; t && i < t->n_notes && t->notes[i].start < right; i++) {
        const struct note *n = &t->notes[i];
        bool here = note_end(n) > s->cursor_tick || n->start >= s->cursor_tick;
        if (n->pitch == s->cursor_pitch && here)
            found = n;
    }
    return found;
}

/* A note of the active track that `n` would overlap, those selected (and so
 * moving along) and `except` aside. */
static const struct note *obstacle(const struct session *s, const struct note *n,
                                   uint64_t except)
{
    const struct track *t = session_track(s);
    for (size_t i = 0; i < t->n_notes && t->notes[i].start < note_end(n); i++) {
        const struct note *m = &t->notes[i];
        if (m->pitch == n->pitch && note_end(m) > n->start && m->id != except &&
            !select_has(s, m->id))
            return m;
    }
    return NULL;
}

/* What an edit acts on: the selected notes, else the one under the cursor. The
 * array is the caller's; 0 when there is nothing, which is said. */
static size_t targets(struct session *s, struct note **out)
{
    const struct track *t = session_track(s);
    size_t n = 0, most = s->n_selected ? s->n_selected : 1;
    *out = t ? malloc(most * sizeof **out) : NULL;
    if (!*out)
        return 0;
    if (!s->n_selected) {
        const struct note *here = session_note_under_cursor(s);
        if (here)
            (*out)[n++] = *here;
    }
    for (size_t i = 0; s->n_selected && i < t->n_notes; i++)
        if (select_has(s, t->notes[i].id))
            (*out)[n++] = t->notes[i];
    if (!n)
        session_say(s, "no note here: select some first, or move onto one");
    return n;
}

typedef bool transform_fn(const struct session *s, struct note *n, int64_t amount);

/* Replaces every target by its transform, or says why it cannot. */
static bool transform(struct session *s, const char *label, transform_fn *fn,
                      int64_t amount)
{
    struct note *notes = NULL;
    size_t n = targets(s, &notes);
    struct change *c = n ? change_create(label) : NULL;
    bool ok = c != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        struct note after = notes[i];
        if (!fn(s, &after, amount)) {
            session_say(s, "cannot %s any further", label);
            ok = false;
        } else if (obstacle(s, &after, notes[i].id)) {
            session_say(s, "cannot %s: it would overlap a note of the same pitch",
                        label);
            ok = false;
        } else {
            ok = change_replace_note(c, s->track, &notes[i], after) == MIDI_OK;
        }
    }
    free(notes);
    if (!ok) {
        change_destroy(c);
        return false;
    }
    return session_do(s, c);
}

bool edit_move_note(struct session *s, const struct note *before, struct note after)
{
    if (obstacle(s, &after, before->id)) {
        session_say(s, "not there: it would overlap a note of the same pitch");
        return false;
    }
    struct change *c = change_create("move");
    if (!c || change_replace_note(c, s->track, before, after)) {
        change_destroy(c);
        session_error(s, "out of memory");
        return false;
    }
    return session_do(s, c);
}

static bool add_note(struct session *s, struct note n, const char *label)
{
    struct change *c = change_create(label);
    if (!c || change_add_note(c, s->track, n)) {
        change_destroy(c);
        session_error(s, "out of memory");
        return false;
    }
    return session_do(s, c);
}

static void sound(struct session *s, int pitch, int velocity)
{
    const struct track *t = session_track(s);
    if (t && !player_is_playing(s->player))
        player_audition(s->player, t->channel, t->program, pitch, velocity);
}

/* The end of `count` grid steps from the cursor, before the next note of this
 * pitch. */
static int64_t free_end(const struct session *s, int count)
{
    int64_t end = s->cursor_tick;
    for (int i = 0; i < count; i++)
        end = grid_next(s, end);
    struct note n = {.start = s->cursor_tick, .pitch = (uint8_t)s->cursor_pitch};
    n.length = end - n.start;
    const struct track *t = session_track(s);
    for (size_t i = score_first_note_at(s->project.score, s->track, s->cursor_tick + 1);
         i < t->n_notes && t->notes[i].start < end; i++)
        if (t->notes[i].pitch == n.pitch)
            return t->notes[i].start;
    return end;
}

void act_toggle_note(struct session *s, const struct command *c)
{
    if (!session_track(s)) {
        session_say(s, "this score has no tracks; :track NAME adds one");
        return;
    }
    const struct note *here = session_note_under_cursor(s);
    if (here && s->mode != MODE_DRAW) {
        struct command erase = {.id = CMD_DELETE};
        s->n_selected = 0;
        act_delete(s, &erase);
        return;
    }
    if (here) {
        session_say(s, "a note is here already");
        return;
    }
    struct note n = {.start = s->cursor_tick,
                     .pitch = (uint8_t)s->cursor_pitch,
                     .velocity = (uint8_t)s->last_velocity,
                     .off_velocity = 64,
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    n.length = free_end(s, times(c)) - n.start;
    if (!add_note(s, n, "add a note"))
        return;
    sound(s, n.pitch, n.velocity);
    if (s->mode == MODE_DRAW) {
        s->cursor_tick = note_end(&n);
        session_show_cursor(s);
    }
}

static bool copy_targets(struct session *s, const struct note *notes, size_t n)
{
    if (n > s->cap_clips) {
        struct clip *grown = realloc(s->clips, n * sizeof *grown);
        if (!grown)
            return false;
        s->clips = grown;
        s->cap_clips = n;
    }
    int64_t origin = grid_floor(s, notes[0].start); /* sorted: the first is earliest */
    for (size_t i = 0; i < n; i++)
        s->clips[i] = (struct clip){notes[i].start - origin, notes[i].length,
                                    notes[i].pitch, notes[i].velocity};
    s->n_clips = n;
    return true;
}

void act_yank(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = targets(s, &notes);
    if (n && copy_targets(s, notes, n)) {
        session_clear_selection(s);
        session_say(s, n == 1 ? "one note copied" : "%zu notes copied", n);
    }
    free(notes);
}

void act_delete(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = targets(s, &notes);
    struct change *change = n ? change_create("remove notes") : NULL;
    bool ok = change && copy_targets(s, notes, n); /* as in vim, p brings it back */
    for (size_t i = 0; ok && i < n; i++)
        ok = change_remove_note(change, s->track, &notes[i]) == MIDI_OK;
    free(notes);
    if (!ok)
        change_destroy(change);
    else if (session_do(s, change))
        session_clear_selection(s);
}

static void paste_at(struct session *s, int64_t origin, const char *label)
{
    struct change *change = change_create(label);
    size_t left_out = 0;
    bool ok = change != NULL;
    for (size_t i = 0; ok && i < s->n_clips; i++) {
        const struct clip *k = &s->clips[i];
        struct note n = {.start = origin + k->offset,
                         .length = k->length,
                         .pitch = (uint8_t)k->pitch,
                         .velocity = (uint8_t)k->velocity,
                         .off_velocity = 64,
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
        if (obstacle(s, &n, 0))
            left_out++;
        else
            ok = change_add_note(change, s->track, n) == MIDI_OK;
    }
    if (!ok || change_n_edits(change) == 0) {
        change_destroy(change);
        session_say(s, "nothing pasted: notes of the same pitch are there already");
        return;
    }
    if (session_do(s, change) && left_out)
        session_say(s, "%zu notes left out: notes of the same pitch are there",
                    left_out);
}

void act_paste(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->n_clips || !session_track(s)) {
        session_say(s, "nothing to paste: y copies, x cuts");
        return;
    }
    session_clear_selection(s);
    paste_at(s, s->cursor_tick, "paste");
}

void act_duplicate(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = targets(s, &notes);
    if (n && copy_targets(s, notes, n)) {
        int64_t end = 0;
        for (size_t i = 0; i < n; i++)
            end = note_end(&notes[i]) > end ? note_end(&notes[i]) : end;
        session_clear_selection(s);
        paste_at(s, grid_floor(s, end) < end ? grid_next(s, end) : end, "duplicate");
    }
    free(notes);
}

void act_split(struct session *s, const struct command *c)
{
    (void)c;
    const struct note *here = session_track(s) ? session_note_under_cursor(s) : NULL;
    if (!here || s->cursor_tick <= here->start || s->cursor_tick >= note_end(here)) {
        session_say(s, "put the cursor inside a note to split it there");
        return;
    }
    struct note left = *here, right = *here;
    left.length = s->cursor_tick - here->start;
    right.start = s->cursor_tick;
    right.length = note_end(here) - s->cursor_tick;
    right.id = 0;
    struct change *change = change_create("split");
    if (!change || change_replace_note(change, s->track, here, left) ||
        change_add_note(change, s->track, right)) {
        change_destroy(change);
        session_error(s, "out of memory");
        return;
    }
    session_do(s, change);
}

static bool move_note(const struct session *s, struct note *n, int64_t ticks)
{
    (void)s;
    n->start += ticks;
    return n->start >= 0;
}

void act_nudge(struct session *s, const struct command *c)
{
    int64_t by = session_grid_ticks(s) * times(c);
    if (c->id == CMD_NUDGE_LEFT)
        by = -by;
    bool alone = !s->n_selected;
    if (transform(s, "move", move_note, by) && alone) {
        s->cursor_tick = s->cursor_tick + by < 0 ? 0 : s->cursor_tick + by;
        session_show_cursor(s);
    }
}

static bool transpose_note(const struct session *s, struct note *n, int64_t by)
{
    (void)s;
    int pitch = n->pitch + (int)by;
    if (pitch < 0 || pitch > 127)
        return false;
    n->pitch = (uint8_t)pitch;
    return true;
}

void act_transpose(struct session *s, const struct command *c)
{
    int by = times(c) > 127 ? 127 : times(c);
    if (c->id == CMD_TRANSPOSE_DOWN)
        by = -by;
    bool alone = !s->n_selected;
    if (transform(s, "transpose", transpose_note, by) && alone) {
        s->cursor_pitch += by;
        session_show_cursor(s);
        sound(s, s->cursor_pitch, s->last_velocity);
    }
}

static bool resize_note(const struct session *s, struct note *n, int64_t by)
{
    (void)s;
    n->length += by;
    return n->length > 0;
}

void act_resize_note(struct session *s, const struct command *c)
{
    int64_t by = session_grid_ticks(s) * times(c);
    bool longer = c->id == CMD_LONGER;
    transform(s, longer ? "lengthen" : "shorten", resize_note, longer ? by : -by);
}

static bool change_velocity(const struct session *s, struct note *n, int64_t by)
{
    (void)s;
    int64_t v = n->velocity + by;
    n->velocity = (uint8_t)(v < 1 ? 1 : v > 127 ? 127 : v);
    return true;
}

void act_velocity(struct session *s, const struct command *c)
{
    int by = 8 * (times(c) > 16 ? 16 : times(c));
    bool louder = c->id == CMD_LOUDER;
    transform(s, louder ? "make louder" : "make softer", change_velocity,
              louder ? by : -by);
    const struct note *here = session_note_under_cursor(s);
    if (here && !s->n_selected) {
        s->last_velocity = here->velocity;
        session_say(s, "velocity %d", here->velocity);
    }
}

static bool quantise_note(const struct session *s, struct note *n, int64_t unused)
{
    (void)unused;
    int64_t before = grid_floor(s, n->start), after = grid_next(s, n->start);
    n->start = n->start - before < after - n->start ? before : after;
    return true;
}

void act_quantise(struct session *s, const struct command *c)
{
    (void)c;
    transform(s, "quantise", quantise_note, 0);
}

void act_repeat(struct session *s, const struct command *c)
{
    struct command again = s->last_edit;
    if (again.id == CMD_NONE) {
        session_say(s, "nothing to repeat yet");
        return;
    }
    if (c->count > 0)
        again.count = c->count;
    act_run(s, &again);
}

void act_undo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    int done = 0;
    while (done < times(c) && project_undo(&s->project, &label))
        done++;
    session_revalidate(s);
    if (done)
        session_say(s, "undone: %s", label ? label : "");
    else
        session_say(s, "nothing to undo");
}

void act_redo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    int done = 0;
    while (done < times(c) && project_redo(&s->project, &label))
        done++;
    session_revalidate(s);
    if (done)
        session_say(s, "done again: %s", label ? label : "");
    else
        session_say(s, "nothing to redo");
}

void act_mute(struct session *s, const struct command *c)
{
    (void)c;
    if (s->track < 0 || !session_track(s))
        return;
    struct track *t = &s->project.score->tracks[s->track];
    t->mute = !t->mute;
    s->ghosts_changed = true; /* the player wants a new snapshot */
    session_say(s, "track %d %s", s->track + 1, t->mute ? "muted" : "heard again");
}

void act_solo(struct session *s, const struct command *c)
{
    (void)c;
    if (s->track < 0 || !session_track(s))
        return;
    struct track *t = &s->project.score->tracks[s->track];
    t->solo = !t->solo;
    s->ghosts_changed = true;
    session_say(s, "track %d %s", s->track + 1, t->solo ? "alone" : "with the others");
}
