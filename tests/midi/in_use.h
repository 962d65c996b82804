/* The memory of the process: what malloc has given out in all arenas, and what is
 * resident.
 *
 * Resident memory alone shows no leak. glibc gives each thread an arena and keeps
 * free memory at its end up to a threshold, which each freed block that was mapped
 * raises to twice its size (mallopt(3), M_MMAP_THRESHOLD); malloc_trim does not
 * shorten the other arenas. A test that reads ten megabytes of sound so allows each
 * arena twenty unused ones. memory_begin fixes the threshold; then both numbers mean
 * something. */
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

/* Bytes, with the blocks that wait in the threads' caches. */
static inline long memory_in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return (long)(m.uordblks + m.hblkhd);
}

/* Bytes, after freeing unused memory; -1: unknown. */
static inline long memory_resident(void)
{
    char line[128] = "", *at = line;
    malloc_trim(0);
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return -1;
    bool ok = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    strtol(line, &at, 10); /* pages mapped; then pages resident */
    return ok ? strtol(at, NULL, 10) * sysconf(_SC_PAGESIZE) : -1;
}

#endif
