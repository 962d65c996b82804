/* Tab at a prompt: as much as is certain is put in, and what it may become is told. */
#include "app/editor/edit/instrument.h"
#include "app/editor/perform/complete.h"
#include "app/editor/shell/input.h"
#include "app/editor/perform/outward.h"

#include <stdio.h>
#include <string.h>

/* As many as a line holds. A file is told by the last part of its name. */
static void tell(struct session *s, const struct completions *c)
{
    char text[sizeof s->message];
    size_t used = 0;
    for (int i = 0; i < c->n; i++) {
        const char *word = c->words[i], *part = word + strlen(word);
        while (part > word && (part[-1] != '/' || !part[0]))
            part--;
        size_t room = sizeof text - used;
        int n = snprintf(text + used, room, "%s%s", used ? "  " : "", part);
        if ((size_t)n + 8 >= room || used > 150) {
            snprintf(text + used, room, "  ...");
            break;
        }
        used += (size_t)n;
    }
    session_say(s, "%s", text);
}

static void put_in(struct session *s, const struct completions *c, size_t n_typed)
{
    const char *word = c->words[0];
    if (c->n_common > n_typed)
        input_insert(s, word + n_typed, c->n_common - n_typed);
    size_t n = strlen(word);
    bool is_file = s->prompt != PROMPT_COMMAND || strchr(word, '/');
    if (c->n == 1 && !is_file && n && word[n - 1] != '/')
        input_insert(s, " ", 1);
}

static void act_input_complete(struct session *s, const struct command *command)
{
    (void)command;
    char typed[sizeof s->input];
    struct completions c = {0};
    size_t start = 0;
    snprintf(typed, sizeof typed, "%.*s", (int)input_cursor(s), s->input);
    s->message[0] = '\0';
    if (s->mode != MODE_PROMPT)
        return;
    if (s->prompt == PROMPT_COMMAND && !outward_complete(s, &c, typed, &start))
        complete_line(&c, typed, &start);
    else if (s->prompt == PROMPT_OPEN || s->prompt == PROMPT_SAVE_AS)
        complete_file(&c, typed);
    if (c.n)
        put_in(s, &c, strlen(typed + start));
    if (c.n > 1)
        tell(s, &c);
    complete_forget(&c);
    instrument_typed(s);
}

static const struct act_row COMMANDS[] = {
    {CMD_INPUT_COMPLETE, act_input_complete},
    {0},
};

const struct editor_part COMPLETE_PART = {.commands = COMMANDS};
