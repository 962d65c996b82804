/* See fault_shim.h. Calls are made and written down under one lock, so that the order that
 * is written down is the one they had. SQLite lets its unix VFS be given other system calls
 * (xSetSystemCall): it gets these, too; only its syncs have to be caught in the VFS. */
#include "tests/app/document/fault_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

static bool fails(enum fault_kind kind, const char *path)
{
    const bool may_fail = atomic_load(&is_armed);
    if (is_spared || (may_fail && armed.where && !(path && strstr(path, armed.where))))
        return false;
    long n = atomic_fetch_add(&counts[kind], 1);
    return may_fail && armed.kind == kind && fails_now(n);
}

/* The path of what is open; "": it is none. */
static const char *path_of(int fd, char path[PATH_MAX])
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    return path;
}

static bool fails_on(enum fault_kind kind, int fd)
{
    char path[PATH_MAX];
    bool asks = atomic_load(&is_armed) && armed.where;
    return fails(kind, asks ? path_of(fd, path) : NULL);
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
        return fails(FAULT_MEMORY, NULL);
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

/* One that asks for memory: its parameters, and as they are passed on. */
#define ASKS_FOR_MEMORY(type, name, parameters, passed)                                \
    type __real_##name parameters;                                                     \
    type __wrap_##name parameters;                                                     \
    type __wrap_##name parameters                                                      \
    {                                                                                  \
        return HAS_NO_MEMORY ? NULL : __real_##name passed;                            \
    }

ASKS_FOR_MEMORY(void *, malloc, (size_t n), (n))
ASKS_FOR_MEMORY(void *, calloc, (size_t n, size_t size), (n, size))
ASKS_FOR_MEMORY(void *, realloc, (void *old, size_t n), (old, n))
ASKS_FOR_MEMORY(void *, reallocarray, (void *old, size_t n, size_t size),
                (old, n, size))
ASKS_FOR_MEMORY(void *, aligned_alloc, (size_t alignment, size_t n), (alignment, n))
ASKS_FOR_MEMORY(char *, strdup, (const char *text), (text))
ASKS_FOR_MEMORY(char *, strndup, (const char *text, size_t n), (text, n))

/* After a failure *out is undefined: here it is what must not be freed. */
static char nowhere;

#define PRINTS_TO_MEMORY(name, format_at, ...)                                         \
    int name(__VA_ARGS__, const char *format, ...)                                     \
        __attribute__((format(printf, format_at, (format_at) + 1)));                   \
    int name(__VA_ARGS__, const char *format, ...)                                     \
    {                                                                                  \
        va_list arguments;                                                             \
        *out = &nowhere;                                                               \
        if (HAS_NO_MEMORY)                                                             \
            return -1;                                                                 \
        va_start(arguments, format);                                                   \
        int n = vasprintf(out, format, arguments);                                     \
        va_end(arguments);                                                             \
        return n;                                                                      \
    }

PRINTS_TO_MEMORY(__wrap_asprintf, 2, char **out)
PRINTS_TO_MEMORY(__wrap___asprintf_chk, 3, char **out, __attribute__((unused)) int flag)

/* -- what is written down -- */

enum { MOST_OPS = 1 << 14 };

static pthread_mutex_t ops_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_recording;
static char recorded[PATH_MAX];
static struct op ops[MOST_OPS];
static size_t n_ops;

void op_record(const char *folder)
{
    pthread_mutex_lock(&ops_lock);
    snprintf(recorded, sizeof recorded, "%s", folder);
    while (n_ops > 0)
        free(ops[--n_ops].bytes);
    is_recording = true;
    pthread_mutex_unlock(&ops_lock);
}

size_t op_stop(const struct op **list)
{
    pthread_mutex_lock(&ops_lock);
    is_recording = false;
    size_t n = n_ops;
    pthread_mutex_unlock(&ops_lock);
    *list = ops;
    return n;
}

static struct op *new_op(enum op_kind kind, uint64_t inode, uint64_t at)
{
    if (!is_recording || n_ops == MOST_OPS)
        return NULL;
    ops[n_ops] = (struct op){.kind = kind, .inode = inode, .at = at};
    return &ops[n_ops++];
}

void op_mark(uint64_t what)
{
    pthread_mutex_lock(&ops_lock);
    new_op(OP_MARK, 0, what);
    pthread_mutex_unlock(&ops_lock);
}

/* Its name in the folder; NULL: it is elsewhere. */
static const char *name_of(const char *path)
{
    size_t n = strlen(recorded);
    bool is = is_recording && path && !strncmp(path, recorded, n) && path[n] == '/' &&
              !strchr(path + n + 1, '/');
    return is ? path + n + 1 : NULL;
}

/* To a file in the folder; NULL: it is elsewhere. */
static struct op *file_op(enum op_kind kind, int fd, uint64_t at)
{
    char path[PATH_MAX];
    struct stat st;
    bool is = is_recording && name_of(path_of(fd, path)) && !fstat(fd, &st);
    return is ? new_op(kind, st.st_ino, at) : NULL;
}

static void put_write(int fd, const void *bytes, ssize_t n, off_t at)
{
    struct op *o = n > 0 ? file_op(OP_WRITE, fd, (uint64_t)at) : NULL;
    if (!o || !(o->bytes = __real_malloc((size_t)n)))
        return;
    o->n = (size_t)n;
    memcpy(o->bytes, bytes, o->n);
}

static void put_names(enum op_kind kind, const char *from, const char *to)
{
    const char *a = name_of(from), *b = to ? name_of(to) : "";
    struct op *o = a && b ? new_op(kind, 0, 0) : NULL;
    if (!o)
        return;
    snprintf(o->name, sizeof o->name, "%s", a);
    snprintf(o->to, sizeof o->to, "%s", b);
}

static void put_open(int fd, const char *path, bool was_there)
{
    struct stat st;
    bool is_new = fd >= 0 && !was_there && name_of(path) && !fstat(fd, &st);
    struct op *o = is_new ? new_op(OP_CREATE, st.st_ino, st.st_mode & 0777) : NULL;
    if (o)
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
    if (fails_on(FAULT_WRITE, fd) && !(n = part_of(n)))
        return -1;
    pthread_mutex_lock(&ops_lock);
    off_t at = is_recording ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t k = __real_write(fd, bytes, n);
    put_write(fd, bytes, k, at);
    pthread_mutex_unlock(&ops_lock);
    return k;
}

WRAPPED(ssize_t, pwrite, int fd, const void *bytes, size_t n, off_t at)
{
    if (fails_on(FAULT_WRITE, fd) && !(n = part_of(n)))
        return -1;
    pthread_mutex_lock(&ops_lock);
    ssize_t k = __real_pwrite(fd, bytes, n, at);
    put_write(fd, bytes, k, at);
    pthread_mutex_unlock(&ops_lock);
    return k;
}

/* The disk is not waited for: what was asked is what is tried. */
WRAPPED(int, fsync, int fd)
{
    char path[PATH_MAX];
    if (fails_on(FAULT_SYNC, fd))
        return -1;
    pthread_mutex_lock(&ops_lock);
    if (is_recording && !strcmp(path_of(fd, path), recorded))
        new_op(OP_SYNC_FOLDER, 0, 0);
    else
        file_op(OP_SYNC, fd, 0);
    pthread_mutex_unlock(&ops_lock);
    return 0;
}

WRAPPED(int, fdatasync, int fd)
{
    return __wrap_fsync(fd);
}

WRAPPED(int, rename, const char *from, const char *to)
{
    if (fails(FAULT_RENAME, from))
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
    if (fails(FAULT_OPEN, path))
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
    return fails(FAULT_OPEN, path) ? NULL : __real_fopen(path, mode);
}

WRAPPED(void *, mmap, void *where, size_t n, int protection, int flags, int fd,
        off_t at)
{
    return fails_on(FAULT_MAP, fd) ? MAP_FAILED
                                   : __real_mmap(where, n, protection, flags, fd, at);
}

WRAPPED(int, ftruncate, int fd, off_t n)
{
    if (fails_on(FAULT_TRUNCATE, fd))
        return -1;
    pthread_mutex_lock(&ops_lock);
    int failed = __real_ftruncate(fd, n);
    if (!failed)
        file_op(OP_TRUNCATE, fd, (uint64_t)n);
    pthread_mutex_unlock(&ops_lock);
    return failed;
}

WRAPPED(int, close, int fd)
{
    bool failed = fails_on(FAULT_CLOSE, fd);
    int closed = __real_close(fd);
    if (!failed)
        return closed;
    errno = armed.error;
    return -1;
}

/* -- SQLite -- */

static sqlite3_vfs *unix_vfs;
static struct {
    const sqlite3_io_methods *own; /* SQLite's, which has more than one kind; */
    sqlite3_io_methods methods;    /* and these, but for syncs */
} kinds[4];
static sqlite3_mem_methods memory; /* SQLite's own */

/* Behind what is SQLite's of a file: its path, which it keeps while the file is open. */
static const char **path_behind(sqlite3_file *f)
{
    return (const char **)((char *)f + unix_vfs->szOsFile);
}

/* A sync that was interrupted is none that failed. */
static int sync_file(sqlite3_file *f, int flags)
{
    const char *path = *path_behind(f);
    struct stat st;
    (void)flags;
    if (fails(FAULT_SYNC, path) && armed.error != EINTR)
        return SQLITE_IOERR_FSYNC;
    pthread_mutex_lock(&ops_lock);
    if (name_of(path) && !stat(path, &st))
        new_op(OP_SYNC, st.st_ino, 0);
    pthread_mutex_unlock(&ops_lock);
    return SQLITE_OK;
}

static const sqlite3_io_methods *ours_for(const sqlite3_io_methods *own)
{
    int i = 0;
    pthread_mutex_lock(&ops_lock);
    while (kinds[i].own && kinds[i].own != own)
        i++;
    if (!kinds[i].own) {
        kinds[i].own = own;
        kinds[i].methods = *own;
        kinds[i].methods.xSync = sync_file;
    }
    pthread_mutex_unlock(&ops_lock);
    return &kinds[i].methods;
}

static int open_file(sqlite3_vfs *v, const char *path, sqlite3_file *f, int flags,
                     int *out)
{
    (void)v;
    *path_behind(f) = path;
    int code = unix_vfs->xOpen(unix_vfs, path, f, flags, out);
    if (!code)
        f->pMethods = ours_for(f->pMethods);
    return code;
}

static void *get_memory(int n)
{
    return HAS_NO_MEMORY ? NULL : memory.xMalloc(n);
}

static void *get_more_memory(void *old, int n)
{
    return HAS_NO_MEMORY ? NULL : memory.xRealloc(old, n);
}

void fault_vfs_install(void)
{
    static const struct {
        const char *name;
        sqlite3_syscall_ptr call;
    } CALLS[] = {
        {"open", (sqlite3_syscall_ptr)__wrap_open},
        {"close", (sqlite3_syscall_ptr)__wrap_close},
        {"write", (sqlite3_syscall_ptr)__wrap_write},
        {"pwrite64", (sqlite3_syscall_ptr)__wrap_pwrite},
        {"ftruncate", (sqlite3_syscall_ptr)__wrap_ftruncate},
        {"unlink", (sqlite3_syscall_ptr)__wrap_unlink},
        {"mmap", (sqlite3_syscall_ptr)__wrap_mmap},
    };
    static sqlite3_vfs ours;
    sqlite3_mem_methods failing;
    if (unix_vfs || sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory))
        return;
    failing = memory;
    failing.xMalloc = get_memory;
    failing.xRealloc = get_more_memory;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    unix_vfs = sqlite3_vfs_find(NULL);
    for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++)
        unix_vfs->xSetSystemCall(unix_vfs, CALLS[i].name, CALLS[i].call);
    ours = *unix_vfs;
    ours.zName = "ours";
    ours.szOsFile += (int)sizeof(char *);
    ours.xOpen = open_file;
    sqlite3_vfs_register(&ours, 1);
}
