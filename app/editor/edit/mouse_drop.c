/* The release of a drag on the roll: each makes one change. */
#include "app/editor/edit/mouse.h"
#include "app/editor/session/edit.h"
#include "app/base/ids.h"
#include "app/dataset/overlap.h"
#include "tui/keys/keys.h"

#include <stdlib.h>

void mouse_drop_new(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->n_drafts)
        return;
    struct note n = m->drafts[0].note;
    int count = 0;
    for (int64_t t = n.start; t < note_end(&n) && count < KEYS_MAX_COUNT; count++)
        t = grid_next(s, t);
    s->cursor.tick = n.start;
    edit_put_note(s, count);
}

/* Nothing was dragged: that chooses. */
static void click_note(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    if (m->was_chosen && m->adds)
        select_toggle(s, m->taken.id);
    else if (m->was_chosen)
        select_one(s, m->taken.id);
}

static bool copies_overlap(const struct session *s, const struct note *copies)
{
    const struct mouse *m = s->parts.mouse;
    for (size_t at = 0, run; at < m->n_held; at += run) {
        run = edit_targets_run(m->held + at, m->n_held - at);
        const struct track *t = &s->project.score->tracks[m->held[at].track];
        if (overlap_count(t, NULL, 0, copies + at, run, NULL))
            return true;
    }
    return false;
}

/* All copies went as far, so they are in the order of what they were copied from. */
static void drop_copies(struct session *s, struct note *copies)
{
    const struct mouse *m = s->parts.mouse;
    if (copies_overlap(s, copies)) {
        session_say(s, "cannot copy: it would overlap a note of the same pitch");
        return;
    }
    struct change *c = change_create("copy");
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; c && !st && i < m->n_held; i++) {
        copies[i].id = 0;
        copies[i].on_order = ORDER_LAST;
        copies[i].off_order = ORDER_FIRST;
        copies[i].flags = 0;
        st = change_add_note(c, m->held[i].track, copies[i]);
    }
    edit_do(s, c, st);
}

void mouse_drop_notes(struct session *s)
{
    struct mouse *m = s->parts.mouse;
    if (!m->has_moved || !m->n_drafts) {
        click_note(s);
        return;
    }
    struct note *after = calloc(m->n_held, sizeof *after);
    for (size_t i = 0; after && i < m->n_held; i++)
        after[i] = m->drafts[i].note;
    if (!after)
        session_error(s, "out of memory: nothing was done");
    else if (s->drag == DRAG_MOVE && m->copies)
        drop_copies(s, after);
    else
        edit_replace(s, s->drag == DRAG_MOVE ? "move" : "resize", m->held, after,
                     m->n_held);
    free(after);
}

void mouse_drop_erased(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    const struct track *t = session_track(s);
    if (!t || !m->n_going)
        return;
    struct change *c = change_create(m->n_going == 1 ? "erase a note" : "erase notes");
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; c && !st && i < t->n_notes; i++)
        if (ids_find(m->going, m->n_going, t->notes[i].id))
            st = change_remove_note(c, s->track, &t->notes[i]);
    edit_do(s, c, st);
}

void mouse_drop_box(struct session *s)
{
    if (s->mode == MODE_SELECT)
        session_say(s, "%zu note%s selected", s->selection.n, plural(s->selection.n));
}
