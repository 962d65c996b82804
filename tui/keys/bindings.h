/* The one table of keys. Hints, `?` help, the manual page and the test for duplicate
 * keys are made from it.
 *
 * A count may precede any key, except where the digit is a key itself. Some bindings
 * are two keys (gg, ZZ, zi). */
#ifndef TUI_BINDINGS_H
#define TUI_BINDINGS_H

#include "tui/keys/command.h"
#include "tui/keys/keys.h"

#define IN(mode) (1u << (mode))

enum binding_group { /* in the order of the help */
                     GROUP_MACHINE,
                     GROUP_TAKES,
                     GROUP_STEER,
                     GROUP_INSPECT,
                     GROUP_TRANSPORT,
                     GROUP_KEYBOARD,
                     GROUP_MOVE,
                     GROUP_STRUCTURE,
                     GROUP_EDIT,
                     GROUP_SELECT,
                     GROUP_LANE,
                     GROUP_TRACKS,
                     GROUP_VIEW,
                     GROUP_MOUSE,
                     GROUP_FILES,
                     GROUP_HELP,
                     GROUP_TYPING,
                     GROUP_COUNT,
};

struct binding {
    unsigned modes;   /* IN(MODE_...) | ... */
    uint32_t keys[2]; /* second: 0 for a binding of one key */
    enum command_id id;
    bool takes_count;
    enum binding_group group;
    const char *hint;    /* a word or two for the hints line, or NULL */
    unsigned hint_modes; /* modes that show the hint; 0: all of `modes` */
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
/* "gg", "Ctrl-R"; buf holds at least 64 bytes; returns buf. */
const char *binding_keys(const struct binding *b, char buf[64]);
/* The same with the aliases that are the digits after it: "1-8". */
const char *binding_keys_range(const struct binding *b, char buf[64]);
const char *mode_name(enum mode mode); /* "NORMAL" */

#endif
