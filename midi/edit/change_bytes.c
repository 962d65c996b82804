/* Changes as bytes. A note is written as its differences from the note before, so a
 * phrase drawn by hand, or a thousand notes moved alike, takes a few bytes a note. The
 * functions named code_ both write and read, so that the two agree. */
#include "midi/edit/edit.h"

#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/base/array.h"
#include "midi/base/bytes.h"
#include "midi/score/notes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HAS_BEFORE = 1, HAS_AFTER = 2, KIND_SHIFT = 2 };

_Static_assert(EDIT_KIND_COUNT << KIND_SHIFT <= 1 << 7,
               "read_edit reads a kind and its flags as one byte");

/* The fields that differ most often come first: only they are in the first byte of the
 * mask. */
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

/* Returns false if no note can have these values. */
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
           n->id <= INT64_MAX; /* ids are never given out beyond that */
}

struct codec {
    struct bytes_out *out; /* NULL when reading */
    struct bytes_in *in;
    struct note_fields last; /* the previous note of the same change */
};

static void require(struct codec *c, bool is_valid)
{
    if (c->in && !is_valid)
        c->in->failed = true;
}

static void code_number(struct codec *c, uint64_t *number, uint64_t most)
{
    if (c->out)
        bytes_put_number(c->out, *number);
    else
        *number = bytes_number_to(c->in, most);
}

static void code_tick(struct codec *c, int64_t *tick)
{
    uint64_t number = (uint64_t)*tick;
    code_number(c, &number, TICK_MAX);
    *tick = (int64_t)number;
}

static void code_int(struct codec *c, int *value, int most)
{
    uint64_t number = (uint64_t)*value;
    code_number(c, &number, (uint64_t)most);
    *value = (int)number;
}

static void code_byte(struct codec *c, uint8_t *byte, int most)
{
    int value = *byte;
    code_int(c, &value, most);
    *byte = (uint8_t)value;
}

/* 0, -1, 1, -2, ... are written as 0, 1, 2, 3, ..., so that small numbers of either sign are
 * short. */
