/* Which notes go when a hole in the music is written anew: those that lie in it with
 * all their length, on its tracks and between its pitches, but for the share of them that
 * is to stay, as dice thrown for each note have it. All others stand, and the machine
 * writes around them. Pure functions. */
#ifndef APP_REWRITE_H
#define APP_REWRITE_H

#include "app/decoding/continuation.h"

/* The notes that a hole held when it was asked for. What is drawn in it later is not
 * among them, and what is moved out of it no longer goes. Zero-initialise. */
struct rewritten {
    uint64_t *asked; /* ids, ascending */
    size_t n_asked;
    uint64_t *there; /* those of them that still go, ascending; see update */
    size_t n_there;
};

/* false: out of memory, and none is in it. */
bool rewritten_ask(struct rewritten *r, const struct score *s,
                   const struct continuation_options *o);
/* The same of these n notes, which it held when it was asked for long ago. */
bool rewritten_ask_again(struct rewritten *r, const uint64_t *ids, size_t n,
                         const struct score *s, const struct continuation_options *o);
/* After any edit. */
void rewritten_update(struct rewritten *r, const struct score *s,
                      const struct continuation_options *o);
void rewritten_forget(struct rewritten *r); /* frees; may be asked again */

/* Copies of the notes that go, for what is to be kept of them; the caller's. of NULL:
 * whatever the hole holds now. NULL: out of memory. */
struct continued_note *rewrite_list(const struct score *s,
                                    const struct continuation_options *o,
                                    const struct rewritten *of, size_t *n);
/* Takes those notes out of a copy of the score. false: out of memory. */
bool rewrite_take_out(struct score *s, const struct continuation_options *o,
                      const struct rewritten *of);

#endif
