/* See journal_file.h. */
#include "app/journal_file.h"

#include "app/paths.h"
#include "midi/smf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char SUFFIX[] = ".continuo-journal";
static const char UNNAMED[] = "unnamed-";

char *journal_file_of(const char *midi_path)
{
    char *file = smf_file_resolve(midi_path), *path;
    if (!file && errno == ENOMEM)
        return NULL;
    int n = asprintf(&path, "%s%s", file ? file : midi_path, SUFFIX);
    free(file);
    return n < 0 ? NULL : path;
}

char *journal_file_piece(const char *journal_path)
{
    size_t n = strlen(journal_path), n_suffix = sizeof SUFFIX - 1;
    bool has_it = n > n_suffix && !strcmp(journal_path + n - n_suffix, SUFFIX);
    return strndup(journal_path, has_it ? n - n_suffix : n);
}

char *journal_file_unnamed(void)
{
    char folder[4096], *path;
    if (!paths_state(folder, sizeof folder, ""))
        return NULL;
    int n = asprintf(&path, "%s%s%lld-%ld%s", folder, UNNAMED, (long long)time(NULL),
                     (long)getpid(), SUFFIX);
    return n < 0 ? NULL : path;
}

/* fd, or -1 when it cannot be locked; then it is closed. */
static int lock(int fd)
{
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* A pipe or a folder in its place is not waited for, and not written to. */
static int open_regular(const char *path, int flags, mode_t mode)
{
    struct stat st;
    int fd;
    do {
        fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, mode);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int journal_file_open(const char *path)
{
    return lock(open_regular(path, 0, 0));
}

bool journal_file_is_none(int error)
{
    return error == ENOENT || error == EINVAL || error == EISDIR || error == ELOOP ||
           error == ENXIO;
}

static bool is_empty(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size == 0;
}

int journal_file_create(const char *path, mode_t mode)
{
    char aside[4096];
    for (int attempt = 0; attempt < 3; attempt++) {
        int fd = lock(open_regular(path, O_CREAT, mode & 0666));
        if (fd < 0 || is_empty(fd))
            return fd;
        bool is_gone = journal_file_put_aside(path, aside, sizeof aside);
        close(fd);
        if (!is_gone)
            return -1;
    }
    errno = EEXIST;
    return -1;
}

static bool read_all(int fd, uint8_t *bytes, size_t *n)
{
    size_t got = 0;
    while (got < *n) {
        ssize_t k = pread(fd, bytes + got, *n - got, (off_t)got);
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

bool journal_file_read(int fd, uint8_t **bytes, size_t *n)
{
    struct stat st;
    *bytes = NULL;
    if (fstat(fd, &st))
        return false;
    if ((uint64_t)st.st_size > JOURNAL_FILE_MAX_BYTES) {
        errno = EFBIG;
        return false;
    }
    *n = (size_t)st.st_size;
    *bytes = malloc(*n + 1);
    return *bytes && read_all(fd, *bytes, n);
}

bool journal_file_write(int fd, const uint8_t *bytes, size_t n, off_t at)
{
    while (n > 0) {
        ssize_t k = pwrite(fd, bytes, n, at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        bytes += k;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

bool journal_file_copy(int to, int from, size_t n)
{
    uint8_t bytes[1 << 16];
    for (size_t at = 0, k; at < n; at += k) {
        k = n - at < sizeof bytes ? n - at : sizeof bytes;
        ssize_t got = pread(from, bytes, k, (off_t)at);
        if (got <= 0 || !journal_file_write(to, bytes, (size_t)got, (off_t)at))
            return false;
        k = (size_t)got;
    }
    return true;
}

bool journal_file_put_aside(const char *path, char *aside, size_t n_aside)
{
    struct stat st;
    for (int i = 1; i < 1000; i++) {
        int n = snprintf(aside, n_aside, "%s.%d", path, i);
        if (n < 0 || (size_t)n >= n_aside)
            break;
        if (lstat(aside, &st))
            return rename(path, aside) == 0;
    }
    errno = EEXIST;
    return false;
}

static int is_unnamed(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name), n_suffix = sizeof SUFFIX - 1;
    return !strncmp(entry->d_name, UNNAMED, sizeof UNNAMED - 1) && n > n_suffix &&
           !strcmp(entry->d_name + n - n_suffix, SUFFIX);
}

/* Their names begin with when they were begun; the newest comes first. */
static int newest_first(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*b)->d_name, (*a)->d_name);
}

int journal_file_find_unnamed(char **path)
{
    char folder[4096];
    struct dirent **entries = NULL;
    int found = -1;
    *path = NULL;
    if (!paths_state(folder, sizeof folder, ""))
        return -1;
    int n = scandir(folder, &entries, is_unnamed, newest_first);
    for (int i = 0; i < n; i++) {
        if (found < 0 && asprintf(path, "%s%s", folder, entries[i]->d_name) < 0)
            *path = NULL;
        else if (found < 0 && (found = journal_file_open(*path)) < 0)
            free(*path);
        free(entries[i]);
    }
    free(entries);
    if (found < 0)
        *path = NULL;
    return found;
}
