/* Applies a change to a score, or undoes it.
 *
 * Forwards: insert time, add tracks, prepare notes and events beside the present ones
 * and swap them in (stage.c), take time out, arrange tracks and chunks, rebuild the
 * timeline. Backwards: the reverse. A step either prepares new arrays first or can be
 * undone without memory. So a failure half way leaves the score unchanged. */
#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

/* Removes the last track and the last chunk, which were added together. */
static void drop_last_track(struct score *s)
{
    notes_release(&s->tracks[--s->n_tracks]);
    chunk_fini(&s->chunks[--s->n_chunks]);
}

static enum midi_status add_tracks(const struct change *c, struct score *s)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_TRACK)
            continue;
        if ((size_t)e->track != s->n_tracks)
            return MIDI_BAD_EDIT;
        if (score_add_track(s, e->track_info.name, e->track_info.channel,
                            e->track_info.program) < 0)
            return MIDI_NO_MEMORY;
    }
    return MIDI_OK;
}

static void name_new_notes(struct change *c, struct score *s)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        struct edit *e = &c->edits[i];
        if (e->kind != EDIT_NOTE || !e->has_after)
            continue;
        if (e->after.id == 0)
            e->after.id = s->next_id;
        if (e->after.id >= s->next_id)
            s->next_id = e->after.id + 1;
    }
}

const struct edit *change_time(const struct change *c)
{
    for (size_t i = 0; i < c->n_edits; i++)
        if (c->edits[i].kind == EDIT_TIME)
            return &c->edits[i];
    return NULL;
}

int64_t change_inserted_ticks(const struct change *c)
{
    const struct edit *time = change_time(c);
    return !time ? 0 : time->has_before ? -time->time.by : time->time.by;
}

/* Returns the edit that inserts time, or NULL. Time that is taken out is the business
 * of close_time. */
static const struct edit *inserted_time(const struct change *c)
{
    const struct edit *time = change_time(c);
    return time && !time->has_before ? time : NULL;
}

/* Rebuilds the timeline if the change may alter tempos, meters or the modes of
 * channels, or the channels of tracks. */
static enum midi_status update_timeline(const struct change *c, struct score *s)
{
    const unsigned moving = 1u << EDIT_EVENT | 1u << EDIT_TIME | 1u << EDIT_CHUNK_MOVE |
                            1u << EDIT_TRACK | 1u << EDIT_TRACK_INFO |
                            1u << EDIT_TRACK_REMOVED;
    return change_count(c, moving) ? score_update_timeline(s) : MIDI_OK;
}

/* -- forwards -- */

/* Arranges tracks and chunks; notes and events are in place by now. */
static enum midi_status arrange_for_good(struct change *c, struct score *s,
                                         struct chunk *bin)
{
    enum midi_status st = arrange(c, s, true, bin);
    if (st)
        return st;
    st = update_timeline(c, s);
    if (st)
        arrange(c, s, false, bin);
    return st;
}

static enum midi_status do_contents(struct change *c, struct score *s)
{
    struct stage g;
    struct chunk bin = {0};
    enum midi_status st = stage_init(&g, c, s, true);
    if (!st) {
        stage_swap(&g);
        st = close_time(c, s);
        if (!st) {
            st = arrange_for_good(c, s, &bin);
            if (st)
                open_time(c, s);
        }
        if (st)
            stage_swap(&g);
        /* Restored events use these bytes. Any chunk may own them. */
        if (st && bin.blocks)
            chunk_give_blocks(&s->chunks[0], &bin);
    }
    chunk_fini(&bin);
    stage_fini(&g);
    return st;
}

static enum midi_status apply_forwards(struct change *c, struct score *s)
{
    const struct edit *time = inserted_time(c);
    size_t n_before = s->n_tracks;
    c->format_before = s->format;
    if (time && !insert_time_fits(s, time->time.by))
        return MIDI_BAD_EDIT;
    if (!insert_time(s, time, true))
        return MIDI_NO_MEMORY;
    name_new_notes(c, s);
    enum midi_status st = add_tracks(c, s);
    if (!st)
        st = do_contents(c, s);
    if (!st)
        return MIDI_OK;
    while (s->n_tracks > n_before)
        drop_last_track(s);
    s->format = c->format_before;
    insert_time(s, time, false); /* needs no memory: the notes are not shared by now */
    return st;
}

/* -- backwards -- */

/* Removes the time that was inserted. Tracks that the change added after it are left
 * out meanwhile. */
static enum midi_status undo_time(const struct change *c, struct score *s)
{
    const struct edit *time = inserted_time(c);
    size_t n = change_count(c, 1u << EDIT_TRACK);
    s->n_tracks -= n;
    s->n_chunks -= n;
    bool is_out = insert_time(s, time, false);
    enum midi_status st = is_out ? update_timeline(c, s) : MIDI_NO_MEMORY;
    if (is_out && st)
        insert_time(s, time, true);
    s->n_tracks += n;
    s->n_chunks += n;
    return st;
}

static enum midi_status undo_contents(const struct change *c, struct score *s)
{
    struct stage g;
    enum midi_status st = open_time(c, s);
    if (st)
        return st;
    st = stage_init(&g, c, s, false);
    if (!st) {
        stage_swap(&g);
        st = undo_time(c, s);
        if (st)
            stage_swap(&g);
    }
    stage_fini(&g);
    if (st)
        close_time(c, s);
    return st;
}

static enum midi_status apply_backwards(struct change *c, struct score *s)
{
    size_t n_back = change_count(c, 1u << EDIT_TRACK_REMOVED);
    if (n_back && !score_make_room(s, n_back))
        return MIDI_NO_MEMORY;
    struct chunk bin = {0};
    enum midi_status st = arrange(c, s, false, &bin);
    if (st)
        return st;
    st = undo_contents(c, s);
    if (st)
        arrange(c, s, true, &bin);
    chunk_fini(&bin);
    if (st)
        return st;
    for (size_t n = change_count(c, 1u << EDIT_TRACK); n > 0; n--)
        drop_last_track(s);
    s->format = c->format_before;
    return MIDI_OK;
}

enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards)
{
    if (change_status(c))
        return change_status(c);
    return is_forwards ? apply_forwards(c, s) : apply_backwards(c, s);
}
