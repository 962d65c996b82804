/* A store as a file: its path, its owner, its lock, and renaming it aside. See store.h. */
#include "app/document/store.h"

#include "app/base/paths.h"
#include "midi/base/hash.h"
#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char STATE_NAME[] = "continuo.db", LOCKS_NAME[] = "continuo.lock";
static const char *const PARTS[] = {"", "-wal", "-shm", "-journal"};
enum { N_PARTS = sizeof PARTS / sizeof PARTS[0] };

/* Links in folders are followed, which SQLite refuses to; takes the path. */
static char *with_true_folder(char *path)
{
    char folder[PATH_MAX], *slash = strrchr(path, '/'), *joined;
    if (slash)
        *slash = '\0';
    const char *name = slash ? slash + 1 : path;
    char *found = realpath(slash ? (*path ? path : "/") : ".", folder);
    if (!found) { /* there is no such folder yet */
        if (slash)
            *slash = '/';
        return path;
    }
    int n = asprintf(&joined, "%s/%s", strcmp(found, "/") ? found : "", name);
    free(path);
    return n < 0 ? NULL : joined;
}

char *store_path_of(const char *midi_path)
{
    char *file = file_resolve(midi_path), *path;
    int n = file ? asprintf(&path, "%s.continuo", file) : -1;
    free(file);
    return n < 0 ? NULL : with_true_folder(path);
}

/* -- whose it is -- */

static enum store_status refuse(char why[STORE_WHY_BYTES], const char *what)
{
    snprintf(why, STORE_WHY_BYTES, "%s", what);
    return STORE_FOREIGN;
}

static enum store_status judge(const struct stat *st, char why[STORE_WHY_BYTES])
{
    if (S_ISLNK(st->st_mode))
        return refuse(why, "it is a symbolic link");
    if (!S_ISREG(st->st_mode))
        return refuse(why, "it is not a regular file");
    if (st->st_uid != geteuid())
        return refuse(why, "it belongs to another user");
    if (st->st_nlink > 1)
        return refuse(why, "it has a second name (a hard link)");
    if (st->st_size > STORE_MAX_BYTES)
        return refuse(why, "it is too large");
    return STORE_OK;
}

/* SQLite opens these by their names. */
static enum store_status judge_parts(const char *path, char why[STORE_WHY_BYTES])
{
    char part[PATH_MAX];
    struct stat st;
    enum store_status status = STORE_OK;
    for (int i = 1; !status && i < N_PARTS; i++) {
        int n = snprintf(part, sizeof part, "%s%s", path, PARTS[i]);
        if (n < 0 || (size_t)n >= sizeof part)
            return refuse(why, "its name is too long");
        if (lstat(part, &st) == 0)
            status = judge(&st, why);
    }
    return status;
}

/* -- locks: of an open file description (fcntl(2)), far behind what SQLite locks -- */

