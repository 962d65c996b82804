/* See find.h. Every condition becomes a range. */
#include "app/editor/edit/find.h"

#include "app/document/groove.h"
#include "app/base/values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 256, MOST_BAR = 100000000, MOST_FRACTION = 4096 };
/* A whole note in parts; every note value that can be typed is a whole number of them. */
enum { WHOLE = 384 };

static bool read_velocity(const char *text, double *x)
{
    int n;
    bool ok = value_count(text, 0, 127, &n);
    *x = ok ? n : 0;
    return ok;
}

static bool read_bar(const char *text, double *x)
{
    int n;
    bool ok = value_count(text, 0, 1 << 24, &n);
    *x = ok ? n : 0;
    return ok;
}

static bool read_pitch(const char *text, double *x)
{
    int pitch;
    bool ok = value_pitch(text, &pitch);
    *x = ok ? pitch : 0;
    return ok;
}

/* "1/16t", in whole notes. */
static bool read_length(const char *text, double *x)
{
    struct grid_step g = {0};
    if (!grid_step_parse(text, &g) || g.is_free)
        return false;
    struct lattice l = grid_step_lattice(&g, WHOLE / 4);
    const int64_t ticks = l.ticks / l.steps;
    *x = (double)ticks / WHOLE;
    return true;
}

/* "2" or "3/8", in whole notes. */
static bool read_fraction(const char *text, double *x)
{
    char first[VALUE_BYTES];
    int numerator, denominator = 1;
    const char *rest;
    bool ok = value_split(text, "/", first, &rest) &&
              value_count(first, 0, MOST_FRACTION, &numerator) &&
              (!rest || value_count(rest, 1, MOST_FRACTION, &denominator));
    *x = ok ? (double)numerator / denominator : 0;
    return ok;
}

static const struct quality {
    const char *name;
    size_t offset;
    bool (*read)(const char *text, double *x);
} QUALITIES[] = {
    {"velocity", offsetof(struct note_filter, velocity), read_velocity},
    {"length", offsetof(struct note_filter, length), read_length},
    {"len", offsetof(struct note_filter, length), read_fraction},
    {"pitch", offsetof(struct note_filter, pitch), read_pitch},
    {"bar", offsetof(struct note_filter, bar), read_bar},
};
enum { N_QUALITIES = sizeof QUALITIES / sizeof QUALITIES[0] };

static const struct quality *quality_at(const char *text)
{
    for (int i = 0; i < N_QUALITIES; i++)
        if (!strncasecmp(text, QUALITIES[i].name, strlen(QUALITIES[i].name)))
            return &QUALITIES[i];
    return NULL;
}

/* What follows the name: a sign and a value, or a span. */
static bool read_range(const struct quality *q, char *text, struct note_range *r)
{
    char sign = *text == '<' || *text == '>' || *text == '=' ? *text++ : '\0';
    bool with_equal = sign && *text == '=';
    text += with_equal;
    if (sign == '<' || sign == '>') {
        double x = 0;
        bool ok = q->read(text, &x);
        r->low = sign == '<' ? -INFINITY : with_equal ? x : nextafter(x, INFINITY);
        r->high = sign == '>' ? INFINITY : with_equal ? x : nextafter(x, -INFINITY);
        return ok;
    }
    if (q->read(text, &r->low)) {
        r->high = r->low;
        return true;
    }
    /* "C3-G4", of which the first part may begin with a sign (C-1). */
    for (char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
        *dash = '\0';
        bool ok = q->read(text, &r->low) && q->read(dash + 1, &r->high);
        *dash = '-';
        if (ok)
            return r->low <= r->high;
    }
    return false;
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
    at->low = fmax(r.low, at->low);
    at->high = fmin(r.high, at->high);
    return true;
}

/* Without the short forms. */
static bool parse_conditions(const char *text, struct note_filter *out)
{
    const struct note_range all = {-INFINITY, INFINITY};
    struct note_filter f = {all, all, all, all, -1};
    char copy[MOST_BYTES], *at = copy;
    int n = snprintf(copy, sizeof copy, "%s", text + strspn(text, " "));
    if (n <= 0 || n >= MOST_BYTES)
        return false;
    while (*at)
        if (!take(&at, &f))
            return false;
    *out = f;
    return true;
}

bool note_filter_parse(const char *text, struct note_filter *out)
{
    char longer[MOST_BYTES + 16];
    int pitch;
    if (parse_conditions(text, out))
        return true;
    bool is_name = isalpha((unsigned char)*text);
    snprintf(longer, sizeof longer, "%s%s", is_name ? "pitch" : "velocity", text);
    if ((is_name || (*text && strchr("<>=", *text))) && parse_conditions(longer, out))
        return true;
    snprintf(longer, sizeof longer, "%s4", text);
    if (!is_name || !value_pitch(longer, &pitch) || !parse_conditions("pitch>=0", out))
        return false;
    out->pitch_class = pitch % 12;
    return true;
}

static bool is_in(const struct note_range *r, double x)
{
    return x >= r->low && x <= r->high;
}

bool note_filter_has(const struct note_filter *f, const struct score *s,
                     const struct note *n)
{
    return is_in(&f->velocity, n->velocity) && is_in(&f->pitch, n->pitch) &&
           (f->pitch_class < 0 || n->pitch % 12 == f->pitch_class) &&
           is_in(&f->length, (double)n->length / (4.0 * s->ticks_per_quarter)) &&
           is_in(&f->bar, (double)timeline_bar_at(&s->timeline, n->start).index + 1);
}

/* "12" or "12.3". */
static bool parse_bar(struct find_query *q, const char *text)
{
    char first[VALUE_BYTES];
    int bar, beat = 1;
    const char *rest;
    if (!value_split(text, ".:", first, &rest) ||
        !value_count(first, 1, MOST_BAR, &bar) ||
        (rest && !value_count(rest, 1, 255, &beat)))
        return false;
    q->kind = FIND_BAR;
    q->bar = bar - 1;
    q->beat = beat - 1;
    return true;
}

struct find_query find_parse(const char *text)
{
    struct find_query q = {.kind = *text ? FIND_TEXT : FIND_NOTHING};
    if (!parse_bar(&q, text) && note_filter_parse(text, &q.notes))
        q.kind = FIND_NOTES;
    snprintf(q.text, sizeof q.text, "%s", text);
    return q;
}

bool find_fits_note(const struct find_query *q, const struct score *s,
                    const struct note *n)
{
    return q->kind == FIND_NOTES && note_filter_has(&q->notes, s, n);
}

bool find_fits_text(const struct find_query *q, const void *bytes, size_t n)
{
    const char *at = bytes;
    size_t n_text = strlen(q->text);
    for (size_t from = 0; q->kind == FIND_TEXT && from + n_text <= n; from++)
        if (strncasecmp(at + from, q->text, n_text) == 0)
            return true;
    return false;
}
