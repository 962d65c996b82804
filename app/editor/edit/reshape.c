/* See reshape.h. */
#include "app/editor/edit/reshape.h"
#include "midi/score/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool reshape_begin(struct reshape *r, struct session *s)
{
    *r = (struct reshape){.session = s};
    r->n = edit_targets(s, &r->before);
    r->after = r->n ? calloc(r->n, sizeof *r->after) : NULL;
    if (r->n && !r->after)
        session_no_memory(s);
    if (!r->after) {
        free(r->before);
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
    r->before = NULL;
    r->after = NULL;
}

const char *reshape_label(char buf[RESHAPE_LABEL], const char *verb, size_t n)
{
    if (n == 1)
        snprintf(buf, RESHAPE_LABEL, "%s a note", verb);
    else
        snprintf(buf, RESHAPE_LABEL, "%s %zu notes", verb, n);
    return buf;
}

size_t reshape_run(const struct reshape *r, size_t i)
{
    return edit_targets_run(r->before + i, r->n - i);
}

bool reshape_give_up(struct reshape *r, const char *verb)
{
    session_say(r->session, "cannot %s any further", verb);
    reshape_forget(r);
    return false;
}

bool reshape_do(struct reshape *r, const char *verb, enum overlap_rule rule)
{
    char label[RESHAPE_LABEL];
    struct session *s = r->session;
    const bool is_alone = r->n == 1 && !s->selection.n;
    const struct note first = r->after[0];
    for (size_t i = 0; i < r->n; i++) {
        if (r->after[i].pitch != PITCH_GONE && !note_is_valid(&r->after[i]))
            return reshape_give_up(r, verb);
        r->n_changed += !note_equal(&r->before[i].note, &r->after[i]);
    }
    if (!r->n_changed)
        session_say(s, "nothing to %s here", verb);
    bool ok = r->n_changed && edit_replace(s, reshape_label(label, verb, r->n),
                                           r->before, r->after, r->n, rule, &r->n_cut);
    bool had_cursor = ok && is_alone && first.pitch == s->view.cursor.pitch;
    if (had_cursor && !session_note_under_cursor(s)) /* it went from under it */
        session_go_to(s, grid_floor(s, first.start));
    reshape_forget(r);
    return ok;
}

void reshape_tell_cut(const struct reshape *r)
{
    char *message = r->session->view.message.text;
    size_t n = strlen(message), room = sizeof r->session->view.message.text - n;
    if (r->n_cut)
        snprintf(message + n, room, "; %zu note%s shortened", r->n_cut,
                 plural(r->n_cut));
}
