/* The styles that a model has learnt, by its provenance: those of its training corpora, and
 * "any". Only these are offered and guessed. Pure functions. */
#ifndef APP_LEARNT_STYLES_H
#define APP_LEARNT_STYLES_H

#include "midi/score/score.h"
#include "midi/tokens/piece.h"
#include "model/weights/model.h"

#include <stddef.h>

enum { LEARNT_LIST_BYTES = 256 };

/* The name of a style, as in a tokenizer's description: "chorale". */
const char *style_name(enum style s);

/* Bit s: enum style s. All of them, where the model does not say or names none that we
 * know. */
uint64_t learnt_styles(const struct model *m);
/* The same for the model in a file, NULL: the bundled one. Returns all styles if it cannot be opened.
 * Its weights are not read. */
uint64_t learnt_styles_of_file(const char *wanted_model);
/* Styles with such tracks: n_tracks of them with notes, bit f of `families` set if one has
 * family f. "Any" is always among them. The needs of each style come from the training
 * music: its chorales have four tracks, only bands and beats have drums. */
uint64_t styles_for_players(int n_tracks, uint64_t families);
/* The likely style of music for the score's tracks, by their instruments; "any" if they do
 * not decide it or the style is not learnt. */
enum style learnt_style_for(uint64_t styles, const struct score *s);
/* style: as in struct continuation_options; a guess is always offered. styles 0: it is not
 * known yet, and all are. */
bool learnt_has(uint64_t styles, int style);
/* "one of guess, any, chorale, piano"; buf is returned. */
const char *learnt_list(uint64_t styles, char buf[LEARNT_LIST_BYTES]);

#endif
