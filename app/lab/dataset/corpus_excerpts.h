/* A file of excerpts: bars of many pieces as score tokens, deflated. It is small enough to come
 * with the program, so that a model that learns a user's music can be reminded of all other.
 * models/FORMAT.md describes it. One thread. */
#ifndef APP_CORPUS_EXCERPTS_H
#define APP_CORPUS_EXCERPTS_H

#include "app/lab/dataset/corpus.h"

#include <stdio.h>

/* Writes `count` excerpts of some `length` tokens each, the corpora of the split in turn.
 * MIDI_CANNOT_WRITE: errno says why. */
enum midi_status corpus_excerpts_write(const struct corpus *c, enum corpus_split split,
                                       int count, int length, FILE *to);
/* Reads them: of each corpus one in eight is for CORPUS_VALID. MIDI_BAD_TOKEN: not such a
 * file, or damaged. */
enum midi_status corpus_excerpts_open(struct corpus **out, const char *path);

#endif
