/* The line editor. See input.h. */
#include "app/editor/edit/instrument.h"
#include "app/editor/shell/input.h"

#include "tui/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void input_begin(struct session *s)
{
    s->input_after = 0;
    s->parts.input->at = s->parts.input->n;
}

size_t input_cursor(const struct session *s)
{
    size_t after = s->input_after;
    return s->n_input - (after < s->n_input ? after : s->n_input);
}

void input_insert(struct session *s, const char *text, size_t n)
{
    size_t at = input_cursor(s);
    if (n >= sizeof s->input - s->n_input)
        return;
    memmove(s->input + at + n, s->input + at, s->n_input - at + 1);
    memcpy(s->input + at, text, n);
    s->n_input += n;
    instrument_typed(s);
}

void input_set(struct session *s, const char *text)
{
    snprintf(s->input, sizeof s->input, "%s", text);
    s->n_input = strlen(s->input);
    s->input_after = 0;
    instrument_typed(s);
}

static bool is_middle(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t letter_before(const struct session *s, size_t at)
{
    while (at > 0 && is_middle(s->input[--at]))
        continue;
    return at;
}

static size_t letter_after(const struct session *s, size_t at)
{
    if (at < s->n_input)
        at++;
    while (at < s->n_input && is_middle(s->input[at]))
        at++;
    return at;
}

/* A word, and the spaces after it. */
static size_t word_before(const struct session *s, size_t at)
{
    while (at > 0 && s->input[at - 1] == ' ')
        at--;
    while (at > 0 && s->input[at - 1] != ' ')
        at--;
    return at;
}

static void cut(struct session *s, size_t from, size_t to)
{
    memmove(s->input + from, s->input + to, s->n_input - to + 1);
    s->n_input -= to - from;
    instrument_typed(s);
}

static void act_text(struct session *s, const struct command *c)
{
    char utf8[4] = "";
    if (s->mode == MODE_STEER)
        act_call(s, &(struct command){.id = CMD_STEER_TYPE});
    input_insert(s, utf8, text_encode(c->text, utf8));
}

static void act_backspace(struct session *s, const struct command *c)
{
    (void)c;
    if (s->n_input == 0) {
        s->mode = s->mode_before;
        return;
    }
    cut(s, letter_before(s, input_cursor(s)), input_cursor(s));
}

static void act_input_move(struct session *s, const struct command *c)
{
    size_t at = input_cursor(s);
    size_t to = c->id == CMD_INPUT_LEFT    ? letter_before(s, at)
                : c->id == CMD_INPUT_RIGHT ? letter_after(s, at)
                : c->id == CMD_INPUT_START ? 0
                                           : s->n_input;
    s->input_after = s->n_input - to;
}

static void act_input_delete(struct session *s, const struct command *c)
{
    size_t at = input_cursor(s);
    if (c->id == CMD_INPUT_DELETE) {
        size_t end = letter_after(s, at);
        cut(s, at, end);
        s->input_after = s->n_input - at;
    } else {
        cut(s, c->id == CMD_INPUT_WORD ? word_before(s, at) : 0, at);
    }
}

/* -- lines typed before -- */

void input_remember(struct input_history *h, int prompt, const char *line)
{
    bool is_again = h->n && h->lines[h->n - 1].prompt == prompt &&
                    !strcmp(h->lines[h->n - 1].text, line);
    char *copy = *line && !is_again ? strdup(line) : NULL;
    if (!copy)
        return;
    if (h->n == INPUT_HISTORY) {
        free(h->lines[0].text);
        memmove(h->lines, h->lines + 1, (INPUT_HISTORY - 1) * sizeof h->lines[0]);
        h->n--;
    }
    h->lines[h->n++] = (struct input_line){copy, prompt};
}

void input_forget(struct input_history *h)
{
    for (int i = 0; i < h->n; i++)
        free(h->lines[i].text);
    free(h->draft);
    *h = (struct input_history){0};
}

/* What was being typed is not lost by looking. */
static void keep_draft(struct session *s)
{
    struct input_history *h = s->parts.input;
    if (h->at != h->n)
        return;
    free(h->draft);
    h->draft = strdup(s->input);
}

static void act_input_history(struct session *s, const struct command *c)
{
    struct input_history *h = s->parts.input;
    int by = c->id == CMD_INPUT_OLDER ? -1 : 1, at = h->at;
    if (instrument_step(s, by))
        return;
    do
        at += by;
    while (at >= 0 && at < h->n && h->lines[at].prompt != (int)s->prompt);
    if (at < 0 || at > h->n)
        return;
    keep_draft(s);
    h->at = at;
    input_set(s, at < h->n ? h->lines[at].text : h->draft ? h->draft : "");
}

static void fini(struct session *s)
{
    input_forget(s->parts.input);
}

static const struct act_row COMMANDS[] = {
    {CMD_TEXT, act_text},
    {CMD_BACKSPACE, act_backspace},
    {CMD_INPUT_LEFT, act_input_move},
    {CMD_INPUT_RIGHT, act_input_move},
    {CMD_INPUT_START, act_input_move},
    {CMD_INPUT_END, act_input_move},
    {CMD_INPUT_DELETE, act_input_delete},
    {CMD_INPUT_WORD, act_input_delete},
    {CMD_INPUT_CLEAR, act_input_delete},
    {CMD_INPUT_OLDER, act_input_history},
    {CMD_INPUT_NEWER, act_input_history},
    {0},
};

const struct editor_part INPUT_PART = {PART_STATE(input), .commands = COMMANDS,
                                       .fini = fini};
