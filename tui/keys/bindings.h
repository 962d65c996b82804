/* The one table of keys, from tui/keys/commands.h. Hints, `?` help, the manual page and the
 * test for duplicate keys are made from it.
 *
 * A count may precede any key, except where the digit is a key itself. Some bindings
 * are two keys (gg, ZZ, zi). */
#ifndef TUI_BINDINGS_H
#define TUI_BINDINGS_H

#include "tui/keys/command.h"
#include "tui/keys/keys.h"

#define IN(mode) (1u << (mode))

/* Every group and its title, in the order of the help. */
#define BINDING_GROUPS(X)                                                              \
    X(GROUP_MACHINE, "The machine")                                                    \
    X(GROUP_TAKES, "Takes")                                                            \
    X(GROUP_STEER, "Steering it")                                                      \
    X(GROUP_INSPECT, "The inspector")                                                  \
    X(GROUP_TRANSPORT, "Sound")                                                        \
    X(GROUP_KEYBOARD, "A keyboard")                                                    \
    X(GROUP_MOVE, "Moving")                                                            \
    X(GROUP_STRUCTURE, "Structure")                                                    \
    X(GROUP_EDIT, "Editing")                                                           \
    X(GROUP_SELECT, "Choosing notes")                                                  \
    X(GROUP_LANE, "The lane")                                                          \
    X(GROUP_TRACKS, "Tracks")                                                          \
    X(GROUP_LISTS, "Lists")                                                            \
    X(GROUP_VIEW, "View")                                                              \
    X(GROUP_MOUSE, "Mouse")                                                            \
    X(GROUP_FILES, "Files and program")                                                \
    X(GROUP_HELP, "Finding one's way")                                                 \
    X(GROUP_TYPING, "Typing")

enum binding_group { BINDING_GROUPS(NAMED_ID) GROUP_COUNT };

struct binding {
    unsigned modes;   /* IN(MODE_...) | ... */
    uint32_t keys[2]; /* second: 0 for a binding of one key */
    enum command_id id;
    enum binding_group group;
    const char *hint;    /* a word or two on its key for the hints line, or NULL */
    unsigned hint_modes; /* modes that show the hint */
    const char *help;    /* one line; NULL: an alias of the row before */
};

/* A line typed after `:`, as the help shows it; app/ understands it. */
struct typed_line {
    const char *line, *help;
};

/* The built-in table and a row of zeros after it. The keys in force are
 * tui/keys/keymap.h's. */
extern const struct binding bindings[];
extern const size_t n_bindings;
extern const struct typed_line typed_lines[];
extern const size_t n_typed_lines;

const char *binding_group_name(enum binding_group group);
/* keys_name of a row, with the aliases that are the digits after it in the same modes: "1-8".
 * Returns buf. */
const char *binding_keys_range(const struct binding *b, char buf[KEYS_NAME_BYTES]);

#endif
