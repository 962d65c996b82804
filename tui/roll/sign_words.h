/* Signs (midi/edit/signs.h) as they are written on the ruler and in the list of them. Pure
 * functions. */
#ifndef TUI_SIGN_WORDS_H
#define TUI_SIGN_WORDS_H

#include "midi/edit/signs.h"

enum { SIGN_WORDS_BYTES = 160 };

/* "3/4", "♩=96", "B minor", or what a marker says: text from the file, as it is there and
 * to be made safe (tui/base/text.h). buf is returned. */
const char *sign_words(const struct score *s, const struct sign *g,
                       char buf[SIGN_WORDS_BYTES]);
const char *sign_kind_name(enum sign_kind kind); /* "tempo" */

#endif
