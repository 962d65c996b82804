/* Builds changes to tracks. What the file says about a track is edited event by event,
 * so that undo restores its bytes; the fields of struct track are edited along with
 * it. */
#include "midi/edit/track_edit.h"

#include "midi/edit/apply.h"
#include "midi/edit/held.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

enum {
    NO_CHANNEL = -1,
    META_TEXT_LAST = 0x09,
    META_COPYRIGHT = 0x02,
    META_SEQUENCER = 0x7F
};

static int meta_type(const struct event *e)
{
    return e->n_data >= 2 && e->data[0] == 0xFF ? e->data[1] : -1;
}

/* Whether a meta event of this type is a text about a track, such as its name. */
static bool is_text_of_track(int type)
{
    return type >= 1 && type <= META_TEXT_LAST && type != META_COPYRIGHT &&
           type != META_MARKER && type != META_CUE;
}

static int event_owner(const struct event *e, int *prefix)
{
    size_t n;
    if (e->n_data && e->data[0] < 0xF0) {
        *prefix = NO_CHANNEL;
        return e->data[0] & 0x0F;
    }
    const uint8_t *channel = event_meta(e, META_CHANNEL_PREFIX, &n);
    if (channel) {
        *prefix = n == 1 && *channel < 16 ? *channel : NO_CHANNEL;
        return *prefix;
    }
    return is_text_of_track(meta_type(e)) ? *prefix : NO_CHANNEL;
}

int track_n_in_chunk(const struct score *s, int track)
{
    int n = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        n += s->tracks[i].chunk == s->tracks[track].chunk;
    return n;
}

static const struct event *track_name_event(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    const struct event *first = NULL;
    int prefix = NO_CHANNEL;
    for (size_t i = 0; i < c->n_events; i++) {
        int owner = event_owner(&c->events[i], &prefix);
        if (meta_type(&c->events[i]) != META_TRACK_NAME)
            continue;
        if (owner == t->channel)
            return &c->events[i];
        first = first ? first : &c->events[i];
    }
    return track_n_in_chunk(s, track) == 1 ? first : NULL;
}

static const struct event *track_program_event(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    int64_t last = t->n_notes ? t->notes[0].start : TICK_MAX;
    for (size_t i = 0; i < c->n_events && c->events[i].tick <= last; i++) {
        const struct event *e = &c->events[i];
        if (e->n_data == 2 && e->data[0] == (0xC0 | t->channel) && e->data[1] < 128)
            return e;
    }
    return NULL;
}

static bool track_has_own_chunk(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    if (t->chunk == score_first_chunk(s) || track_n_in_chunk(s, track) > 1)
        return false;
    int prefix = NO_CHANNEL;
    for (size_t i = 0; i < c->n_events; i++) {
        int owner = event_owner(&c->events[i], &prefix),
            type = meta_type(&c->events[i]);
        bool is_of_any =
            is_text_of_track(type) || type == META_PORT || type == META_SEQUENCER;
        if (owner != t->channel && (owner != NO_CHANNEL || !is_of_any))
            return false;
    }
    return true;
}

enum { CHANNELS = 16, PROGRAMS = 128, NAME_BYTES = sizeof((struct track *)0)->name };

static struct track_info info_of(const struct track *t)
{
    struct track_info info = {.channel = t->channel, .program = t->program};
    memcpy(info.name, t->name, sizeof info.name);
    return info;
}

/* Returns the edit in which the change alters the track's fields, or NULL. */
static struct edit *info_edit(struct change *c, int track)
{
    for (size_t i = 0; c && i < c->n_edits; i++)
        if (c->edits[i].kind == EDIT_TRACK_INFO && c->edits[i].track == track)
            return &c->edits[i];
    return NULL;
}

static struct track_info info_now(struct change *c, const struct score *s, int track)
{
    const struct edit *e = info_edit(c, track);
    return e ? e->info_after : info_of(&s->tracks[track]);
}

static void set_info(struct change *c, const struct score *s, int track,
                     const struct track_info *after)
{
    struct edit *e = info_edit(c, track);
    if (e)
        e->info_after = *after;
    else
        change_put(c, (struct edit){.kind = EDIT_TRACK_INFO,
                                    .track = track,
                                    .has_before = true,
                                    .has_after = true,
                                    .info_before = info_of(&s->tracks[track]),
                                    .info_after = *after});
}

