/* Guesses the style of music from its first bars: what plays, in which meter and rhythm, over
 * which chords. Multinomial logistic regression over features that a musician would name; its
 * weights are fitted to the training corpora by models/styles.py. Pure functions, any thread; less
 * than a millisecond, however long the piece. */
#ifndef APP_STYLE_GUESS_H
#define APP_STYLE_GUESS_H

#include "midi/tokens/piece.h"

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
