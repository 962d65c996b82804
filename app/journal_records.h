/* The journal's records, as bytes. The file, FILE.mid.continuo-journal, is
 *
 *   "continuo journal 1\n", then records, of which the first alone is a base:
 *
 *   kind     1 byte, below
 *   length   4 bytes, the lowest first: of the content
 *   check    4 bytes, the same way: CRC-32 (ISO 3309) of content, kind and length
 *   guard    1 byte: the lowest of the CRC-32 of kind and length
 *   content  numbers as midi/bytes.h writes them
 *
 *   B base   1 if there was a MIDI file, else 0; then the music as a MIDI file
 *   D did    parent state, seconds since 1970, the change (midi/change_bytes.h); the new
 *            state is numbered after all before it, from 1
 *   G went   to that state
 *   S saved  about to be, at that state, as so many bytes with that hash; when that is
 *            done, G to that state
 *
 * Nothing in it is ever written over: it only grows. */
#ifndef APP_JOURNAL_RECORDS_H
#define APP_JOURNAL_RECORDS_H

#include "midi/bytes.h"
#include "midi/edit.h"

#define JOURNAL_MAGIC "continuo journal 1\n"

enum {
    JOURNAL_BASE = 'B',
    JOURNAL_DID = 'D',
    JOURNAL_WENT = 'G',
    JOURNAL_SAVED = 'S',
    JOURNAL_HEAD_BYTES = 10, /* of a record */
};

/* To tell a file's content from another's: its length and its FNV-1a hash (Fowler, Noll,
 * Vo) of 64 bits. Against accident, not malice. */
struct fingerprint {
    uint64_t n_bytes, hash;
};

struct fingerprint fingerprint_of(const uint8_t *bytes, size_t n);
bool fingerprint_equal(struct fingerprint a, struct fingerprint b);

/* Each adds one record. */
void journal_put_base(struct bytes_out *to, bool has_file, const uint8_t *music,
                      size_t n_music); /* and the magic before it */
void journal_put_did(struct bytes_out *to, uint64_t parent, int64_t time,
                     const struct change *c);
void journal_put_went(struct bytes_out *to, uint64_t state);
void journal_put_saved(struct bytes_out *to, uint64_t state, struct fingerprint as);

/* Any content, whole or not; for tests. */
void journal_put_record(struct bytes_out *to, uint8_t kind, const uint8_t *content,
                        size_t n);

/* Of a record's ten first bytes; false: the guard says that they are none. */
struct journal_head {
    uint8_t kind;
    uint32_t length, check;
};
bool journal_head_read(struct journal_head *h, const uint8_t bytes[JOURNAL_HEAD_BYTES]);
/* Whether the content is what was written. */
bool journal_head_fits(const struct journal_head *h, const uint8_t *content);

#endif