/* Replaces an event, or if `old` is NULL, adds one at the start with that order. */
static void put(struct change *c, int chunk, const struct event *old, uint32_t order,
                uint8_t *data, size_t n)
{
    struct event new = {0, order, (uint32_t)n, data};
    if (old) {
        new.tick = old->tick;
        new.order = old->order;
    }
    change_event(c, chunk, old, &new);
}

/* -- names -- */

enum midi_status change_rename_track(struct change *c, const struct score *s, int track,
                                     const char *name)
{
    const struct track *t = &s->tracks[track];
    struct track_info after = info_now(c, s, track);
    uint8_t data[NAME_BYTES + 6], prefix[8];
    size_t n_name = strnlen(name, NAME_BYTES - 1);
    memset(after.name, 0, sizeof after.name);
    memcpy(after.name, name, n_name);
    size_t n = event_meta_write(data, META_TRACK_NAME, name, n_name);
    const struct event *old = track_name_event(s, track);
    bool with_prefix = !old && track_n_in_chunk(s, track) > 1;
    /* Both come after everything that the file has at its start, so that the prefix
     * applies to nothing else. */
    if (with_prefix)
        put(c, t->chunk, NULL, ORDER_LAST, prefix,
            event_meta_write(prefix, META_CHANNEL_PREFIX, &t->channel, 1));
    put(c, t->chunk, old, with_prefix ? ORDER_LAST : ORDER_FIRST, data, n);
    set_info(c, s, track, &after);
    return change_status(c);
}

/* -- programs and channels -- */

/* Replaces the program at the start, or if `old` is NULL, adds one after the bank. */
static void put_program(struct change *c, const struct score *s, int track,
                        const struct event *old, int channel, uint8_t program)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *chunk = &s->chunks[t->chunk];
    uint8_t data[2] = {(uint8_t)(0xC0 | channel), program};
    uint32_t order = ORDER_FIRST;
    for (size_t i = 0; i < chunk->n_events && chunk->events[i].tick == 0; i++) {
        const struct event *e = &chunk->events[i];
        if (e->n_data == 3 && e->data[0] == (0xB0 | t->channel) &&
            (e->data[1] == CC_BANK || e->data[1] == CC_BANK_LOW))
            order = e->order;
    }
    put(c, t->chunk, old, order, data, sizeof data);
}

enum midi_status change_set_program(struct change *c, const struct score *s, int track,
                                    uint8_t program)
{
    uint8_t channel = s->tracks[track].channel;
    if (program >= PROGRAMS)
        return change_fail(c, MIDI_BAD_EDIT);
    for (int i = 0; i < (int)s->n_tracks; i++) {
        if (s->tracks[i].channel != channel)
            continue;
        struct track_info after = info_now(c, s, i);
        after.program = program;
        const struct event *old = track_program_event(s, i);
        if (old || i == track)
            put_program(c, s, i, old, channel, program);
        set_info(c, s, i, &after);
    }
    return change_status(c);
}

/* Gives a message or a channel prefix another channel. */
static void redirect(struct change *c, int chunk, const struct event *old,
                     uint8_t channel)
{
    uint8_t data[4] = {0};
    if (old->n_data > sizeof data)
        return; /* a text after a prefix */
    memcpy(data, old->data, old->n_data);
    if (data[0] < 0xF0)
        data[0] = (uint8_t)((data[0] & 0xF0) | channel);
    else if (data[1] == META_CHANNEL_PREFIX)
        data[3] = channel;
    else
        return;
    put(c, chunk, old, 0, data, old->n_data);
}

enum midi_status change_set_channel(struct change *c, const struct score *s, int track,
                                    uint8_t channel)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *chunk = &s->chunks[t->chunk];
    struct track_info after = info_now(c, s, track);
    after.channel = channel;
    int prefix = NO_CHANNEL;
    bool is_free = channel < CHANNELS;
    for (size_t i = 0; i < s->n_tracks; i++)
        is_free &= s->tracks[i].chunk != t->chunk || s->tracks[i].channel != channel;
    for (size_t i = 0; i < chunk->n_events; i++) {
        const struct event *e = &chunk->events[i];
        const bool is_unpaired_note = e->n_data && e->data[0] < 0xA0;
        is_free &= !is_unpaired_note || (e->data[0] & 0x0F) != channel;
    }
    if (!is_free)
        return change_fail(c, MIDI_BAD_EDIT);
    for (size_t i = 0; i < chunk->n_events; i++)
        if (event_owner(&chunk->events[i], &prefix) == t->channel)
            redirect(c, t->chunk, &chunk->events[i], channel);
    if (!track_program_event(s, track))
        put_program(c, s, track, NULL, channel, t->program);
    set_info(c, s, track, &after);
    return change_status(c);
}

