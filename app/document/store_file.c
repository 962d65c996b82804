/* A store as a file: its path, its owner, its lock, and renaming it aside. See store.h. */
#include "app/document/store.h"

#include "app/base/paths.h"
#include "midi/base/hash.h"
#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char STATE_NAME[] = "continuo.db";
static const char *const PARTS[] = {"", "-wal", "-shm", "-journal"};
enum { N_PARTS = sizeof PARTS / sizeof PARTS[0] };
static const char IS_OPEN[] = "another continuo has it open";

char *store_path_of(const char *midi_path)
{
    char folder[PATH_MAX], *file = file_resolve(midi_path), *path;
    if (!file)
        return NULL;
    char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *parent = slash == file ? "/" : slash ? file : ".";
    if (slash)
        *slash = '\0';
    /* SQLite refuses links, so those in folders are resolved here. The folder may not exist yet. */
    const char *found = realpath(parent, folder) ? folder : slash ? file : NULL;
    if (found && !strcmp(found, "/"))
        found = "";
    int n =
        asprintf(&path, "%s%s%s.continuo", found ? found : "", found ? "/" : "", name);
    free(file);
    return n < 0 ? NULL : path;
}

char *store_path_in_state(const char *beside, int64_t begun_ms)
{
    char name[64], path[PATH_MAX];
    if (beside)
        snprintf(name, sizeof name, "%016" PRIx64,
                 hash_bytes(HASH_START, beside, strlen(beside)));
    else
        snprintf(name, sizeof name, STORE_UNNAMED "%013" PRId64, begun_ms);
    errno = ENOENT;
    return paths_state(path, sizeof path, name) ? store_path_of(path) : NULL;
}

char *store_path_elsewhere(const char *midi_path)
{
    struct timespec now;
    struct stat st;
    char *beside = midi_path ? store_path_of(midi_path) : NULL, *path = NULL;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int64_t ms = now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;; ms++) {
        path = midi_path && !beside ? NULL : store_path_in_state(beside, ms);
        if (!path || beside || lstat(path, &st))
            break;
        free(path); /* another piece was begun in the same millisecond */
    }
    free(beside);
    return path;
}

static int judge(const struct stat *st, char why[STORE_WHY_BYTES])
{
    const char *what = S_ISLNK(st->st_mode)      ? "it is a symbolic link"
                       : !S_ISREG(st->st_mode)   ? "it is not a regular file"
                       : st->st_uid != geteuid() ? "it belongs to another user"
                       : st->st_nlink > 1        ? "it has a second name (a hard link)"
                       : st->st_size > STORE_MAX_BYTES ? "it is too large"
                                                       : NULL;
    return what ? store_refuse(why, STORE_FOREIGN, what) : STORE_OK;
}

/* Judges the companion files, which SQLite opens by their names. */
static int judge_parts(const char *path, char why[STORE_WHY_BYTES])
{
    char part[PATH_MAX];
    struct stat st;
    int status = STORE_OK;
    for (int i = 1; !status && i < N_PARTS; i++) {
        int n = snprintf(part, sizeof part, "%s%s", path, PARTS[i]);
        if (n < 0 || (size_t)n >= sizeof part)
            return store_refuse(why, STORE_FOREIGN, "its name is too long");
        if (lstat(part, &st) == 0)
            status = judge(&st, why);
    }
    return status;
}

/* Opens or makes a file, without following a link or waiting for a pipe's other end. */
static int open_file(const char *path)
{
    int fd;
    do {
        fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

#if defined(F_OFD_SETLK) && !defined(CONTINUO_PORTABLE)
/* Locks all bytes far behind those that SQLite locks. The lock belongs to the open file description
 * (fcntl(2)) and goes with it. Older programs lock one of these bytes. */
static bool lock_store(struct store *s, const struct stat *st)
{
    (void)st;
    struct flock l = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 40};
    return fcntl(s->lock, F_OFD_SETLK, &l) == 0;
}
#else
/* Locks a file in the state folder instead, which is deleted with the lock. A POSIX lock on the store
 * would be released when the process closes any descriptor of the file, as SQLite does. Without a
 * state folder nobody is kept out. */
static bool lock_store(struct store *s, const struct stat *st)
{
    char name[64], path[PATH_MAX];
    struct stat ours, there;
    const uint64_t what[] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    snprintf(name, sizeof name, "%016" PRIx64 ".lock",
             hash_bytes(HASH_START, what, sizeof what));
    if (!paths_state(path, sizeof path, name))
        return true;
    const int fd = open_file(path);
    if (fd < 0)
        return true;
    const bool is_ours = !flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &ours) &&
                         !stat(path, &there) && ours.st_ino == there.st_ino &&
                         (s->guard = strdup(path));
    if (is_ours)
        s->guard_lock = fd;
    else
        close(fd);
    errno = EAGAIN;
    return is_ours;
}
#endif

