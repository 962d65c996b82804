/* What is typed at the foot: prompts, and where their text goes. */
#include "app/input.h"
#include "app/palette.h"
#include "app/session.h"

#include <stdio.h>
#include <string.h>

void act_help(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_HELP) {
        s->mode = s->mode_before;
        return;
    }
    s->mode_before = s->mode;
    s->mode = MODE_HELP;
    s->help_scroll = 0;
    s->ways.help_all = false;
}

void act_help_all(struct session *s, const struct command *c)
{
    (void)c;
    s->ways.help_all = !s->ways.help_all;
    s->help_scroll = 0;
}

static void open_prompt(struct session *s, enum prompt prompt, const char *input)
{
    input_begin(s);
    s->mode_before = s->mode;
    s->mode = MODE_PROMPT;
    s->prompt = prompt;
    snprintf(s->input, sizeof s->input, "%s", input);
    s->n_input = strlen(s->input);
}

void prompt_open_line(struct session *s, const char *line)
{
    open_prompt(s, PROMPT_COMMAND, line);
    instrument_typed(s);
}

void act_prompt(struct session *s, const struct command *c)
{
    const char *path = s->project.path ? s->project.path : "";
    char name[STEER_TEXT_BYTES], how[GROOVE_TEXT], text[sizeof s->input];
    if (c->id == CMD_OPEN)
        open_prompt(s, PROMPT_OPEN, "");
    else if (c->id == CMD_SAVE_AS)
        open_prompt(s, PROMPT_SAVE_AS, path);
    else if (c->id == CMD_STEER_TYPE)
        open_prompt(s, PROMPT_COMMAND, steer_prompt(s, name));
    else if (c->id == CMD_QUANTISE_ASK)
        open_prompt(s, PROMPT_QUANTISE, groove_format(&s->groove, how));
    else if (c->id == CMD_TEMPO)
        open_prompt(s, PROMPT_TEMPO, "");
    else if (c->id == CMD_MARKER)
        open_prompt(s, PROMPT_MARKER, marker_text_here(s, text, sizeof text));
    else if (c->id == CMD_MAP_EDIT)
        open_prompt(s, PROMPT_MAP_EDIT, map_edit_text(s, text, sizeof text));
    else if (c->id == CMD_MAP_ADD)
        open_prompt(s, PROMPT_MAP_ADD, "");
    else if (c->id == CMD_FIND) {
        find_begin(s);
        open_prompt(s, PROMPT_FIND, "");
    } else if (c->id == CMD_SCALE) {
        act_scale_prompt(s);
        open_prompt(s, PROMPT_SCALE, "");
    } else
        open_prompt(s, PROMPT_COMMAND, "");
}

void act_submit(struct session *s, const struct command *c)
{
    (void)c;
    char line[sizeof s->input];
    if (s->mode == MODE_PALETTE) {
        palette_do_chosen(s);
        return;
    }
    memcpy(line, s->input, sizeof line);
    s->mode = s->mode_before;
    input_remember(&s->ways.history, s->prompt, line);
    s->message[0] = '\0';
    switch (s->prompt) {
    case PROMPT_OPEN:
        act_open_line(s, line, false);
        break;
    case PROMPT_SAVE_AS:
        if (*line)
            act_save_as(s, line, false);
        break;
    case PROMPT_TEMPO:
        act_tempo_line(s, line);
        break;
    case PROMPT_QUANTISE:
        act_edit_line(s, "quantise", line);
        break;
    case PROMPT_SCALE:
        act_scale_line(s, line);
        break;
    case PROMPT_MARKER:
        act_marker_line(s, line);
        break;
    case PROMPT_FIND:
        act_find_line(s, line);
        break;
    case PROMPT_MAP_EDIT:
        act_map_edit_line(s, line);
        break;
    case PROMPT_MAP_ADD:
        act_map_add_line(s, line);
        break;
    case PROMPT_COMMAND:
        act_command_line(s, line);
        break;
    }
}
