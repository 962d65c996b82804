/* Prompts: opens them, completes and runs their lines. Also opens the help. */
#include "app/document/state.h"
#include "app/editor/perform/complete.h"
#include "app/editor/perform/devices.h"
#include "app/editor/shell/palette.h"
#include "app/editor/takes/machine.h"
#include "app/editor/session/list.h"
#include "app/editor/shell/shell.h"
#include "tui/panels/panels.h"

#include <stdio.h>
#include <string.h>

void act_help(struct session *s)
{
    if (s->view.mode == MODE_HELP) {
        session_close_mode(s);
        return;
    }
    session_open_mode(s, MODE_HELP);
    s->view.lists[LIST_HELP].point = 0;
    s->view.help.all = false;
}

void act_help_all(struct session *s)
{
    s->view.help.all = !s->view.help.all;
    s->view.lists[LIST_HELP].point = 0;
}

static void fill_list(struct session *s, struct list_view *l)
{
    const struct help_page page = {s->preferences.keymap, s->below[MODE_HELP],
                                   s->view.help.all};
    l->n = 1 + help_max_scroll(&page, s->layout.columns, s->layout.rows);
}

static const struct list_owner HELP_LIST = {
    .id = LIST_HELP, .mode = MODE_HELP, .fill = fill_list};

const struct editor_part HELP_PART = {.list = &HELP_LIST};

/* Other parts may have put text for the command line. Label and text are made before the mode
 * changes, since they may depend on it. */
void act_prompt(struct session *s, const struct command *c)
{
    const struct prompt_row *r = &PROMPTS[c->by];
    char text[sizeof s->view.prompt.text] = "";
    const char *line = s->view.prompt.preset, *space = strchr(line, ' ');
    if (r->make_label)
        r->make_label(s, s->view.prompt.label, sizeof s->view.prompt.label);
    else
        snprintf(s->view.prompt.label, sizeof s->view.prompt.label, "%s", r->label);
    if (r->begin && !*line)
        line = r->begin(s, text, sizeof text);
    input_begin(s);
    session_open_mode(s, MODE_PROMPT);
    s->view.prompt.kind = (enum prompt)c->by;
    input_set(s, line);
    s->view.prompt.n_given = space ? (size_t)(space + 1 - s->view.prompt.preset) : 0;
    s->view.prompt.preset[0] = '\0';
}

void act_submit(struct session *s)
{
    char line[sizeof s->view.prompt.text];
    if (s->view.mode == MODE_PALETTE) {
        palette_do_chosen(s);
        return;
    }
    memcpy(line, s->view.prompt.text, sizeof line);
    size_t n = s->view.prompt.kind == PROMPT_COMMAND ? strlen(line) : 0;
    while (n && line[n - 1] == ' ') /* as Tab leaves one */
        line[--n] = '\0';
    session_close_mode(s);
    input_remember(s, s->view.prompt.kind, line);
    if (s->preferences.remembers_files && *line && s->project.autosave.writer)
        line_remember(s->project.autosave.writer, s->view.prompt.kind, line);
    s->view.message.text[0] = '\0';
    PROMPTS[s->view.prompt.kind].run(s, line);
}

void act_redraw(struct session *s)
{
    s->view.is_sent_whole = true;
}

/* Completes a value of a steering field that is one of a few words. */
static bool steer_complete(const struct session *s, struct completions *c,
                           const char *line, size_t *start)
{
    static const char CHOICE[] = "one of ";
    char name[STEER_TEXT_BYTES], wants[FIELD_WANTS_BYTES], *rest;
    const size_t n = strcspn(line, " "), n_choice = strlen(CHOICE);
    snprintf(name, sizeof name, "%.*s", (int)n, line);
    const struct field *f = line[n] ? steer_find(name) : NULL;
    if (!f || strncmp(steer_line_wants(s, f, wants), CHOICE, n_choice) != 0)
        return false;
    *start = n + 1;
    for (char *word = strtok_r(wants + n_choice, ", ", &rest); word;
         word = strtok_r(NULL, ", ", &rest))
        complete_add(c, word, line + *start);
    complete_finish(c);
    return true;
}

void act_input_complete(struct session *s)
{
    char typed[sizeof s->view.prompt.text];
    struct completions c = {0};
    size_t start = 0;
    snprintf(typed, sizeof typed, "%.*s", (int)input_cursor(s), s->view.prompt.text);
    s->view.message.text[0] = '\0';
    if (s->view.mode != MODE_PROMPT)
        return;
    if (s->view.prompt.kind == PROMPT_COMMAND &&
        !output_complete(s, &c, typed, &start) && !steer_complete(s, &c, typed, &start))
        complete_line(&c, typed, &start);
    else if (s->view.prompt.kind == PROMPT_OPEN ||
             s->view.prompt.kind == PROMPT_SAVE_AS ||
             s->view.prompt.kind == PROMPT_EXPORT)
        complete_file(&c, typed);
    if (c.n) {
        size_t n_typed = strlen(typed + start);
        const char *word = c.words[0];
        if (c.n_common > n_typed)
            input_insert(s, word + n_typed, c.n_common - n_typed);
        size_t n = strlen(word);
        bool is_file = s->view.prompt.kind != PROMPT_COMMAND || strchr(word, '/');
        if (c.n == 1 && !is_file && n && word[n - 1] != '/')
            input_insert(s, " ", 1);
    }
    /* Lists as many as a line holds, of a path the last part. */
    size_t used = 0;
    for (int i = 0; c.n > 1 && i < c.n && used <= 150; i++) {
        const char *word = c.words[i], *part = word + strlen(word);
        while (part > word && (part[-1] != '/' || !part[0]))
            part--;
        used = strlen(s->view.message.text);
        const bool fits = used + strlen(part) + 10 < sizeof s->view.message.text;
        session_say_more(s, "%s%s", used ? "  " : "",
                         fits && used <= 150 ? part : "...");
        if (!fits)
            break;
    }
    complete_forget(&c);
}
