/* The undo tree, gone about in. To look at a state is to go there: the roll behind the
 * list shows it and it can be heard. Leaving by Escape stays there, by q goes back. And
 * the lines that name a state, or how long ago it was. */
#include "app/editor/edit/history_rows.h"
#include "app/editor/perform/history_go.h"
#include "app/editor/session/session.h"
#include "tui/panels/history_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t present(const struct session *s)
{
    return history_state(s->project.history);
}

/* false, and said: it could not be gone to. */
static bool go(struct session *s, uint64_t state)
{
    uint64_t from = present(s);
    enum midi_status st = project_go(&s->project, state);
    bool is_there = history_arrive(s, from);
    if (st)
        session_error(s, "that state cannot be reached: %s", midi_strerror(st));
    return !st && is_there;
}

static void say_where(struct session *s)
{
    uint64_t state = present(s);
    size_t n = history_n_states(s->project.history);
    session_say(s, "at state %llu of %zu%s", (unsigned long long)state, n - 1,
                state == s->project.saved_state ? ", which is saved" : "");
}

/* -- the list -- */

static void act_history_list(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_HISTORY) {
        s->mode = MODE_NORMAL;
        say_where(s);
        return;
    }
    session_clear_selection(s);
    if (!history_rows_make(s->parts.history, &s->project)) {
        session_error(s, "there is no memory for the list");
        return;
    }
    s->parts.history->began_at = present(s);
    s->drag = DRAG_NONE;
    s->mode = MODE_HISTORY;
}

static void act_history_back(struct session *s, const struct command *c)
{
    (void)c;
    s->mode = MODE_NORMAL;
    if (go(s, s->parts.history->began_at))
        session_say(s, "back at state %llu",
                    (unsigned long long)s->parts.history->began_at);
}

/* `by` lines down, which is towards the oldest. */
static bool step(struct session *s, long by)
{
    long most = (long)history_n_states(s->project.history) - 1;
    long to = (long)present(s) - by;
    return go(s, (uint64_t)(to < 0 ? 0 : to > most ? most : to));
}

static void act_history_step(struct session *s, const struct command *c)
{
    step(s, c->id == CMD_HISTORY_OLDER ? command_times(c) : -command_times(c));
}

static void act_history_end(struct session *s, const struct command *c)
{
    long n = (long)history_n_states(s->project.history);
    step(s, c->id == CMD_HISTORY_OLDEST ? n : -n);
}

static void act_history_point(struct session *s, const struct command *c)
{
    size_t n = history_n_states(s->project.history), chosen = n - 1 - present(s);
    struct list_box list = history_list_box(&s->layout, n, chosen);
    int row = list_box_at(&list, c->column, c->row);
    if (!region_has(&list.frame, c->column, c->row))
        act_history_list(s, c);
    else if (row >= 0)
        go(s, n - 1 - (uint64_t)row);
}

static void history_view(struct session *s, struct view *v)
{
    bool is_typed = s->mode == MODE_PROMPT || s->mode == MODE_PALETTE;
    bool is_behind = s->mode_before == MODE_HISTORY && is_typed;
    if (s->mode != MODE_HISTORY && !is_behind)
        return;
    if (s->parts.history->n != history_n_states(s->project.history) &&
        !history_rows_make(s->parts.history, &s->project))
        return;
    history_rows_update(s->parts.history, &s->project);
    v->history.rows = s->parts.history->rows;
    v->history.n = s->parts.history->n;
    v->history.chosen = s->parts.history->n - 1 - s->parts.history->present;
}

/* -- lines -- */

static void act_history_line(struct session *s, const char *word)
{
    (void)word;
    if (s->mode != MODE_HISTORY)
        act_history_list(s, &(struct command){.id = CMD_HISTORY});
}

static void act_undo_line(struct session *s, const char *word)
{
    char *end;
    unsigned long long state = strtoull(word, &end, 10);
    if (!*word)
        act_call(s, &(struct command){.id = CMD_UNDO});
    else if (*end || *word == '-' || state >= history_n_states(s->project.history))
        session_error(s, "undo wants the number of a state, 0 to %zu: U lists them",
                      history_n_states(s->project.history) - 1);
    else if (go(s, state))
        say_where(s);
}

static void act_revert_line(struct session *s, const char *word)
{
    (void)word;
    if (present(s) == s->project.saved_state)
        session_say(s, "nothing was changed%s",
                    s->project.path ? " since it was saved" : "");
    else if (go(s, s->project.saved_state))
        session_say(s, "as it was%s; what was dropped is in the history: U",
                    s->project.path ? " saved" : "");
}

/* The last state that was there at that time. */
static uint64_t state_at(const struct session *s, int64_t time)
{
    const struct history *h = s->project.history;
    uint64_t state = history_n_states(h) - 1;
    while (state > 0 && history_time(h, state) > time)
        state--;
    return state;
}

/* Of the music as it was opened no time is known: just before anything was done to it. */
static int64_t time_of(const struct history *h, uint64_t state)
{
    bool is_first = state == 0 && history_n_states(h) > 1;
    return history_time(h, is_first ? 1 : state);
}

/* "5" states, or "5s", "5m", "5h", "5d"; false: neither. */
static bool parse_span(const char *word, long *n, int64_t *seconds)
{
    static const struct {
        char unit;
        int seconds;
    } UNITS[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char *end;
    *n = strtol(*word ? word : "1", &end, 10);
    *seconds = 0;
    if (*n < 0 || *n > 1000000 || end == word)
        return false;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (*end == UNITS[i].unit) {
            *seconds = (int64_t)*n * UNITS[i].seconds;
            return !end[1];
        }
    return !*end;
}

/* As in vim: by the order in which things were done, whatever the branch. */
static void travel(struct session *s, const char *word, int sign)
{
    long n;
    int64_t seconds;
    if (!parse_span(word, &n, &seconds)) {
        session_error(s, "how far? 3 for as many states, or 30s, 5m, 2h, 1d");
        return;
    }
    int64_t from = time_of(s->project.history, present(s));
    if (seconds ? go(s, state_at(s, from + sign * seconds)) : step(s, -sign * n))
        say_where(s);
}

static void act_earlier_line(struct session *s, const char *word)
{
    travel(s, word, -1);
}

static void act_later_line(struct session *s, const char *word)
{
    travel(s, word, 1);
}

static void fini(struct session *s)
{
    history_rows_fini(s->parts.history);
}

static const struct act_row COMMANDS[] = {
    {CMD_HISTORY, act_history_list},        {CMD_HISTORY_OLDER, act_history_step},
    {CMD_HISTORY_NEWER, act_history_step},  {CMD_HISTORY_OLDEST, act_history_end},
    {CMD_HISTORY_NEWEST, act_history_end},  {CMD_HISTORY_BACK, act_history_back},
    {CMD_HISTORY_POINT, act_history_point}, {0},
};

static const struct act_line_row LINES[] = {
    {"history", act_history_line}, {"undo", act_undo_line},
    {"revert", act_revert_line},   {"earlier", act_earlier_line},
    {"later", act_later_line},     {0},
};

const struct editor_part TREE_PART = {PART_STATE(history), .commands = COMMANDS,
                                      .lines = LINES, .fini = fini,
                                      .view = history_view};
