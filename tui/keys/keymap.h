/* The keys in force: the built-in table (tui/keys/bindings.h) with the user's changes. A row
 * whose key is taken away stays, in no mode, and so help and hints stay in their order.
 * Keys are looked up in it, and hints, help, the box of keys and the palette are made
 * from it, so that they show changed keys. It ends with a row of zeros.
 *
 * In a mode a key has one command. The first key of a binding of two (gg) has none of
 * its own. Plain data of the UI thread. */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "tui/keys/bindings.h"

/* A copy of the built-in table, for the caller to free. NULL: out of memory. */
struct binding *keymap_create(void);

/* The rows in force of a keymap; m NULL: as built in. */
static inline const struct binding *keymap_rows(const struct binding *m)
{
    return m ? m : bindings;
}

/* The row that has the help of `b` in these modes (IN(MODE_...) | ...): `b` itself, or
 * the row of which it is an alias. NULL: `b` is not in these modes, or is not the first
 * of its command's rows that is. `b` must lie in a table. */
const struct binding *binding_about(const struct binding *b, unsigned modes);

/* The binding that has this key, or two keys, in one of these modes: the same keys, or
 * one that begins with the other. NULL: none. */
const struct binding *keymap_taken(const struct binding *m, unsigned modes,
                                   const uint32_t keys[2]);

/* Mouse events cannot be bound or freed. */
static inline bool key_is_mouse(uint32_t code)
{
    return (code & ~K_MODIFIERS) >= K_PRESS;
}

/* The modes in which the built-in table binds the command. */
unsigned keymap_modes_of(enum command_id id);

/* Adds a key to a command in those of the modes where it works. The key must be free
 * (keymap_taken). The table may move. false: out of memory. */
bool keymap_add(struct binding **m, unsigned modes, const uint32_t keys[2],
                enum command_id id);
/* Removes all keys but the mouse's from a command; or frees these keys. */
void keymap_clear(struct binding *m, unsigned modes, enum command_id id);
void keymap_free_keys(struct binding *m, unsigned modes, const uint32_t keys[2]);
/* Restores the command's built-in keys, except those taken now. */
void keymap_restore(struct binding **m, unsigned modes, enum command_id id);

#endif
