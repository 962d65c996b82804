/* Escape: the innermost thing that is open is left. It never leaves the program. */
#include "app/editor/edit/lane.h"
#include "app/editor/edit/find.h"
#include "app/editor/edit/mouse.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/perform/answer.h"
#include "app/editor/session/session.h"
#include "app/editor/shell/tutor.h"

static void act_escape(struct session *s, const struct command *c)
{
    (void)c;
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
    else if (tutor_at_end(s) && !s->n_selected && s->mode == MODE_NORMAL)
        tutor_stop(s);
    else
        session_clear_selection(s);
    find_hide(s);
    s->message[0] = '\0';
}

static const struct act_row COMMANDS[] = {
    {CMD_ESCAPE, act_escape},
    {0},
};

const struct editor_part ESCAPE_PART = {.commands = COMMANDS};
