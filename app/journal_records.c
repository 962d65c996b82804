/* See journal_records.h. */
#include "app/journal_records.h"

#include "midi/change_bytes.h"

#include <string.h>
#include <zlib.h>

struct fingerprint fingerprint_of(const uint8_t *bytes, size_t n)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (struct fingerprint){n, hash};
}

bool fingerprint_equal(struct fingerprint a, struct fingerprint b)
{
    return a.n_bytes == b.n_bytes && a.hash == b.hash;
}

static void put_u32(uint8_t to[4], uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get_u32(const uint8_t from[4])
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v |= (uint32_t)from[i] << 8 * i;
    return v;
}

static uint32_t head_check(const uint8_t head[5])
{
    return (uint32_t)crc32(0, head, 5);
}

static uint32_t check(const uint8_t head[5], const uint8_t *content, size_t n)
{
    uLong crc = crc32_z(0, content, n);
    return (uint32_t)crc32(crc, head, 5);
}

/* A record is written as if it had no head yet; where it begins is given back. */
static size_t begin(struct bytes_out *to)
{
    static const uint8_t NOTHING[JOURNAL_HEAD_BYTES];
    bytes_put(to, NOTHING, sizeof NOTHING);
    return to->n - JOURNAL_HEAD_BYTES;
}

static void end(struct bytes_out *to, size_t at, uint8_t kind)
{
    if (to->failed)
        return;
    size_t n = to->n - at - JOURNAL_HEAD_BYTES;
    uint8_t *head = to->bytes + at;
    if (n > UINT32_MAX) {
        to->failed = true;
        return;
    }
    head[0] = kind;
    put_u32(head + 1, (uint32_t)n);
    put_u32(head + 5, check(head, head + JOURNAL_HEAD_BYTES, n));
    head[9] = (uint8_t)head_check(head);
}

void journal_put_base(struct bytes_out *to, bool has_file, const uint8_t *music,
                      size_t n_music)
{
    bytes_put(to, JOURNAL_MAGIC, strlen(JOURNAL_MAGIC));
    size_t at = begin(to);
    bytes_put_byte(to, has_file);
    bytes_put(to, music, n_music);
    end(to, at, JOURNAL_BASE);
}

void journal_put_did(struct bytes_out *to, uint64_t parent, int64_t time,
                     const struct change *c)
{
    size_t at = begin(to);
    bytes_put_number(to, parent);
    bytes_put_signed(to, time);
    change_write(c, to);
    end(to, at, JOURNAL_DID);
}

void journal_put_went(struct bytes_out *to, uint64_t state)
{
    size_t at = begin(to);
    bytes_put_number(to, state);
    end(to, at, JOURNAL_WENT);
}

void journal_put_saved(struct bytes_out *to, uint64_t state, struct fingerprint as)
{
    size_t at = begin(to);
    bytes_put_number(to, state);
    bytes_put_number(to, as.n_bytes);
    bytes_put_number(to, as.hash);
    end(to, at, JOURNAL_SAVED);
}

void journal_put_record(struct bytes_out *to, uint8_t kind, const uint8_t *content,
                        size_t n)
{
    size_t at = begin(to);
    bytes_put(to, content, n);
    end(to, at, kind);
}

bool journal_head_read(struct journal_head *h, const uint8_t bytes[JOURNAL_HEAD_BYTES])
{
    *h = (struct journal_head){bytes[0], get_u32(bytes + 1), get_u32(bytes + 5)};
    return bytes[9] == (uint8_t)head_check(bytes);
}

bool journal_head_fits(const struct journal_head *h, const uint8_t *content)
{
    uint8_t head[5] = {h->kind};
    put_u32(head + 1, h->length);
    return check(head, content, h->length) == h->check;
}
