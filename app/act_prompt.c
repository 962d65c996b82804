/* What is typed at the foot: prompts, their text, and where it goes. */
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
}

static void open_prompt(struct session *s, enum prompt prompt, const char *input)
{
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
    char name[STEER_TEXT_BYTES], how[GROOVE_TEXT];
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
    else if (c->id == CMD_SCALE) {
        act_scale_prompt(s);
        open_prompt(s, PROMPT_SCALE, "");
    } else
        open_prompt(s, PROMPT_COMMAND, "");
}

void act_text(struct session *s, const struct command *c)
{
    char utf8[4];
    size_t n = 0;
    if (s->mode == MODE_STEER)
        act_prompt(s, &(struct command){.id = CMD_STEER_TYPE});
    uint32_t u = c->text;
    if (u < 0x80) {
        utf8[n++] = (char)u;
    } else if (u < 0x800) {
        utf8[n++] = (char)(0xc0 | u >> 6);
        utf8[n++] = (char)(0x80 | (u & 63));
    } else if (u < 0x10000) {
        utf8[n++] = (char)(0xe0 | u >> 12);
        utf8[n++] = (char)(0x80 | (u >> 6 & 63));
        utf8[n++] = (char)(0x80 | (u & 63));
    } else {
        utf8[n++] = (char)(0xf0 | u >> 18);
        utf8[n++] = (char)(0x80 | (u >> 12 & 63));
        utf8[n++] = (char)(0x80 | (u >> 6 & 63));
        utf8[n++] = (char)(0x80 | (u & 63));
    }
    if (s->n_input + n >= sizeof s->input)
        return;
    memcpy(s->input + s->n_input, utf8, n);
    s->n_input += n;
    s->input[s->n_input] = '\0';
    instrument_typed(s);
}

void act_backspace(struct session *s, const struct command *c)
{
    (void)c;
    if (s->n_input == 0) {
        s->mode = s->mode_before;
        return;
    }
    do
        s->n_input--;
    while (s->n_input > 0 && ((unsigned char)s->input[s->n_input] & 0xc0) == 0x80);
    s->input[s->n_input] = '\0';
    instrument_typed(s);
}

void act_submit(struct session *s, const struct command *c)
{
    (void)c;
    char line[sizeof s->input];
    memcpy(line, s->input, sizeof line);
    s->mode = s->mode_before;
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
    case PROMPT_COMMAND:
        act_command_line(s, line);
        break;
    }
}
