/* Notes are told by what is other than in the note before: a phrase drawn by hand, or a
 * thousand notes moved alike, then take a few bytes each. */
#include "midi/edit/change_bytes.h"

#include "midi/edit/apply.h"
#include "midi/edit/change_bytes_track.h"
#include "midi/score/chunk.h"
#include "midi/score/note.h"
#include "midi/base/vlq.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HAS_BEFORE = 1, HAS_AFTER = 2, KIND_SHIFT = 2 };

/* -- notes -- */

/* The commonest first: only they are in the first byte of the mask. */
enum {
    F_START,
    F_ID,
    F_PITCH,
    F_VELOCITY,
    F_LENGTH,
    F_ON_ORDER,
    F_OFF_ORDER,
    F_RAW_START,
    F_RAW_LENGTH,
    F_FLAGS,
    F_OFF_VELOCITY,
    N_FIELDS,
};

struct note_fields {
    uint64_t at[N_FIELDS];
};

_Static_assert(sizeof(struct note) == 48, "a new field: add it to F_, here and below");

static struct note_fields fields_of(const struct note *n)
{
    return (struct note_fields){{
        [F_START] = (uint64_t)n->start,
        [F_ID] = n->id,
        [F_PITCH] = n->pitch,
        [F_VELOCITY] = n->velocity,
        [F_LENGTH] = (uint64_t)n->length,
        [F_ON_ORDER] = n->on_order,
        [F_OFF_ORDER] = n->off_order,
        [F_RAW_START] = (uint64_t)(int64_t)n->raw_start,
        [F_RAW_LENGTH] = (uint64_t)(int64_t)n->raw_length,
        [F_FLAGS] = n->flags,
        [F_OFF_VELOCITY] = n->off_velocity,
    }};
}

/* false: no note has these. */
static bool note_of(const struct note_fields *f, struct note *n)
{
    *n = (struct note){
        .id = f->at[F_ID],
        .start = (int64_t)f->at[F_START],
        .length = (int64_t)f->at[F_LENGTH],
        .pitch = (uint8_t)f->at[F_PITCH],
        .velocity = (uint8_t)f->at[F_VELOCITY],
        .off_velocity = (uint8_t)f->at[F_OFF_VELOCITY],
        .flags = (uint8_t)f->at[F_FLAGS],
        .on_order = (uint32_t)f->at[F_ON_ORDER],
        .off_order = (uint32_t)f->at[F_OFF_ORDER],
        .raw_start = (int32_t)f->at[F_RAW_START],
        .raw_length = (int32_t)f->at[F_RAW_LENGTH],
    };
    struct note_fields fits = fields_of(n);
    return memcmp(&fits, f, sizeof fits) == 0 && note_is_valid(n) && n->id != 0 &&
           n->id <= INT64_MAX; /* so many are never given out */
}

/* What the next note is told against: the one last told. */
static void put_note(struct bytes_out *to, struct note_fields *last,
                     const struct note *n)
{
    const struct note_fields f = fields_of(n);
    uint64_t mask = 0;
    for (int i = 0; i < N_FIELDS; i++)
        mask |= (uint64_t)(f.at[i] != last->at[i]) << i;
    bytes_put_number(to, mask);
    for (int i = 0; i < N_FIELDS; i++)
        if (mask >> i & 1)
            bytes_put_signed(to, (int64_t)(f.at[i] - last->at[i]));
    *last = f;
}

static void get_note(struct bytes_in *from, struct note_fields *last, struct note *n)
{
    uint64_t mask = bytes_number_to(from, (1u << N_FIELDS) - 1);
    for (int i = 0; i < N_FIELDS; i++)
        if (mask >> i & 1)
            last->at[i] += (uint64_t)bytes_signed(from);
    if (!note_of(last, n))
        from->failed = true;
}

static void put_note_edit(struct bytes_out *to, struct note_fields *last,
                          const struct edit *e)
{
    if (e->has_before)
        put_note(to, last, &e->before);
    if (e->has_after)
        put_note(to, last, &e->after);
}

static void get_note_edit(struct bytes_in *from, struct note_fields *last,
                          struct edit *e)
{
    if (e->has_before)
        get_note(from, last, &e->before);
    if (e->has_after)
        get_note(from, last, &e->after);
}

/* -- events -- */

/* As many bytes as its status says; those that end a chunk are no events. */
static bool is_whole_event(const uint8_t *data, size_t n)
{
    const uint8_t *at = data + (n && data[0] == 0xFF ? 2 : 1), *end = data + n;
    uint32_t length;
    if (n < 2 || data[0] < 0x80)
        return false;
    if (data[0] < 0xF0)
        return n == (data[0] >> 5 == 6 ? 2 : 3); /* program and channel pressure */
    if (data[0] == 0xFF && data[1] == META_END_OF_TRACK)
        return false;
    return (data[0] == 0xF0 || data[0] == 0xF7 || data[0] == 0xFF) &&
           vlq_read(&at, end, &length) && length == (size_t)(end - at);
}

static void put_event(struct bytes_out *to, const struct event *e)
{
    bytes_put_number(to, (uint64_t)e->tick);
    bytes_put_number(to, (uint32_t)(e->order + 1)); /* ORDER_LAST in a byte */
    bytes_put_block(to, e->data, e->n_data);
}