/* -- duplicating -- */

/* Copies the chunk's messages for the track to another channel in another chunk. If a
 * program is among them, it replaces the one that a new track begins with, so that it
 * comes after its bank. */
static void copy_messages(struct change *c, const struct score *s, int track,
                          int to_chunk, uint8_t channel)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *from = &s->chunks[t->chunk];
    if (track_program_event(s, track)) {
        uint8_t data[2] = {(uint8_t)(0xC0 | channel), t->program};
        struct event first = {.order = ORDER_FIRST, .n_data = 2, .data = data};
        change_event(c, to_chunk, &first, NULL);
    }
    for (size_t i = 0; i < from->n_events; i++) {
        const struct event *e = &from->events[i];
        uint8_t data[3] = {0};
        if (e->n_data > sizeof data || e->data[0] < 0xA0 ||
            (e->data[0] & 0xF0) == 0xF0 || (e->data[0] & 0x0F) != t->channel)
            continue;
        memcpy(data, e->data, e->n_data);
        data[0] = (uint8_t)((data[0] & 0xF0) | channel);
        struct event copy = {e->tick, e->order, e->n_data, data};
        change_event(c, to_chunk, NULL, &copy);
    }
}

enum midi_status change_duplicate_track(struct change *c, const struct score *s,
                                        int track, const char *name, uint8_t channel)
{
    const struct track *t = &s->tracks[track];
    const bool shares = channel == score_channel(s, track); /* keeps its program */
    const int now = held_value(s, channel, (struct control){CONTROL_PROGRAM, 0}, 0);
    change_add_track(c, s, name, channel, shares ? (uint8_t)now : t->program);
    copy_messages(c, s, track, (int)s->n_chunks, channel & 15);
    for (size_t i = 0; i < t->n_notes; i++) {
        struct note n = t->notes[i];
        n.id = 0;
        n.flags = 0;
        note_lose_order(&n);
        change_add_note(c, (int)s->n_tracks, n);
    }
    return change_status(c);
}

/* -- removing and moving -- */

/* Removes the track's events, or all of its chunk. Of events with one tick and order,
 * also removes and adds again those that stay after the first one that goes, so that
 * undo restores their order. */
static void remove_events(struct change *c, const struct score *s, int track, bool all)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *chunk = &s->chunks[t->chunk];
    bool *is_going = calloc(chunk->n_events + 1, sizeof *is_going);
    if (!is_going) {
        change_fail(c, MIDI_NO_MEMORY);
        return;
    }
    int prefix = NO_CHANNEL;
    for (size_t i = 0; i < chunk->n_events; i++)
        is_going[i] = event_owner(&chunk->events[i], &prefix) == t->channel || all;
    const struct event *events = chunk->events;
    for (size_t to = chunk->n_events, from; to > 0; to = from) {
        from = to - 1;
        while (from > 0 && event_compare(&events[from - 1], &events[to - 1]) == 0)
            from--;
        size_t first = from;
        while (first < to && !is_going[first])
            first++;
        for (size_t i = to; i-- > first;)
            change_event(c, t->chunk, &events[i], NULL);
        for (size_t i = first; i < to; i++)
            if (!is_going[i])
                change_event(c, t->chunk, NULL, &events[i]);
    }
    free(is_going);
}

enum midi_status change_remove_track(struct change *c, const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    bool with_chunk = track_has_own_chunk(s, track);
    for (size_t i = 0; i < t->n_notes; i++)
        change_remove_note(c, track, &t->notes[i]);
    remove_events(c, s, track, with_chunk);
    return change_put(
        c, (struct edit){.kind = EDIT_TRACK_REMOVED,
                         .track = track,
                         .has_before = true,
                         .gone = {.info = info_of(t),
                                  .chunk = t->chunk,
                                  .with_chunk = with_chunk,
                                  .end_tick = s->chunks[t->chunk].end_tick}});
}

enum midi_status change_move_track(struct change *c, const struct score *s, int track,
                                   int other)
{
    int from = s->tracks[track].chunk, to = s->tracks[other].chunk;
    int first = score_first_chunk(s);
    if (from == to || from == first || to == first)
        return change_fail(c, MIDI_BAD_EDIT);
    return change_put(
        c, (struct edit){.kind = EDIT_CHUNK_MOVE, .track = track, .move = {from, to}});
}
