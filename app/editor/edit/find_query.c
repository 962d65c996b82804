/* See find.h. */
#include "app/editor/edit/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BAR = 100000000 };

/* The whole text a number from `low` up; *end is what follows otherwise. */
static bool read_number(const char **at, long low, long high, long *n)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *n = strtol(*at, &end, 10);
    *at = end;
    return *n >= low && *n <= high;
}

static bool parse_bar(struct find_query *q, const char *text)
{
    long bar, beat = 1;
    if (!read_number(&text, 1, MOST_BAR, &bar))
        return false;
    if ((*text == '.' || *text == ':') && text[1]) {
        text++;
        if (!read_number(&text, 1, 255, &beat))
            return false;
    }
    q->kind = FIND_BAR;
    q->bar = bar - 1;
    q->beat = beat - 1;
    return !*text;
}

/* "#", "♯", "b", "♭" or nothing. */
static int read_accidental(const char **at)
{
    static const struct {
        const char *sign;
        int by;
    } SIGNS[] = {{"#", 1}, {"♯", 1}, {"b", -1}, {"♭", -1}};
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        size_t n = strlen(SIGNS[i].sign);
        if (!strncmp(*at, SIGNS[i].sign, n)) {
            *at += n;
            return SIGNS[i].by;
        }
    }
    return 0;
}

static bool parse_pitch(struct find_query *q, const char *text)
{
    static const int PITCHES[] = {9, 11, 0, 2, 4, 5, 7}; /* of A to G */
    int letter = (*text | 32) - 'a';
    if (letter < 0 || letter > 6)
        return false;
    text++;
    int pitch = PITCHES[letter] + read_accidental(&text);
    q->kind = FIND_PITCH;
    q->any_octave = !*text;
    q->pitch = (pitch + 12) % 12;
    if (q->any_octave)
        return true;
    int sign = *text == '-' ? -1 : 1;
    long octave;
    text += *text == '-';
    if (!read_number(&text, 0, 10, &octave) || *text)
        return false;
    q->pitch = pitch + 12 * (sign * (int)octave + 1);
    return q->pitch >= 0 && q->pitch <= 127;
}

static bool read_relation(struct find_query *q, const char **at)
{
    const char *sign = strchr("<>=", **at);
    if (!**at || !sign)
        return false;
    q->relation = *sign == '<' ? FIND_LESS : *sign == '>' ? FIND_MORE : FIND_EQUAL;
    if (*++*at == '=') {
        q->relation |= FIND_EQUAL;
        ++*at;
    }
    return true;
}

static bool parse_velocity(struct find_query *q, const char *text)
{
    long velocity;
    if (!read_relation(q, &text) || !read_number(&text, 0, 127, &velocity) || *text)
        return false;
    q->kind = FIND_VELOCITY;
    q->velocity = (int)velocity;
    return true;
}

static bool parse_length(struct find_query *q, const char *text)
{
    long numerator, denominator = 1;
    if (strncasecmp(text, "len", 3) != 0)
        return false;
    text += 3;
    if (!read_relation(q, &text) || !read_number(&text, 0, 4096, &numerator))
        return false;
    if (*text == '/') {
        text++;
        if (!read_number(&text, 1, 4096, &denominator))
            return false;
    }
    q->kind = FIND_LENGTH;
    q->numerator = (int)numerator;
    q->denominator = (int)denominator;
    return !*text;
}

struct find_query find_parse(const char *text)
{
    struct find_query q = {0};
    if (!parse_bar(&q, text) && !parse_pitch(&q, text) && !parse_velocity(&q, text) &&
        !parse_length(&q, text))
        q = (struct find_query){.kind = *text ? FIND_TEXT : FIND_NOTHING};
    snprintf(q.text, sizeof q.text, "%s", text);
    return q;
}

bool find_is_of_notes(const struct find_query *q)
{
    return q->kind == FIND_PITCH || q->kind == FIND_VELOCITY || q->kind == FIND_LENGTH;
}

static bool holds(const struct find_query *q, double difference)
{
    return q->relation & (difference < 0   ? FIND_LESS
                          : difference > 0 ? FIND_MORE
                                           : FIND_EQUAL);
}

bool find_fits_note(const struct find_query *q, const struct score *s,
                    const struct note *n)
{
    switch (q->kind) {
    case FIND_PITCH:
        return q->any_octave ? n->pitch % 12 == q->pitch : n->pitch == q->pitch;
    case FIND_VELOCITY:
        return holds(q, n->velocity - q->velocity);
    case FIND_LENGTH:
        return holds(q, (double)n->length * q->denominator -
                            4.0 * s->ticks_per_quarter * q->numerator);
    default:
        return false;
    }
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
