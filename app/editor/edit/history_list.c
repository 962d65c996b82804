/* Undo, redo, the list of the undo tree, and typed lines that go to a state or back in time.
 * Choosing a line of the list goes to its state, which the roll shows and the player plays.
 * Escape stays at that state, q goes back. */
#include "app/editor/perform/answer.h"
#include "app/editor/session/list.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The rows of the list. Their labels belong to the history. */
struct history_rows {
    struct history_row *rows; /* owned; the newest first: row i is state n - 1 - i */
    size_t n;
    uint64_t present, saved; /* states that the rows mark */
    uint64_t began_at;       /* the state when the list was opened */
};

/* -- the rows, from the newest state down. Each used column waits for one state, which is the
 * parent of a state above -- */

/* A column that waits for NOBODY is free. */
#define NOBODY UINT64_MAX

static void rows_update(struct history_rows *h, const struct project *p)
{
    const struct history *history = p->history;
    if (h->present == history_state(history) && h->saved == p->saved_state)
        return;
    h->present = history_state(history);
    h->saved = p->saved_state;
    for (size_t i = 0; i < h->n; i++) {
        h->rows[i].is_present = h->rows[i].state == h->present;
        h->rows[i].is_saved = h->rows[i].state == h->saved;
        h->rows[i].is_on_way = h->rows[i].state == 0;
    }
    /* Marks the states that led to the present one, and those that redo leads to. */
    uint64_t state = h->present;
    for (; state; state = history_at(history, state)->parent)
        h->rows[h->n - 1 - state].is_on_way = true;
    for (state = h->present; state; state = history_at(history, state)->newest_child)
        h->rows[h->n - 1 - state].is_on_way = true;
}

/* Makes the rows of the project's history. false: out of memory, and there are none. */
static bool rows_make(struct history_rows *h, const struct project *p)
{
    uint64_t waits_for[HISTORY_LANES];
    size_t n = history_n_states(p->history);
    const time_t now = time(NULL);
    struct tm at = {0}, today = {0};
    struct history_row *rows = array_resize(h->rows, n, sizeof *rows);
    h->n = 0;
    if (!rows)
        return false;
    h->rows = rows;
    memset(waits_for, 0xFF, sizeof waits_for); /* NOBODY */
    for (size_t i = 0; i < n; i++) {
        struct history_row *r = &rows[i];
        *r = (struct history_row){.state = n - 1 - i};
        r->label = r->state  ? history_at(p->history, r->state)->change->label
                   : p->path ? "as it was opened"
                             : "nothing yet";
        /* The time of day of a state of today, else the date. */
        const time_t then = (time_t)history_at(p->history, r->state)->time;
        const bool is_known =
            then > 0 && localtime_r(&then, &at) && localtime_r(&now, &today);
        const bool is_today =
            at.tm_year == today.tm_year && at.tm_yday == today.tm_yday;
        if (!is_known ||
            !strftime(r->when, sizeof r->when, is_today ? "%H:%M:%S" : "%d %b", &at))
            r->when[0] = '\0';
        /* The first column that waits for the state, else a free one; the last when all
         * are in use. */
        int lane = HISTORY_LANES - 1;
        for (int k = HISTORY_LANES - 1; k >= 0; k--)
            if (waits_for[k] == NOBODY)
                lane = k;
        for (int k = HISTORY_LANES - 1; k >= 0; k--)
            if (waits_for[k] == r->state)
                lane = k;
        r->lane = (uint8_t)lane;
        for (int k = 0; k < HISTORY_LANES; k++) {
            if (k == lane || waits_for[k] == NOBODY)
                continue;
            bool joins = waits_for[k] == r->state;
            *(joins ? &r->joining : &r->passing) |= (uint16_t)(1u << k);
            if (joins)
                waits_for[k] = NOBODY;
        }
        waits_for[lane] = r->state ? history_at(p->history, r->state)->parent : NOBODY;
    }
    h->n = n;
    h->present = h->saved = NOBODY;
    rows_update(h, p);
    return true;
}

static uint64_t present(const struct session *s)
{
    return history_state(s->project.history);
}

/* Goes to a state. false: it cannot be restored, and the user was told. */
static bool go(struct session *s, uint64_t state)
{
    uint64_t from = present(s);
    enum midi_status st = project_go(&s->project, state);
    bool is_there = history_arrive(s, from);
    if (st)
        session_error(s, "that state cannot be restored: %s", midi_strerror(st));
    return !st && is_there;
}

static void say_where(struct session *s)
{
    uint64_t state = present(s);
    size_t n = history_n_states(s->project.history);
    session_say(s, "at state %llu of %zu%s", (unsigned long long)state, n - 1,
                state == s->project.saved_state ? ", which is saved" : "");
}