static bool lock_byte(int fd, int64_t byte)
{
    struct flock l = {.l_type = F_WRLCK,
                      .l_whence = SEEK_SET,
                      .l_start = ((off_t)1 << 40) + byte,
                      .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

static enum store_status fail(char why[STORE_WHY_BYTES], int error)
{
    snprintf(why, STORE_WHY_BYTES, "%s", strerror(error));
    errno = error;
    return STORE_FAILED;
}

/* Does not wait for a pipe's other end and follows no link. */
static int open_file(const char *path, mode_t mode)
{
    int fd;
    do {
        fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

static bool has_name(const char *path, const struct stat *st)
{
    struct stat named;
    return lstat(path, &named) == 0 && named.st_dev == st->st_dev &&
           named.st_ino == st->st_ino;
}

/* EAGAIN: the opened file has lost its name meanwhile. */
static enum store_status lock_file(struct store *s, char why[STORE_WHY_BYTES])
{
    struct stat st;
    enum store_status status;
    if (fstat(s->lock, &st))
        return fail(why, errno);
    if ((status = judge(&st, why)) || (status = judge_parts(s->path, why)))
        return status;
    if (!lock_byte(s->lock, STORE_PIECE)) {
        snprintf(why, STORE_WHY_BYTES, "another continuo has it open");
        return errno == EAGAIN ? STORE_TAKEN : fail(why, errno);
    }
    if (!has_name(s->path, &st))
        return fail(why, EAGAIN);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    s->n_bytes = st.st_size;
    return STORE_OK;
}

/* A file that cannot be opened may be a link or a folder; the reason says so. */
static enum store_status explain(const char *path, char why[STORE_WHY_BYTES])
{
    int error = errno;
    struct stat st;
    enum store_status status = STORE_OK;
    if (lstat(path, &st) == 0)
        status = judge(&st, why);
    return status ? status : fail(why, error);
}

static struct store *new_store(const char *path)
{
    struct store *s = calloc(1, sizeof *s);
    char *copy = s ? strdup(path) : NULL;
    if (!copy) {
        free(s);
        errno = ENOMEM;
        return NULL;
    }
    s->path = copy;
    s->lock = -1;
    return s;
}

enum store_status store_lock(struct store **out, const char *path, mode_t mode,
                             char why[STORE_WHY_BYTES])
{
    enum store_status status = STORE_FAILED;
    for (int attempt = 0; attempt < 3; attempt++) {
        struct store *s = new_store(path);
        if (!s)
            return fail(why, ENOMEM);
        s->piece = STORE_PIECE;
        s->lock = open_file(path, (mode & 0666) | 0600);
        status = s->lock < 0 ? explain(path, why) : lock_file(s, why);
        if (!status) {
            *out = s;
            return STORE_OK;
        }
        int error = errno;
        store_close(s, false);
        errno = error;
        if (status != STORE_FAILED || error != EAGAIN)
            break;
    }
    return status;
}

/* -- pieces of the state folder -- */

struct store *store_for_state(const char *piece_path)
{
    char path[PATH_MAX];
    if (!paths_state(path, sizeof path, STATE_NAME)) {
        errno = ENOENT;
        return NULL;
    }
    struct store *s = new_store(path);
    if (s && piece_path && !(s->piece_path = strdup(piece_path))) {
        store_close(s, false);
        return NULL;
    }
    if (s)
        s->is_state = true;
    return s;
}

/* Closing any descriptor of a database would release SQLite's own locks, so our locks are
 * in a separate file. */
static bool lock_in_state(struct store *s, int64_t byte)
{
    char path[PATH_MAX];
    if (s->lock < 0 && paths_state(path, sizeof path, LOCKS_NAME))
        s->lock = open_file(path, 0600);
    return s->lock >= 0 && lock_byte(s->lock, byte);
}

bool store_lock_piece(struct store *s)
{
    return lock_in_state(s, s->piece);
}

/* Locks a piece without a row by the hash of its path. Two paths with the same hash cannot
 * be open together, which loses nothing. */
bool store_lock_path(struct store *s)
{
    uint64_t hash = hash_bytes(HASH_START, s->piece_path, strlen(s->piece_path));
    return lock_in_state(s, ((int64_t)1 << 41) + (int64_t)(hash >> 24));
}

enum store_status store_lock_state(struct store **out, int64_t piece,
                                   char why[STORE_WHY_BYTES])
{
    struct store *s = store_for_state(NULL);
    if (!s)
        return fail(why, errno);
    s->piece = piece;
    if (store_lock_piece(s)) {
        *out = s;
        return STORE_OK;
    }
    int error = errno;
    store_close(s, false);
    if (error != EAGAIN)
        return fail(why, error);
    snprintf(why, STORE_WHY_BYTES, "another continuo has it open");
    return STORE_TAKEN;
}

enum store_status store_judge(const char *path, char why[STORE_WHY_BYTES])
{
    struct stat st;
    enum store_status status;
    if (lstat(path, &st))
        return errno == ENOENT ? STORE_EMPTY : fail(why, errno);
    status = judge(&st, why);
    return status ? status : judge_parts(path, why);
}

/* -- still there? -- */

static bool has_grown(const char *path, off_t *n)
{
    struct stat st;
    if (stat(path, &st) || st.st_size < *n)
        return false;
    *n = st.st_size;
    return true;
}

bool store_is_there(const struct store *s)
{
    char wal[PATH_MAX];
    struct stat st;
    if (s->is_state)
        return true;
    off_t n_wal = s->n_wal;
    snprintf(wal, sizeof wal, "%s-wal", s->path);
    return lstat(s->path, &st) == 0 && st.st_dev == s->device &&
           st.st_ino == s->inode && st.st_size >= s->n_bytes &&
           (!n_wal || has_grown(wal, &n_wal));
}

void store_remember_growth(struct store *s)
{
    char wal[PATH_MAX];
    snprintf(wal, sizeof wal, "%s-wal", s->path);
    has_grown(s->path, &s->n_bytes);
    has_grown(wal, &s->n_wal);
}

/* -- renaming aside -- */

static void rename_part(const char *path, const char *aside, const char *part)
{
    char from[PATH_MAX], to[PATH_MAX];
    snprintf(from, sizeof from, "%s%s", path, part);
    snprintf(to, sizeof to, "%s%s", aside, part);
    rename(from, to);
}

bool store_put_aside(const char *path, char *name, size_t n_name)
{
    char aside[PATH_MAX];
    struct stat st;
    for (int i = 1; i < 1000; i++) {
        int n = snprintf(aside, sizeof aside, "%s.%d", path, i);
        if (n < 0 || (size_t)n >= sizeof aside)
            break;
        if (lstat(aside, &st) == 0)
            continue;
        if (rename(path, aside))
            return false;
        for (int part = 1; part < N_PARTS; part++)
            rename_part(path, aside, PARTS[part]);
        snprintf(name, n_name, "%s", file_base_name(aside));
        return true;
    }
    errno = EEXIST;
    return false;
}

/* Only our own file, not one that has replaced it. */
static void remove_files(const struct store *s)
{
    char part[PATH_MAX];
    struct stat st;
    if (lstat(s->path, &st) == 0 && (st.st_dev != s->device || st.st_ino != s->inode))
        return;
    for (int i = N_PARTS - 1; i >= 0; i--) {
        snprintf(part, sizeof part, "%s%s", s->path, PARTS[i]);
        unlink(part);
    }
}

/* There are no edits or settings, or all of them were dropped. */
static bool is_bare(struct store *s)
{
    static const char SQL[] = "SELECT 1 FROM edit WHERE piece = ?1 UNION ALL "
                              "SELECT 1 FROM beside WHERE piece = ?1 UNION ALL "
                              "SELECT 1 FROM recording WHERE piece = ?1 LIMIT 1";
    sqlite3_stmt *st = NULL;
    bool is = s->db && s->piece &&
              sqlite3_prepare_v2(s->db, SQL, -1, &st, NULL) == SQLITE_OK &&
              sqlite3_bind_int64(st, 1, s->piece) == SQLITE_OK &&
              sqlite3_step(st) == SQLITE_DONE;
    sqlite3_finalize(st);
    return is;
}

void store_close(struct store *s, bool discard)
{
    if (!s)
        return;
    discard = discard || is_bare(s);
    if (discard && s->is_state && s->db && s->piece)
        store_do(s, "DELETE FROM piece WHERE id = ?1", ""); /* and all that is of it */
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(s->kept[i].statement);
    struct stat st;
    bool is_empty = !s->db && s->lock >= 0 && !s->is_state &&
                    fstat(s->lock, &st) == 0 && st.st_size == 0;
    sqlite3_close(s->db);
    if (!s->is_state && (discard || is_empty))
        remove_files(s);
    if (s->lock >= 0)
        close(s->lock);
    free(s->piece_path);
    free(s->path);
    free(s);
}

void store_abandon(struct store *s)
{
    if (s && s->db)
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    store_close(s, true);
}

/* -- a copy -- */

static bool copy_part(const char *from, const char *to, const char *part)
{
    char path[PATH_MAX], bytes[1 << 14];
    ssize_t n = 0;
    snprintf(path, sizeof path, "%s%s", from, part);
    int in = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0)
        return errno == ENOENT;
    snprintf(path, sizeof path, "%s%s", to, part);
    int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = out >= 0;
    while (ok && (n = read(in, bytes, sizeof bytes)) > 0)
        ok = write(out, bytes, (size_t)n) == n;
    close(in);
    if (out >= 0)
        close(out);
    return ok && n == 0;
}

/* Identifies the log of a store: it starts again after it was written back. */
static void look_at_log(const char *path, char head[32])
{
    char wal[PATH_MAX];
    memset(head, 0, 32);
    snprintf(wal, sizeof wal, "%s-wal", path);
    int fd = open(wal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && read(fd, head, 32) < 0)
        memset(head, 0, 32);
    if (fd >= 0)
        close(fd);
}

/* The log first: data written meanwhile is in it or in neither. */
static bool copy_store(const char *from, const char *to)
{
    char before[32], after[32], part[PATH_MAX];
    bool ok = false;
    for (int attempt = 0; !ok && attempt < 5; attempt++) {
        for (int i = 0; i < 2; i++) {
            snprintf(part, sizeof part, "%s%s", to, PARTS[i]);
            unlink(part);
        }
        look_at_log(from, before);
        ok = copy_part(from, to, "-wal") && copy_part(from, to, "");
        look_at_log(from, after);
        ok = ok && !memcmp(before, after, sizeof before);
    }
    return ok;
}

enum store_status store_open_copy(struct store **out, const char *path,
                                  char why[STORE_WHY_BYTES])
{
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX - 64], copy[PATH_MAX - 32];
    enum store_status st = store_judge(path, why);
    if (st)
        return st;
    snprintf(folder, sizeof folder, "%s/continuo-XXXXXX",
             tmp && *tmp == '/' ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return fail(why, errno);
    snprintf(copy, sizeof copy, "%s/copy", folder);
    st = copy_store(path, copy) ? store_lock(out, copy, 0600, why) : fail(why, EIO);
    if (!st) {
        st = store_open(*out, why);
        if (!st && store_check(*out)) {
            refuse(why, "it is damaged");
            st = STORE_DAMAGED;
        }
        if (st)
            store_close(*out, true);
    }
    for (int i = 0; i < N_PARTS; i++) {
        char part[PATH_MAX];
        snprintf(part, sizeof part, "%s%s", copy, PARTS[i]);
        unlink(part); /* an open store stays readable */
    }
    rmdir(folder);
    return st;
}

struct store *store_open_state(char why[STORE_WHY_BYTES])
{
    char aside[256];
    struct store *s = store_for_state(NULL), *copy = NULL;
    why[0] = '\0';
    enum store_status st = s ? store_open(s, why) : STORE_EMPTY;
    if (!st)
        return s;
    if (st == STORE_DAMAGED)
        store_put_aside(s->path, aside, sizeof aside);
    else if (st == STORE_TAKEN && store_open_copy(&copy, s->path, why))
        copy = NULL;
    store_close(s, false);
    return copy;
}
