/* A store of any rows: whatever they hold, opening a piece beside it takes them whole or
 * refuses them, and nothing is written that is not read back. That the file itself may be
 * anything is SQLite's to withstand, and tried in a smaller way: the first byte chooses. */
#include "app/editor/session/session.h"
#include "midi/base/bytes.h"
#include "midi/smf/smf.h"
#include "tests/fuzz_replay.h"

#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 64 };

static char folder[] = "/tmp/continuo-fuzz-store-XXXXXX", path[64];

static void begin(void)
{
    if (path[0])
        return;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.mid.continuo", folder);
}

static int64_t read_signed(struct bytes_in *in)
{
    const uint64_t folded = bytes_number(in);
    return (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

/* Of any kind; small numbers more often than others. */
static void bind_any(sqlite3_stmt *st, int i, struct bytes_in *in)
{
    size_t n;
    const uint8_t *bytes;
    switch (bytes_byte(in) % 5) {
    case 0:
        sqlite3_bind_int64(st, i, read_signed(in));
        break;
    case 1:
        sqlite3_bind_double(st, i, (double)read_signed(in) / 7);
        break;
    case 2:
        bytes = bytes_block(in, &n);
        sqlite3_bind_text(st, i, (const char *)bytes, bytes ? (int)n : 0,
                          SQLITE_TRANSIENT);
        break;
    case 3:
        bytes = bytes_block(in, &n);
        sqlite3_bind_blob(st, i, bytes ? (const void *)bytes : "", bytes ? (int)n : 0,
                          SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_int64(st, i, bytes_byte(in));
    }
}

/* The table of that number. false: there are fewer. */
static bool name_table(sqlite3 *db, int i, char name[64], int *n_columns)
{
    sqlite3_stmt *st = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(
            db,
            "SELECT s.name, (SELECT count(*) FROM pragma_table_info("
            "s.name)) FROM sqlite_schema AS s WHERE s.type = 'table' AND "
            "s.name NOT LIKE 'sqlite%' ORDER BY s.name LIMIT 1 OFFSET ?1",
            -1, &st, NULL) == SQLITE_OK &&
        sqlite3_bind_int(st, 1, i) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW) {
        snprintf(name, 64, "%s", (const char *)sqlite3_column_text(st, 0));
        *n_columns = sqlite3_column_int(st, 1);
        found = true;
    }
    sqlite3_finalize(st);
    return found;
}

/* Keys are among those that are read. */
static void put_any_row(sqlite3 *db, struct bytes_in *in)
{
    char name[64], sql[400];
    int n_columns, used;
    if (!name_table(db, bytes_byte(in) % 32, name, &n_columns))
        return;
    used = snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s VALUES(?", name);
    for (int i = 1; i < n_columns; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, ", ?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        abort();
    for (int i = 1; i <= n_columns; i++)
        bind_any(st, i, in);
    sqlite3_bind_int(st, 1, bytes_byte(in) % 4);
    sqlite3_step(st);
    sqlite3_finalize(st);
}

/* A value of the session, anywhere in it, or all of a part. */
static void put_any_value(sqlite3 *db, struct bytes_in *in)
{
    static const char SET[] =
        "UPDATE session SET data = json_set(data, (SELECT fullkey FROM (SELECT "
        "fullkey, "
        "row_number() OVER () AS i, count(*) OVER () AS n FROM json_tree(data)) "
        "WHERE i = 1 + ?2 % n), ?3) "
        "WHERE rowid = 1 + ?1 % (SELECT max(rowid) FROM session)";
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(db, SET, -1, &st, NULL) != SQLITE_OK)
        abort();
    sqlite3_bind_int(st, 1, bytes_byte(in));
    sqlite3_bind_int(st, 2, bytes_byte(in));
    bind_any(st, 3, in);
    sqlite3_step(st);
    sqlite3_finalize(st);
}

/* A session with a bit of all there is. */
static void put_session(struct store *s)
{
    struct ghost ghosts[2] = {{.note = {.id = 1, .length = 9, .velocity = 1}},
                              {.note = {.id = 2, .length = 9, .velocity = 1}}};
    int32_t tokens[] = {1, 2};
    struct kept_marks marks = {.name = "Piano", .solo = true};
    struct tap taps[] = {{0, TAP_BAR}, {9, TAP_BAR}};
    struct kept_track track = {1, 0};
    struct kept_place place = {.length = 9, .ghost = 1};
    struct recorded_event event = {.data = {0xb0, 64, 1}};
    struct recorded_note note = {.note = {.velocity = 1}};
    struct proposal takes[2] = {{.letter = 'A'}, {.letter = 'C'}};
    struct kept_session b;
    kept_session_init(&b);
    for (int i = 0; i < 2; i++) {
        takes[i].options = CONTINUATION_DEFAULT;
        takes[i].ghosts = ghosts;
        takes[i].tokens = tokens;
        takes[i].gestures = &event;
        takes[i].n_gestures = 1;
        takes[i].n_ghosts = takes[i].n_tokens = takes[i].n_muted = 2;
        takes[i].stats.n_chords = 1;
    }
    b.steering.density = 2;
    b.tracks = (struct kept_tracks){&marks, 1};
    b.taps = (struct taps){taps, 2, 2};
    b.takes = (struct kept_takes){.ticks_per_quarter = 96,
                                  .asked = {CONTINUATION_DEFAULT, 4},
                                  .n_letters = 3,
                                  .list = takes,
                                  .tracks = &track,
                                  .places = &place,
                                  .n = 2,
                                  .n_tracks = 1,
                                  .n_places = 1};
    b.recording = (struct kept_recording){
        .notes = &note, .n_notes = 1, .events = &event, .n_events = 1};
    if (kept_session_write(s, KEPT_NOW, &b) ||
        kept_session_write(s, KEPT_RECORDING, &b))
        abort();
    b.recording.n_notes_before = b.recording.n_events_before = 1;
    if (kept_session_write(s, KEPT_LEFT_OUT, &b) ||
        kept_session_write(s, KEPT_RECORDING, &b))
        abort();
}

static void make_rows(const uint8_t *data, size_t size)
{
    char why[STORE_WHY_BYTES];
    struct store *s;
    struct bytes_in in = {data, data + size, false};
    if (store_lock(&s, path, why) || store_open(s, true, why))
        abort();
    store_exec(s, "BEGIN");
    put_session(s);
    for (int i = 0; i < MOST_ROWS && bytes_left(&in); i++)
        if (bytes_byte(&in) & 1)
            put_any_row(s->db, &in);
        else
            put_any_value(s->db, &in);
    store_exec(s, "COMMIT");
    store_close(s, false);
}

static void make_bytes(const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size)
        abort();
    fclose(f);
}

/* What is read is written and read again as the same. */
static void check_session(struct store *s)
{
    struct kept_session b, again;
    if (kept_session_read(&b, s))
        return;
    if (kept_session_write(s, KEPT_SAVED, &b) ||
        kept_session_write(s, KEPT_NOW, NULL) || kept_session_read(&again, s))
        abort();
    if (again.takes.n != b.takes.n || again.taps.n != b.taps.n ||
        again.tracks.n != b.tracks.n || again.takes.n_places != b.takes.n_places)
        abort();
    for (size_t i = 0; i < b.takes.n; i++)
        if (again.takes.list[i].letter != b.takes.list[i].letter ||
            again.takes.list[i].n_ghosts != b.takes.list[i].n_ghosts)
            abort();
    kept_session_fini(&again);
    kept_session_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[STORE_WHY_BYTES];
    struct store *s;
    struct kept_history h;
    struct score *score;
    begin();
    if (!size)
        return 0;
    unlink(path);
    if (*data & 1)
        make_bytes(data + 1, size - 1);
    else
        make_rows(data + 1, size - 1);
    if (store_lock(&s, path, why))
        return 0;
    if (store_open(s, false, why) == STORE_OK) {
        if (store_read_history(&h, s) == STORE_OK && h.base &&
            kept_history_replay(&h, &score, NULL) == STORE_OK)
            score_destroy(score);
        kept_history_fini(&h);
        check_session(s);
    }
    store_close(s, true);
    return 0;
}
