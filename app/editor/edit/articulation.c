/* Changes note lengths (legato, staccato) and the time of a phrase (stretched,
 * backwards). A length set here is final: the played length is dropped. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"
#include "midi/score/notes.h"

#include <math.h>
#include <string.h>

/* Up to nine is how often, more is percent. */
static bool is_percent(const struct command *c)
{
    return c->count > 9;
}

static void set_length(struct note *n, int64_t length)
{
    n->length = length > 0 ? length : 1;
    n->raw_length = 0;
}

/* So much of the way to there; -1: there is nothing. */
static void reach(struct note *n, int64_t next, int percent)
{
    int64_t way = next - n->start;
    if (next >= 0)
        set_length(n, way / 100 * percent + way % 100 * percent / 100);
}

/* Of one track and in its order: each up to the next that begins later. */
static void slur(struct note *notes, size_t n, int percent)
{
    int64_t next = -1, here = -1;
    for (size_t i = n; i-- > 0;) {
        if (notes[i].start != here) {
            next = here;
            here = notes[i].start;
        }
        reach(&notes[i], next, percent);
    }
}

void act_legato(struct session *s, const struct command *c)
{
    struct reshape r;
    int percent = is_percent(c) && c->count < 100 ? c->count : 100;
    if (!reshape_begin(&r, s))
        return;
    if (r.n == 1) { /* a note alone looks at all of its track */
        int track = r.before->track;
        const struct track *t = &s->project.score->tracks[track];
        size_t i = score_first_note_at(s->project.score, track, r.after->start + 1);
        reach(r.after, i < t->n_notes ? t->notes[i].start : -1, percent);
    }
    for (size_t at = 0, run; r.n > 1 && at < r.n; at += run) {
        run = reshape_run(&r, at);
        slur(r.after + at, run, percent);
    }
    reshape_do(&r, OVERLAP_TRUNCATE, "slur", ", %d%% of the way", percent);
}

void act_staccato(struct session *s, const struct command *c)
{
    struct reshape r;
    int times = is_percent(c) ? 0 : command_times(c);
    int percent = is_percent(c) ? c->count > 400 ? 400 : c->count : 100;
    if (!reshape_begin(&r, s))
        return;
    for (size_t i = 0; i < r.n; i++) {
        int64_t length = r.after[i].length;
        if (length > 0)
            set_length(&r.after[i], ((length / 100 * percent) >> times) +
                                        ((length % 100 * percent / 100) >> times));
    }
    reshape_do(&r, OVERLAP_TRUNCATE, percent > 100 ? "lengthen" : "shorten", " to %g%%",
               ldexp(percent, -times));
}

enum { STRETCH_MOST = 10000 };

struct ratio {
    int64_t by, of; /* 1..STRETCH_MOST */
};

/* To the nearest tick; x is at most TICK_MAX / STRETCH_MOST either way. */
static int64_t scaled(int64_t x, const struct ratio *r)
{
    int64_t twice = 2 * x * r->by;
    return (twice + (twice < 0 ? -r->of : r->of)) / (2 * r->of);
}

static void stretch(struct session *s, const struct ratio *by)
{
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    struct edit_span span = edit_targets_span(r.before, r.n);
    if (span.to - span.from > TICK_MAX / (2 * STRETCH_MOST)) {
        reshape_give_up(&r, "stretch");
        return;
    }
    for (size_t i = 0; i < r.n; i++) { /* both ends move: touching notes still touch */
        struct note *n = &r.after[i];
        int64_t start = span.from + scaled(n->start - span.from, by);
        int64_t end = span.from + scaled(note_end(n) - span.from, by);
        n->start = start;
        if (n->length > 0)
            n->length = end > start ? end - start : 1;
        n->raw_start = n->raw_length = 0;
    }
    reshape_do(&r, OVERLAP_TRUNCATE, "stretch", " to %g%%",
               100.0 * (double)by->by / (double)by->of);
}

/* "200%" or "3/2" */
static bool read_ratio(const char *text, struct ratio *r)
{
    char first[VALUE_BYTES];
    const char *rest;
    int by, of = 100;
    if (!value_split(text, "%/", first, &rest) || !rest ||
        !value_count(first, 1, STRETCH_MOST, &by) ||
        (rest[-1] == '%' ? *rest : !value_count(rest, 1, STRETCH_MOST, &of)))
        return false;
    *r = (struct ratio){by, of};
    return true;
}

void act_stretch_line(struct session *s, const char *word)
{
    struct ratio by;
    if (read_ratio(word, &by))
        stretch(s, &by);
    else
        session_error(s, "stretch: use a percentage or a fraction, as in 200%% or 2/3");
}

/* Starts become ends; the played times are reversed too. */
void act_reverse_line(struct session *s)
{
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    struct edit_span span = edit_targets_span(r.before, r.n);
    for (size_t i = 0; i < r.n; i++) {
        struct note *n = &r.after[i];
        n->start = span.from + (span.to - note_end(n));
        n->raw_start = n->raw_length = 0;
    }
    reshape_do(&r, OVERLAP_TRUNCATE, "reverse", " in time");
}
