/* Styles. A model has learnt those of its training corpora, by its provenance, and "any"; only these are
 * offered and guessed.
 *
 * A piece's style is guessed from its first bars: what plays, in which meter and rhythm, over which
 * chords. Multinomial logistic regression over features that a musician would name; its weights are
 * fitted to the training corpora by models/styles.py. Less than a millisecond, however long the piece.
 *
 * Pure functions, any thread. */
#ifndef APP_STYLES_H
#define APP_STYLES_H

#include "midi/score/score.h"
#include "midi/tokens/piece.h"
#include "model/weights/model.h"

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

/* -- the guess -- */

enum { N_STYLE_FEATURES = 61 };

const char *style_feature_name(int feature);
/* Measures the bars from the first note to the last, at most 16, and 24 for the changes of a blues;
 * by the chords that the piece has, else by guessed ones. p: canonical. Without notes all features
 * are 0. */
enum midi_status style_features(double x[N_STYLE_FEATURES], const struct piece *p);
/* Returns the likeliest, by these features, of those `styles` (bit s: enum style s) that the
 * declared tracks can play; "any" if there is no other, or no note. */
enum style style_likeliest(const double x[N_STYLE_FEATURES], const struct piece *p,
                           uint64_t styles);
enum midi_status style_guess(enum style *out, const struct piece *p, uint64_t styles);

#endif
