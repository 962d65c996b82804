/* Runs commands and lines typed after `:`, with the work before and after every command.
 * Remembers what `.` repeats. */
#include "app/editor/session/session.h"

#include <stdio.h>
#include <string.h>

static void run_row(struct session *s, const struct command *c)
{
    const struct act_row *row = &ACT_ROWS[c->id];
    struct command with = *c;
    with.by = row->by;
    if (row->needs && !row->needs(s))
        return;
    if (row->plain)
        row->plain(s);
    else if (row->run)
        row->run(s, &with);
}

void act_toggle(struct session *s, bool *which, const char *on, const char *off)
{
    *which = !*which;
    session_say(s, "%s", *which ? on : off);
}

void act_call(struct session *s, enum command_id id)
{
    run_row(s, &(struct command){.id = id});
}

void act_run(struct session *s, const struct command *c)
{
    const unsigned flags = commands[c->id].flags,
                   open = s->open | (s->drag ? MOUSE : 0),
                   ends = (open & ~flags) | (flags & OF_TAKES);
    if (!c->id)
        return;
    s->open &= flags;
    if (s->view.mode != MODE_PROMPT && s->view.mode != MODE_PALETTE &&
        !(flags & (QUIET | MOUSE)))
        s->view.message.text[0] = '\0';
    EACH_PART (p)
        if ((*p)->ends_at & ends)
            (*p)->end(s);
    if (flags & REPEATS)
        s->repeated.command = *c;
    run_row(s, c);
    if (s->request.takes_went)
        session_say_more(s, "%sthe takes no longer fit",
                         *s->view.message.text ? "; " : "");
    s->request.takes_went = false;
    CALL_PARTS(acted, s);
}

/* Closes the innermost thing that is open. It never leaves the program. */
void act_escape(struct session *s)
{
    const struct editor_part *const *p = EDITOR_PARTS;
    s->view.message.text[0] = '\0';
    if (s->view.mode != session_mode_behind(s)) {
        session_close_mode(s);
        return;
    }
    while (*p)
        p++;
    while (p-- > EDITOR_PARTS)
        if ((*p)->escape && (*p)->escape(s))
            return;
}

const struct act_line_row *act_line_of(const char *line)
{
    size_t n = strcspn(line, " ");
    for (const struct act_line_row *r = ACT_LINES; r->word; r++)
        if (n && !strncmp(line, r->word, n) && !r->word[n])
            return r;
    return NULL;
}

const char *act_typed_after(const struct session *s, const char *word)
{
    const char *line = s->view.prompt.text + strspn(s->view.prompt.text, " :");
    size_t n = strlen(word);
    bool is_line = s->view.mode == MODE_PROMPT && s->view.prompt.kind == PROMPT_COMMAND;
    return is_line && !strncmp(line, word, n) && line[n] == ' ' ? line + n + 1 : NULL;
}

bool act_other_line(struct session *s, const char *word, const char *rest)
{
    EACH_PART (p)
        if ((*p)->other_line && (*p)->other_line(s, word, rest))
            return true;
    return false;
}

void act_command_line(struct session *s, const char *line)
{
    char word[24];
    line += strspn(line, " :");
    size_t n = strcspn(line, " ");
    const char *rest = line + n + strspn(line + n, " ");
    const struct act_line_row *row = act_line_of(line);
    snprintf(word, sizeof word, "%.*s", (int)n, line);
    if (row && row->flags & EDITS) {
        int used =
            snprintf(s->repeated.line, sizeof s->repeated.line, "%s %s", word, rest);
        bool fits = used > 0 && (size_t)used < sizeof s->repeated.line;
        s->repeated.command = (struct command){.id = fits ? CMD_SUBMIT : CMD_NONE};
    }
    if (row && row->flags & OF_A_TRACK && !need_track(s))
        return;
    if (row && row->run)
        row->run(s, rest);
    else if (row && row->plain)
        row->plain(s);
    else if (row && row->run_with)
        row->run_with(s, rest, row->by);
    else if (row && row->command)
        act_call(s, row->command);
    else if (*word && !act_other_line(s, word, rest))
        session_error(s, "no command :%s; ? lists them", word);
}

void act_open_command_line(struct session *s, const char *line)
{
    snprintf(s->view.prompt.preset, sizeof s->view.prompt.preset, "%s", line);
    act_call(s, CMD_COMMAND_LINE);
}

void act_repeat(struct session *s, const struct command *c)
{
    struct command again = s->repeated.command;
    if (again.id == CMD_NONE) {
        session_say(s, "nothing to repeat yet");
        return;
    }
    s->repeated.runs = true;
    if (again.id == CMD_SUBMIT) {
        char line[sizeof s->repeated.line];
        memcpy(line, s->repeated.line, sizeof line);
        act_command_line(s, line);
    } else {
        again.count = c->count > 0 ? c->count : again.count;
        again.reg = c->reg ? c->reg : again.reg;
        act_run(s, &again);
    }
    s->repeated.runs = false;
}

void act_no_key(struct session *s, const struct command *c)
{
    char name[64];
    session_say(s, "no key %s here; ? lists the keys", keys_name(c->keys, name));
}
