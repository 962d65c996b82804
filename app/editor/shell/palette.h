/* The palette is a list, to be searched, of all that the user can do now: commands of the mode in
 * which it was opened, lines typed after `:`, tracks, markers, recent files and models. It is
 * made when it is opened. UI thread only. */
#ifndef APP_PALETTE_H
#define APP_PALETTE_H

#include "app/editor/session/session.h"

struct palette_item {
    char text[100];    /* shown */
    const char *kind;  /* "track", "file", ..., or ""; shown at the right */
    char keys[36];     /* shown at the right */
    const char *also;  /* searched after the text; may be "" */
    const char *words; /* other words for it, searched if they are typed */
    /* It runs the command, unless that is CMD_NONE; else runs the line after `:` (owned), or types
     * the start of that line if it needs a value; else goes to the track or, if that is -1, to
     * the tick. */
    struct command command;
    char *line;
    bool needs_value;
    int track;
    int64_t tick;
    bool is_to_go; /* the item removes a model of the user's own */
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

#endif
