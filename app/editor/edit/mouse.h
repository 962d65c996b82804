/* The state of a mouse drag. The score changes only when the button is released, in one
 * change; until then frames show what it would do. */
#ifndef APP_MOUSE_H
#define APP_MOUSE_H

#include "app/editor/session/session.h"
#include "tui/cells/cells.h"
#include "tui/view/view.h"

struct target; /* app/editor/session/edit.h */

struct mouse {
    int64_t tick; /* where it was pressed: the grid line before, and the pitch */
    int pitch;
    int column, row; /* the cell it was in last */
    bool has_moved;  /* since the button went down, to another grid line or pitch */

    struct note taken;       /* the note it was taken at; id 0: none */
    bool was_chosen;         /* that note was selected before */
    bool adds, copies;       /* Ctrl or Shift, and Ctrl, were held */
    struct viewport port;    /* DRAG_PAN: as it was, */
    int pan_column, pan_row; /* and where it was pressed; other drags: reported last */

    struct target *held; /* [n_held] the notes, as they are in the score */
    size_t n_held;
    /* [n_drafts] the new notes; at most the held ones and one more. */
    struct ghost *drafts;
    size_t n_drafts;
    uint64_t *going; /* ascending: ids of notes that move away or are erased */
    size_t n_going, cap_going;

    int16_t stroke[CELLS_MAX];     /* as view.stroke, */
    int stroke_first, stroke_last; /* the screen columns it passed over, */
    int stroke_value;              /* and the value at the last of them */
    int sounding;        /* DRAG_KEYS: the pitch that sounded last; -1: none */
    int64_t scrolled_ms; /* when a drag past the edge last scrolled, monotonic */
};
#endif
