/* Escape closes the innermost thing that is open. It never leaves the program. */
#include "app/editor/edit/lane.h"
#include "app/editor/edit/find.h"
#include "app/editor/edit/mouse.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/perform/answer.h"
#include "app/editor/shell/tutor.h"

static void act_escape(struct session *s)
{
    if (s->drag)
        mouse_cancel(s);
    else if (lane_escape(s) || inspect_escape(s))
        return;
    else if (s->mode == MODE_HELP || s->mode == MODE_PROMPT || s->mode == MODE_PALETTE)
        s->mode = s->mode_before;
    else if (s->mode == MODE_DRAW || s->mode == MODE_TAKES)
        s->mode = MODE_NORMAL;
    else if (s->mode == MODE_NORMAL && answer_stop(s))
        return;
    else if (tutor_at_end(s) && !s->selection.n && s->mode == MODE_NORMAL)
        tutor_stop(s);
    else
        session_clear_selection(s);
    find_hide(s);
    s->message.text[0] = '\0';
}

const struct editor_part ESCAPE_PART = {
    ON_COMMANDS({{CMD_ESCAPE}, .plain = act_escape}),
};
