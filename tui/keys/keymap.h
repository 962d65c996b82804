/* The keys in force: the table of tui/keys/bindings.h, with what the user has changed of it.
 * Hints, help, the box of keys and the palette are made from it, as keys are looked up
 * in it, so that a changed key shows wherever the key is told.
 *
 * A mode has one command for a key. Where two keys are one binding (gg) the first of
 * them has none of its own. Plain data of the ui thread. */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "tui/keys/bindings.h"

struct keymap;

struct keymap *keymap_create(void);    /* as built in; NULL: out of memory */
void keymap_destroy(struct keymap *m); /* NULL is fine */

/* The rows, in the order of the table, and after the last a row of zeros. m NULL: as
 * built in. Valid until the keymap is changed. */
const struct binding *keymap_rows(const struct keymap *m, size_t *n);

/* What is told of a row in a mode: its help, or that of the row it is an alias of where
 * that does not work in the mode. NULL: nothing, it works not there or is told already.
 * The row lies in a table. */
const char *binding_help_in(const struct binding *b, enum mode mode);

/* What the key, or the two of them, would be taken from in one of these modes: the same
 * keys, or one that begins with the other. NULL: nothing. */
const struct binding *keymap_taken(const struct keymap *m, unsigned modes,
                                   const uint32_t keys[2]);

/* The mouse's, which cannot be given or taken. */
bool key_is_mouse(uint32_t code);

/* The modes in which the built-in table has a key for the command. */
unsigned keymap_modes_of(enum command_id id);

/* One more key for a command, in those of the modes that it works in; nothing else may
 * have it (keymap_taken). false: out of memory. */
bool keymap_add(struct keymap *m, unsigned modes, const uint32_t keys[2],
                enum command_id id);
/* Takes all keys but the mouse's from a command, or these keys from whatever has them. */
void keymap_clear(struct keymap *m, unsigned modes, enum command_id id);
void keymap_free_keys(struct keymap *m, unsigned modes, const uint32_t keys[2]);
/* Those it has in the built-in table are its own again, where nothing has them now. */
void keymap_restore(struct keymap *m, unsigned modes, enum command_id id);

#endif
