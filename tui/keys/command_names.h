/* The word each command goes by: in the configuration file ("normal.note = Enter"), in
 * the palette, and, its dashes as spaces, in the box of keys (tui/panels/which_key.h).
 *
 * A command that has none cannot be given another key: the mouse, the text that is
 * typed, and keys that mean what they are, like the digits of the takes. */
#ifndef TUI_COMMAND_NAMES_H
#define TUI_COMMAND_NAMES_H

#include "tui/keys/command.h"

/* "" for a command without one. */
const char *command_name(enum command_id id);
/* CMD_NONE: no command is called that. */
enum command_id command_find(const char *name);

#endif
