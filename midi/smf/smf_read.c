/* Reads a MIDI file from the outside in: a wrapper, a header, and chunks in sequence.
 * None of them is trusted: chunks are read until the bytes end, whatever number the
 * header gives.
 *
 * Memory stays below seventy times the file's size at worst, for a file of tracks of
 * one note each; for long tracks it is below twenty times. */
#include "midi/base/array.h"
#include "midi/smf/smf.h"
#include "midi/smf/smf_track.h"
#include "midi/base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_HEAD = 8, HEADER_BYTES = 6, ASSUMED_QUARTER = 480 };

struct reader {
    struct score *score;
    struct track_reader *tracks;
    size_t cap_chunks;
    const uint8_t *at, *end;
    size_t losses[N_LOSSES];
};

static const char *const LOSS_WORDS[N_LOSSES] = {
    [LOSS_WRAPPER] = "the RIFF wrapping around the MIDI file is not kept",
    [LOSS_FORMAT] = "the file's format is unknown; its tracks are played together",
    [LOSS_DIVISION] = "the header has no ticks per quarter; 480 are assumed",
    [LOSS_COUNT_OF_TRACKS] = "the header has a wrong number of tracks",
    [LOSS_CUT_CHUNK] = "the file is cut short: %zu track(s) should be longer",
    [LOSS_CUT_EVENT] = "%zu track(s) end in the middle of an event",
    [LOSS_NO_END] = "%zu track(s) have no end mark; they end with their last event",
    [LOSS_NONSENSE] = "%zu byte(s) that are not an event were skipped",
    [LOSS_BAD_NOTE] = "%zu note message(s) with invalid values are kept but not played",
    [LOSS_EARLY_END] = "%zu track(s) continue after their end mark, which is not kept",
    [LOSS_HANGING] = "%zu note(s) have no end; they last as long as their track",
    [LOSS_AFTER_END] = "%zu byte(s) after the end of a track are not kept",
    [LOSS_AFTER_LAST] = "%zu byte(s) after the last track are not kept",
};

static void write_report(const struct reader *r, struct smf_report *report)
{
    const int room = sizeof report->warnings / sizeof report->warnings[0];
    for (int i = 0; i < N_LOSSES; i++) {
        if (r->losses[i] == 0)
            continue;
        if (report->n_warnings < room) {
            char *to = report->warnings[report->n_warnings];
            snprintf(to, sizeof report->warnings[0], LOSS_WORDS[i], r->losses[i]);
        }
        report->n_warnings++;
        report->is_partial |= i < N_DROPPED;
    }
}

static size_t n_left(const struct reader *r)
{
    return (size_t)(r->end - r->at);
}

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint16_t read_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static bool is_type(const uint8_t *at, const char *type)
{
    return memcmp(at, type, 4) == 0;
}

/* RIFF RMID (RP-029) has little-endian chunks; the chunk "data" is the MIDI file. */
static void unwrap(struct reader *r)
{
    if (n_left(r) < 12 || !is_type(r->at, "RIFF") || !is_type(r->at + 8, "RMID"))
        return;
    const uint8_t *at = r->at + 12;
    while ((size_t)(r->end - at) >= CHUNK_HEAD) {
        size_t left = (size_t)(r->end - at) - CHUNK_HEAD;
        size_t n =
            at[4] | (size_t)at[5] << 8 | (size_t)at[6] << 16 | (size_t)at[7] << 24;
        n = n < left ? n : left;
        if (is_type(at, "data")) {
            r->at = at + CHUNK_HEAD;
            r->end = r->at + n;
            r->losses[LOSS_WRAPPER]++;
            return;
        }
        at += CHUNK_HEAD + n + (n < left ? n & 1 : 0); /* chunks have even length */
    }
}

/* An SMPTE division is the negative number of frames a second and the ticks a frame.
 * Returns the ticks in half a second, so that 120 quarters a minute keeps time. 29
 * means 29.97. */
static int ticks_per_quarter(struct reader *r, uint16_t division)
{
    if (division & SMPTE_BIT) {
        int frames = -(int8_t)(division >> 8), per_frame = division & 0xFF;
        int ticks = (frames == 29 ? 30 : frames) * per_frame / 2;
        return ticks < 1 ? 1 : ticks;
    }
    if (division > 0)
        return division;
    r->losses[LOSS_DIVISION]++;
    return ASSUMED_QUARTER;
}

static enum midi_status read_header(struct reader *r, unsigned *n_declared)
{
    if (n_left(r) < 4 || !is_type(r->at, "MThd"))
        return MIDI_NOT_MIDI;
    if (n_left(r) < CHUNK_HEAD + HEADER_BYTES)
        return MIDI_EMPTY;
    size_t n = read_u32(r->at + 4), left = n_left(r) - CHUNK_HEAD;
    if (n < HEADER_BYTES || n > left)
        return MIDI_EMPTY;

