/* The framed lists share keys, clicks and scrolling (list.c). A part that has a list describes
 * it with struct list_owner; tui/panels/lists.c paints its lines. The state of a list is in
 * session.view.lists and is updated before each command and each frame. UI thread only. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include "app/editor/session/session.h"
#include "tui/paint/list.h"

struct list_owner {
    enum list_id id;
    enum mode mode;        /* in this mode the list has the keys */
    enum command_id enter; /* what a press on the chosen line does; CMD_NONE: nothing */
    enum command_id close; /* what a press beside the list does */
    bool is_menu;          /* a press on any line does the same as on the chosen one */
    bool is_ring;          /* a key past an end goes to the other end */

    /* NULL: the list is open in `mode`, also behind a prompt. */
    bool (*is_open)(const struct session *s);
    /* Sets the number of lines. If `choose` is not NULL, also sets the chosen line. */
    void (*fill)(struct session *s, struct list_view *l);
    void (*choose)(struct session *s, int line); /* NULL: the list keeps it */
    /* Handles a press on a line (c->by 0) or a turn of the wheel there (above 0: down). Line -1:
     * beside the list. false: the list handles it. May be NULL. */
    bool (*touch)(struct session *s, const struct list_box *b, int line,
                  const struct command *c);
};

/* Opens a list's mode and ends a drag, or closes the mode. Returns whether it is open now. */
bool list_toggle(struct session *s, enum mode mode);
/* Whether a list is open now; session.view.lists has it of the last update. */
bool list_is_open(const struct session *s, enum list_id id);
/* Sets how many lines the list has, which one is chosen, and how far it is scrolled; returns
 * where it is. */
struct list_box list_update(struct session *s, const struct list_owner *o);
/* The same for all lists, before a frame. */
void list_update_all(struct session *s);
/* Chooses the line that is `by` lines further. */
void list_step(struct session *s, const struct list_owner *o, int by);
/* Handles a press of the mouse, or a turn of its wheel. false: it is beside the list. */
bool list_press(struct session *s, const struct list_owner *o, const struct command *c);

#endif
