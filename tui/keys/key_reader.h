/* Turns bytes from the terminal into keys: UTF-8, escape sequences, SGR mouse reports,
 * bracketed paste, and the terminal's answers (background colour, OSC 11; has read so
 * far, DSR).
 *
 * Sequences follow ECMA-48 and xterm's ctlseqs. Escape before a character is two keys,
 * since nothing is bound to Alt. One owner. */
#ifndef TUI_KEY_READER_H
#define TUI_KEY_READER_H

#include "tui/keys/keys.h"

enum { KEY_READER_BYTES = 512 };

/* Zero-initialise. */
struct key_reader {
    uint8_t bytes[KEY_READER_BYTES];
    size_t n;
    bool pasting;
};

/* Takes bytes; returns how many fit: all, if keys are read in between. */
size_t key_reader_feed(struct key_reader *r, const void *bytes, size_t n);
/* The next complete key. `idle`: no more bytes come soon, so a lone ESC is the Escape
 * key and half a sequence is dropped. */
bool key_reader_next(struct key_reader *r, bool idle, struct key *out);

#endif
