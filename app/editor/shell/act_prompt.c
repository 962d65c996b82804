/* What is typed at the foot: prompts, and where their text goes. */
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
    s->ways.help_all = false;
}

static void act_help_all(struct session *s, const struct command *c)
{
    (void)c;
    s->ways.help_all = !s->ways.help_all;
    s->help_scroll = 0;
}

/* -- what each prompt begins with -- */

static const char *own_path(struct session *s, char *buf, size_t n)
{
    snprintf(buf, n, "%s", s->project.path ? s->project.path : "");
    return buf;
}

static const char *groove_here(struct session *s, char *buf, size_t n)
{
    char how[GROOVE_TEXT];
    snprintf(buf, n, "%s", groove_format(&s->groove, how));
    return buf;
}

/* -- where its line goes -- */

static void open_file(struct session *s, const char *line)
{
    act_open_line(s, line, false);
}

static void save_as(struct session *s, const char *line)
{
    if (*line)
        act_save_as(s, line, false);
}

static void quantise(struct session *s, const char *line)
{
    char whole[sizeof s->input + 16];
    snprintf(whole, sizeof whole, "quantise %s", line);
    act_command_line(s, whole);
}

/* -- the table -- */

static const struct {
    enum command_id opened_by;
    const char *label;
    prompt_text_fn *make_label; /* in its place, or NULL */
    prompt_text_fn *begin;      /* what stands there already; NULL: nothing */
    void (*take)(struct session *s, const char *line);
} PROMPTS[] = {
    [PROMPT_COMMAND] = {CMD_COMMAND_LINE, ":", NULL, NULL, act_command_line},
    [PROMPT_OPEN] = {CMD_OPEN, "open: ", NULL, NULL, open_file},
    [PROMPT_SAVE_AS] = {CMD_SAVE_AS, "save as: ", NULL, own_path, save_as},
    [PROMPT_TEMPO] = {CMD_TEMPO, NULL, tempo_prompt, NULL, act_tempo_line},
    [PROMPT_SCALE] = {CMD_SCALE, NULL, scale_prompt, NULL, act_scale_line},
    [PROMPT_QUANTISE] = {CMD_QUANTISE_ASK, "quantise: ", NULL, groove_here, quantise},
    [PROMPT_MARKER] = {CMD_MARKER, "marker: ", NULL, marker_text_here, act_marker_line},
    [PROMPT_FIND] = {CMD_FIND, "find: ", NULL, find_begin, act_find_line},
    [PROMPT_MAP_EDIT] = {CMD_MAP_EDIT, "change to: ", NULL, map_edit_text,
                         act_map_edit_line},
    [PROMPT_MAP_ADD] = {CMD_MAP_ADD, "add 96, 3/4, or a marker: ", NULL, NULL,
                        act_map_add_line},
};
enum { N_PROMPTS = sizeof PROMPTS / sizeof *PROMPTS };

/* Label and text are made before the mode changes, which they may depend on. */
static void open_prompt(struct session *s, enum prompt prompt, const char *line)
{
    char text[sizeof s->input] = "";
    if (PROMPTS[prompt].make_label)
        PROMPTS[prompt].make_label(s, s->prompt_label, sizeof s->prompt_label);
    else
        snprintf(s->prompt_label, sizeof s->prompt_label, "%s", PROMPTS[prompt].label);
    if (PROMPTS[prompt].begin && !line)
        line = PROMPTS[prompt].begin(s, text, sizeof text);
    input_begin(s);
    s->mode_before = s->mode;
    s->mode = MODE_PROMPT;
    s->prompt = prompt;
    snprintf(s->input, sizeof s->input, "%s", line ? line : "");
    s->n_input = strlen(s->input);
}

void prompt_open_line(struct session *s, const char *line)
{
    open_prompt(s, PROMPT_COMMAND, line);
    instrument_typed(s);
}

static void act_prompt(struct session *s, const struct command *c)
{
    for (int i = 0; i < N_PROMPTS; i++)
        if (PROMPTS[i].opened_by == c->id)
            open_prompt(s, (enum prompt)i, NULL);
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
    input_remember(&s->ways.history, s->prompt, line);
    if (s->ways.remembers_files && *line && s->project.keep.writer)
        line_remember(s->project.keep.writer, s->prompt, line);
    s->message[0] = '\0';
    PROMPTS[s->prompt].take(s, line);
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

const struct editor_part PROMPT_PART = {.commands = COMMANDS, .lines = LINES};
