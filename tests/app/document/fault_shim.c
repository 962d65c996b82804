/* See fault_shim.h. Calls are made and written down under one lock, so that the order that
 * is written down is the one they had. */
#include "tests/app/document/fault_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const FAULT_NAMES[FAULT_KINDS] = {"write", "sync",     "rename", "open",
                                              "mmap",  "truncate", "close",  "memory"};

/* -- which call fails -- */

static struct fault armed; /* while is_armed: set before */
static atomic_bool is_armed;
static atomic_long counts[FAULT_KINDS], n_from_caller;
static atomic_bool happened;
static _Thread_local bool is_spared;

void fault_spare(bool spared)
{
    is_spared = spared;
}

bool fault_happened(void)
{
    return atomic_load(&happened);
}

long fault_count(enum fault_kind kind)
{
    return atomic_load(&counts[kind]);
}

static bool fails_now(long n)
{
    if (n != armed.at && !(armed.goes_on && n > armed.at))
        return false;
    atomic_store(&happened, true);
    errno = armed.error;
    return true;
}

static bool fails(enum fault_kind kind)
{
    if (is_spared || (atomic_load(&is_armed) && armed.where))
        return false;
    long n = atomic_fetch_add(&counts[kind], 1);
    return atomic_load(&is_armed) && armed.kind == kind && fails_now(n);
}

/* -- memory -- */

enum { MOST_CALLERS = 1 << 13 };

static struct fault_caller callers[MOST_CALLERS];
static size_t n_callers;
static pthread_mutex_t callers_lock = PTHREAD_MUTEX_INITIALIZER;

static void count_caller(void *caller)
{
    size_t i = 0;
    pthread_mutex_lock(&callers_lock);
    while (i < n_callers && callers[i].caller != caller)
        i++;
    if (i < MOST_CALLERS) {
        callers[i].caller = caller;
        callers[i].n++;
        n_callers += i == n_callers;
    }
    pthread_mutex_unlock(&callers_lock);
}

size_t fault_callers(const struct fault_caller **list)
{
    *list = callers;
    return n_callers;
}

void fault_arm(const struct fault *f)
{
    atomic_store(&is_armed, false);
    if (f)
        armed = *f;
    for (int k = 0; k < FAULT_KINDS; k++)
        atomic_store(&counts[k], 0);
    atomic_store(&n_from_caller, 0);
    atomic_store(&happened, false);
    pthread_mutex_lock(&callers_lock);
    memset(callers, 0, n_callers * sizeof *callers);
    n_callers = 0;
    pthread_mutex_unlock(&callers_lock);
    atomic_store(&is_armed, f != NULL);
}

static bool has_no_memory(void *caller)
{
    if (is_spared)
        return false;
    const bool may_fail = atomic_load(&is_armed);
    if (!may_fail)
        count_caller(caller);
    if (!may_fail || !armed.caller)
        return fails(FAULT_MEMORY);
    atomic_fetch_add(&counts[FAULT_MEMORY], 1);
    return armed.kind == FAULT_MEMORY && armed.caller == caller &&
           fails_now(atomic_fetch_add(&n_from_caller, 1));
}

#define HAS_NO_MEMORY has_no_memory(__builtin_return_address(0))

/* What is wrapped: the true one, and the one in its place. */
#define WRAPPED(type, name, ...)                                                       \
    type __real_##name(__VA_ARGS__);                                                   \
    type __wrap_##name(__VA_ARGS__);                                                   \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(void *, malloc, size_t n)
{
    return HAS_NO_MEMORY ? NULL : __real_malloc(n);
}

WRAPPED(void *, calloc, size_t n, size_t size)
{
    return HAS_NO_MEMORY ? NULL : __real_calloc(n, size);
}

WRAPPED(void *, realloc, void *old, size_t n)
{
    return HAS_NO_MEMORY ? NULL : __real_realloc(old, n);
}

