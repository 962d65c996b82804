/* The search that is on: what was sought last, what of it is on the screen, and where it
 * was begun while it is still being typed. A part of struct session. */
#ifndef APP_FIND_H
#define APP_FIND_H

#include "app/editor/edit/find_query.h"
#include "tui/view/view.h"

enum { FIND_MOST_BOXES = 512 };

struct find {
    struct find_query query; /* FIND_NOTHING: none is on */
    bool is_shown;           /* on the roll, until Escape */
    bool is_typing;          /* at the prompt, and where that was opened: */
    int64_t from_tick;
    int from_pitch, from_track;
    struct viewport from_port;
    size_t hit;                        /* of a text: which of what was found is shown */
    struct box boxes[FIND_MOST_BOXES]; /* for the view */
};

struct session;
/* What was found is shown no more. */
void find_hide(struct session *s);

#endif
