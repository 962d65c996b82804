/* What is typed at the foot: prompts, and where their text goes. */
#include "app/editor/edit/instrument.h"
#include "app/editor/shell/input.h"
#include "app/editor/shell/palette.h"
#include "app/editor/session/session.h"
#include "app/document/state.h"

#include <stdio.h>
#include <string.h>

static void act_help(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_HELP) {
        s->mode = s->mode_before;
        return;
    }
    s->mode_before = s->mode;
    s->mode = MODE_HELP;
    s->help_scroll = 0;
    s->help_all = false;
}

static void act_help_all(struct session *s, const struct command *c)
{
    (void)c;
    s->help_all = !s->help_all;
    s->help_scroll = 0;
}

/* The first row that is opened by that command; or that is of that kind. */
static const struct prompt_row *find_prompt(enum command_id opened_by, enum prompt kind)
{
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        for (const struct prompt_row *r = (*p)->prompts; r && r->take; r++)
            if (opened_by ? r->opened_by == opened_by : r->prompt == kind)
                return r;
    return NULL;
}

/* Label and text are made before the mode changes, which they may depend on. */
static void open_prompt(struct session *s, const struct prompt_row *r, const char *line)
{
    char text[sizeof s->input] = "";
    if (r->make_label)
        r->make_label(s, s->prompt_label, sizeof s->prompt_label);
    else
        snprintf(s->prompt_label, sizeof s->prompt_label, "%s", r->label);
    if (r->begin && !line)
        line = r->begin(s, text, sizeof text);
    input_begin(s);
    s->mode_before = s->mode;
    s->mode = MODE_PROMPT;
    s->prompt = r->prompt;
    snprintf(s->input, sizeof s->input, "%s", line ? line : "");
    s->n_input = strlen(s->input);
}

/* The command line may begin with text, which other parts put there. */
static void act_prompt(struct session *s, const struct command *c)
{
    const struct prompt_row *r = find_prompt(c->id, PROMPT_COMMAND);
    open_prompt(s, r, *s->input_preset ? s->input_preset : NULL);
    if (*s->input_preset)
        instrument_typed(s);
    s->input_preset[0] = '\0';
}

static void act_submit(struct session *s, const struct command *c)
{
    (void)c;
    char line[sizeof s->input];
    if (s->mode == MODE_PALETTE) {
        palette_do_chosen(s);
        return;
    }
    memcpy(line, s->input, sizeof line);
    s->mode = s->mode_before;
    input_remember(s->parts.input, s->prompt, line);
    if (s->remembers_files && *line && s->project.keep.writer)
        line_remember(s->project.keep.writer, s->prompt, line);
    s->message[0] = '\0';
    find_prompt(CMD_NONE, s->prompt)->take(s, line);
}

static void line_help(struct session *s, const char *rest)
{
    (void)rest;
    act_help(s, &(struct command){.id = CMD_HELP});
}

static void act_redraw(struct session *s, const struct command *c)
{
    (void)c;
    s->redraw = true;
}

static void view_prompt(struct session *s, struct view *v)
{
    v->prompt.label = s->prompt_label;
    v->prompt.input = s->input;
    v->prompt.after = s->input_after;
    v->help.scroll = s->help_scroll;
    v->help.mode = s->mode_before;
    v->help.all = s->help_all;
}

static const struct prompt_row PROMPTS[] = {
    {PROMPT_COMMAND, CMD_COMMAND_LINE, ":", NULL, NULL, act_command_line},
    {0},
};

static const struct act_row COMMANDS[] = {
    {CMD_SCALE, act_prompt},
    {CMD_QUANTISE_ASK, act_prompt},
    {CMD_TEMPO, act_prompt},
    {CMD_MARKER, act_prompt},
    {CMD_FIND, act_prompt},
    {CMD_MAP_EDIT, act_prompt},
    {CMD_MAP_ADD, act_prompt},
    {CMD_SAVE_AS, act_prompt},
    {CMD_OPEN, act_prompt},
    {CMD_COMMAND_LINE, act_prompt},
    {CMD_HELP, act_help},
    {CMD_SUBMIT, act_submit},
    {CMD_HELP_ALL, act_help_all},
    {CMD_REDRAW, act_redraw},
    {0},
};

static const struct act_line_row LINES[] = {
    {"help", line_help},
    {0},
};

const struct editor_part PROMPT_PART = {
    .commands = COMMANDS, .lines = LINES, .view = view_prompt, .prompts = PROMPTS};
