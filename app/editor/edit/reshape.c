/* See reshape.h. */
#include "app/editor/edit/reshape.h"
#include "app/editor/session/overlap.h"
#include "midi/score/notes.h"
#include "tui/base/names.h"
#include "midi/base/array.h"

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

static bool append(struct reshape *to, int track, const struct moved *moved, size_t n)
{
    struct target *before = array_resize(to->before, to->n + n, sizeof *before);
    if (before)
        to->before = before;
    struct note *after = array_resize(to->after, to->n + n, sizeof *after);
    if (after)
        to->after = after;
    for (size_t i = 0; before && after && i < n; i++, to->n++) {
        before[to->n] = (struct target){track, moved[i].before};
        after[to->n] = moved[i].after;
    }
    return before && after;
}

/* One track's targets from `at` on, into `cut`. */
static bool cut_run(const struct reshape *r, size_t at, size_t n, struct reshape *to,
                    struct note *meets)
{
    int track = r->before[at].track;
    const struct track *t = &r->session->project.score->tracks[track];
    struct moved *moved = calloc(n, sizeof *moved);
    size_t n_moved = n;
    for (size_t i = 0; moved && i < n; i++)
        moved[i] = (struct moved){r->before[at + i].note, r->after[at + i]};
    bool ok = moved && overlaps_truncate(t, &moved, &n_moved, meets) &&
              append(to, track, moved, n_moved);
    to->n_cut += ok ? n_moved - n : 0;
    free(moved);
    return ok;
}

/* false: the user was told why. */
static bool cut_tails(struct reshape *r, const char *label)
{
    char name[PITCH_NAME_BYTES];
    struct reshape cut = {.session = r->session};
    struct note meets = {0};
    bool ok = true;
    for (size_t at = 0, run; ok && at < r->n; at += run) {
        run = reshape_run(r, at);
        ok = cut_run(r, at, run, &cut, &meets) || session_no_memory(r->session);
    }
    if (ok && meets.id) {
        long long bar = session_bar_at(r->session, meets.start).index + 1;
        session_say(r->session, "cannot %s: two %s would begin together in bar %lld",
                    label, pitch_name_octave(meets.pitch, SPELL_SHARPS, name), bar);
        ok = false;
    }
    if (!ok) {
        reshape_forget(&cut);
        return false;
    }
    reshape_forget(r);
    r->before = cut.before;
    r->after = cut.after;
    r->n = cut.n;
    r->n_cut = cut.n_cut;
    return true;
}

static bool do_it(struct reshape *r, const char *verb, bool cuts)
{
    char label[RESHAPE_LABEL];
    struct session *s = r->session;
    reshape_label(label, verb, r->n);
    bool is_alone = r->n == 1 && !s->selection.n;
    struct note first = r->after[0];
    for (size_t i = 0; i < r->n; i++)
        if (r->after[i].pitch != PITCH_GONE && !note_is_valid(&r->after[i]))
            return reshape_give_up(r, verb);
    bool ok = !cuts || cut_tails(r, label);
    if (ok) {
        size_t kept = 0;
        for (size_t i = 0; i < r->n; i++) {
            if (note_equal(&r->before[i].note, &r->after[i]))
                continue;
            r->before[kept] = r->before[i];
            r->after[kept++] = r->after[i];
        }
        r->n = kept;
        r->n_changed = kept - r->n_cut;
    }
    if (ok && !r->n)
        session_say(s, "nothing to %s here", verb);
    ok = ok && r->n && edit_replace(s, label, r->before, r->after, r->n);
    bool had_cursor = ok && is_alone && first.pitch == s->cursor.pitch;
    if (had_cursor && !session_note_under_cursor(s)) /* it went from under it */
        session_go_to(s, grid_floor(s, first.start));
    reshape_forget(r);
    return ok;
}

bool reshape_do(struct reshape *r, const char *verb)
{
    return do_it(r, verb, true);
}

/* The length of a hit is in nobody's way. */
bool reshape_do_strictly(struct reshape *r, const char *verb)
{
    return session_shows_kit(r->session) ? reshape_do(r, verb) : do_it(r, verb, false);
}

void reshape_tell_cut(const struct reshape *r)
{
    char *message = r->session->message.text;
    size_t n = strlen(message), room = sizeof r->session->message.text - n;
    if (r->n_cut)
        snprintf(message + n, room, "; %zu note%s shortened", r->n_cut,
                 plural(r->n_cut));
}