WRAPPED(void *, reallocarray, void *old, size_t n, size_t size)
{
    return HAS_NO_MEMORY ? NULL : __real_reallocarray(old, n, size);
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t n)
{
    return HAS_NO_MEMORY ? NULL : __real_aligned_alloc(alignment, n);
}

WRAPPED(char *, strdup, const char *text)
{
    return HAS_NO_MEMORY ? NULL : __real_strdup(text);
}

WRAPPED(char *, strndup, const char *text, size_t n)
{
    return HAS_NO_MEMORY ? NULL : __real_strndup(text, n);
}

/* After a failure *out is undefined: here it is what must not be freed. */
static char nowhere;

int __wrap_asprintf(char **out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list arguments;
    if (HAS_NO_MEMORY) {
        *out = &nowhere;
        return -1;
    }
    va_start(arguments, format);
    int n = vasprintf(out, format, arguments);
    va_end(arguments);
    return n;
}

int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    if (HAS_NO_MEMORY) {
        *out = &nowhere;
        return -1;
    }
    va_start(arguments, format);
    int n = vasprintf(out, format, arguments);
    va_end(arguments);
    return n;
}

/* -- what is written down -- */

enum { MOST_OPS = 1 << 14, MOST_FDS = 1024 };

static pthread_mutex_t ops_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_recording;
static char recorded[PATH_MAX];
static struct op ops[MOST_OPS];
static size_t n_ops;
static struct {
    bool is_ours, is_folder;
    uint64_t inode;
} fds[MOST_FDS];

void op_record(const char *folder)
{
    snprintf(recorded, sizeof recorded, "%s", folder);
    while (n_ops > 0)
        free(ops[--n_ops].bytes);
    is_recording = true;
}

size_t op_stop(const struct op **list)
{
    is_recording = false;
    *list = ops;
    return n_ops;
}

static struct op *new_op(enum op_kind kind)
{
    if (!is_recording || n_ops == MOST_OPS)
        return NULL;
    ops[n_ops] = (struct op){.kind = kind};
    return &ops[n_ops++];
}

void op_mark(uint64_t what)
{
    pthread_mutex_lock(&ops_lock);
    struct op *o = new_op(OP_MARK);
    if (o)
        o->at = what;
    pthread_mutex_unlock(&ops_lock);
}

/* Its name in the folder; NULL: it is elsewhere. */
static const char *name_of(const char *path)
{
    size_t n = strlen(recorded);
    bool is = is_recording && !strncmp(path, recorded, n) && path[n] == '/' &&
              !strchr(path + n + 1, '/');
    return is ? path + n + 1 : NULL;
}

static bool is_ours(int fd)
{
    return is_recording && fd >= 0 && fd < MOST_FDS && fds[fd].is_ours;
}

static void put_inode(enum op_kind kind, int fd, uint64_t at)
{
    struct op *o = is_ours(fd) ? new_op(kind) : NULL;
    if (!o)
        return;
    o->inode = fds[fd].inode;
    o->at = at;
}

static void put_write(int fd, const void *bytes, size_t n, uint64_t at)
{
    struct op *o = is_ours(fd) ? new_op(OP_WRITE) : NULL;
    uint8_t *copy = o ? __real_malloc(n + 1) : NULL;
    if (!copy)
        return;
    memcpy(copy, bytes, n);
    *o = (struct op){
        .kind = OP_WRITE, .inode = fds[fd].inode, .at = at, .n = n, .bytes = copy};
}

static void put_names(enum op_kind kind, const char *from, const char *to)
{
    const char *a = name_of(from), *b = to ? name_of(to) : "";
    struct op *o = a && b ? new_op(kind) : NULL;
    if (!o)
        return;
    snprintf(o->name, sizeof o->name, "%s", a);
    snprintf(o->to, sizeof o->to, "%s", b);
}

