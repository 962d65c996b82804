/* How well typed text fits a line that has its letters in the same order. Letters at the
 * start of words and letters in a row count for more, so that "zin" finds "zoom in" before
 * "horizon line". The measure is that of John Hawthorn's fzy (ALGORITHM.md there): the best
 * placement of the letters, by dynamic programming with affine gaps.
 *
 * Words separated by spaces are searched separately, in any order. The case of ASCII
 * letters does not matter. Pure functions. */
#ifndef APP_FUZZY_H
#define APP_FUZZY_H

#include <stdbool.h>
#include <stdint.h>

enum { FUZZY_MAX_WORD = 32, FUZZY_MAX_TEXT = 160 }; /* bytes looked at of each */

/* false: it does not fit. *score: more is better; 0 for nothing typed. *marks: bit i for
 * byte i of the text where a letter was found, of the first 64. */
bool fuzzy_match(const char *typed, const char *text, double *score, uint64_t *marks);

#endif
