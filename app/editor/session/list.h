/* The framed lists: one set of keys, clicks and scrolling for all (list.c). A part that has a
 * list describes it once, here; how its lines look is tui/panels/lists.c. A list's state is
 * session.view.lists; it is brought up to date before each command and each frame. UI thread
 * only. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include "app/editor/session/session.h"
#include "tui/paint/list.h"

struct list_owner {
    enum list_id id;
    enum mode mode;        /* in which the list has the keys */
    enum command_id enter; /* what a press on the chosen line does; CMD_NONE: nothing */
    enum command_id close; /* what a press beside the list does */
    bool is_menu;          /* a press on any line does the same as on the chosen one */
    bool is_ring;          /* a key past an end goes to the other end */

    bool (*is_open)(
        const struct session *s); /* NULL: in `mode`, also behind a prompt */
    /* Sets how many lines there are, and which is chosen, if that is not the list's own. */
    void (*fill)(struct session *s, struct list_view *l);
    void (*choose)(struct session *s, int line); /* NULL: that is the list's own */
    /* A press in a line (c->by 0), or a turn of the wheel there (above 0: down). Line -1:
     * beside the list. false: nothing of its own is there. NULL: nothing ever is. */
    bool (*touch)(struct session *s, const struct list_box *b, int line,
                  const struct command *c);
};

/* Opens a list's mode, and lets go of what the mouse holds; or closes it. Returns whether it is
 * open now. */
bool list_toggle(struct session *s, enum mode mode);
/* Whether a list is open now; session.view.lists has it of the last update. */
bool list_is_open(const struct session *s, enum list_id id);
/* Sets how many lines the list has, which one is chosen, and how far it is scrolled; returns
 * where it is. */
struct list_box list_update(struct session *s, const struct list_owner *o);
/* The same for all lists, before a frame. */
void list_update_all(struct session *s);
/* So many lines on from the chosen one. */
void list_step(struct session *s, const struct list_owner *o, int by);
/* A press of the mouse, or a turn of its wheel; false: it is beside the list. */
bool list_press(struct session *s, const struct list_owner *o, const struct command *c);

#endif
