/* The name of each command: in the configuration file ("normal.note = Enter"), in the
 * palette, and with spaces for dashes in the box of keys (tui/panels/which_key.h).
 *
 * A command without a name cannot be bound to another key: mouse commands, typed text,
 * and keys with a meaning of their own, like the digits of takes. */
#ifndef TUI_COMMAND_NAMES_H
#define TUI_COMMAND_NAMES_H

#include "tui/keys/command.h"

/* "" for a command without one. */
const char *command_name(enum command_id id);
/* CMD_NONE: no command has this name. */
enum command_id command_find(const char *name);

#endif
