/* A store as a database: it is opened so that nothing runs in it that is not ours, compared with
 * our own tables, and its tables made. See store.h. */
#include "app/document/store.h"

#include "app/base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long another program's lock on the state folder's store is waited for, to write and to read. */
enum { WRITER_MS = 2000, READER_MS = 300 };
enum { MOST_VALUE_BYTES = 300 << 20 };

int store_errno(const struct store *s, int code)
{
    const int system = s->db ? sqlite3_system_errno(s->db) : 0;
    switch (code & 0xff) {
    case SQLITE_OK:
        return STORE_OK;
    case SQLITE_NOMEM:
        return ENOMEM;
    case SQLITE_FULL:
        return ENOSPC;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return STORE_TAKEN;
    case SQLITE_READONLY:
        return EROFS;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return STORE_DAMAGED;
    default: /* these two have other meanings as a status */
        return system && system != STORE_EMPTY && system != STORE_FOREIGN ? system
                                                                          : EIO;
    }
}

int store_exec(struct store *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL);
}

int store_run(struct store *s, const char *sql, const void *bytes, size_t n)
{
    int code = SQLITE_OK;
    while (!code && *(sql += strspn(sql, " "))) {
        sqlite3_stmt *st = NULL;
        code = sqlite3_prepare_v2(s->db, sql, -1, &st, &sql);
        if (!code && sqlite3_bind_parameter_count(st))
            code = sqlite3_bind_blob64(st, 1, n ? bytes : "", n, SQLITE_STATIC);
        if (!code)
            code = sqlite3_step(st);
        sqlite3_finalize(st);
        code = code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
    }
    return code;
}

int store_do(struct store *s, char *sql, const void *bytes, size_t n)
{
    const int code = sql ? store_run(s, sql, bytes, n) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return code;
}

int store_next(sqlite3 *db, sqlite3_stmt **st, const char *sql)
{
    int code = *st ? SQLITE_OK : sqlite3_prepare_v2(db, sql, -1, st, NULL);
    if (!code)
        code = sqlite3_step(*st);
    if (code != SQLITE_ROW) {
        sqlite3_finalize(*st);
        *st = NULL;
    }
    return code;
}

bool store_number(sqlite3 *db, const char *sql, int64_t *number)
{
    sqlite3_stmt *st = NULL;
    const bool ok = store_next(db, &st, sql) == SQLITE_ROW;
    *number = ok ? sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    return ok;
}

static const char *section(const char *sql, int version)
{
    char head[32];
    snprintf(head, sizeof head, "\n-- version %d\n", version);
    return strstr(sql, head);
}

/* Runs the sections after version `from` up to `last`; each sets its version. */
static int run_sections(sqlite3 *db, const char *sql, int from, int last)
{
    const char *begin = section(sql, from + 1), *end = section(sql, last + 1);
    if (!begin || from >= last)
        return SQLITE_OK;
    char *text = end ? strndup(begin, (size_t)(end - begin)) : strdup(begin);
    const int code = text ? sqlite3_exec(db, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    free(text);
    return code;
}

int store_migrate(sqlite3 *db, const char *sql, int last)
{
    int64_t version;
    int code = sqlite3_exec(db, "SAVEPOINT migrate", NULL, NULL, NULL);
    if (code || !store_number(db, "PRAGMA user_version", &version))
        return code ? code : SQLITE_ERROR;
    code = run_sections(db, sql, (int)version, last);
    if (code)
        sqlite3_exec(db, "ROLLBACK TO migrate", NULL, NULL, NULL);
    int released = sqlite3_exec(db, "RELEASE migrate", NULL, NULL, NULL);
    return code ? code : released;
}

/* Opens the database safely. Nothing of the file has been read yet. */
static int open_database(struct store *s, int wait_ms)
{
    static const char SETTINGS[] =
        "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; "
        "PRAGMA temp_store = MEMORY; PRAGMA synchronous = NORMAL; "
        "PRAGMA foreign_keys = ON;";
    static const int IS_ON[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},     {SQLITE_DBCONFIG_DQS_DML, 0}};
    if (s->is_state) { /* the file is for this user alone */
        int fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0)
            close(fd);
    }
    int code = sqlite3_open_v2(
        s->path, &s->db,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL);
    if (code)
        return code;
    sqlite3_extended_result_codes(s->db, 1);
    for (size_t i = 0; i < sizeof IS_ON / sizeof *IS_ON; i++)
        sqlite3_db_config(s->db, IS_ON[i][0], IS_ON[i][1], NULL);
    sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
    sqlite3_busy_timeout(s->db, wait_ms);
    /* Exclusive mode keeps SQLite's index of the log in the heap. In a file that is mapped by several
     * programs, another could cut it short under us. The mode counts only before the first read. */
    if (!s->is_state)
        code = store_exec(s, "PRAGMA locking_mode = EXCLUSIVE");
    return code ? code : store_exec(s, SETTINGS);
}