static bool has_name(const struct store *s)
{
    struct stat st;
    return lstat(s->path, &st) == 0 && st.st_dev == s->device && st.st_ino == s->inode;
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
    s->lock = s->guard_lock = -1;
    return s;
}

void store_follow_music(const struct store *s)
{
    static const char ENDING[] = ".continuo";
    char music[PATH_MAX], path[PATH_MAX];
    struct stat of, now;
    const size_t n = strlen(s->path), k = sizeof ENDING - 1;
    if (s->is_state || s->lock < 0 || n <= k || strcmp(s->path + n - k, ENDING) != 0)
        return;
    snprintf(music, sizeof music, "%.*s", (int)(n - k), s->path);
    if (stat(music, &of) || !S_ISREG(of.st_mode))
        return;
    of.st_mode =
        (of.st_mode & 0666) | 0600; /* we write also if the music is read-only */
    for (int i = 0; i < N_PARTS; i++) {
        snprintf(path, sizeof path, "%s%s", s->path, PARTS[i]);
        if (lstat(path, &now) || !S_ISREG(now.st_mode) || now.st_uid != geteuid() ||
            (now.st_gid == of.st_gid &&
             (now.st_mode & 07777) == file_mode_within(music, &of, now.st_gid)))
            continue;
        /* A link is not followed. The main file has the lock's descriptor already: closing another
         * one would release SQLite's locks. */
        int fd =
            i ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : s->lock;
        if (fd >= 0)
            file_permit_like(fd, music, &of);
        if (fd >= 0 && i)
            close(fd);
    }
}

/* Opens and locks the file. ESTALE: the opened file has lost its name meanwhile. */
static int lock_file(struct store *s, char why[STORE_WHY_BYTES])
{
    struct stat st;
    int status = STORE_OK;
    s->lock = open_file(s->path);
    const int error = s->lock < 0 ? errno : 0;
    /* If the file cannot be opened because it is a link or a folder, the phrase says so. */
    if (error && !lstat(s->path, &st))
        status = judge(&st, why);
    if (status || error)
        return status ? status : store_refuse(why, error, NULL);
    if (fstat(s->lock, &st))
        return store_refuse(why, errno, NULL);
    if ((status = judge(&st, why)) || (status = judge_parts(s->path, why)))
        return status;
    if (!lock_store(s, &st))
        return store_refuse(why, errno, errno == STORE_TAKEN ? IS_OPEN : NULL);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    s->n_bytes = st.st_size;
    return has_name(s) ? STORE_OK : store_refuse(why, ESTALE, NULL);
}

int store_lock(struct store **out, const char *path, char why[STORE_WHY_BYTES])
{
    int status = ESTALE;
    *out = NULL;
    for (int attempt = 0; status == ESTALE && attempt < 3; attempt++) {
        struct store *s = new_store(path);
        status = s ? lock_file(s, why) : store_refuse(why, ENOMEM, NULL);
        if (!status) {
            store_follow_music(s);
            *out = s;
        } else {
            store_close(s, false);
        }
    }
    return status;
}

int store_try(char *path)
{
    struct store *s = NULL;
    const int status = path ? store_lock(&s, path, NULL) : ENOMEM;
    free(path);
    store_close(s, false);
    return status;
}

struct store *store_begin(const char *midi_path, bool elsewhere)
{
    struct store *s = NULL;
    char *path = elsewhere ? store_path_elsewhere(midi_path) : store_path_of(midi_path);
    int status = path ? store_lock(&s, path, NULL) : errno;
    if (s && s->n_bytes) {
        store_close(s, false);
        s = NULL;
        status = store_put_aside(path, NULL) ? store_lock(&s, path, NULL) : errno;
    }
    free(path);
    if (s)
        s->is_elsewhere = elsewhere;
    errno = status;
    return s;
}

struct store *store_of_state(void)
{
    char path[PATH_MAX];
    errno = ENOENT;
    struct store *s =
        paths_state(path, sizeof path, STATE_NAME) ? new_store(path) : NULL;
    if (s)
        s->is_state = true;
    return s;
}

int store_judge(const char *path, char why[STORE_WHY_BYTES])
{
    struct stat st;
    if (lstat(path, &st))
        return errno == ENOENT ? STORE_EMPTY : store_refuse(why, errno, NULL);
    const int status = judge(&st, why);
    return status ? status : judge_parts(path, why);
}

/* Reads the sizes of file and log; 0: there is none. */
static void read_sizes(const struct store *s, off_t *n_bytes, off_t *n_wal)
{
    char wal[PATH_MAX];
    struct stat st;
    snprintf(wal, sizeof wal, "%s-wal", s->path);
    *n_bytes = stat(s->path, &st) ? 0 : st.st_size;
    *n_wal = stat(wal, &st) ? 0 : st.st_size;
}

