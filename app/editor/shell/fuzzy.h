/* Matches typed text with lines that have its letters in the same order, and scores the matches.
 * Letters at the start of words and letters in a row count more, so "zin" finds "zoom in"
 * before "horizon line". The score is that of John Hawthorn's fzy (ALGORITHM.md there): the
 * best positions of the letters, by dynamic programming with affine gaps.
 *
 * Words separated by spaces are searched separately, in any order. The case of ASCII
 * letters does not matter. Pure functions. */
#ifndef APP_FUZZY_H
#define APP_FUZZY_H

#include <stdbool.h>
#include <stdint.h>

enum { FUZZY_MAX_WORD = 32, FUZZY_MAX_TEXT = 160 }; /* bytes looked at of each */

/* false: the text does not match. *score: more is better; 0 if nothing is typed. *marks: bit i
 * is set if a letter matches byte i of the text, of the first 64. */
bool fuzzy_match(const char *typed, const char *text, double *score, uint64_t *marks);

#endif
