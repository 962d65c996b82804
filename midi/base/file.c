/* Reading does not trust the file: it checks kind and size. Writing goes through a
 * draft, so a file is never left half written. */
#include "midi/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_NAMES_TRIED = 100, MOST_DRAFTS = 4 };

/* Reads up to *n bytes; *n becomes the number read. */
static bool read_all(int fd, uint8_t *bytes, size_t *n)
{
    size_t got = 0;
    while (got < *n) {
        ssize_t k = read(fd, bytes + got, *n - got);
        if (k == 0)
            break;
        if (k > 0)
            got += (size_t)k;
        else if (errno != EINTR)
            return false;
    }
    *n = got;
    return true;
}

static enum midi_status read_open_file(int fd, size_t most, uint8_t **bytes, size_t *n)
{
    struct stat about;
    if (fstat(fd, &about))
        return MIDI_NO_FILE;
    if (!S_ISREG(about.st_mode))
        return MIDI_NOT_REGULAR;
    if ((uint64_t)about.st_size > most)
        return MIDI_TOO_BIG;
    *n = (size_t)about.st_size;
    *bytes = malloc(*n + 1);
    if (!*bytes)
        return MIDI_NO_MEMORY;
    return read_all(fd, *bytes, n) ? MIDI_OK : MIDI_NO_FILE;
}

