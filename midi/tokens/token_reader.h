/* Reading score tokens into pieces, which the parser checks; what tokens.c and fill.c
 * have in common. */
#ifndef MIDI_TOKEN_READER_H
#define MIDI_TOKEN_READER_H

#include "midi/tokens/parser.h"

/* Empty, with room for what so many tokens can hold. */
enum midi_status token_reader_init(struct piece *p, size_t n);
/* A whole sequence, or one that is open between notes. inside: of the notes of a
 * hole, NULL: there is to be none. `at` is where it ends. */
enum midi_status token_reader_read(struct parser *at, struct piece *p,
                                   struct piece *inside, const int32_t *ids, size_t n);

#endif
