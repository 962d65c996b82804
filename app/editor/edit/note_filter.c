/* See note_filter.h. Every condition becomes a range. */
#include "app/editor/edit/note_filter.h"

#include "app/document/groove.h"
#include "app/base/values.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 256 };

static bool read_whole(const char *text, int64_t *x)
{
    int n;
    bool ok = value_count(text, 0, 1 << 24, &n);
    *x = ok ? n : 0;
    return ok;
}

static bool read_length(const char *text, int64_t *x)
{
    struct grid_step g = {0};
    if (!grid_step_parse(text, &g) || g.is_free)
        return false;
    struct lattice l = grid_step_lattice(&g, NOTE_FILTER_WHOLE / 4);
    *x = l.ticks / l.steps;
    return true;
}

static bool read_pitch(const char *text, int64_t *x)
{
    int pitch;
    bool ok = value_pitch(text, &pitch);
    *x = ok ? pitch : 0;
    return ok;
}

static const struct quality {
    const char *name;
    size_t offset;
    bool (*read)(const char *text, int64_t *x);
} QUALITIES[] = {
    {"velocity", offsetof(struct note_filter, velocity), read_whole},
    {"length", offsetof(struct note_filter, length), read_length},
    {"pitch", offsetof(struct note_filter, pitch), read_pitch},
    {"bar", offsetof(struct note_filter, bar), read_whole},
};
enum { N_QUALITIES = sizeof QUALITIES / sizeof QUALITIES[0] };

/* What follows the name: a sign and a value, or a span. */
static bool read_range(const struct quality *q, char *text, struct note_range *r)
{
    char sign = *text == '<' || *text == '>' || *text == '=' ? *text++ : '\0';
    bool with_equal = (sign == '<' || sign == '>') && *text == '=';
    text += with_equal;
    int64_t x;
    if (sign != '<' && sign != '>') {
        /* "C3-G4", of which the first part may begin with a sign (C-1). */
        if (q->read(text, &r->low)) {
            r->high = r->low;
            return true;
        }
        for (char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
            *dash = '\0';
            bool ok = q->read(text, &r->low) && q->read(dash + 1, &r->high);
            *dash = '-';
            if (ok)
                return r->low <= r->high;
        }
        return false;
    }
    if (!q->read(text, &x))
        return false;
    if (sign == '<')
        *r = (struct note_range){INT64_MIN, x - !with_equal};
    else
        *r = (struct note_range){x + !with_equal, INT64_MAX};
    return true;
}

static const struct quality *quality_at(const char *text)
{
    for (int i = 0; i < N_QUALITIES; i++)
        if (!strncmp(text, QUALITIES[i].name, strlen(QUALITIES[i].name)))
            return &QUALITIES[i];
    return NULL;
}

/* Takes the condition at *text, which moves past it. Its value is all up to the next
 * quality, or to the end, without its spaces. */
static bool take(char **text, struct note_filter *f)
{
    char value[MOST_BYTES];
    size_t n = 0;
    struct note_range r;
    const struct quality *q = quality_at(*text);
    if (!q)
        return false;
    *text += strlen(q->name);
    for (; **text && !(n && quality_at(*text) && (*text)[-1] == ' '); ++*text)
        if (**text != ' ')
            value[n++] = **text;
    value[n] = '\0';
    if (!read_range(q, value, &r))
        return false;
    struct note_range *at = (struct note_range *)((char *)f + q->offset);
    at->low = r.low > at->low ? r.low : at->low;
    at->high = r.high < at->high ? r.high : at->high;
    return true;
}

bool note_filter_parse(const char *text, struct note_filter *out)
{
    const struct note_range all = {INT64_MIN, INT64_MAX};
    struct note_filter f;
    char copy[MOST_BYTES], *at = copy;
    int n = snprintf(copy, sizeof copy, "%s", text + strspn(text, " "));
    if (n <= 0 || n >= MOST_BYTES)
        return false;
    for (int i = 0; i < N_QUALITIES; i++)
        *(struct note_range *)((char *)&f + QUALITIES[i].offset) = all;
    while (*at)
        if (!take(&at, &f))
            return false;
    *out = f;
    return true;
}

static bool is_in(const struct note_range *r, int64_t x)
{
    return x >= r->low && x <= r->high;
}

bool note_filter_has(const struct note_filter *f, const struct score *s,
                     const struct note *n)
{
    /* The file may have any length; this one is longer than all. */
    int64_t whole = 4 * (int64_t)s->ticks_per_quarter,
            most = INT64_MAX / NOTE_FILTER_WHOLE;
    int64_t length = (n->length < most ? n->length : most) * NOTE_FILTER_WHOLE;
    if (!is_in(&f->velocity, n->velocity) || !is_in(&f->pitch, n->pitch))
        return false;
    if ((f->length.low != INT64_MIN && length < f->length.low * whole) ||
        (f->length.high != INT64_MAX && length > f->length.high * whole))
        return false;
    bool is_any_bar = f->bar.low == INT64_MIN && f->bar.high == INT64_MAX;
    return is_any_bar ||
           is_in(&f->bar, timeline_bar_at(&s->timeline, n->start).index + 1);
}
