/* The encoding of texts in MIDI files. No file names its encoding. It may be UTF-8,
 * UTF-16 with a byte order mark, Shift-JIS, GBK, Windows-1251, Windows-1252 (which
 * includes Latin-1), or another that libuchardet knows. Pure functions, any thread. */
#ifndef MIDI_TEXT_ENCODING_H
#define MIDI_TEXT_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool text_is_utf8(const uint8_t *text, size_t n);

/* Guesses the encoding of text that is not UTF-8; the more text, the better the guess.
 * Returns `name`, which iconv knows. If nothing speaks for another encoding, it is
 * Windows-1252, which shows a letter for most bytes. */
const char *text_encoding_guess(const uint8_t *text, size_t n, char name[32]);

/* Converts n bytes of text to UTF-8. `out` has `room` bytes, with the NUL at the end;
 * only whole characters are written. What cannot be converted becomes U+FFFD. A byte
 * order mark of UTF-16 overrides `from`. */
void text_to_utf8(char *out, size_t room, const uint8_t *text, size_t n,
                  const char *from);

#endif
