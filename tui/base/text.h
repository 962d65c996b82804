/* Text from files, made safe for a terminal and measured in columns.
 *
 * Controls, escapes, bidirectional overrides, invalid UTF-8, surrogates and
 * private-use code points come out as U+FFFD; widths are our own table, so
 * that they do not depend on the locale. Pure functions. */
#ifndef TUI_TEXT_H
#define TUI_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_REPLACEMENT 0xFFFDu

/* The next code point, safe to print; advances *text. 0 at the end. */
uint32_t text_next(const char **text);
/* 0 combining, 1, or 2 columns. */
int text_width(uint32_t code);
/* Of the whole string. */
int text_columns(const char *text);
/* Appends UTF-8, at most 4 bytes; returns how many. */
size_t text_encode(uint32_t code, char out[4]);
/* Decodes one code point of n bytes, unsanitised: bytes used, 0 when more are
 * needed; invalid bytes give TEXT_REPLACEMENT and 1. */
size_t text_decode(const char *bytes, size_t n, uint32_t *code);

#endif
