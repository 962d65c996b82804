/* Types of variables that are freed at the end of their scope, also by `continue`:
 *
 *   auto_free int32_t *ids = calloc(n, sizeof *ids);
 *   auto_score *s = score_create(480);           (tests/midi/auto.h)
 *   auto_model *m = random_model(&c, 7);         (tests/model/auto.h)
 *
 * A pointer must be set where it is declared. */
#ifndef TESTS_AUTO_H
#define TESTS_AUTO_H

#include <stdlib.h>

#define auto_free __attribute__((cleanup(free_pointer)))

/* Of a pointer to anything that is malloc'd. */
static inline void free_pointer(void *p)
{
    free(*(void **)p);
}

/* How a pointer to a struct is freed: FREES(score, score_destroy). */
#define FREES(name, by)                                                                \
    static inline void free_##name(struct name **p)                                    \
    {                                                                                  \
        by(*p);                                                                        \
    }

#endif
