/* Makes text from files safe for a terminal and measures it in columns.
 *
 * Controls, escapes, bidirectional overrides, invalid UTF-8, surrogates, private-use and
 * unassigned code points become U+FFFD. The locale changes nothing. Pure functions. */
#ifndef TUI_TEXT_H
#define TUI_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_REPLACEMENT 0xFFFDu

/* The next code point, safe to print; advances *text. 0 at the end. */
uint32_t text_next(const char **text);
/* 0 for combining marks, else 1 or 2 columns. */
int text_width(uint32_t code);
/* Columns of the whole string. */
int text_columns(const char *text);
/* Writes the code point as UTF-8; returns the bytes written, 4 at most. */
size_t text_encode(uint32_t code, char out[4]);
/* Decodes one code point of n bytes without making it safe. Returns the bytes used; 0:
 * more bytes are needed. Invalid bytes give TEXT_REPLACEMENT and 1. */
size_t text_decode(const char *bytes, size_t n, uint32_t *code);

#endif