    const uint8_t *body = r->at + CHUNK_HEAD;
    struct score *s = r->score;
    s->format = read_u16(body);
    if (s->format > 2)
        r->losses[LOSS_FORMAT]++;
    *n_declared = read_u16(body + 2);
    s->division = read_u16(body + 4);
    s->ticks_per_quarter = ticks_per_quarter(r, s->division);
    r->at = body + n;
    s->n_header_tail = n - HEADER_BYTES;
    s->header_tail = array_copy(body + HEADER_BYTES, s->n_header_tail, 1);
    return s->header_tail ? MIDI_OK : MIDI_NO_MEMORY;
}

static bool is_track_head(const uint8_t *at, size_t left)
{
    return left >= CHUNK_HEAD && is_type(at, "MTrk");
}

/* Whether a chunk of another type begins here. It must be whole. */
static bool is_other_head(const uint8_t *at, size_t left)
{
    if (left < CHUNK_HEAD)
        return false;
    for (int i = 0; i < 4; i++)
        if (at[i] < 0x20 || at[i] > 0x7E)
            return false;
    return read_u32(at + 4) <= left - CHUNK_HEAD;
}

static struct chunk *add_chunk(struct reader *r)
{
    struct score *s = r->score;
    if (!ARRAY_GROW(s->chunks, s->n_chunks, r->cap_chunks))
        return NULL;
    struct chunk *c = &s->chunks[s->n_chunks++];
    *c = (struct chunk){0};
    memcpy(c->type, r->at, sizeof c->type);
    return c;
}

static enum midi_status read_unknown(struct reader *r)
{
    size_t n = read_u32(r->at + 4);
    struct chunk *c = add_chunk(r);
    if (!c)
        return MIDI_NO_MEMORY;
    c->is_unknown = true;
    c->raw = array_copy(r->at + CHUNK_HEAD, n, 1);
    c->n_raw = n;
    r->at += CHUNK_HEAD + n;
    return c->raw ? MIDI_OK : MIDI_NO_MEMORY;
}

static enum midi_status read_track(struct reader *r)
{
    size_t n = read_u32(r->at + 4), left = n_left(r) - CHUNK_HEAD, n_used;
    const uint8_t *body = r->at + CHUNK_HEAD;
    r->losses[LOSS_CUT_CHUNK] += n > left;
    /* A program that crashed while it recorded leaves a length of zero before a track
     * with events. */
    const bool is_unset =
        n == 0 && !is_track_head(body, left) && !is_other_head(body, left);
    if (n > left || is_unset)
        n = left;
    if (!add_chunk(r))
        return MIDI_NO_MEMORY;
    r->at += CHUNK_HEAD;
    enum midi_status st = track_reader_read(r->tracks, r->at, n, &n_used);
    if (st)
        return st;
    /* If the length is too large, the tracks that follow are not hidden by it. */
    if (!is_track_head(r->at + n_used, n - n_used)) {
        r->losses[LOSS_AFTER_END] += n - n_used;
        n_used = n;
    }
    r->at += n_used;
    return MIDI_OK;
}

static enum midi_status read_chunks(struct reader *r, unsigned n_declared)
{
    enum midi_status st = MIDI_OK;
    size_t n_tracks = 0;
    while (!st) {
        if (is_track_head(r->at, n_left(r))) {
            st = read_track(r);
            n_tracks++;
        } else if (is_other_head(r->at, n_left(r))) {
            st = read_unknown(r);
        } else {
            break;
        }
    }
    r->losses[LOSS_AFTER_LAST] = n_left(r);
    r->losses[LOSS_COUNT_OF_TRACKS] = n_tracks != n_declared;
    track_reader_finish(r->tracks);
    bool is_meant = n_declared == 0 && r->at == r->end; /* a piece not yet begun */
    return !st && n_tracks == 0 && !is_meant ? MIDI_EMPTY : st;
}

enum midi_status smf_read(struct score **out, const uint8_t *bytes, size_t n_bytes,
                          struct smf_report *report)
{
    if (report)
        *report = (struct smf_report){0};
    if (n_bytes == 0)
        return MIDI_NOT_MIDI;
    struct reader r = {
        .score = calloc(1, sizeof *r.score), .at = bytes, .end = bytes + n_bytes};
    unsigned n_declared;
    if (r.score) {
        r.score->next_id = 1;
        r.tracks = track_reader_create(r.score, r.losses);
    }
    unwrap(&r);
    enum midi_status st = r.tracks ? read_header(&r, &n_declared) : MIDI_NO_MEMORY;
    if (!st)
        st = read_chunks(&r, n_declared);
    if (!st)
        st = score_update_timeline(r.score);
    track_reader_destroy(r.tracks);
    if (report)
        write_report(&r, report);
    if (st) {
        score_destroy(r.score);
        return st;
    }
    *out = r.score;
    return MIDI_OK;
}

enum midi_status smf_load(struct score **out, const char *path,
                          struct smf_report *report)
{
    uint8_t *bytes;
    size_t n;
    if (report)
        *report = (struct smf_report){0};
    enum midi_status st = file_read(path, FILE_MAX_BYTES, &bytes, &n);
    if (st)
        return st;
    int reason = errno;
    st = smf_read(out, bytes, n, report);
    free(bytes);
    errno = reason;
    return st;
}