static void get_event(struct bytes_in *from, struct event *e)
{
    size_t n;
    e->tick = (int64_t)bytes_number_to(from, TICK_MAX);
    e->order = (uint32_t)bytes_number_to(from, UINT32_MAX) - 1;
    const uint8_t *data = bytes_block(from, &n);
    if (!data || n > UINT32_MAX || !is_whole_event(data, n) || !(e->data = malloc(n))) {
        from->failed = true;
        return;
    }
    memcpy(e->data, data, n);
    e->n_data = (uint32_t)n;
}

static void put_event_edit(struct bytes_out *to, struct note_fields *last,
                           const struct edit *e)
{
    (void)last;
    if (e->has_before)
        put_event(to, &e->event_before);
    if (e->has_after)
        put_event(to, &e->event_after);
}

static void get_event_edit(struct bytes_in *from, struct note_fields *last,
                           struct edit *e)
{
    (void)last;
    if (e->has_before)
        get_event(from, &e->event_before);
    if (e->has_after)
        get_event(from, &e->event_after);
}

/* -- time; tracks are told in change_bytes_track.c -- */

static void put_time_edit(struct bytes_out *to, struct note_fields *last,
                          const struct edit *e)
{
    (void)last;
    bytes_put_number(to, (uint64_t)e->time.at);
    bytes_put_number(to, (uint64_t)e->time.by);
}

static void get_time_edit(struct bytes_in *from, struct note_fields *last,
                          struct edit *e)
{
    (void)last;
    e->time.at = (int64_t)bytes_number_to(from, TICK_MAX);
    e->time.by = (int64_t)bytes_number_to(from, TICK_MAX);
    if (e->time.by == 0)
        from->failed = true;
}

/* -- taps -- */

static void put_tap_edit(struct bytes_out *to, struct note_fields *last,
                         const struct edit *e)
{
    (void)last;
    bytes_put_number(to, (uint64_t)e->tap.tick);
    bytes_put_byte(to, (uint8_t)e->tap.kind);
}

static void get_tap_edit(struct bytes_in *from, struct note_fields *last,
                         struct edit *e)
{
    (void)last;
    e->tap.tick = (int64_t)bytes_number_to(from, TICK_MAX);
    uint8_t kind = bytes_byte(from);
    e->tap.kind = (enum tap_kind)kind;
    if (kind >= TAP_KINDS || e->has_before == e->has_after)
        from->failed = true;
}

/* -- changes -- */

/* `last`: the note told last in this change; of use to notes alone. */
static const struct {
    void (*put)(struct bytes_out *to, struct note_fields *last, const struct edit *e);
    void (*get)(struct bytes_in *from, struct note_fields *last, struct edit *e);
} KINDS[] = {
    [EDIT_NOTE] = {put_note_edit, get_note_edit},
    [EDIT_EVENT] = {put_event_edit, get_event_edit},
    [EDIT_TRACK] = {change_bytes_put_track, change_bytes_get_track},
    [EDIT_TIME] = {put_time_edit, get_time_edit},
    [EDIT_TRACK_INFO] = {change_bytes_put_track, change_bytes_get_track},
    [EDIT_TRACK_GONE] = {change_bytes_put_track, change_bytes_get_track},
    [EDIT_CHUNK_MOVE] = {change_bytes_put_track, change_bytes_get_track},
    [EDIT_TAP] = {put_tap_edit, get_tap_edit},
};

_Static_assert(sizeof KINDS / sizeof KINDS[0] == EDIT_KIND_COUNT,
               "a new kind of edit: it needs its row");

void change_write(const struct change *c, struct bytes_out *to)
{
    struct note_fields last = {{0}};
    bytes_put_block(to, c->label, strlen(c->label));
    bytes_put_number(to, c->n_edits);
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        bytes_put_byte(to, (uint8_t)(e->kind << KIND_SHIFT |
                                     (e->has_before ? HAS_BEFORE : 0) |
                                     (e->has_after ? HAS_AFTER : 0)));
        bytes_put_number(to, (uint64_t)e->track);
        KINDS[e->kind].put(to, &last, e);
    }
}

static struct change *begin(struct bytes_in *from)
{
    size_t n;
    const uint8_t *bytes = bytes_block(from, &n);
    char *label = bytes ? strndup((const char *)bytes, n) : NULL;
    struct change *c = label ? change_create(label) : NULL;
    free(label);
    return c;
}

static void read_edit(struct change *c, struct bytes_in *from, struct note_fields *last)
{
    uint8_t head = bytes_byte(from);
    unsigned kind = head >> KIND_SHIFT;
    int track = (int)bytes_number_to(from, INT_MAX);
    struct edit *e = kind < EDIT_KIND_COUNT && !from->failed
                         ? change_append(c, (enum edit_kind)kind, track)
                         : NULL;
    if (!e) {
        from->failed = true;
        return;
    }
    e->has_before = head & HAS_BEFORE;
    e->has_after = head & HAS_AFTER;
    KINDS[kind].get(from, last, e);
}

struct change *change_read(struct bytes_in *from)
{
    struct note_fields last = {{0}};
    struct change *c = begin(from);
    if (!c) {
        from->failed = true;
        return NULL;
    }
    uint64_t n = bytes_number(from);
    for (uint64_t i = 0; i < n && !from->failed; i++)
        read_edit(c, from, &last);
    if (!from->failed)
        return c;
    change_destroy(c);
    return NULL;
}
