/* What the process holds of memory: what malloc has given out in all of its arenas, and
 * what is resident.
 *
 * Resident memory alone says little of leaks. glibc gives a thread an arena and keeps what
 * is free at its end up to a threshold, which each freed block that was mapped raises to
 * twice its size (mallopt(3), M_MMAP_THRESHOLD); malloc_trim leaves the ends of all arenas
 * but the first alone. A test that reads ten megabytes of sound so allows each arena
 * twenty of nothing. memory_begin fixes the threshold, and then both numbers tell. */
#ifndef TESTS_MIDI_IN_USE_H
#define TESTS_MIDI_IN_USE_H

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void memory_begin(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

/* Bytes. Blocks that wait in the threads' caches to be given out again count. */
static inline long memory_in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return (long)(m.uordblks + m.hblkhd);
}

/* Bytes, with what is free given back; -1: not known. */
static inline long memory_resident(void)
{
    char line[128] = "", *at = line;
    malloc_trim(0);
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return -1;
    bool ok = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    strtol(line, &at, 10); /* pages of all that is mapped; then of what is there */
    return ok ? strtol(at, NULL, 10) * sysconf(_SC_PAGESIZE) : -1;
}

#endif
