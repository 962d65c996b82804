/* See journal_contents.h. Power cuts and kills leave a torn end: a record cut short, or
 * zeros where the disk had given room but not yet got the bytes. What is wrong before the
 * end is damage. */
#include "app/journal_contents.h"

#include "midi/change_bytes.h"

#include <stdlib.h>
#include <string.h>

void journal_contents_fini(struct journal_contents *c)
{
    history_destroy(c->history);
    free(c->saved);
    *c = (struct journal_contents){0};
}

static bool is_all_zero(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at == 0)
        at++;
    return at == end;
}

static bool read_base(struct journal_contents *c, struct bytes_in *in)
{
    c->has_file = bytes_number_to(in, 1);
    c->n_base = bytes_left(in);
    c->base = bytes_take(in, c->n_base);
    return !in->failed;
}

/* Seconds since 1970 that a clock may tell; else 0, which is not known. */
static int64_t read_time(struct bytes_in *in)
{
    const int64_t last = (int64_t)1 << 40;
    int64_t time = bytes_signed(in);
    return time > 0 && time < last ? time : 0;
}

static bool read_did(struct journal_contents *c, struct bytes_in *in)
{
    uint64_t parent = bytes_number(in);
    int64_t time = read_time(in);
    struct change *change = change_read(in);
    if (!change || bytes_left(in)) {
        change_destroy(change);
        return false;
    }
    if (!history_put(c->history, parent, change, time))
        return false;
    c->state = history_n_states(c->history) - 1;
    return true;
}

static bool is_state(const struct journal_contents *c, uint64_t state)
{
    return state < history_n_states(c->history);
}

/* To where it is saved at: then that is done. */
static bool read_went(struct journal_contents *c, struct bytes_in *in)
{
    c->state = bytes_number(in);
    if (c->is_saving && c->saved[c->n_saved - 1].state == c->state)
        c->saved[c->n_saved - 1].is_done = true;
    return !in->failed && !bytes_left(in) && is_state(c, c->state);
}

static bool read_saved(struct journal_contents *c, struct bytes_in *in)
{
    struct journal_saved s = {.state = bytes_number(in)};
    s.as.n_bytes = bytes_number(in);
    s.as.hash = bytes_number(in);
    if (in->failed || bytes_left(in) || !is_state(c, s.state))
        return false;
    if (c->n_saved == c->cap_saved) {
        size_t cap = c->cap_saved ? 2 * c->cap_saved : 8;
        struct journal_saved *grown = reallocarray(c->saved, cap, sizeof *grown);
        if (!grown)
            return false;
        c->saved = grown;
        c->cap_saved = cap;
    }
    c->saved[c->n_saved++] = s;
    return true;
}

static bool read_any(struct journal_contents *c, uint8_t kind, struct bytes_in in)
{
    switch (kind) {
    case JOURNAL_BASE:
        return !c->base && read_base(c, &in);
    case JOURNAL_DID:
        return c->base && read_did(c, &in);
    case JOURNAL_WENT:
        return c->base && read_went(c, &in);
    case JOURNAL_SAVED:
        return c->base && read_saved(c, &in);
    default:
        return false;
    }
}

static bool read_content(struct journal_contents *c, uint8_t kind, struct bytes_in in)
{
    bool ok = read_any(c, kind, in);
    c->is_saving = ok && kind == JOURNAL_SAVED;
    return ok;
}

enum step { READ_ON, TORN, DAMAGED };

/* The record at in->at. */
static enum step read_record(struct journal_contents *c, struct bytes_in *in)
{
    struct journal_head h;
    if (bytes_left(in) < JOURNAL_HEAD_BYTES || is_all_zero(in->at, in->end))
        return TORN;
    if (!journal_head_read(&h, in->at))
        return DAMAGED;
    in->at += JOURNAL_HEAD_BYTES;
    if (h.length > bytes_left(in))
        return TORN;
    const uint8_t *content = bytes_take(in, h.length);
    if (!journal_head_fits(&h, content))
        return is_all_zero(in->at, in->end) ? TORN : DAMAGED;
    struct bytes_in inner = {content, content + h.length, false};
    return read_content(c, h.kind, inner) ? READ_ON : DAMAGED;
}

static enum journal_status read_records(struct journal_contents *c,
                                        const uint8_t *bytes, struct bytes_in *in)
{
    enum step step = READ_ON;
    while (step == READ_ON) {
        c->n_whole = (size_t)(in->at - bytes);
        if (in->at == in->end)
            break;
        step = read_record(c, in);
    }
    c->is_torn = step == TORN;
    return step == DAMAGED ? JOURNAL_DAMAGED : c->base ? JOURNAL_OK : JOURNAL_EMPTY;
}

enum journal_status journal_contents_read(struct journal_contents *c,
                                          const uint8_t *bytes, size_t n)
{
    const size_t n_magic = strlen(JOURNAL_MAGIC);
    *c = (struct journal_contents){.history = history_create()};
    if (!c->history)
        return JOURNAL_NO_MEMORY;
    if (is_all_zero(bytes, bytes + n))
        return JOURNAL_EMPTY;
    if (memcmp(bytes, JOURNAL_MAGIC, n < n_magic ? n : n_magic) != 0)
        return JOURNAL_DAMAGED;
    if (n < n_magic)
        return JOURNAL_EMPTY;
    struct bytes_in in = {bytes + n_magic, bytes + n, false};
    return read_records(c, bytes, &in);
}

enum journal_status journal_contents_replay(struct journal_contents *c,
                                            struct score **out,
                                            struct smf_report *report)
{
    struct score *s = NULL;
    enum midi_status st = smf_read(&s, c->base, c->n_base, report);
    if (!st) {
        history_reserve_ids(c->history, s);
        st = history_go(c->history, s, c->state);
    }
    if (!st) {
        *out = s;
        return JOURNAL_OK;
    }
    score_destroy(s);
    return st == MIDI_NO_MEMORY ? JOURNAL_NO_MEMORY : JOURNAL_DAMAGED;
}

uint64_t journal_contents_last_saved(const struct journal_contents *c)
{
    for (size_t i = c->n_saved; i > 0; i--)
        if (c->saved[i - 1].is_done)
            return c->saved[i - 1].state;
    return 0;
}

bool journal_contents_had_file(const struct journal_contents *c)
{
    bool had = c->has_file;
    for (size_t i = 0; i < c->n_saved; i++)
        had = had || c->saved[i].is_done;
    return had;
}

bool journal_contents_find(const struct journal_contents *c, const uint8_t *music,
                           size_t n_music, uint64_t *state)
{
    const struct fingerprint is = fingerprint_of(music, n_music);
    for (size_t i = c->n_saved; i > 0; i--)
        if (fingerprint_equal(c->saved[i - 1].as, is)) {
            *state = c->saved[i - 1].state;
            return true;
        }
    *state = 0;
    return c->has_file && c->n_base == n_music &&
           (n_music == 0 || memcmp(c->base, music, n_music) == 0);
}
