/* The line editor. See shell.h. */
#include "app/editor/edit/tracks.h"
#include "app/editor/shell/shell.h"

#include "tui/base/text.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void input_begin(struct session *s)
{
    s->view.prompt.after = 0;
    s->parts.input->at = s->parts.input->n;
}

size_t input_cursor(const struct session *s)
{
    size_t after = s->view.prompt.after;
    return s->view.prompt.n - (after < s->view.prompt.n ? after : s->view.prompt.n);
}

/* An edit of the given text at the start of the line makes it text like any other. */
static void edit_at(struct session *s, size_t at)
{
    if (at < s->view.prompt.n_given)
        s->view.prompt.n_given = 0;
}

void input_insert(struct session *s, const char *text, size_t n)
{
    size_t at = input_cursor(s);
    if (n >= sizeof s->view.prompt.text - s->view.prompt.n)
        return;
    edit_at(s, at);
    memmove(s->view.prompt.text + at + n, s->view.prompt.text + at,
            s->view.prompt.n - at + 1);
    memcpy(s->view.prompt.text + at, text, n);
    s->view.prompt.n += n;
    instrument_typed(s);
}

void input_set(struct session *s, const char *text)
{
    snprintf(s->view.prompt.text, sizeof s->view.prompt.text, "%s", text);
    s->view.prompt.n = strlen(s->view.prompt.text);
    s->view.prompt.after = 0;
    s->view.prompt.n_given = 0;
    instrument_typed(s);
}

static size_t letter_before(const struct session *s, size_t at)
{
    const char *text = s->view.prompt.text,
               *before = g_utf8_find_prev_char(text, text + at);
    return before ? (size_t)(before - text) : 0;
}

static size_t letter_after(const struct session *s, size_t at)
{
    const char *text = s->view.prompt.text,
               *after = g_utf8_find_next_char(text + at, text + s->view.prompt.n);
    return after ? (size_t)(after - text) : s->view.prompt.n;
}

static void cut(struct session *s, size_t from, size_t to)
{
    edit_at(s, from);
    memmove(s->view.prompt.text + from, s->view.prompt.text + to,
            s->view.prompt.n - to + 1);
    s->view.prompt.n -= to - from;
    instrument_typed(s);
}

void act_text(struct session *s, const struct command *c)
{
    char utf8[4] = "";
    if (s->view.mode == MODE_STEER)
        act_call(s, CMD_STEER_TYPE);
    input_insert(s, utf8, text_encode(c->text, utf8));
}

void act_backspace(struct session *s)
{
    if (s->view.prompt.n == 0)
        session_close_mode(s);
    else
        cut(s, letter_before(s, input_cursor(s)), input_cursor(s));
}

void act_input_move(struct session *s, const struct command *c)
{
    size_t at = input_cursor(s);
    size_t to = c->id == CMD_INPUT_LEFT    ? letter_before(s, at)
                : c->id == CMD_INPUT_RIGHT ? letter_after(s, at)
                : c->id == CMD_INPUT_START ? 0
                                           : s->view.prompt.n;
    s->view.prompt.after = s->view.prompt.n - to;
}

void act_input_delete(struct session *s, const struct command *c)
{
    size_t at = input_cursor(s), from = at;
    if (c->id == CMD_INPUT_DELETE) {
        cut(s, at, letter_after(s, at));
        s->view.prompt.after = s->view.prompt.n - at;
        return;
    }
    if (c->id == CMD_INPUT_WORD) { /* and the spaces after it */
        while (from > 0 && s->view.prompt.text[from - 1] == ' ')
            from--;
        while (from > 0 && s->view.prompt.text[from - 1] != ' ')
            from--;
    } else {
        from = at < s->view.prompt.n_given ? 0 : s->view.prompt.n_given;
    }
    cut(s, from, at);
}

void input_remember(struct session *s, int prompt, const char *line)
{
    struct input_history *h = s->parts.input;
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

void act_input_history(struct session *s, const struct command *c)
{
    struct input_history *h = s->parts.input;
    int at = h->at;
    if (instrument_step(s, c->by))
        return;
    do
        at += c->by;
    while (at >= 0 && at < h->n && h->lines[at].prompt != (int)s->view.prompt.kind);
    if (at < 0 || at > h->n)
        return;
    if (h->at == h->n) { /* keeps the unfinished line */
        free(h->draft);
        h->draft = strdup(s->view.prompt.text);
    }
    h->at = at;
    input_set(s, at < h->n ? h->lines[at].text : h->draft ? h->draft : "");
}

static void fini(struct session *s)
{
    struct input_history *h = s->parts.input;
    for (int i = 0; i < h->n; i++)
        free(h->lines[i].text);
    free(h->draft);
}

const struct editor_part INPUT_PART = {
    PART_STATE(input),
    .fini = fini,
};
