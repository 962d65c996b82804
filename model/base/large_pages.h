/* Large pages for memory that is walked through, which spares lookups of addresses. */
#ifndef MODEL_LARGE_PAGES_H
#define MODEL_LARGE_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

/* Asks for them on Linux; other systems give them by themselves or not at all. */
static inline void large_pages_ask(void *block, size_t n)
{
#ifdef MADV_HUGEPAGE
    madvise(block, n, MADV_HUGEPAGE);
#else
    (void)block;
    (void)n;
#endif
}

#endif
