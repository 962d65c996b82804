/* The score's notes that a waiting take displaces: the notes that it rewrites, and the notes
 * accepted from other takes of its request. While the take is shown they are drawn dashed and
 * are silent. They are deleted when the take is accepted, or the part of it that they begin
 * in. So a take replaces what another left and never lies over it. */
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

/* Finds what the take `index` (struct proposals, shown) displaces; -1, the original,
 * displaces none. All begin in the hole. UI thread. false: out of memory; *d is empty. */
bool displaced_by(struct displaced *d, const struct session *s, int index);
bool displaced_has(const struct displaced *d, uint64_t id);
void displaced_fini(struct displaced *d); /* empty again */

#endif