static void close_database(struct store *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
    s->file = s->log = NULL;
}

int store_refuse(char why[STORE_WHY_BYTES], int status, const char *what)
{
    if (why)
        snprintf(why, STORE_WHY_BYTES, "%s", what ? what : strerror(status));
    return status;
}

static int refuse_code(const struct store *s, int code, char why[STORE_WHY_BYTES])
{
    const int status = store_errno(s, code);
    return store_refuse(why, status,
                        status == STORE_DAMAGED ? "it is not a database, or damaged"
                        : status == STORE_TAKEN ? "another program has it open"
                                                : NULL);
}

/* Checks whose file it is, and compares its schema with that of a new store of its version, to the
 * letter. */
static int check(struct store *s, char why[STORE_WHY_BYTES])
{
    /* Older versions had a table sqlite_sequence, which cannot be dropped. */
    static const char SCHEMA[] =
        "SELECT group_concat(quote(type) || quote(name) || quote(tbl_name) || "
        "quote(sql)) FROM (SELECT * FROM sqlite_schema WHERE name <> 'sqlite_sequence' "
        "ORDER BY type, name)";
    int64_t version, application, n, is_same = 0;
    if (!store_number(s->db, "SELECT count(*) FROM sqlite_schema", &n) ||
        !store_number(s->db, "PRAGMA user_version", &version) ||
        !store_number(s->db, "PRAGMA application_id", &application))
        return refuse_code(s, sqlite3_extended_errcode(s->db), why);
    if (!n && !version)
        return STORE_EMPTY;
    if (application != STORE_APPLICATION || version < 1)
        return store_refuse(why, STORE_DAMAGED, "it is not a store of continuo");
    if (!section(STORE_VERSIONS, (int)version))
        return store_refuse(why, STORE_DAMAGED, "a newer version of continuo wrote it");
    sqlite3 *ours = NULL;
    sqlite3_stmt *st = NULL;
    const bool is_newest = !section(STORE_VERSIONS, (int)version + 1);
    int code = sqlite3_open(":memory:", &ours);
    if (!code)
        code = is_newest ? sqlite3_exec(ours, STORE_SQL, NULL, NULL, NULL)
                         : run_sections(ours, STORE_VERSIONS, 0, (int)version);
    const bool has_row = !code && store_next(ours, &st, SCHEMA) == SQLITE_ROW;
    const char *wanted = has_row ? (const char *)sqlite3_column_text(st, 0) : NULL;
    char *sql = wanted ? sqlite3_mprintf("SELECT (%s) IS %Q", SCHEMA, wanted) : NULL;
    if (!code && !sql)
        code = SQLITE_NOMEM;
    if (!code && !store_number(s->db, sql, &is_same))
        code = sqlite3_extended_errcode(s->db);
    sqlite3_free(sql);
    sqlite3_finalize(st);
    sqlite3_close(ours);
    if (code)
        return refuse_code(s, code, why);
    return is_same ? STORE_OK
                   : store_refuse(why, STORE_DAMAGED,
                                  "its tables are not those of continuo");
}

/* Moves pieces out of the state folder's store, which had them up to version 5. Each piece gets a copy
 * of this store, of which only the last piece is used (store_versions.sql), and is deleted here once the
 * copy is there. Of several pieces of one music the newest gets the name that is looked for. */
static int move_pieces(struct store *s)
{
    int code = SQLITE_OK;
    while (!code) {
        char copy[PATH_MAX];
        sqlite3_stmt *st = NULL;
        code = store_next(s->db, &st,
                          "SELECT path, 1000 * begun + id % 1000 FROM piece "
                          "ORDER BY id DESC LIMIT 1");
        if (code != SQLITE_ROW)
            return code == SQLITE_DONE ? SQLITE_OK : code;
        char *to = store_path_in_state((const char *)sqlite3_column_text(st, 0),
                                       sqlite3_column_int64(st, 1));
        sqlite3_finalize(st);
        snprintf(copy, sizeof copy, "%s.old", to ? to : "");
        if (to)
            store_remove_files(copy); /* an earlier attempt may have broken off */
        int fd = to ? open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
        if (fd >= 0)
            close(fd);
        char *sql = sqlite3_mprintf("VACUUM INTO %Q", copy);
        sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED,
                      1); /* VACUUM INTO attaches the copy */
        code = !to ? SQLITE_CANTOPEN : sql ? store_exec(s, sql) : SQLITE_NOMEM;
        sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_free(sql);
        if (!code &&
            (access(to, F_OK) ? rename(copy, to) : !store_put_aside(copy, NULL)))
            code = SQLITE_CANTOPEN;
        if (!code)
            code = store_exec(s, "DELETE FROM piece WHERE id = "
                                 "(SELECT max(id) FROM piece)");
        free(to);
    }
    return code;
}

