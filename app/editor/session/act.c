/* From a command, or a line typed after `:`, to what a part does about it; and what
 * surrounds every command: what `.` repeats, and the help, which scrolls. */
#include "app/editor/session/session.h"
#include "tui/panels/help.h"

#include <stdio.h>
#include <string.h>

/* The row of that command; NULL: no part has one. */
static const struct act_row *find_row(enum command_id id)
{
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        for (const struct act_row *r = (*p)->commands; r && r->run; r++)
            if (r->id == id)
                return r;
    return NULL;
}

/* What `.` does again: changes to notes at the cursor or of the selection. */
static bool is_repeatable(enum command_id id)
{
    bool is_of_lane = id >= CMD_LANE_UP && id <= CMD_LANE_RAMP;
    return ((id >= CMD_TOGGLE_NOTE && id <= CMD_QUANTISE) && id != CMD_YANK &&
            id != CMD_REGISTER) ||
           is_of_lane;
}

/* In the help, moving scrolls. */
static bool scroll_help(struct session *s, const struct command *c)
{
    int by = c->id == CMD_DOWN || c->id == CMD_SCROLL_DOWN ? 1
             : c->id == CMD_UP || c->id == CMD_SCROLL_UP   ? -1
             : c->id == CMD_OCTAVE_DOWN                    ? 10
             : c->id == CMD_OCTAVE_UP                      ? -10
                                                           : 0;
    s->help_scroll += by * command_times(c);
    const struct help_page page = {s->keymap, s->mode_before, s->help_all};
    int most = help_max_scroll(&page, s->layout.columns, s->layout.rows);
    if (s->help_scroll > most)
        s->help_scroll = most;
    if (s->help_scroll < 0 || c->id == CMD_PIECE_START)
        s->help_scroll = 0;
    return by != 0 || c->id == CMD_PIECE_START;
}

/* After what was said of the action itself. */
static void say_what_went(struct session *s)
{
    size_t n = strlen(s->message);
    if (s->takes_went)
        snprintf(s->message + n, sizeof s->message - n,
                 "%sthe takes had no place any more", n ? "; " : "");
    s->takes_went = false;
}

void act_call(struct session *s, const struct command *c)
{
    const struct act_row *row = find_row(c->id);
    if (row)
        row->run(s, c);
}

void act_run(struct session *s, const struct command *c)
{
    const struct act_row *row = find_row(c->id);
    if (!row)
        return;
    if (s->mode == MODE_HELP && scroll_help(s, c))
        return;
    if (s->mode != MODE_PROMPT && s->mode != MODE_PALETTE && c->id != CMD_ESCAPE &&
        c->id < CMD_POINT)
        s->message[0] = '\0';
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->before)
            (*p)->before(s, c->id);
    if (is_repeatable(c->id))
        s->last_edit = *c;
    row->run(s, c);
    say_what_went(s);
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->acted)
            (*p)->acted(s);
}

/* -- lines -- */

/* "word" at the line's start into word[n]; returns what follows it. */
static const char *split_line(const char *line, char *word, size_t n)
{
    line += strspn(line, " :");
    size_t length = strcspn(line, " ");
    snprintf(word, n, "%.*s", (int)(length < n ? length : n - 1), line);
    return line + length + strspn(line + length, " ");
}

static act_line_fn *find_word(const struct act_line_row *rows, const char *word)
{
    for (; rows && rows->run; rows++)
        if (!strcmp(word, rows->word))
            return rows->run;
    return NULL;
}

static void remember(struct session *s, const char *word, const char *rest)
{
    int n = snprintf(s->last_line, sizeof s->last_line, "%s %s", word, rest);
    bool fits = n > 0 && (size_t)n < sizeof s->last_line;
    s->last_edit = (struct command){.id = fits ? CMD_SUBMIT : CMD_NONE};
}

bool act_other_line(struct session *s, const char *word, const char *rest)
{
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->other_line && (*p)->other_line(s, word, rest))
            return true;
    return false;
}

void act_command_line(struct session *s, const char *line)
{
    char word[24];
    const char *rest = split_line(line, word, sizeof word);
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++) {
        act_line_fn *edit = find_word((*p)->edit_lines, word);
        act_line_fn *run = edit ? edit : find_word((*p)->lines, word);
        if (edit)
            remember(s, word, rest);
        if (run) {
            run(s, rest);
            return;
        }
    }
    if (*word && !act_other_line(s, word, rest))
        session_error(s, "no command :%s; ? lists them", word);
}

void act_open_command_line(struct session *s, const char *line)
{
    snprintf(s->input_preset, sizeof s->input_preset, "%s", line);
    act_call(s, &(struct command){.id = CMD_COMMAND_LINE});
}
