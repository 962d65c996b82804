#include "app/document/store_history.h"

#include "midi/base/array.h"
#include "midi/edit/edit.h"
#include "midi/base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fingerprint fingerprint_of(const uint8_t *bytes, size_t n)
{
    return (struct fingerprint){n, hash_bytes(HASH_START, bytes, n)};
}

bool fingerprint_equal(struct fingerprint a, struct fingerprint b)
{
    return a.n_bytes == b.n_bytes && a.hash == b.hash;
}

const char HISTORY_CLEAR[] = "DELETE FROM base; DELETE FROM edit; DELETE FROM save; "
                             "UPDATE piece SET state = 0, has_file = 0";
const char HISTORY_BASE[] =
    "DELETE FROM base; DELETE FROM edit; DELETE FROM save; "
    "UPDATE piece SET state = 0, has_file = %d; INSERT INTO base(music) VALUES(?1)";
const char HISTORY_EDIT[] =
    "INSERT OR REPLACE INTO edit(id, parent, time, what, change) "
    "VALUES(%lld, %lld, %lld, %Q, ?1); UPDATE piece SET state = -1 WHERE state <> -1";
const char HISTORY_STATE[] = "UPDATE piece SET state = %lld";
const char HISTORY_SAVING[] =
    "INSERT INTO save(state, n_bytes, hash, is_done) VALUES(%lld, %lld, %lld, 0)";
const char HISTORY_SAVED[] =
    "UPDATE save SET is_done = 1 WHERE n = (SELECT max(n) FROM save "
    "WHERE state = %lld AND n_bytes = %lld AND hash = %lld)";

void kept_history_fini(struct kept_history *h)
{
    history_destroy(h->history);
    free(h->base);
    free(h->saved);
    *h = (struct kept_history){0};
}

static int read_edit(struct kept_history *h, sqlite3_stmt *st)
{
    const uint64_t id = (uint64_t)sqlite3_column_int64(st, 0);
    const uint64_t parent = (uint64_t)sqlite3_column_int64(st, 1);
    int64_t time = sqlite3_column_int64(st, 2); /* seconds since 1970 */
    const uint8_t *bytes = sqlite3_column_blob(st, 3);
    const size_t n = (size_t)sqlite3_column_bytes(st, 3);
    if (id != history_n_states(h->history) || parent >= id || !bytes)
        return STORE_DAMAGED;
    struct bytes_in in = {bytes, bytes + n, false};
    h->n_bytes += n;
    struct change *change = change_read(&in);
    if (!change || bytes_left(&in)) {
        change_destroy(change);
        return STORE_DAMAGED;
    }
    if (time < 0 || time >= (int64_t)1 << 40)
        time = 0; /* unknown */
    return history_put(h->history, parent, change, time) ? STORE_OK : ENOMEM;
}

static int read_piece(struct kept_history *h, sqlite3_stmt *st)
{
    h->has_file = sqlite3_column_int(st, 0) != 0;
    h->state = (uint64_t)sqlite3_column_int64(st, 1);
    const void *music = sqlite3_column_blob(st, 2);
    const bool has_base = sqlite3_column_type(st, 2) != SQLITE_NULL;
    h->n_base = h->n_bytes = (size_t)sqlite3_column_bytes(st, 2);
    h->base = has_base ? array_copy(music, h->n_base, 1) : NULL;
    h->history = history_create();
    return h->history && (h->base || !has_base) ? STORE_OK : ENOMEM;
}

static int read_save(struct kept_history *h, sqlite3_stmt *st)
{
    const struct kept_save s = {.state = (uint64_t)sqlite3_column_int64(st, 0),
                                .as = {(uint64_t)sqlite3_column_int64(st, 1),
                                       (uint64_t)sqlite3_column_int64(st, 2)},
                                .is_done = sqlite3_column_int(st, 3) != 0};
    if (s.state >= history_n_states(h->history))
        return STORE_DAMAGED;
    return array_add(&h->saved, &h->n_saved, &h->cap_saved, &s, sizeof s) ? STORE_OK
                                                                          : ENOMEM;
}

/* Calls `read` for each row until one fails. Returns a status. */
static int read_rows(struct kept_history *h, struct store *s, const char *sql,
                     int (*read)(struct kept_history *h, sqlite3_stmt *st))
{
    sqlite3_stmt *st = NULL;
    int status = STORE_OK, code;
    while (!status && (code = store_next(s->db, &st, sql)) == SQLITE_ROW)
        status = read(h, st);
    sqlite3_finalize(st);
    return status || code == SQLITE_DONE ? status : store_errno(s, code);
}

int store_read_history(struct kept_history *h, struct store *s)
{
    *h = (struct kept_history){0};
    int status = read_rows(
        h, s, "SELECT has_file, state, (SELECT music FROM base) FROM piece LIMIT 1",
        read_piece);
    if (!status && !h->history)
        return STORE_EMPTY;
    if (!status)
        status = read_rows(
            h, s, "SELECT id, parent, time, change FROM edit ORDER BY id", read_edit);
    if (!status)
        status =
            read_rows(h, s, "SELECT state, n_bytes, hash, is_done FROM save ORDER BY n",
                      read_save);
    const uint64_t n = h->history ? history_n_states(h->history) : 1;
    if (h->state == UINT64_MAX)
        h->state = n - 1;
    if (!status && (h->state >= n || (n > 1 && !h->base)))
        status = STORE_DAMAGED;
    if (h->state >= n)
        h->state = n - 1;
    return status;
}

int kept_history_replay(struct kept_history *h, struct score **out,
                        struct smf_report *report)
{
    struct score *s = NULL;
    enum midi_status st = smf_read(&s, h->base, h->n_base, report);
    if (!st) {
        history_reserve_ids(h->history, s);
        st = history_go(h->history, s, h->state);
    }
    if (!st) {
        *out = s;
        return STORE_OK;
    }
    score_destroy(s);
    return st == MIDI_NO_MEMORY ? ENOMEM : STORE_DAMAGED;
}

/* -- the music of a store that was renamed aside -- */

bool store_music_is_there(const uint8_t *bytes, size_t n)
{
    static const char MAGIC[] = "SQLite format 3";
    return n >= sizeof MAGIC && !memcmp(bytes, MAGIC, sizeof MAGIC);
}

enum midi_status store_music_take(const char *path, uint8_t **bytes, size_t *n)
{
    struct store *s;
    struct kept_history h = {0};
    struct score *score = NULL;
    uint8_t *music;
    size_t n_music;
    if (store_open_copy(&s, path, NULL))
        return MIDI_NOT_MIDI;
    int read = store_read_history(&h, s);
    if (h.base && (read == STORE_OK || read == STORE_DAMAGED))
        read = kept_history_replay(&h, &score, NULL);
    enum midi_status st = read == ENOMEM ? MIDI_NO_MEMORY
                          : score        ? smf_write(score, &music, &n_music)
                                         : MIDI_EMPTY;
    kept_history_fini(&h);
    score_destroy(score);
    store_close(s, true);
    if (st)
        return st;
    free(*bytes);
    *bytes = music;
    *n = n_music;
    return MIDI_OK;
}