static void put_open(int fd, const char *path, bool was_there)
{
    struct stat st;
    size_t n = strlen(recorded);
    bool is_it = !strncmp(path, recorded, n) && (!path[n] || !strcmp(path + n, "/"));
    if (fd < 0 || fd >= MOST_FDS)
        return;
    fds[fd].is_ours = is_recording && (is_it || name_of(path)) && !fstat(fd, &st);
    if (!fds[fd].is_ours)
        return;
    fds[fd].is_folder = is_it;
    fds[fd].inode = st.st_ino;
    struct op *o = was_there || is_it ? NULL : new_op(OP_CREATE);
    if (!o)
        return;
    o->inode = st.st_ino;
    o->at = st.st_mode & 0777;
    snprintf(o->name, sizeof o->name, "%s", name_of(path));
}

/* -- files -- */

/* A write may also do half. */
static size_t part_of(size_t n)
{
    return armed.error ? 0 : n > 1 ? n / 2 : n;
}

WRAPPED(ssize_t, write, int fd, const void *bytes, size_t n)
{
    if (fails(FAULT_WRITE) && !(n = part_of(n)))
        return -1;
    pthread_mutex_lock(&ops_lock);
    off_t at = is_ours(fd) ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t k = __real_write(fd, bytes, n);
    if (k > 0)
        put_write(fd, bytes, (size_t)k, (uint64_t)at);
    pthread_mutex_unlock(&ops_lock);
    return k;
}

WRAPPED(ssize_t, pwrite, int fd, const void *bytes, size_t n, off_t at)
{
    if (fails(FAULT_WRITE) && !(n = part_of(n)))
        return -1;
    pthread_mutex_lock(&ops_lock);
    ssize_t k = __real_pwrite(fd, bytes, n, at);
    if (k > 0)
        put_write(fd, bytes, (size_t)k, (uint64_t)at);
    pthread_mutex_unlock(&ops_lock);
    return k;
}

static void put_sync(int fd)
{
    pthread_mutex_lock(&ops_lock);
    put_inode(is_ours(fd) && fds[fd].is_folder ? OP_SYNC_FOLDER : OP_SYNC, fd, 0);
    pthread_mutex_unlock(&ops_lock);
}

/* The disk is not waited for: what was asked is what is tried. */
WRAPPED(int, fsync, int fd)
{
    if (fails(FAULT_SYNC))
        return -1;
    put_sync(fd);
    return 0;
}

WRAPPED(int, fdatasync, int fd)
{
    return __wrap_fsync(fd);
}

WRAPPED(int, rename, const char *from, const char *to)
{
    if (fails(FAULT_RENAME))
        return -1;
    pthread_mutex_lock(&ops_lock);
    int failed = __real_rename(from, to);
    if (!failed)
        put_names(OP_RENAME, from, to);
    pthread_mutex_unlock(&ops_lock);
    return failed;
}

WRAPPED(int, unlink, const char *path)
{
    pthread_mutex_lock(&ops_lock);
    int failed = __real_unlink(path);
    if (!failed)
        put_names(OP_UNLINK, path, NULL);
    pthread_mutex_unlock(&ops_lock);
    return failed;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    struct stat st;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (fails(FAULT_OPEN))
        return -1;
    pthread_mutex_lock(&ops_lock);
    bool was_there = lstat(path, &st) == 0;
    int fd = __real_open(path, flags, mode);
    put_open(fd, path, was_there);
    pthread_mutex_unlock(&ops_lock);
    return fd;
}

WRAPPED(FILE *, fopen, const char *path, const char *mode)
{
    return fails(FAULT_OPEN) ? NULL : __real_fopen(path, mode);
}

WRAPPED(void *, mmap, void *where, size_t n, int protection, int flags, int fd,
        off_t at)
{
    return fails(FAULT_MAP) ? MAP_FAILED
                            : __real_mmap(where, n, protection, flags, fd, at);
}

