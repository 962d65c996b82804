/* MIDI files on disk: loading believes nothing of what is found at the path,
 * saving never leaves half a file. */
#include "midi/smf/smf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 256 << 20, MAX_LINKS = 40, MAX_NAMES_TRIED = 100 };

/* Fills up to *n bytes; *n becomes what was there. */
static bool read_all(int fd, uint8_t *bytes, size_t *n)
{
    size_t got = 0;
    while (got < *n) {
        ssize_t k = read(fd, bytes + got, *n - got);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        if (k == 0)
            break;
        got += (size_t)k;
    }
    *n = got;
    return true;
}

static enum midi_status read_open_file(int fd, uint8_t **bytes, size_t *n)
{
    struct stat about;
    if (fstat(fd, &about))
        return MIDI_NO_FILE;
    if (!S_ISREG(about.st_mode))
        return MIDI_NOT_REGULAR;
    if (about.st_size > MAX_FILE_BYTES)
        return MIDI_TOO_BIG;
    *n = (size_t)about.st_size;
    *bytes = malloc(*n + 1);
    if (!*bytes)
        return MIDI_NO_MEMORY;
    return read_all(fd, *bytes, n) ? MIDI_OK : MIDI_NO_FILE;
}

enum midi_status smf_file_read(const char *path, uint8_t **bytes, size_t *n)
{
    *bytes = NULL;
    /* Without O_NONBLOCK, opening a pipe would wait for its other end. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return MIDI_NO_FILE;
    enum midi_status st = read_open_file(fd, bytes, n);
    int reason = errno;
    close(fd);
    if (st) {
        free(*bytes);
        *bytes = NULL;
    }
    errno = reason;
    return st;
}

enum midi_status smf_load(struct score **out, const char *path,
                          struct smf_report *report)
{
    uint8_t *bytes;
    size_t n;
    if (report)
        *report = (struct smf_report){0};
    enum midi_status st = smf_file_read(path, &bytes, &n);
    if (st)
        return st;
    int reason = errno;
    st = smf_read(out, bytes, n, report);
    free(bytes);
    errno = reason;
    return st;
}

/* Length of the folder's part of a path, its last slash included. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Where the symbolic link `path` points; NULL with EINVAL when it is none. */
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

char *smf_file_resolve(const char *path)
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

/* A new file in the folder of `target`; its name is the caller's to free. Nobody else may
 * read it before it is known who may; of a new target the umask tells. */
static int open_beside(const char *target, char **name, mode_t mode)
{
    int n_folder = (int)folder_length(target), fd = -1;
    for (int i = 0; i < MAX_NAMES_TRIED; i++) {
        if (asprintf(name, "%.*s.continuo-%ld-%d", n_folder, target, (long)getpid(),
                     i) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        int reason = errno;
        free(*name);
        *name = NULL;
        errno = reason;
        if (errno != EEXIST)
            break;
    }
    return -1;
}

static bool write_all(int fd, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        bytes += k;
        n -= (size_t)k;
    }
    return true;
}

/* The new file takes the old one's place in permissions, and in owner as far
 * as that is allowed. */
static bool keep_permissions(int fd, const struct stat *old)
{
    int ignored = fchown(fd, old->st_uid, old->st_gid);
    (void)ignored;
    return fchmod(fd, old->st_mode & 07777) == 0;
}

/* The file is whole either way. */
void smf_file_sync_folder(const char *path)
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

static bool sync_file(int fd)
{
    int failed;
    do {
        failed = fsync(fd);
    } while (failed && errno == EINTR);
    return !failed;
}

/* `old` is NULL when there is no file yet. */
static bool replace(const char *target, const struct stat *old, const uint8_t *bytes,
                    size_t n)
{
    char *name;
    int fd = open_beside(target, &name, old ? 0600 : 0666);
    if (fd < 0)
        return false;
    bool ok =
        write_all(fd, bytes, n) && (!old || keep_permissions(fd, old)) && sync_file(fd);
    int reason = errno;
    if (close(fd) && ok) {
        ok = false;
        reason = errno;
    }
    if (ok && rename(name, target)) {
        ok = false;
        reason = errno;
    }
    if (!ok)
        unlink(name);
    free(name);
    errno = reason;
    return ok;
}

static enum midi_status save_bytes(const char *target, const uint8_t *bytes, size_t n)
{
    struct stat old;
    bool exists = stat(target, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return MIDI_NOT_REGULAR;
    /* A rename would not mind a write-protected file; whoever protected it does. */
    if (exists && access(target, W_OK))
        return MIDI_CANNOT_WRITE;
    if (!replace(target, exists ? &old : NULL, bytes, n))
        return MIDI_CANNOT_WRITE;
    smf_file_sync_folder(target);
    return MIDI_OK;
}

enum midi_status smf_file_write(const char *path, const uint8_t *bytes, size_t n)
{
    char *target = smf_file_resolve(path);
    enum midi_status st = target ? save_bytes(target, bytes, n) : MIDI_CANNOT_WRITE;
    int reason = errno;
    free(target);
    errno = reason;
    return st;
}

enum midi_status smf_save(const struct score *s, const char *path)
{
    uint8_t *bytes;
    size_t n;
    enum midi_status st = smf_write(s, &bytes, &n);
    if (st)
        return st;
    st = smf_file_write(path, bytes, n);
    int reason = errno;
    free(bytes);
    errno = reason;
    return st;
}