void act_history_list(struct session *s)
{
    session_clear_selection(s);
    if (!list_toggle(s, MODE_HISTORY)) {
        say_where(s);
        return;
    }
    s->parts.history->began_at = present(s);
    s->parts.history->n = 0; /* so that the rows are made again, with times of now */
}

void act_history_back(struct session *s)
{
    session_close_mode(s);
    if (go(s, s->parts.history->began_at))
        session_say(s, "back at state %llu",
                    (unsigned long long)s->parts.history->began_at);
}

/* Without memory the list is empty. */
static void fill_list(struct session *s, struct list_view *l)
{
    struct history_rows *h = s->parts.history;
    if (h->n != history_n_states(s->project.history) && !rows_make(h, &s->project))
        h->n = 0;
    else
        rows_update(h, &s->project);
    s->view.history = h->rows;
    l->n = (int)h->n;
    l->point = l->n - 1 - (int)present(s);
}

static void go_to_row(struct session *s, int row)
{
    go(s, history_n_states(s->project.history) - 1 - (uint64_t)row);
}

void act_undo(struct session *s, const struct command *c)
{
    const char *label = NULL;
    const struct history *h = s->project.history;
    uint64_t from = history_state(h);
    bool is_back = c->by < 0;
    int done = project_step(&s->project, is_back ? -command_times(c) : command_times(c),
                            &label);
    if (!history_arrive(s, from))
        return;
    if (!done) {
        session_say(s, "nothing to %s", is_back ? "undo" : "redo");
        return;
    }
    /* Finds the change that led from the present state towards `from`; of redo, to it. */
    uint64_t now = history_state(h), at = is_back ? from : now;
    while (at > now && history_at(h, at)->parent != now)
        at = history_at(h, at)->parent;
    scroll_to_change(s, is_back && at <= now ? NULL : history_at(h, at)->change);
    session_say(s, "%s: %s", is_back ? "undone" : "redone", label ? label : "");
}

void act_history_line(struct session *s)
{
    if (s->view.mode != MODE_HISTORY)
        act_history_list(s);
}

void act_undo_line(struct session *s, const char *word)
{
    char *end;
    unsigned long long state = strtoull(word, &end, 10);
    if (!*word)
        act_call(s, CMD_UNDO);
    else if (*end || *word == '-' || state >= history_n_states(s->project.history))
        session_error(s, "undo: use the number of a state, 0 to %zu: U lists them",
                      history_n_states(s->project.history) - 1);
    else if (go(s, state))
        say_where(s);
}

void act_revert_line(struct session *s)
{
    if (present(s) == s->project.saved_state)
        session_say(s, "no changes%s", s->project.path ? " since the last save" : "");
    else if (go(s, s->project.saved_state))
        session_say(s, "reverted%s; U lists the dropped changes",
                    s->project.path ? " saved" : "");
}

/* The word is "5" states, or "5s", "5m", "5h", "5d". As in vim, goes by the order of the edits,
 * across branches. */
void act_travel_line(struct session *s, const char *word, int sign)
{
    static const char UNITS[] = "smhd";
    static const int SECONDS[] = {1, 60, 3600, 86400};
    char *end;
    const long n = strtol(*word ? word : "1", &end, 10);
    const char *unit = *end ? strchr(UNITS, *end) : NULL;
    if (n < 0 || n > 1000000 || end == word || (*end && (!unit || end[1]))) {
        session_error(s, "how far? use 3 (states), or 30s, 5m, 2h, 1d");
        return;
    }
    const int64_t seconds = unit ? (int64_t)n * SECONDS[unit - UNITS] : 0;
    const struct history *h = s->project.history;
    bool is_first = present(s) == 0 && history_n_states(h) > 1;
    /* The opened music has the time of the first change. */
    int64_t from = history_at(h, is_first ? 1 : present(s))->time;
    uint64_t state = history_n_states(h) - 1; /* the last that was there then */
    while (state > 0 && history_at(h, state)->time > from + sign * seconds)
        state--;
    long to = (long)present(s) + sign * n, most = (long)history_n_states(h) - 1;
    if (go(s, seconds ? state : (uint64_t)(to < 0 ? 0 : to > most ? most : to)))
        say_where(s);
}

/* The labels belonged to another history. */
static void reset(struct session *s)
{
    s->parts.history->n = 0;
}

static void fini(struct session *s)
{
    free(s->parts.history->rows);
}

const struct editor_part HISTORY_LIST_PART = {
    PART_STATE(history),
    .fini = fini,
    .reset = reset,
    .list = &(const struct list_owner){.id = LIST_HISTORY,
                                       .mode = MODE_HISTORY,
                                       .enter = CMD_HISTORY,
                                       .close = CMD_HISTORY,
                                       .fill = fill_list,
                                       .choose = go_to_row},
};
