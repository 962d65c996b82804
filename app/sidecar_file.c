/* See sidecar_file.h. */
#include "app/sidecar_file.h"

#include "midi/smf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sidecar_file_path(const char *midi_path)
{
    char *file = smf_file_resolve(midi_path), *path;
    int n = asprintf(&path, "%s.continuo", file ? file : midi_path);
    free(file);
    return n < 0 ? NULL : path;
}

static enum sidecar_status fail(char why[SIDECAR_WHY_BYTES], const char *what)
{
    snprintf(why, SIDECAR_WHY_BYTES, "%s", what);
    return SIDECAR_FAILED;
}

/* The descriptor is the caller's; it does not wait for a pipe's other end. */
static enum sidecar_status open_to_read(int *fd, size_t *n_bytes, const char *path,
                                        char why[SIDECAR_WHY_BYTES])
{
    struct stat st;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return errno == ENOENT ? SIDECAR_NONE : fail(why, strerror(errno));
    if (fstat(*fd, &st))
        return fail(why, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail(why, "it is no regular file");
    if (st.st_size > SIDECAR_MAX_BYTES)
        return fail(why, "it is too large");
    *n_bytes = (size_t)st.st_size;
    return SIDECAR_OK;
}

/* Fewer than n when the file has shrunk meanwhile; -1: errno says why. */
static ssize_t read_all(int fd, char *to, size_t n)
{
    size_t got = 0;
    while (got < n) {
        ssize_t k = read(fd, to + got, n - got);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return -1;
        if (k == 0)
            break;
        got += (size_t)k;
    }
    return (ssize_t)got;
}

enum sidecar_status sidecar_file_read(struct sidecar_bytes *b, const char *path,
                                      char why[SIDECAR_WHY_BYTES])
{
    int fd;
    size_t n = 0;
    *b = (struct sidecar_bytes){0};
    enum sidecar_status st = open_to_read(&fd, &n, path, why);
    if (!st && !(b->text = calloc(n + 1, 1)))
        st = fail(why, "out of memory");
    ssize_t got = st ? 0 : read_all(fd, b->text, n);
    if (got < 0)
        st = fail(why, strerror(errno));
    else
        b->n = (size_t)got;
    if (fd >= 0)
        close(fd);
    return st;
}

void sidecar_bytes_free(struct sidecar_bytes *b)
{
    free(b->text);
    *b = (struct sidecar_bytes){0};
}

static bool write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        text += k;
        n -= (size_t)k;
    }
    return true;
}

/* As the file it replaces, if there is one. */
static bool set_permissions(int fd, const char *path)
{
    struct stat old;
    return stat(path, &old) || fchmod(fd, old.st_mode & 07777) == 0;
}

/* A new file beside it, with the permissions that files are made with here; its name is
 * the caller's. The umask is not asked for: that would change it for other threads. */
static int create_beside(char **name, const char *path)
{
    int fd = -1;
    *name = NULL;
    for (int attempt = 0; fd < 0 && attempt < 100; attempt++) {
        free(*name);
        if (asprintf(name, "%s-%ld-%d", path, (long)getpid(), attempt) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Closes fd. false: errno says why. */
static bool fill_file(int fd, const char *path, const char *text)
{
    bool ok = write_all(fd, text, strlen(text)) && write_all(fd, "\n", 1) &&
              set_permissions(fd, path) && fsync(fd) == 0;
    int why = errno;
    if (close(fd) && ok)
        return false;
    errno = why;
    return ok;
}

enum sidecar_status sidecar_file_write(const char *path, const char *text,
                                       char why[SIDECAR_WHY_BYTES])
{
    char *beside;
    if (strlen(text) >= SIDECAR_MAX_BYTES) /* it would not be read again */
        return fail(why, "it would be too large");
    enum sidecar_status st = SIDECAR_OK;
    int fd = create_beside(&beside, path);
    if (fd < 0) {
        st = fail(why, strerror(errno));
    } else if (!fill_file(fd, path, text) || rename(beside, path)) {
        st = fail(why, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return st;
}

/* false: too long, or taken. */
static bool name_aside(char *out, size_t n_out, const char *path, int attempt)
{
    struct stat st;
    char number[16] = "";
    if (attempt > 1)
        snprintf(number, sizeof number, "-%d", attempt);
    int n = snprintf(out, n_out, "%s.bad%s", path, number);
    return n >= 0 && (size_t)n < n_out && lstat(out, &st) != 0;
}

enum sidecar_status sidecar_file_put_aside(const char *path,
                                           char why[SIDECAR_WHY_BYTES])
{
    char aside[4096];
    struct stat st;
    if (lstat(path, &st))
        return fail(why, strerror(errno));
    if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return fail(why, "something that is no file is in its place");
    for (int attempt = 1; attempt < 1000; attempt++)
        if (name_aside(aside, sizeof aside, path, attempt))
            return rename(path, aside) ? fail(why, strerror(errno)) : SIDECAR_OK;
    return fail(why, "too many damaged ones were kept");
}
