/* One edit of all targets together: begin, say what becomes of each, do. It undoes as one
 * step, which is called by its verb and how many notes it was asked for: "quantise 12
 * notes". UI thread only. */
#ifndef APP_RESHAPE_H
#define APP_RESHAPE_H

#include "app/editor/session/edit.h"

struct reshape {
    struct session *session;
    struct target *before; /* [n], as edit_targets gives them */
    struct note *after;    /* [n], to be changed between begin and do */
    size_t n;
    size_t n_changed, n_cut; /* by do: of them; of others that were cut */
};

/* false: there is nothing to act on, which is said; then nothing needs to be freed. */
bool reshape_begin(struct reshape *r, struct session *s);
/* Does it, where tails that come to lie over another note are cut first
 * (app/dataset/overlap.h), and frees. false: it was refused, or nothing changes, which is said. */
bool reshape_do(struct reshape *r, const char *verb);
/* The same, but refused where notes would overlap. */
bool reshape_do_strictly(struct reshape *r, const char *verb);
/* Instead of doing it: frees, */
void reshape_forget(struct reshape *r);
/* and says "cannot VERB any further". Always false. */
bool reshape_give_up(struct reshape *r, const char *verb);

/* How many from i on are of its track. */
size_t reshape_run(const struct reshape *r, size_t i);
/* Into s->message after what it says: "; 2 tails cut", where there were any. */
void reshape_tell_cut(const struct reshape *r);

enum { RESHAPE_LABEL = 64 };
/* "quantise 12 notes"; buf is returned. */
const char *reshape_label(char buf[RESHAPE_LABEL], const char *verb, size_t n);

#endif
