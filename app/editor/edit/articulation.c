/* Changes note lengths (legato, staccato) and the time of a phrase (stretched,
 * backwards). A length set here is final: the played length is dropped. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"
#include "midi/score/notes.h"

#include <math.h>

/* A count up to nine is a number of times, a larger one is a percentage. */
static bool is_percent(const struct command *c)
{
    return c->count > 9;
}

static void set_length(struct note *n, int64_t length)
{
    n->length = length > 0 ? length : 1;
    n->raw_length = 0;
}

/* Each note lasts up to the next note that begins later: of the targets of its track or, if
 * there is one target, of the whole track. A percentage of the way, if a count gives one. */
void act_legato(struct session *s, const struct command *c)
{
    struct reshape r;
    int percent = is_percent(c) && c->count < 100 ? c->count : 100;
    if (!reshape_begin(&r, s))
        return;
    const int track = r.before->track;
    const struct track *t = &s->project.score->tracks[track];
    size_t i = score_first_note_at(s->project.score, track, r.after->start + 1);
    int64_t alone = r.n == 1 && i < t->n_notes ? t->notes[i].start : -1;
    int64_t next = alone, here = alone; /* starts; -1: none */
    for (i = r.n; i-- > 0;) {
        struct note *n = &r.after[i];
        if (i + 1 < r.n && r.before[i + 1].track != r.before[i].track)
            next = here = -1;
        if (n->start != here) {
            next = here;
            here = n->start;
        }
        const int64_t way = next - n->start;
        if (next >= 0)
            set_length(n, way / 100 * percent + way % 100 * percent / 100);
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

/* x times by / of, to the nearest tick; x is at most TICK_MAX / STRETCH_MOST either way. */
static int64_t scaled(int64_t x, int by, int of)
{
    int64_t twice = 2 * x * by;
    return (twice + (twice < 0 ? -of : of)) / (2 * of);
}

/* The word is "200%" or "3/2". Both ends of a note move, so notes that touch still touch. */
void act_stretch_line(struct session *s, const char *word)
{
    char first[VALUE_BYTES];
    const char *rest;
    int by, of = 100;
    struct reshape r;
    if (!value_split(word, "%/", first, &rest) || !rest ||
        !value_count(first, 1, STRETCH_MOST, &by) ||
        (rest[-1] == '%' ? *rest : !value_count(rest, 1, STRETCH_MOST, &of))) {
        session_error(s, "stretch: use a percentage or a fraction, as in 200%% or 2/3");
        return;
    }
    if (!reshape_begin(&r, s))
        return;
    struct edit_span span = edit_targets_span(r.before, r.n);
    if (span.to - span.from > TICK_MAX / (2 * STRETCH_MOST)) {
        reshape_give_up(&r, "stretch");
        return;
    }
    for (size_t i = 0; i < r.n; i++) {
        struct note *n = &r.after[i];
        int64_t start = span.from + scaled(n->start - span.from, by, of);
        int64_t end = span.from + scaled(note_end(n) - span.from, by, of);
        n->start = start;
        if (n->length > 0)
            n->length = end > start ? end - start : 1;
        n->raw_start = n->raw_length = 0;
    }
    reshape_do(&r, OVERLAP_TRUNCATE, "stretch", " to %g%%", 100.0 * by / of);
}

/* Starts become ends. */
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
