/* The palette: a list to search of all that the user can do now. It has the commands of
 * the mode it was opened in, lines typed after `:`, tracks and markers to go to, recent
 * files and the models. It is made when it is opened; the typed text orders it. UI thread. */
#ifndef APP_PALETTE_H
#define APP_PALETTE_H

#include "app/editor/session/session.h"

struct palette_item {
    char text[100];    /* the shown text, */
    const char *kind;  /* and at its right "track", "file", ..., or "", */
    char keys[36];     /* and keys */
    const char *also;  /* searched after the text; may be "" */
    const char *words; /* that people have for it, searched if they are typed */
    /* What it does: a command, unless that is CMD_NONE; or a line typed after `:` (owned), of which
     * only the beginning is typed where a value is missing; or else it goes to a track or, if
     * that is -1, to a tick. */
    struct command command;
    char *line;
    bool needs_value;
    int track;
    int64_t tick;
    bool is_to_go; /* the user's own model that Delete would remove */
};

struct palette {
    struct palette_item *items;
    size_t n_items, cap_items;
    char typed[sizeof((struct session *)0)->view.prompt.text]; /* what `found` is of */
    struct palette_line *found; /* as many as items, at most; the view points at them */
    size_t n_found;
    int count; /* typed before it was opened */
};

void palette_destroy(struct palette *p); /* NULL is fine */
/* Closes the palette and does the chosen line in the mode it was opened in. */
void palette_do_chosen(struct session *s);
/* Lists the commands of the session's mode. NULL: out of memory. */
struct palette *palette_create(const struct session *s);

/* The words of a line that stand before its argument: "tempo " of ":tempo 96". false:
 * it takes no argument. */
bool palette_line_start(const char *line, char *start, size_t n_start);

#endif
