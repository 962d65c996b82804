/* See history_rows.h. The drawing goes from the newest state down: each column that is in
 * use waits for one state, the parent of what stands above in it. */
#include "app/editor/edit/history_rows.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What each column waits for; NOBODY: it is free. */
#define NOBODY UINT64_MAX

struct lanes {
    uint64_t waits_for[HISTORY_LANES];
};

/* The first that waits for the state, else a free one; the last when all are in use. */
static int lane_for(const struct lanes *l, uint64_t state)
{
    for (int i = 0; i < HISTORY_LANES; i++)
        if (l->waits_for[i] == state)
            return i;
    for (int i = 0; i < HISTORY_LANES; i++)
        if (l->waits_for[i] == NOBODY)
            return i;
    return HISTORY_LANES - 1;
}

static void place(struct history_row *r, struct lanes *l, const struct history *h)
{
    r->lane = (uint8_t)lane_for(l, r->state);
    r->passing = r->joining = 0;
    for (int i = 0; i < HISTORY_LANES; i++) {
        if (i == r->lane || l->waits_for[i] == NOBODY)
            continue;
        bool joins = l->waits_for[i] == r->state;
        *(joins ? &r->joining : &r->passing) |= (uint16_t)(1u << i);
        if (joins)
            l->waits_for[i] = NOBODY;
    }
    l->waits_for[r->lane] = r->state ? history_parent(h, r->state) : NOBODY;
}

/* The time of day of what was done today, else the date. */
static void tell_time(char out[HISTORY_WHEN_BYTES], int64_t seconds)
{
    time_t then = (time_t)seconds, now = time(NULL);
    struct tm a, b;
    out[0] = '\0';
    if (seconds <= 0 || !localtime_r(&then, &a) || !localtime_r(&now, &b))
        return;
    bool is_today = a.tm_year == b.tm_year && a.tm_yday == b.tm_yday;
    if (strftime(out, HISTORY_WHEN_BYTES, is_today ? "%H:%M:%S" : "%d %b", &a) == 0)
        out[0] = '\0';
}

static const char *label_of(const struct project *p, uint64_t state)
{
    if (state > 0)
        return change_label(history_change(p->history, state));
    return p->path ? "as it was opened" : "nothing yet";
}

bool history_rows_make(struct history_rows *h, const struct project *p)
{
    struct lanes lanes;
    size_t n = history_n_states(p->history);
    struct history_row *rows = reallocarray(h->rows, n, sizeof *rows);
    h->n = 0;
    if (!rows)
        return false;
    h->rows = rows;
    memset(&lanes, 0xFF, sizeof lanes); /* NOBODY */
    for (size_t i = 0; i < n; i++) {
        struct history_row *r = &rows[i];
        *r = (struct history_row){.state = n - 1 - i};
        r->label = label_of(p, r->state);
        tell_time(r->when, history_time(p->history, r->state));
        place(r, &lanes, p->history);
    }
    h->n = n;
    h->present = h->saved = NOBODY;
    history_rows_update(h, p);
    return true;
}

/* What led to the present state, and what redo would bring. */
static void mark_way(struct history_rows *h, const struct history *history)
{
    for (size_t i = 0; i < h->n; i++)
        h->rows[i].is_on_way = false;
    uint64_t state = h->present;
    for (; state; state = history_parent(history, state))
        h->rows[h->n - 1 - state].is_on_way = true;
    h->rows[h->n - 1].is_on_way = true;
    for (state = h->present; state; state = history_newest_child(history, state))
        h->rows[h->n - 1 - state].is_on_way = true;
}

void history_rows_update(struct history_rows *h, const struct project *p)
{
    if (h->present == history_state(p->history) && h->saved == p->saved_state)
        return;
    h->present = history_state(p->history);
    h->saved = p->saved_state;
    for (size_t i = 0; i < h->n; i++) {
        h->rows[i].is_present = h->rows[i].state == h->present;
        h->rows[i].is_saved = h->rows[i].state == h->saved;
    }
    mark_way(h, p->history);
}

void history_rows_fini(struct history_rows *h)
{
    free(h->rows);
    *h = (struct history_rows){0};
}
