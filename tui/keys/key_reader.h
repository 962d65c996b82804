/* Bytes from the terminal to keys: UTF-8, escape sequences, SGR mouse reports,
 * bracketed paste, and what the terminal answers: the colour of its background
 * (OSC 11), that it has read so far (DSR).
 *
 * Sequences as in ECMA-48 and xterm's ctlseqs. Escape followed by a character is
 * two keys: nothing is bound to Alt, and fast typists mean two. One owner. */
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

/* Takes bytes; returns how many fitted: all, when drained in between. */
size_t key_reader_feed(struct key_reader *r, const void *bytes, size_t n);
/* The next whole key. `idle`: no more bytes are coming soon, so a lone ESC is
 * the Escape key and half a sequence is dropped. */
bool key_reader_next(struct key_reader *r, bool idle, struct key *out);

#endif
