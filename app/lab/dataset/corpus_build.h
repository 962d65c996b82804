/* Making a corpus piece by piece, for those that read one: corpus.c from MIDI files,
 * corpus_excerpts.c from one file of excerpts, grid_corpus.c from one of four voices. One
 * thread. */
#ifndef APP_CORPUS_BUILD_H
#define APP_CORPUS_BUILD_H

#include "app/lab/dataset/corpus.h"

struct corpus *corpus_create(void); /* empty; NULL: out of memory */
/* The group of that name, made if it is new; -1: no memory or too many. */
int corpus_find_group(struct corpus *c, const char *name);
/* Takes p, which has its score and its group, and works out the rest; or its grid, group and
 * number of cells. MIDI_EMPTY: it has no notes. On failure it is freed, and is not in the
 * corpus. */
enum midi_status corpus_add(struct corpus *c, struct corpus_piece *p,
                            enum corpus_split split);
/* Call it once all is added, or failed with that status: c is *out or, after an error, closed.
 * MIDI_EMPTY: there is nothing to train on. */
enum midi_status corpus_finish(struct corpus *c, enum midi_status st,
                               struct corpus **out);

/* If train or valid is empty, holds back one piece in eight, or the last bars of the
 * longest of a few. Holds back nothing of fewer than 16 bars. */
enum midi_status corpus_hold_back(struct corpus *c);

/* For corpus_hold_back: counts all again, once pieces have changed their split. */
enum midi_status corpus_recount(struct corpus *c);
void corpus_piece_fini(struct corpus_piece *p);

#endif
