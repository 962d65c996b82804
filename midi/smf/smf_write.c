/* Writes a score as a MIDI file: the events and notes of each chunk merged, deltas in
 * the fewest bytes, and every status byte written out. */
#include "midi/smf/smf.h"
#include "midi/score/chunk.h"
#include "midi/base/bytes.h"
#include "midi/base/file.h"

#include <errno.h>
#include <stdlib.h>

/* A failure sticks: later writes do nothing. So the status is checked once, at the
 * end. */
struct writer {
    struct bytes_out out;
    struct chunk_tracks tracks;
    enum midi_status status;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    if (w->status)
        return;
    bytes_put(&w->out, bytes, n);
    if (w->out.failed)
        w->status = MIDI_NO_MEMORY;
}

static void put_u16(struct writer *w, unsigned v)
{
    put(w, (uint8_t[]){(uint8_t)(v >> 8), (uint8_t)v}, 2);
}

static void put_u32(struct writer *w, size_t v)
{
    if (v > UINT32_MAX)
        w->status = MIDI_TOO_LONG;
    put_u16(w, (unsigned)(v >> 16));
    put_u16(w, (unsigned)v);
}

/* A wait that is too long for one delta is bridged with empty text events. */
static void put_delta(struct writer *w, int64_t ticks)
{
    uint8_t vlq[VLQ_MAX_BYTES];
    while (ticks > VLQ_MAX && !w->status) {
        put(w, vlq, vlq_write(vlq, VLQ_MAX));
        put(w, (uint8_t[]){0xFF, 0x01, 0x00}, 3);
        ticks -= VLQ_MAX;
    }
    put(w, vlq, vlq_write(vlq, (uint32_t)ticks));
}

static void put_merged(struct writer *w, const struct merged *m)
{
    const struct note *n = m->note;
    if (m->kind == MERGED_EVENT) {
        put(w, m->event->data, m->event->n_data);
        return;
    }
    uint8_t message[3] = {(uint8_t)(0x90 | m->channel), n->pitch, n->velocity};
    if (m->kind == MERGED_NOTE_OFF) {
        bool is_on = n->flags & NOTE_END_BY_ON;
        message[0] = (uint8_t)((is_on ? 0x90 : 0x80) | m->channel);
        message[2] = is_on ? 0 : n->off_velocity;
    }
    put(w, message, sizeof message);
}

static void put_events(struct writer *w, const struct score *s, int chunk)
{
    struct merged *all;
    size_t n;
    enum midi_status st = merge_chunk(s, &w->tracks, chunk, &all, &n);
    if (st) {
        w->status = st;
        return;
    }
    int64_t tick = 0;
    for (size_t i = 0; i < n; i++) {
        put_delta(w, all[i].tick - tick);
        put_merged(w, &all[i]);
        tick = all[i].tick;
    }
    free(all);
    int64_t end = s->chunks[chunk].end_tick;
    put_delta(w, end > tick ? end - tick : 0);
    put(w, (uint8_t[]){0xFF, META_END_OF_TRACK, 0}, 3);
}

static void put_chunk(struct writer *w, const struct score *s, int chunk)
{
    const struct chunk *c = &s->chunks[chunk];
    put(w, c->type, sizeof c->type);
    if (c->is_unknown) {
        put_u32(w, c->n_raw);
        put(w, c->raw, c->n_raw);
        return;
    }
    size_t at = w->out.n;
    put_u32(w, 0);
    put_events(w, s, chunk);
    if (w->status)
        return;
    size_t end = w->out.n;
    w->out.n = at;
    put_u32(w, end - at - 4);
    w->out.n = end;
}

enum midi_status smf_write(const struct score *s, uint8_t **bytes, size_t *n_bytes)
{
    struct writer w = {0};
    size_t n_tracks = 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        n_tracks += !s->chunks[i].is_unknown;
    if (!chunk_tracks_init(&w.tracks, s))
        return MIDI_NO_MEMORY;
    put(&w, "MThd", 4);
    put_u32(&w, 6 + s->n_header_tail);
    put_u16(&w, (unsigned)s->format);
    put_u16(&w, n_tracks < UINT16_MAX ? (unsigned)n_tracks : UINT16_MAX);
    put_u16(&w, s->division);
    put(&w, s->header_tail, s->n_header_tail);
    for (size_t i = 0; i < s->n_chunks && !w.status; i++)
        put_chunk(&w, s, (int)i);
    chunk_tracks_fini(&w.tracks);
    if (w.status) {
        free(w.out.bytes);
        return w.status;
    }
    *bytes = w.out.bytes;
    *n_bytes = w.out.n;
    return MIDI_OK;
}

enum midi_status smf_save(const struct score *s, const char *path)
{
    uint8_t *bytes;
    size_t n;
    enum midi_status st = smf_write(s, &bytes, &n);
    if (st)
        return st;
    st = file_write(path, NULL, bytes, n);
    int reason = errno;
    free(bytes);
    errno = reason;
    return st;
}
