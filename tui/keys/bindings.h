/* The one table of keys.
 *
 * Hints, `?` help, the manual page and the duplicate test are made from the
 * table. Counts come before any key, but where a digit is a key of its own; some keys
 * are two (gg, ZZ, zi). */
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
                     GROUP_WAY,
                     GROUP_TYPING,
                     GROUP_COUNT,
};

struct binding {
    unsigned modes;   /* IN(MODE_...) | ... */
    uint32_t keys[2]; /* the second 0 for one-key bindings */
    enum command_id id;
    bool takes_count;
    enum binding_group group;
    const char *hint;    /* a word or two for the hints line, or NULL */
    unsigned hint_modes; /* where the hint is shown; 0: every mode it works in */
    const char *help;    /* a line; NULL: an alias of the row before it */
};

/* A line typed after `:`; shown in the help, understood by app/. */
struct typed_line {
    const char *line, *help;
};

/* As built in, and after the last a row of zeros; what is in force is tui/keys/keymap.h's. */
extern const struct binding bindings[];
extern const size_t n_bindings;
extern const struct typed_line typed_lines[];
extern const size_t n_typed_lines;

const char *binding_group_name(enum binding_group group);
/* "gg", "Ctrl-R"; buf holds at least 64 bytes; returns buf. */
const char *binding_keys(const struct binding *b, char buf[64]);
/* The same with its aliases, when those are the digits that follow: "1-8". */
const char *binding_keys_range(const struct binding *b, char buf[64]);
const char *mode_name(enum mode mode); /* "NORMAL" */

#endif
