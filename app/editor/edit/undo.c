/* Repeat, undo and redo. */
#include "app/editor/perform/history_go.h"
#include "app/editor/session/scroll.h"

#include <string.h>

static void act_repeat(struct session *s, const struct command *c)
{
    struct command again = s->repeated.command;
    if (again.id == CMD_NONE) {
        session_say(s, "nothing to repeat yet");
        return;
    }
    if (again.id == CMD_SUBMIT) {
        char line[sizeof s->repeated.line];
        memcpy(line, s->repeated.line, sizeof line);
        act_command_line(s, line);
        return;
    }
    if (c->count > 0)
        again.count = c->count;
    if (c->reg)
        again.reg = c->reg;
    act_run(s, &again);
}

/* What led away from the present state, on the way to `from`; NULL: nothing did. */
static const struct change *change_after(const struct history *h, uint64_t from)
{
    uint64_t present = history_state(h), at = from;
    while (at > present && history_at(h, at)->parent != present)
        at = history_at(h, at)->parent;
    return at > present ? history_at(h, at)->change : NULL;
}

static void act_undo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    const struct history *h = s->project.history;
    uint64_t from = history_state(h);
    bool is_back = c->id == CMD_UNDO;
    int done = (is_back ? project_back : project_forward)(&s->project, command_times(c),
                                                          &label);
    if (!history_arrive(s, from))
        return;
    if (done)
        scroll_to_change(s, is_back ? change_after(h, from)
                                    : history_at(h, history_state(h))->change);
    if (done)
        session_say(s, "%s: %s", is_back ? "undone" : "done again", label ? label : "");
    else
        session_say(s, "nothing to %s", is_back ? "undo" : "redo");
}

const struct editor_part UNDO_PART = {
    ON_COMMANDS({{CMD_REPEAT}, .run = act_repeat},
                {{CMD_UNDO, CMD_REDO}, .run = act_undo}),
};
