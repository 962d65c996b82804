/* The search: the last query, its hits on the screen, and where the view and the cursor
 * were when typing it began. A part of struct session. */
#ifndef APP_FIND_H
#define APP_FIND_H

#include "app/editor/edit/find_query.h"
#include "app/editor/session/session.h"

enum { FIND_MOST_BOXES = 512 };

struct find {
    struct find_query query; /* FIND_NOTHING: none is on */
    bool is_shown;           /* on the roll, until Escape */
    bool is_typing;          /* at the prompt; opened with the cursor and view here: */
    struct roll_point from;
    int from_track;
    struct viewport from_port;
    size_t hit;                        /* of a text: which of the hits is shown */
    struct box boxes[FIND_MOST_BOXES]; /* for the view */
};

/* Stops showing the hits. */
void find_hide(struct session *s);

#endif
