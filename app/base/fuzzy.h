/* How well what was typed fits a line: its letters in order, somewhere in it. Letters at
 * the start of words and letters in a row count for more, so that "zin" finds "zoom in"
 * before "horizon line". The measure is the one John Hawthorn published with fzy
 * (ALGORITHM.md there): the best way of placing the letters, by dynamic programming
 * with affine gaps.
 *
 * Words parted by spaces are looked for each on its own, in any order. Letters are told
 * apart without their case, in ASCII. Pure functions. */
#ifndef APP_FUZZY_H
#define APP_FUZZY_H

#include <stdbool.h>
#include <stdint.h>

enum { FUZZY_MAX_WORD = 32, FUZZY_MAX_TEXT = 160 }; /* bytes looked at of each */

/* false: it does not fit. *score: more is better; 0 for nothing typed. *marks: bit i for
 * byte i of the text where a letter was found, of the first 64. */
bool fuzzy_match(const char *typed, const char *text, double *score, uint64_t *marks);

#endif