static void code_signed(struct codec *c, int64_t *number)
{
    uint64_t folded = (uint64_t)*number << 1 ^ (*number < 0 ? UINT64_MAX : 0);
    code_number(c, &folded, UINT64_MAX);
    *number = (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

static void code_note(struct codec *c, struct note *n)
{
    struct note_fields f = c->out ? fields_of(n) : c->last;
    uint64_t mask = 0;
    for (int i = 0; i < N_FIELDS; i++)
        mask |= (uint64_t)(f.at[i] != c->last.at[i]) << i;
    code_number(c, &mask, (1u << N_FIELDS) - 1);
    for (int i = 0; i < N_FIELDS; i++) {
        int64_t by = (int64_t)(f.at[i] - c->last.at[i]);
        if (mask >> i & 1)
            code_signed(c, &by);
        f.at[i] = c->last.at[i] + (uint64_t)by;
    }
    c->last = f;
    require(c, c->out || note_of(&f, n));
}

/* Whether the length fits the status byte. End of Track is not accepted. */
static bool is_whole_event(const uint8_t *data, size_t n)
{
    const uint8_t *at = data + (n && data[0] == 0xFF ? 2 : 1), *end = data + n;
    uint32_t length;
    if (n < 2 || data[0] < 0x80)
        return false;
    if (data[0] < 0xF0)
        return n == (data[0] >> 5 == 6 ? 2 : 3); /* programs, channel pressure */
    if (data[0] == 0xFF && data[1] == META_END_OF_TRACK)
        return false;
    return (data[0] == 0xF0 || data[0] == 0xF7 || data[0] == 0xFF) &&
           vlq_read(&at, end, &length) && length == (size_t)(end - at);
}

static void code_event(struct codec *c, struct event *e)
{
    uint64_t order = (uint32_t)(e->order + 1); /* so that ORDER_LAST takes one byte */
    code_tick(c, &e->tick);
    code_number(c, &order, UINT32_MAX);
    e->order = (uint32_t)order - 1;
    if (c->out) {
        bytes_put_block(c->out, e->data, e->n_data);
        return;
    }
    size_t n;
    const uint8_t *data = bytes_block(c->in, &n);
    if (data && n <= UINT32_MAX && is_whole_event(data, n))
        e->data = array_copy(data, n, 1);
    e->n_data = e->data ? (uint32_t)n : 0;
    require(c, e->data);
}

static void code_info(struct codec *c, struct track_info *info, int most_channel)
{
    if (c->out) {
        bytes_put_block(c->out, info->name, strlen(info->name));
    } else {
        size_t n;
        const uint8_t *name = bytes_block(c->in, &n);
        if (name && n < sizeof info->name && !memchr(name, '\0', n))
            memcpy(info->name, name, n);
        else
            require(c, false);
    }
    code_byte(c, &info->channel, most_channel);
    code_byte(c, &info->program, 127);
}

static void code_removed_track(struct codec *c, struct edit *e)
{
    bool *const flags[] = {&e->gone.with_chunk, &e->gone.mute, &e->gone.solo,
                           &e->gone.arm, &e->gone.hide};
    enum { N_FLAGS = sizeof flags / sizeof flags[0] };
    int bits = 0;
    for (int i = 0; i < N_FLAGS; i++)
        bits |= *flags[i] << i;
    code_info(c, &e->gone.info, 15);
    code_int(c, &e->gone.chunk, INT_MAX);
    code_tick(c, &e->gone.end_tick);
    code_int(c, &bits, (1 << N_FLAGS) - 1);
    code_byte(c, &e->gone.colour, TRACK_COLOURS);
    for (int i = 0; i < N_FLAGS; i++)
        *flags[i] = bits >> i & 1;
}

static void code_edit(struct codec *c, struct edit *e)
{
    int tap = (int)e->tap.kind;
    switch (e->kind) {
    case EDIT_NOTE:
        if (e->has_before)
            code_note(c, &e->before);
        if (e->has_after)
            code_note(c, &e->after);
        break;
    case EDIT_EVENT:
        if (e->has_before)
            code_event(c, &e->event_before);
        if (e->has_after)
            code_event(c, &e->event_after);
        break;
    case EDIT_TRACK:
        code_info(c, &e->track_info, SCORE_CHANNELS - 1);
        break;
    case EDIT_TIME:
        code_tick(c, &e->time.at);
        code_tick(c, &e->time.by);
        require(c, e->time.by > 0);
        break;
    case EDIT_TRACK_INFO:
        code_info(c, &e->info_before, 15);
        code_info(c, &e->info_after, 15);
        break;
    case EDIT_TRACK_REMOVED:
        code_removed_track(c, e);
        break;
    case EDIT_CHUNK_MOVE:
        code_int(c, &e->move.from, INT_MAX);
        code_int(c, &e->move.to, INT_MAX);
        break;
    case EDIT_TAP:
        code_tick(c, &e->tap.tick);
        code_int(c, &tap, TAP_KINDS - 1);
        e->tap.kind = (enum tap_kind)tap;
        require(c, e->has_before != e->has_after);
        break;
    case EDIT_CHUNK_END:
        code_tick(c, &e->end.before);
        code_tick(c, &e->end.after);
        break;
    case EDIT_KIND_COUNT:
        break;
    }
}

void change_write(const struct change *c, struct bytes_out *to)
{
    struct codec codec = {.out = to};
    bytes_put_block(to, c->label, strlen(c->label));
    bytes_put_number(to, c->n_edits);
    for (size_t i = 0; i < c->n_edits; i++) {
        struct edit e = c->edits[i];
        bytes_put_number(to, (unsigned)e.kind << KIND_SHIFT |
                                 (e.has_before ? HAS_BEFORE : 0) |
                                 (e.has_after ? HAS_AFTER : 0));
        bytes_put_number(to, (uint64_t)e.track);
        code_edit(&codec, &e);
    }
}

static void read_edit(struct change *c, struct codec *codec)
{
    struct bytes_in *from = codec->in;
    uint8_t head = bytes_byte(from);
    unsigned kind = head >> KIND_SHIFT;
    int track = (int)bytes_number_to(from, INT_MAX);
    const struct edit e = {.kind = (enum edit_kind)kind,
                           .track = track,
                           .has_before = head & HAS_BEFORE,
                           .has_after = head & HAS_AFTER};
    require(codec, kind < EDIT_KIND_COUNT);
    if (!from->failed)
        require(codec, !change_put(c, e));
    if (!from->failed)
        code_edit(codec, &c->edits[c->n_edits - 1]);
}

struct change *change_read(struct bytes_in *from)
{
    struct codec codec = {.in = from};
    size_t n_label;
    const uint8_t *bytes = bytes_block(from, &n_label);
    char *label = bytes ? strndup((const char *)bytes, n_label) : NULL;
    struct change *c = label ? change_create(label) : NULL;
    free(label);
    if (!c) {
        from->failed = true;
        return NULL;
    }
    uint64_t n = bytes_number(from);
    for (uint64_t i = 0; i < n && !from->failed; i++)
        read_edit(c, &codec);
    if (!from->failed)
        return c;
    change_destroy(c);
    return NULL;
}