WRAPPED(int, ftruncate, int fd, off_t n)
{
    if (fails(FAULT_TRUNCATE))
        return -1;
    pthread_mutex_lock(&ops_lock);
    int failed = __real_ftruncate(fd, n);
    if (!failed)
        put_inode(OP_TRUNCATE, fd, (uint64_t)n);
    pthread_mutex_unlock(&ops_lock);
    return failed;
}

WRAPPED(int, close, int fd)
{
    bool failed = fails(FAULT_CLOSE);
    pthread_mutex_lock(&ops_lock);
    if (fd >= 0 && fd < MOST_FDS)
        fds[fd].is_ours = false;
    int closed = __real_close(fd);
    pthread_mutex_unlock(&ops_lock);
    if (!failed)
        return closed;
    errno = armed.error;
    return -1;
}

/* -- SQLite's files: each has a true one behind it -- */

struct shim_file {
    sqlite3_file base;
    bool is_ours;
    uint64_t inode;
    const char *path;
    sqlite3_file *real;
};

static sqlite3_vfs *unix_vfs;

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((struct shim_file *)f)->real;
}

static struct op *file_op(sqlite3_file *f, enum op_kind kind, uint64_t at)
{
    const struct shim_file *s = (const struct shim_file *)f;
    struct op *o = is_recording && s->is_ours ? new_op(kind) : NULL;
    if (o) {
        o->inode = s->inode;
        o->at = at;
    }
    return o;
}

/* SQLite does an interrupted call again. */
static bool fails_for_sqlite(enum fault_kind kind, const char *path)
{
    if (!is_spared && atomic_load(&is_armed) && armed.where && armed.kind == kind)
        return path && strstr(path, armed.where) &&
               fails_now(atomic_fetch_add(&counts[kind], 1));
    return fails(kind) && armed.error != EINTR;
}

static const char *path_of(const sqlite3_file *f)
{
    return ((const struct shim_file *)f)->path;
}

static int shim_close(sqlite3_file *f)
{
    bool failed = fails_for_sqlite(FAULT_CLOSE, path_of(f));
    int code = real_of(f)->pMethods->xClose(real_of(f));
    free(real_of(f));
    return failed ? SQLITE_IOERR_CLOSE : code;
}

static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
}

static int shim_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    int code = SQLITE_OK;
    if (fails_for_sqlite(FAULT_WRITE, path_of(f))) {
        code = armed.error == EIO ? SQLITE_IOERR_WRITE : SQLITE_FULL;
        if (!(n = (int)part_of((size_t)n)))
            return code;
    }
    pthread_mutex_lock(&ops_lock);
    int written = real_of(f)->pMethods->xWrite(real_of(f), from, n, at);
    struct op *o = written ? NULL : file_op(f, OP_WRITE, (uint64_t)at);
    if (o && (o->bytes = __real_malloc((size_t)n + 1))) {
        memcpy(o->bytes, from, (size_t)n);
        o->n = (size_t)n;
    }
    pthread_mutex_unlock(&ops_lock);
    return code ? code : written;
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    if (fails_for_sqlite(FAULT_TRUNCATE, path_of(f)))
        return SQLITE_IOERR_TRUNCATE;
    pthread_mutex_lock(&ops_lock);
    int code = real_of(f)->pMethods->xTruncate(real_of(f), n);
    if (!code)
        file_op(f, OP_TRUNCATE, (uint64_t)n);
    pthread_mutex_unlock(&ops_lock);
    return code;
}

/* As SQLite's own: a new log's folder is synced with it. */
static int shim_sync(sqlite3_file *f, int flags)
{
    (void)flags;
    if (fails_for_sqlite(FAULT_SYNC, path_of(f)))
        return SQLITE_IOERR_FSYNC;
    pthread_mutex_lock(&ops_lock);
    file_op(f, OP_SYNC, 0);
    pthread_mutex_unlock(&ops_lock);
    return SQLITE_OK;
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return real_of(f)->pMethods->xFileSize(real_of(f), n);
}

