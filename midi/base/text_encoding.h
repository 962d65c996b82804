/* Texts of MIDI files, whose encoding no file names: UTF-8, UTF-16 with a mark, or one of
 * the old ones: Shift-JIS, GBK, Windows-1251 and 1252 (Latin-1 is part of it), and what
 * libuchardet knows. Pure functions, any thread. */
#ifndef MIDI_TEXT_ENCODING_H
#define MIDI_TEXT_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool text_is_utf8(const uint8_t *text, size_t n);

/* Guesses the encoding of texts that are not UTF-8; longer text makes it surer. Returns a name
 * that iconv knows; never NULL: if nothing speaks for another, Windows-1252, which shows
 * letters for most bytes. */
const char *text_encoding_guess(const uint8_t *text, size_t n, char name[32]);

/* Converts to UTF-8, at most `room` bytes with the NUL at the end, whole characters only. What
 * cannot be converted becomes U+FFFD. A mark of UTF-16 counts before `from`. */
void text_to_utf8(char *out, size_t room, const uint8_t *text, size_t n,
                  const char *from);

#endif
