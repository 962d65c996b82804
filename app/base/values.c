/* Values as people write them. See values.h. */
#include "app/base/values.h"

#include "midi/score/scale.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool value_real(const char *text, double low, double high, double *x)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        return false;
    *x = value;
    return true;
}

bool value_count(const char *text, int low, int high, int *n)
{
    double x;
    if (!value_real(text, low, high, &x) || x != (double)(int)x)
        return false;
    *n = (int)x;
    return true;
}

bool value_word(const char *text, const char *const *words, int *which)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], text)) {
            *which = i;
            return true;
        }
    return false;
}

bool value_split(const char *text, const char *signs, char first[VALUE_BYTES],
                 const char **rest)
{
    size_t n = strcspn(text, signs);
    *rest = text[n] ? text + n + 1 : NULL;
    snprintf(first, VALUE_BYTES, "%.*s", (int)n, text);
    return n < VALUE_BYTES;
}

bool value_meter(const char *text, int *numerator, int *denominator)
{
    char *end;
    long n = strtol(text, &end, 10), d = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || n < 1 || n > 64 || d < 1 || d > 128 || (d & (d - 1)))
        return false;
    *numerator = (int)n;
    *denominator = (int)d;
    return true;
}

bool value_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return false;
    *seed = value;
    return true;
}

bool value_place(const char *text, int64_t *bar, double *beat)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (*text < '0' || *text > '9' || errno || number < 1 || number > 1 << 24)
        return false;
    double place = 1;
    if (*end == ':' ? !value_real(end + 1, 1, 4096, &place) : *end)
        return false;
    *bar = number;
    *beat = place;
    return true;
}

/* Reads a pitch, a number or a name, at *text, which moves past it; -1: there is none. */
static int read_pitch(const char **text)
{
    static const char LETTERS[] = "C D EF G A B";
    char *end;
    const char *letter =
        **text ? strchr(LETTERS, toupper((unsigned char)**text)) : NULL;
    long pitch;
    if (letter && *letter != ' ') {
        pitch = letter - LETTERS;
        ++*text;
        for (int by; (by = scale_read_accidental(text)) != 0;)
            pitch += by;
        long octave = strtol(*text, &end, 10);
        if (end == *text || octave < -1 || octave > 9)
            return -1;
        pitch += 12 * (octave + 1);
    } else {
        if (!isdigit((unsigned char)**text))
            return -1;
        pitch = strtol(*text, &end, 10);
    }
    *text = end;
    return pitch >= 0 && pitch <= 127 ? (int)pitch : -1;
}

bool value_pitches(const char *text, uint8_t *low, uint8_t *high)
{
    int first = read_pitch(&text), last = first;
    if (*text == '-') {
        text++;
        last = read_pitch(&text);
    }
    if (first < 0 || last < first || *text)
        return false;
    *low = (uint8_t)first;
    *high = (uint8_t)last;
    return true;
}

bool value_pitch(const char *text, int *pitch)
{
    uint8_t low, high;
    if (!value_pitches(text, &low, &high) || low != high)
        return false;
    *pitch = low;
    return true;
}

bool value_tracks(const char *text, uint64_t *tracks)
{
    uint64_t all = 0;
    do {
        char *end;
        long track = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
        if (track < 1 || track > 64 || (*end && *end != ','))
            return false;
        all |= UINT64_C(1) << (track - 1);
        text = end;
    } while (*text++ == ',');
    *tracks = all;
    return true;
}

bool value_is_named(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = names; at && *at; at += strspn(at, ",")) {
        size_t span = strcspn(at, ",");
        if (span == n && !memcmp(at, name, n))
            return true;
        at += span;
    }
    return !names;
}

static const char *const PRECISION_WORDS[] = {
    [WEIGHTS_F32] = "f32", [WEIGHTS_BF16] = "bf16", [WEIGHTS_INT8] = "int8", NULL};

const char *value_precision_name(enum model_weights_kind kind)
{
    return PRECISION_WORDS[kind];
}

bool value_precision(const char *text, struct model_precision *precision)
{
    int kind;
    if (!value_word(text, PRECISION_WORDS, &kind))
        return false;
    precision->weights = (enum model_weights_kind)kind;
    precision->cache = kind ? CACHE_INT8 : CACHE_F32;
    return true;
}

void text_append(char *buf, size_t n_buf, const char *format, ...)
{
    const size_t used = strlen(buf);
    va_list values;
    va_start(values, format);
    vsnprintf(buf + used, n_buf - used, format, values);
    va_end(values);
}

const char *place_name(const struct timeline *t, int64_t tick, char buf[PLACE_BYTES])
{
    struct bar bar = timeline_bar_at(t, tick);
    double beat =
        1 + (double)(tick - bar.start) / (double)timeline_beat_ticks(t, bar.start);
    int n = snprintf(buf, PLACE_BYTES, "bar %lld", (long long)bar.index + 1);
    if (tick > bar.start)
        snprintf(buf + n, PLACE_BYTES - (size_t)n, ", beat %.4g", beat);
    return buf;
}
