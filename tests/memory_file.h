/* Bytes that a reader opens by path, though they are on no disk: a descriptor of memory
 * (memfd_create(2)), and in a folder of our own a link to it that has the wanted name. */
#ifndef TESTS_MEMORY_FILE_H
#define TESTS_MEMORY_FILE_H

#include "tests/fuzz_replay.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    char folder[64], path[128];
    int fd;
} memory_file;

static inline void memory_file_remove(void)
{
    unlink(memory_file.path);
    rmdir(memory_file.folder);
}

/* Once; it goes when the program ends. */
static inline void memory_file_make(const char *name)
{
    char there[64];
    strcpy(memory_file.folder, "/tmp/continuo-fuzz-XXXXXX");
    memory_file.fd = memfd_create(name, MFD_CLOEXEC);
    require(memory_file.fd >= 0 && mkdtemp(memory_file.folder));
    snprintf(there, sizeof there, "/proc/self/fd/%d", memory_file.fd);
    snprintf(memory_file.path, sizeof memory_file.path, "%s/%s", memory_file.folder,
             name);
    require(!symlink(there, memory_file.path) && !atexit(memory_file_remove));
}

/* It holds these bytes, and no others. Its path. */
static inline const char *memory_file_with(const char *name, const void *bytes,
                                           size_t n)
{
    if (!*memory_file.path)
        memory_file_make(name);
    require(!ftruncate(memory_file.fd, 0) &&
            pwrite(memory_file.fd, bytes, n, 0) == (ssize_t)n);
    return memory_file.path;
}

/* One line that a terminal takes for nothing but text. */
static inline bool is_plain_line(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            return false;
    return true;
}

#endif
