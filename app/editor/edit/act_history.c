/* Doing again, undoing, and what else concerns a whole track. */
#include "app/editor/perform/history_go.h"
#include "app/editor/session/session.h"
#include "app/editor/session/sight.h"

#include <string.h>

static void act_repeat(struct session *s, const struct command *c)
{
    struct command again = s->last_edit;
    if (again.id == CMD_NONE) {
        session_say(s, "nothing to repeat yet");
        return;
    }
    if (again.id == CMD_SUBMIT) {
        char line[sizeof s->last_line];
        memcpy(line, s->last_line, sizeof line);
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
    while (at > present && history_parent(h, at) != present)
        at = history_parent(h, at);
    return at > present ? history_change(h, at) : NULL;
}

static void act_undo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    const struct history *h = s->project.history;
    uint64_t from = history_state(h);
    int done = project_back(&s->project, command_times(c), &label);
    if (!history_arrive(s, from))
        return;
    sight_show_change(s, change_after(h, from));
    if (done)
        session_say(s, "undone: %s", label ? label : "");
    else
        session_say(s, "nothing to undo");
}

static void act_redo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    const struct history *h = s->project.history;
    uint64_t from = history_state(h);
    int done = project_forward(&s->project, command_times(c), &label);
    if (!history_arrive(s, from))
        return;
    if (done)
        sight_show_change(s, history_change(h, history_state(h)));
    if (done)
        session_say(s, "done again: %s", label ? label : "");
    else
        session_say(s, "nothing to redo");
}

static bool has_track(struct session *s)
{
    bool has = session_track(s) != NULL;
    if (!has)
        session_say(s, "this score has no tracks; A adds one");
    return has;
}

static void act_mute(struct session *s, const struct command *c)
{
    (void)c;
    if (!has_track(s))
        return;
    struct track *t = &s->project.score->tracks[s->track];
    t->mute = !t->mute;
    s->sound_changed = true;
    session_say(s, "track %d %s", s->track + 1, t->mute ? "muted" : "heard again");
}

static void act_solo(struct session *s, const struct command *c)
{
    (void)c;
    if (!has_track(s))
        return;
    struct track *t = &s->project.score->tracks[s->track];
    t->solo = !t->solo;
    s->sound_changed = true;
    session_say(s, "track %d %s", s->track + 1, t->solo ? "alone" : "with the others");
}

static const struct act_row COMMANDS[] = {
    {CMD_REPEAT, act_repeat}, {CMD_UNDO, act_undo}, {CMD_REDO, act_redo},
    {CMD_MUTE, act_mute},     {CMD_SOLO, act_solo}, {0},
};

const struct editor_part HISTORY_PART = {.commands = COMMANDS};
