/* Edits of tracks as wholes, as bytes. */
#include "midi/edit/change_bytes_track.h"

#include "midi/score/note.h"

#include <limits.h>
#include <string.h>

static void put_info(struct bytes_out *to, const struct track_info *info)
{
    bytes_put_block(to, info->name, strlen(info->name));
    bytes_put_byte(to, info->channel);
    bytes_put_byte(to, info->program);
}

static void get_info(struct bytes_in *from, struct track_info *info)
{
    size_t n;
    const uint8_t *name = bytes_block(from, &n);
    info->channel = (uint8_t)bytes_number_to(from, 15);
    info->program = (uint8_t)bytes_number_to(from, 127);
    if (!name || n >= sizeof info->name || memchr(name, '\0', n))
        from->failed = true;
    else
        memcpy(info->name, name, n);
}

enum { WITH_CHUNK = 1, MUTE = 2, SOLO = 4, ARM = 8, HIDE = 16, ALL_FLAGS = 31 };

static void put_gone(struct bytes_out *to, const struct edit *e)
{
    put_info(to, &e->gone.info);
    bytes_put_number(to, (uint64_t)e->gone.chunk);
    bytes_put_number(to, (uint64_t)e->gone.end_tick);
    bytes_put_byte(to, (uint8_t)((e->gone.with_chunk ? WITH_CHUNK : 0) |
                                 (e->gone.mute ? MUTE : 0) | (e->gone.solo ? SOLO : 0) |
                                 (e->gone.arm ? ARM : 0) | (e->gone.hide ? HIDE : 0)));
    bytes_put_byte(to, e->gone.colour);
}

static void get_gone(struct bytes_in *from, struct edit *e)
{
    get_info(from, &e->gone.info);
    e->gone.chunk = (int)bytes_number_to(from, INT_MAX);
    e->gone.end_tick = (int64_t)bytes_number_to(from, TICK_MAX);
    unsigned flags = (unsigned)bytes_number_to(from, ALL_FLAGS);
    e->gone.with_chunk = flags & WITH_CHUNK;
    e->gone.mute = flags & MUTE;
    e->gone.solo = flags & SOLO;
    e->gone.arm = flags & ARM;
    e->gone.hide = flags & HIDE;
    e->gone.colour = (uint8_t)bytes_number_to(from, TRACK_COLOURS);
}

void change_bytes_put_track(struct bytes_out *to, struct note_fields *last,
                            const struct edit *e)
{
    (void)last;
    if (e->kind == EDIT_TRACK) {
        put_info(to, &e->track_info);
    } else if (e->kind == EDIT_TRACK_INFO) {
        put_info(to, &e->info_before);
        put_info(to, &e->info_after);
    } else if (e->kind == EDIT_TRACK_GONE) {
        put_gone(to, e);
    } else {
        bytes_put_number(to, (uint64_t)e->move.from);
        bytes_put_number(to, (uint64_t)e->move.to);
    }
}

void change_bytes_get_track(struct bytes_in *from, struct note_fields *last,
                            struct edit *e)
{
    (void)last;
    if (e->kind == EDIT_TRACK) {
        get_info(from, &e->track_info);
    } else if (e->kind == EDIT_TRACK_INFO) {
        get_info(from, &e->info_before);
        get_info(from, &e->info_after);
    } else if (e->kind == EDIT_TRACK_GONE) {
        get_gone(from, e);
    } else {
        e->move.from = (int)bytes_number_to(from, INT_MAX);
        e->move.to = (int)bytes_number_to(from, INT_MAX);
    }
}
