/* Which notes of the score a take that waits displaces: those that it rewrites, and those
 * that were accepted of other takes of the same request. They are drawn dashed and are not
 * heard while it is shown, and go when it, or the part they begin in, is accepted. So a take
 * replaces what another left, and never lies over it. */
#ifndef APP_DISPLACED_H
#define APP_DISPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

struct displaced {
    uint64_t *ids; /* owned; of the score's notes, ascending */
    size_t n;
};

/* By the take `index` (struct proposals, shown); -1, the original, displaces none. All of
 * them begin in the hole. UI thread. false: out of memory, and it is empty. */
bool displaced_by(struct displaced *d, const struct session *s, int index);
bool displaced_has(const struct displaced *d, uint64_t id);
void displaced_fini(struct displaced *d); /* empty again */

#endif
