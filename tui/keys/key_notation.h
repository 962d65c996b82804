/* Keys as the configuration file and `:map` write them: "x", "g g" or "gg", "C-p",
 * "S-Left", "Space", "Enter", "F1". What key_notation writes key_parse reads. */
#ifndef TUI_KEY_NOTATION_H
#define TUI_KEY_NOTATION_H

#include "tui/keys/keys.h"

enum { KEY_NOTATION_BYTES = 48 };

/* One key, or two in a row; keys[1] is 0 for one. false: not a key that a terminal
 * sends. */
bool key_parse(const char *text, uint32_t keys[2]);
const char *key_notation(const uint32_t keys[2], char buf[KEY_NOTATION_BYTES]);

#endif