static int shim_lock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xLock(real_of(f), how);
}

static int shim_unlock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), how);
}

static int shim_check(sqlite3_file *f, int *out)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int shim_control(sqlite3_file *f, int op, void *with)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), op, with);
}

static int shim_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int shim_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int shim_map(sqlite3_file *f, int page, int n, int more, void volatile **out)
{
    return real_of(f)->pMethods->xShmMap(real_of(f), page, n, more, out);
}

static int shim_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void shim_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int shim_unmap(sqlite3_file *f, int removes)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), removes);
}

static const sqlite3_io_methods METHODS = {
    .iVersion = 2,
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_check,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_device,
    .xShmMap = shim_map,
    .xShmLock = shim_shm_lock,
    .xShmBarrier = shim_barrier,
    .xShmUnmap = shim_unmap,
};

static void put_shim_open(struct shim_file *s, const char *path, bool was_there)
{
    struct stat st;
    s->is_ours = is_recording && path && name_of(path) && !stat(path, &st);
    if (!s->is_ours)
        return;
    s->inode = st.st_ino;
    struct op *o = was_there ? NULL : new_op(OP_CREATE);
    if (!o)
        return;
    o->inode = st.st_ino;
    snprintf(o->name, sizeof o->name, "%s", name_of(path));
}

static int shim_open(sqlite3_vfs *v, const char *path, sqlite3_file *f, int flags,
                     int *out)
{
    struct shim_file *s = (struct shim_file *)f;
    struct stat st;
    (void)v;
    s->base.pMethods = NULL;
    if (fails_for_sqlite(FAULT_OPEN, path))
        return SQLITE_CANTOPEN;
    s->path = path; /* SQLite keeps it as long as the file is open */
    s->real = __real_calloc(1, (size_t)unix_vfs->szOsFile);
    if (!s->real)
        return SQLITE_NOMEM;
    pthread_mutex_lock(&ops_lock);
    bool was_there = path && lstat(path, &st) == 0;
    int code = unix_vfs->xOpen(unix_vfs, path, s->real, flags, out);
    if (!code) {
        put_shim_open(s, path, was_there);
        s->base.pMethods = &METHODS;
    }
    pthread_mutex_unlock(&ops_lock);
    if (code)
        free(s->real);
    return code;
}

static int shim_delete(sqlite3_vfs *v, const char *path, int syncs)
{
    (void)v;
    pthread_mutex_lock(&ops_lock);
    int code = unix_vfs->xDelete(unix_vfs, path, syncs);
    if (!code)
        put_names(OP_UNLINK, path, NULL);
    pthread_mutex_unlock(&ops_lock);
    return code;
}

static void *shim_malloc(int n)
{
    return HAS_NO_MEMORY ? NULL : __real_malloc((size_t)n);
}

static void *shim_realloc(void *old, int n)
{
    return HAS_NO_MEMORY ? NULL : __real_realloc(old, (size_t)n);
}

static int shim_usable(void *at)
{
    return at ? (int)malloc_usable_size(at) : 0;
}

static int shim_round(int n)
{
    return (n + 7) & ~7;
}

static int shim_init(void *with)
{
    (void)with;
    return SQLITE_OK;
}

static void shim_end(void *with)
{
    (void)with;
}

void fault_vfs_install(void)
{
    static sqlite3_vfs shim;
    static const sqlite3_mem_methods memory = {shim_malloc, free,       shim_realloc,
                                               shim_usable, shim_round, shim_init,
                                               shim_end,    NULL};
    if (unix_vfs || sqlite3_config(SQLITE_CONFIG_MALLOC, &memory))
        return;
    unix_vfs = sqlite3_vfs_find(NULL);
    shim = *unix_vfs;
    shim.zName = "shim";
    shim.szOsFile = sizeof(struct shim_file);
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
    shim.iVersion = 1;
    sqlite3_vfs_register(&shim, 1);
}