static int migrate(struct store *s)
{
    enum { HAD_PIECES = 5 };
    char path[PATH_MAX];
    struct store *only = NULL;
    int64_t version;
    int code = SQLITE_OK;
    if (!store_number(s->db, "PRAGMA user_version", &version))
        return sqlite3_extended_errcode(s->db);
    if (version <= HAD_PIECES && !s->is_state) { /* a copy of VACUUM INTO has no log */
        code = store_exec(s, "PRAGMA journal_mode = WAL");
    } else if (version <= HAD_PIECES) {
        /* One program at a time moves pieces. An older program locks the same file while it has a
         * piece of the state folder open. */
        if (!paths_state(path, sizeof path, "continuo.lock") ||
            store_lock(&only, path, NULL))
            return SQLITE_BUSY;
        if (!store_number(s->db, "PRAGMA user_version", &version))
            code = sqlite3_extended_errcode(s->db);
        if (!code && version <= HAD_PIECES)
            code = store_migrate(s->db, STORE_VERSIONS, HAD_PIECES);
        if (!code && version <= HAD_PIECES)
            code = move_pieces(s);
    }
    code = code ? code : store_migrate(s->db, STORE_VERSIONS, STORE_NEWEST);
    store_close(only, false);
    return code;
}

int store_check(struct store *s)
{
    static const char CHECK[] = "SELECT quick_check = 'ok' FROM pragma_quick_check(1)";
    int64_t is_whole;
    if (store_number(s->db, CHECK, &is_whole) && is_whole)
        return SQLITE_OK;
    int code = sqlite3_errcode(s->db) & 0xff;
    return code == SQLITE_BUSY || code == SQLITE_NOMEM || code == SQLITE_IOERR
               ? code
               : SQLITE_CORRUPT;
}

/* Returns whether the file is short and all zero: a power cut can leave room without the bytes. */
static bool is_all_zero(const struct store *s)
{
    char bytes[4096];
    struct stat st;
    ssize_t n = fstat(s->lock, &st) || st.st_size > (off_t)sizeof bytes
                    ? -1
                    : pread(s->lock, bytes, sizeof bytes, 0);
    for (ssize_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return n >= 0;
}

int store_sync(struct store *s, bool whole)
{
    sqlite3_file *const files[] = {whole ? s->file : NULL, s->log};
    int code = SQLITE_OK;
    for (int i = 0; !code && i < 2; i++)
        if (files[i] && files[i]->pMethods)
            code = files[i]->pMethods->xSync(files[i], SQLITE_SYNC_NORMAL);
    return code ? EIO : 0;
}

/* Makes the tables of a new store, without waiting for the disk. A power cut before the first sync may
 * leave nothing of the store. */
static int make_tables(struct store *s)
{
    static const char MODE[] = "SELECT journal_mode = 'wal' FROM pragma_journal_mode";
    int64_t has_log;
    int code = store_exec(s, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; "
                             "PRAGMA journal_mode = WAL;");
    if (!code && (!store_number(s->db, MODE, &has_log) || !has_log))
        code = SQLITE_CANTOPEN;
    store_follow_music(s); /* there is a log now */
    if (!code)
        code = store_exec(s, "BEGIN IMMEDIATE");
    if (!code)
        code = store_exec(s, STORE_SQL);
    const int ended = store_exec(s, code ? "ROLLBACK" : "COMMIT");
    if (!code && !ended)
        code = store_exec(s, "PRAGMA synchronous = NORMAL");
    return code ? code : ended;
}

int store_open(struct store *s, bool creates, char why[STORE_WHY_BYTES])
{
    if (s->db)
        return STORE_OK;
    int status = s->is_state      ? store_judge(s->path, why)
                 : s->n_bytes > 1 ? STORE_OK
                 : s->n_bytes == 1 /* SQLite would take one byte for an empty file */
                     ? store_refuse(why, STORE_DAMAGED, "it is not a database")
                     : STORE_EMPTY;
    if (status && !(creates && status == STORE_EMPTY))
        return status;
    int code = open_database(s, !s->is_state ? 0 : creates ? WRITER_MS : READER_MS);
    status = code ? STORE_OK : check(s, why);
    if (!code && !status) {
        code = migrate(s);
    } else if (status == STORE_EMPTY && creates) {
        store_follow_music(s); /* the log may have been made just now */
        code = make_tables(s);
        status = STORE_OK;
    }
    if (code)
        status = refuse_code(s, code, why);
    if (!s->is_state && !creates &&
        (status == STORE_EMPTY || (status == STORE_DAMAGED && is_all_zero(s)))) {
        char wal[4200];
        /* The store starts again in the same file, which stays locked. */
        close_database(s);
        snprintf(wal, sizeof wal, "%s-wal", s->path);
        unlink(wal);
        s->n_bytes = s->n_wal = 0;
        return ftruncate(s->lock, 0) ? errno : STORE_EMPTY;
    }
    if (status) {
        if (s->db && !creates)
            sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        close_database(s);
    }
    store_remember_size(s);
    return status;
}