enum midi_status file_read(const char *path, size_t most, uint8_t **bytes, size_t *n)
{
    *bytes = NULL;
    /* Without O_NONBLOCK, opening a pipe would wait for its other end. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return MIDI_NO_FILE;
    enum midi_status st = read_open_file(fd, most, bytes, n);
    int reason = errno;
    close(fd);
    if (st) {
        free(*bytes);
        *bytes = NULL;
    }
    errno = reason;
    return st;
}

/* Returns the length of the folder's part of a path, with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Returns the path that the symbolic link `path` points to. Returns NULL with errno
 * EINVAL if `path` is not a link. */
static char *read_link(const char *path)
{
    char to[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0)
        return NULL;
    to[n] = '\0';
    char *joined;
    int n_folder = to[0] == '/' ? 0 : (int)folder_length(path);
    return asprintf(&joined, "%.*s%s", n_folder, path, to) < 0 ? NULL : joined;
}

char *file_resolve(const char *path)
{
    char *at = strdup(path);
    for (int i = 0; at && i < MAX_LINKS; i++) {
        char *next = read_link(at);
        if (!next) {
            if (errno == EINVAL || errno == ENOENT)
                return at;
            free(at);
            return NULL;
        }
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

int file_create_beside(const char *path, mode_t mode, char **name)
{
    int n_folder = (int)folder_length(path), fd = -1;
    *name = NULL;
    for (int i = 0; i < MAX_NAMES_TRIED && fd < 0; i++) {
        free(*name);
        if (asprintf(name, "%.*s.continuo-%ld-%d", n_folder, path, (long)getpid(), i) <
            0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0) { /* every name was taken, or the folder refuses new files */
        int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
    }
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);
        if (k < 0 && errno != EINTR)
            return false;
        bytes += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return true;
}

/* Only on Linux does the program read access control lists. Elsewhere it assumes that
 * the mode says who may do what. */
#if defined(__linux__) && !defined(CONTINUO_PORTABLE)
#include <sys/xattr.h>

static const char ACL[] = "system.posix_acl_access";

static bool has_acl(const char *source)
{
    return getxattr(source, ACL, NULL, 0) > 0;
}

/* Does nothing if the source has no list or the file system supports none. */
static void copy_acl(int fd, const char *source)
{
    char acl[4096];
    ssize_t n = getxattr(source, ACL, acl, sizeof acl);
    int ignored = n > 0 ? fsetxattr(fd, ACL, acl, (size_t)n, 0) : 0;
    (void)ignored;
}
#else
static bool has_acl(const char *source)
{
    (void)source;
    return false;
}

static void copy_acl(int fd, const char *source)
{
    (void)fd;
    (void)source;
}
#endif

mode_t file_mode_within(const char *source, const struct stat *of, gid_t group)
{
    mode_t mode = of->st_mode & 07777, group_bits = mode >> 3 & 7,
           other_bits = mode & 7;
    if (has_acl(source))
        return mode & ~(mode_t)077;
    if (group == of->st_gid)
        return mode;
    return (mode & ~(mode_t)077) | (group_bits & other_bits) * 011;
}

bool file_permit_like(int fd, const char *source, const struct stat *of)
{
    struct stat now;
    int ignored = fchown(fd, (uid_t)-1, of->st_gid);
    (void)ignored;
    if (fstat(fd, &now) || fchmod(fd, file_mode_within(source, of, now.st_gid)))
        return false;
    if (now.st_gid == of->st_gid)
        copy_acl(fd, source);
    return true;
}

void file_umask_within(const char *source)
{
    static mode_t usual;
    static bool is_known;
    struct stat of;
    mode_t was = umask(077);
    if (!is_known)
        usual = was;
    is_known = true;
    const bool is_there = !stat(source, &of) && S_ISREG(of.st_mode);
    umask(is_there ? usual | (077 & ~file_mode_within(source, &of, getegid())) : usual);
}

void file_sync_folder(const char *path)
{
    char *folder = strndup(path, folder_length(path));
    if (!folder)
        return;
    int fd = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* The names of the open drafts, so that a signal handler can remove their files. If
 * more drafts are open, the others are not listed. */
static _Atomic(char *) drafts[MOST_DRAFTS];

/* Puts the name `is` in the place of `was`; either may be NULL, which is no draft. */
static void replace_draft(char *was, char *is)
{
    for (int i = 0; i < MOST_DRAFTS; i++) {
        char *here = was;
        if (atomic_compare_exchange_strong(&drafts[i], &here, is))
            return;
    }
}

void file_drafts_remove(void)
{
    for (int i = 0; i < MOST_DRAFTS; i++) {
        const char *name = atomic_load(&drafts[i]);
        if (name)
            unlink(name);
    }
}

static enum midi_status open_draft(struct file_draft *d)
{
    struct stat old;
    bool exists = stat(d->target, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return MIDI_NOT_REGULAR;
    /* A rename replaces even a write-protected file, so ask first. */
    if (exists && access(d->target, W_OK))
        return MIDI_CANNOT_WRITE;
    /* Nobody else may read the draft before it has the old file's permissions. */
    d->fd = file_create_beside(d->target, exists ? 0600 : 0666, &d->name);
    if (d->fd < 0)
        return MIDI_CANNOT_WRITE;
    replace_draft(NULL, d->name);
    int ignored = exists ? fchown(d->fd, old.st_uid, (gid_t)-1) : 0;
    (void)ignored;
    return exists && !file_permit_like(d->fd, d->target, &old) ? MIDI_CANNOT_WRITE
                                                               : MIDI_OK;
}

// NOLINTBEGIN(clang-analyzer-unix.Malloc): the draft owns its target, or it is freed
enum midi_status file_draft_open(struct file_draft *d, const char *path)
{
    *d = (struct file_draft){.fd = -1, .target = file_resolve(path)};
    enum midi_status st = d->target ? open_draft(d) : MIDI_CANNOT_WRITE;
    if (st)
        file_draft_discard(d);
    return st;
}
// NOLINTEND(clang-analyzer-unix.Malloc)

enum midi_status file_draft_commit(struct file_draft *d)
{
    bool ok;
    do
        ok = !fsync(d->fd);
    while (!ok && errno == EINTR);
    if (ok) {
        int fd = d->fd;
        d->fd = -1; /* The descriptor is closed even if close fails. */
        ok = !close(fd) && !rename(d->name, d->target);
    }
    if (ok) {
        file_sync_folder(d->target);
        replace_draft(d->name, NULL);
        free(d->name);
        d->name = NULL;
    }
    file_draft_discard(d);
    return ok ? MIDI_OK : MIDI_CANNOT_WRITE;
}

void file_draft_discard(struct file_draft *d)
{
    int why = errno;
    if (d->fd >= 0)
        close(d->fd);
    if (d->name)
        unlink(d->name);
    replace_draft(d->name, NULL);
    free(d->name);
    free(d->target);
    *d = (struct file_draft){.fd = -1};
    errno = why;
}

/* Takes from the empty draft `fd` every permission that `source` does not give. */
static bool keep_within(int fd, const char *source)
{
    struct stat of, now;
    if (stat(source, &of) || fstat(fd, &now))
        return true; /* there is no source */
    mode_t most = file_mode_within(source, &of, now.st_gid) | ~(mode_t)077;
    return (now.st_mode & ~most & 077) == 0 || !fchmod(fd, now.st_mode & most & 07777);
}

enum midi_status file_write(const char *path, const char *source, const void *bytes,
                            size_t n)
{
    struct file_draft d;
    enum midi_status st = file_draft_open(&d, path);
    if (st)
        return st;
    if ((!source || keep_within(d.fd, source)) && write_all(d.fd, bytes, n))
        return file_draft_commit(&d);
    file_draft_discard(&d);
    return MIDI_CANNOT_WRITE;
}

bool file_pipe(int ends[2], int flags)
{
#if defined(__linux__) && !defined(CONTINUO_PORTABLE)
    return !pipe2(ends, flags | O_CLOEXEC);
#else
    if (pipe(ends))
        return false;
    for (int i = 0; i < 2; i++)
        if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) || fcntl(ends[i], F_SETFL, flags)) {
            close(ends[0]);
            close(ends[1]);
            return false;
        }
    return true;
#endif
}

/* -- the running program -- */

#if defined(__linux__) && !defined(CONTINUO_PORTABLE)
/* This link leads to the program even if its file has been replaced since. */
static const char *program = "/proc/self/exe";

void file_find_program(const char *name)
{
    (void)name;
}
#else
static char *program;

static char *find_in(const char *folders, const char *name)
{
    char path[PATH_MAX];
    while (folders) {
        const size_t n = strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)n, n ? folders : ".", name);
        if (!access(path, X_OK))
            return realpath(path, NULL);
        folders = folders[n] ? folders + n + 1 : NULL;
    }
    return NULL;
}

void file_find_program(const char *name)
{
    free(program);
    program = strchr(name, '/') ? realpath(name, NULL) : find_in(getenv("PATH"), name);
}
#endif

const char *file_program(void)
{
    return program;
}

bool file_beside_program(char *path, size_t n_path, const char *name)
{
    char self[PATH_MAX];
    if (!program)
        return false;
    ssize_t n = readlink(program, self, sizeof self - 1);
    if (n >= 0)
        self[n] = '\0';
    else
        snprintf(self, sizeof self, "%s", program);
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    int length = snprintf(path, n_path, "%.*s/%s", (int)(slash - self), self, name);
    return length > 0 && (size_t)length < n_path;
}
