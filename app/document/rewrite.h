/* Which notes are replaced when a hole is rewritten: those that lie in it completely, on
 * its tracks and within its pitches, except for a random share that stays. All others stay,
 * and the model writes around them. Pure functions. */
#ifndef APP_REWRITE_H
#define APP_REWRITE_H

#include "app/decoding/continuation.h"

/* The notes in a hole at the time of the request. Notes drawn later do not belong to it,
 * and notes moved out of it are not replaced. Zero-initialise. */
struct rewritten {
    uint64_t *asked; /* ids, ascending */
    size_t n_asked;
    uint64_t *there; /* those of them that still go, ascending; see update */
    size_t n_there;
};

/* Finds the notes of the hole. false: out of memory, and r is empty. */
bool rewritten_ask(struct rewritten *r, const struct score *s,
                   const struct continuation_options *o);
/* The same for n notes that were in the hole at an earlier request. */
bool rewritten_ask_again(struct rewritten *r, const uint64_t *ids, size_t n,
                         const struct score *s, const struct continuation_options *o);
/* Finds which of the notes still go; call after any edit. */
void rewritten_update(struct rewritten *r, const struct score *s,
                      const struct continuation_options *o);
void rewritten_forget(struct rewritten *r); /* frees; may be filled again */

/* Copies the notes to be replaced, whose rhythm or pitches may be kept. The caller frees the list. of
 * NULL: the present notes of the hole. NULL: out of memory. */
struct continued_note *rewrite_list(const struct score *s,
                                    const struct continuation_options *o,
                                    const struct rewritten *of, size_t *n);
/* Takes those notes out of a copy of the score. false: out of memory. */
bool rewrite_take_out(struct score *s, const struct continuation_options *o,
                      const struct rewritten *of);

#endif
