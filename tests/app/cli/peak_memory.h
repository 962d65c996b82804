/* How much is allocated at the most: malloc and its kin are ours in the program that
 * includes this, and count before they pass on to glibc's. Not with a sanitizer, which
 * has its own. One thread. */
#ifndef TESTS_APP_PEAK_MEMORY_H
#define TESTS_APP_PEAK_MEMORY_H

#include <malloc.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PEAK_IS_COUNTED 0
static size_t peak_now, peak_most;
#else
#define PEAK_IS_COUNTED 1
static size_t peak_now, peak_most;

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static void *peak_add(void *p)
{
    peak_now += malloc_usable_size(p);
    peak_most = peak_now > peak_most ? peak_now : peak_most;
    return p;
}

void *malloc(size_t n)
{
    return peak_add(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
    return peak_add(__libc_calloc(n, size));
}

/* The old and the new are there at once while one is copied to the other. */
void *realloc(void *p, size_t n)
{
    size_t before = malloc_usable_size(p);
    void *grown = __libc_realloc(p, n);
    if (!grown)
        return NULL;
    peak_now += malloc_usable_size(grown);
    peak_most = peak_now > peak_most ? peak_now : peak_most;
    peak_now -= before;
    return grown;
}

void free(void *p)
{
    peak_now -= malloc_usable_size(p);
    __libc_free(p);
}
#endif

/* Counting begins anew; then, what was needed at the most since. */
static inline void peak_begin(void)
{
    peak_most = peak_now;
}

static inline size_t peak_since(size_t before)
{
    return peak_most - before;
}

#endif
