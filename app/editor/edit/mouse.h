/* The state of a mouse drag. The score changes only when the button is released, in one
 * change; until then frames show what it would do. */
#ifndef APP_MOUSE_H
#define APP_MOUSE_H

#include "tui/cells/cells.h"
#include "tui/view/view.h"

struct target; /* app/editor/session/edit.h */

struct mouse {
    int64_t tick; /* grid line before the press, and its pitch */
    int pitch;
    int column, row; /* the last cell of the mouse */
    bool has_moved;  /* to another grid line or pitch since the press */

    struct note taken;    /* the note under the press; id 0: none */
    bool was_chosen;      /* that note was selected before */
    bool adds, copies;    /* Ctrl or Shift, and Ctrl, were held */
    struct viewport port; /* DRAG_PAN: the viewport at the press */
    /* DRAG_PAN: cell of the press; others: last reported cell */
    int pan_column, pan_row;

    struct target *held; /* [n_held] the notes, as they are in the score */
    size_t n_held;
    /* [n_drafts] the new notes; at most the held ones and one more. */
    struct ghost *drafts;
    size_t n_drafts;
    uint64_t *going; /* ascending: ids of notes that move away or are erased */
    size_t n_going, cap_going;

    int16_t stroke[CELLS_MAX];     /* as view.lane.stroke */
    int stroke_first, stroke_last; /* screen columns that the stroke has passed */
    int stroke_value;              /* value at the last of them */
    int sounding;                  /* the pitch that sounded last; -1: none */
    int64_t scrolled_ms; /* time of the last scrolling past the edge, monotonic */
};
#endif
