/* See reshape.h. */
#include "app/editor/edit/reshape.h"
#include "midi/score/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool reshape_begin(struct reshape *r, struct session *s)
{
    *r = (struct reshape){.session = s};
    r->n = edit_targets(s, &r->before);
    r->after = calloc(r->n + 1, sizeof *r->after);
    r->added = change_create("");
    const bool ok = r->after && r->added;
    if (r->n && !ok)
        session_no_memory(s);
    if (!r->n || !ok) {
        reshape_forget(r);
        return false;
    }
    for (size_t i = 0; i < r->n; i++)
        r->after[i] = r->before[i].note;
    return true;
}

static bool is_hit(const struct reshape *r, size_t i)
{
    return track_is_drums(&r->session->project.score->tracks[r->before[i].track]);
}

bool reshape_is_drums(const struct reshape *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (!is_hit(r, i))
            return false;
    return true;
}

bool reshape_begin_pitches(struct reshape *r, struct session *s)
{
    size_t kept = 0;
    if (!reshape_begin(r, s))
        return false;
    for (size_t i = 0; i < r->n && !reshape_is_drums(r); i++) {
        if (is_hit(r, i))
            continue;
        r->before[kept] = r->before[i];
        r->after[kept++] = r->after[i];
    }
    r->n_hits = kept ? r->n - kept : 0;
    r->n = kept ? kept : r->n;
    return true;
}

void reshape_forget(struct reshape *r)
{
    free(r->before);
    free(r->after);
    change_destroy(r->added);
    *r = (struct reshape){.session = r->session};
}

size_t reshape_run(const struct reshape *r, size_t i)
{
    size_t end = i + 1;
    while (end < r->n && r->before[end].track == r->before[i].track)
        end++;
    return end - i;
}

bool reshape_give_up(struct reshape *r, const char *verb)
{
    session_say(r->session, "cannot %s any further", verb);
    reshape_forget(r);
    return false;
}

bool reshape_do(struct reshape *r, enum overlap_rule rule, const char *verb,
                const char *more, ...)
{
    struct session *s = r->session;
    char rest[EDIT_LABEL_BYTES] = "", count[32] = "a note";
    const bool is_alone = r->n == 1 && !s->selection.n;
    const struct note first = r->after[0];
    size_t n_changed = r->added->n_edits, n_cut;
    va_list args;
    va_start(args, more);
    if (more)
        vsnprintf(rest, sizeof rest, more, args);
    va_end(args);
    if (r->n > 1)
        snprintf(count, sizeof count, "%zu notes", r->n);
    for (size_t i = 0; i < r->n; i++) {
        if (r->after[i].pitch != PITCH_GONE && !note_is_valid(&r->after[i]))
            return reshape_give_up(r, verb);
        n_changed += !note_equal(&r->before[i].note, &r->after[i]);
    }
    if (!n_changed) {
        session_say(s, "nothing to %s here", verb);
        reshape_forget(r);
        return false;
    }
    struct change *c = edit_begin("%s %s%s", verb, count, rest);
    change_add_all(c, r->added);
    const bool ok = edit_replace(s, c, r->before, r->after, r->n, rule, &n_cut);
    if (ok && more)
        session_say(s, "%s", history_now(s->project.history)->change->label);
    if (ok && more && n_cut)
        session_say_more(s, "; %zu note%s shortened", n_cut, plural((long long)n_cut));
    bool had_cursor = ok && is_alone && first.pitch == s->view.cursor.pitch;
    const bool to_end = r->keeps_to_end && s->view.cursor.tick >= note_end(&first);
    if (had_cursor &&
        !session_note_under_cursor(s)) /* the note moved away from the cursor */
        session_go_to(s, grid_floor(s, to_end ? note_end(&first) - 1 : first.start));
    reshape_forget(r);
    return ok;
}
