/* The palette: everything that can be done from where one is, as lines to search.
 * Commands of the mode it was opened in, lines typed after `:`, tracks and markers to go
 * to, files opened lately. One list, made when it is opened; what is typed
 * (session.input) orders it.
 *
 * Owned by the session's ways; ui thread. */
#ifndef APP_PALETTE_H
#define APP_PALETTE_H

#include "app/editor/session/session.h"
#include "tui/panels/palette.h"

enum palette_kind {
    PALETTE_COMMAND,
    PALETTE_LINE, /* typed after `:` */
    PALETTE_TRACK,
    PALETTE_MARKER,
    PALETTE_FILE,
};

struct palette_item {
    enum palette_kind kind;
    char text[100];         /* what is shown, */
    char keys[36];          /* and at its right */
    const char *also;       /* searched after the text; may be "" */
    struct command command; /* or */
    const char *line;       /* as in typed_lines, or */
    int track;              /* or */
    int64_t tick;           /* or */
    char *path;             /* the item's own */
};

struct palette {
    struct palette_item *items;
    size_t n_items, cap_items;
    char typed[sizeof((struct session *)0)->input]; /* what `found` is of */
    struct palette_found {
        size_t item;
        double score;
        uint64_t marks;
    } * found; /* as many as items, at most */
    size_t n_found;
    size_t chosen; /* index into found */
    int count;     /* typed before it was opened */

    struct palette_line lines[PALETTE_MOST_LINES]; /* what the view points at */
    struct palette_view view;
};

void palette_destroy(struct palette *p); /* NULL is fine */
/* Does the chosen line in the mode it was opened in, and closes. */
void palette_do_chosen(struct session *s);
/* Orders the list by what is typed, the best chosen; again: only if that is new. */
void palette_search(struct palette *p, const char *typed);
void palette_search_again(struct palette *p, const char *typed);
/* What there is to do in the mode the session is in. NULL: out of memory. */
struct palette *palette_create(const struct session *s);

/* The words of a typed line that are to be typed first: "tempo " of ":tempo 96". false:
 * it is whole by itself. */
bool palette_line_start(const char *line, char *start, size_t n_start);

#endif