bool store_is_there(const struct store *s)
{
    off_t n_bytes, n_wal;
    read_sizes(s, &n_bytes, &n_wal);
    return s->is_state || (has_name(s) && n_bytes >= s->n_bytes && n_wal >= s->n_wal);
}

void store_remember_size(struct store *s)
{
    if (s->db && !s->log) { /* they live as long as the connection */
        sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &s->file);
        sqlite3_file_control(s->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &s->log);
    }
    if (store_is_there(s)) /* sizes that have shrunk are not taken over */
        read_sizes(s, &s->n_bytes, &s->n_wal);
}

bool store_put_aside(const char *path, char name[STORE_NAME_BYTES])
{
    char aside[PATH_MAX], from[PATH_MAX + 16], to[PATH_MAX + 16];
    struct stat st;
    for (int i = 1; i < 1000; i++) {
        int n = snprintf(aside, sizeof aside, "%s.%d", path, i);
        if (n < 0 || (size_t)n >= sizeof aside)
            break;
        if (lstat(aside, &st) == 0)
            continue;
        if (rename(path, aside))
            return false;
        for (int part = 1; part < N_PARTS; part++) {
            snprintf(from, sizeof from, "%s%s", path, PARTS[part]);
            snprintf(to, sizeof to, "%s%s", aside, PARTS[part]);
            rename(from, to);
        }
        if (name)
            snprintf(name, STORE_NAME_BYTES, "%s", file_base_name(aside));
        return true;
    }
    errno = EEXIST;
    return false;
}

void store_remove_files(const char *path)
{
    char part[PATH_MAX + 16];
    for (int i = N_PARTS - 1; i >= 0; i--) {
        snprintf(part, sizeof part, "%s%s", path, PARTS[i]);
        unlink(part);
    }
}

void store_close(struct store *s, bool discard)
{
    static const char SQL[] =
        "SELECT NOT EXISTS(SELECT 1 FROM edit UNION ALL SELECT 1 FROM session)";
    int64_t is_unused;
    struct stat st;
    if (!s)
        return;
    /* Nothing may be written into a file that another program has cut short, deleted or replaced. */
    discard |= s->db && !store_is_there(s);
    if (s->db && discard)
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    else if (s->db && store_number(s->db, SQL, &is_unused))
        discard = is_unused; /* it has no edits and no settings */
    bool is_empty =
        !s->db && s->lock >= 0 && fstat(s->lock, &st) == 0 && st.st_size == 0;
    sqlite3_close(s->db);
    if (!s->is_state && (discard || is_empty) &&
        (has_name(s) || lstat(s->path, &st))) /* a file that has replaced it stays */
        store_remove_files(s->path);
    if (s->lock >= 0)
        close(s->lock);
    if (s->guard)
        unlink(s->guard);
    if (s->guard_lock >= 0)
        close(s->guard_lock);
    free(s->guard);
    free(s->path);
    free(s);
}

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

/* Reads the head of the log, which is another one once the log was written back to the file. */
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

int store_open_copy(struct store **out, const char *path, char why[STORE_WHY_BYTES])
{
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX - 64], copy[PATH_MAX - 32];
    *out = NULL;
    int st = store_judge(path, why);
    if (st)
        return st;
    snprintf(folder, sizeof folder, "%s/continuo-XXXXXX",
             tmp && *tmp == '/' ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return store_refuse(why, errno, NULL);
    snprintf(copy, sizeof copy, "%s/copy", folder);
    bool ok = false;
    for (int attempt = 0; !ok && attempt < 5; attempt++) {
        char before[32], after[32];
        store_remove_files(copy);
        look_at_log(path, before);
        /* The log is copied first: what is written meanwhile is in the log, or in neither copy. */
        ok = copy_part(path, copy, "-wal") && copy_part(path, copy, "");
        look_at_log(path, after);
        ok = ok && !memcmp(before, after, sizeof before);
    }
    st = ok ? store_lock(out, copy, why) : store_refuse(why, EIO, NULL);
    if (!st) {
        st = store_open(*out, false, why);
        if (!st && store_check(*out))
            st = store_refuse(why, STORE_DAMAGED, "it is damaged");
        if (st) {
            store_close(*out, true);
            *out = NULL;
        }
    }
    store_remove_files(copy); /* the open store stays readable */
    rmdir(folder);
    return st;
}

struct store *store_open_state(char why[STORE_WHY_BYTES])
{
    struct store *s = store_of_state(), *copy = NULL;
    const int st = s ? store_open(s, false, why) : STORE_EMPTY;
    if (!st)
        return s;
    if (st == STORE_DAMAGED)
        store_put_aside(s->path, NULL);
    else if (st == STORE_TAKEN)
        store_open_copy(&copy, s->path, why);
    store_close(s, false);
    return copy;
}
