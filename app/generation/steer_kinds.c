/* See steer_kinds.h. */
#include "app/generation/steer_kinds.h"

#include "app/base/values.h"
#include "midi/score/scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_none(const struct steer_row *r, double x)
{
    return r->none && x == 0;
}

static bool says_none(const struct steer_row *r, const char *text)
{
    return r->none && (!strcmp(text, r->none) || !strcmp(text, "0"));
}

/* -- numbers with a fraction -- */

static void set_real(void *at, double x)
{
    /* Six digits are shown; the value is the float nearest to them. */
    char shown[STEER_TEXT_BYTES];
    snprintf(shown, sizeof shown, "%.6g", x);
    *(float *)at = strtof(shown, NULL);
}

static bool read_real(const struct steer_row *r, void *at, const char *text)
{
    double x = 0;
    bool none = says_none(r, text);
    if (!none && !value_real(text, r->low, r->high, &x))
        return false;
    set_real(at, x);
    return true;
}

static void write_real(const struct steer_row *r, const void *at,
                       char buf[STEER_TEXT_BYTES])
{
    double x = (double)*(const float *)at;
    if (is_none(r, x))
        snprintf(buf, STEER_TEXT_BYTES, "%s", r->none);
    else
        snprintf(buf, STEER_TEXT_BYTES, "%g", x);
}

/* Where a value is on the ladder of steps that begins at `low`; a step of a ratio is a
 * factor. */
static double rung_of(const struct steer_row *r, double x)
{
    return r->kind == &STEER_RATIO ? log(x / r->low) / log(r->step)
                                   : (x - r->low) / r->step;
}

/* Below the ladder is "any". */
static void step_real(const struct steer_row *r, void *at, int by)
{
    char shown[STEER_TEXT_BYTES];
    double x = (double)*(float *)at;
    if (is_none(r, x)) {
        set_real(at, by > 0 ? r->start : 0);
        return;
    }
    const double rung = floor(rung_of(r, x) + 0.5) + by;
    x = r->low + rung * r->step;
    if (r->kind == &STEER_RATIO) { /* of which three digits are enough */
        snprintf(shown, sizeof shown, "%.3g", r->low * pow(r->step, rung));
        x = strtod(shown, NULL);
    }
    set_real(at, rung >= 0 ? fmin(x, r->high) : r->none ? 0 : r->low);
}

static double share_real(const struct steer_row *r, const void *at)
{
    double x = (double)*(const float *)at;
    if (is_none(r, x))
        return -1;
    return r->kind == &STEER_RATIO ? rung_of(r, x) / rung_of(r, r->high)
                                   : (x - r->low) / (r->high - r->low);
}

const struct steer_kind STEER_REAL = {read_real,  write_real, step_real,
                                      share_real, "a number", true};
const struct steer_kind STEER_RATIO = {read_real,  write_real, step_real,
                                       share_real, "a number", true};

/* -- whole numbers -- */

static bool read_count(const struct steer_row *r, void *at, const char *text)
{
    if (!says_none(r, text))
        return value_count(text, (int)r->low, (int)r->high, at);
    *(int *)at = 0;
    return true;
}

static void write_count(const struct steer_row *r, const void *at,
                        char buf[STEER_TEXT_BYTES])
{
    int n = *(const int *)at;
    if (is_none(r, n))
        snprintf(buf, STEER_TEXT_BYTES, "%s", r->none);
    else
        snprintf(buf, STEER_TEXT_BYTES, "%d", n);
}

static void step_count(const struct steer_row *r, void *at, int by)
{
    int *n = at;
    double x = *n + by * r->step;
    if (is_none(r, *n))
        *n = by > 0 ? (int)r->start : 0;
    else if (x < r->low)
        *n = r->none ? 0 : (int)r->low;
    else
        *n = (int)fmin(x, r->high);
}

static double share_count(const struct steer_row *r, const void *at)
{
    int n = *(const int *)at;
    return is_none(r, n) ? -1 : (n - r->low) / (r->high - r->low);
}

const struct steer_kind STEER_COUNT = {read_count,  write_count,      step_count,
                                       share_count, "a whole number", true};

/* -- pitches -- */

static bool read_pitch(const struct steer_row *r, void *at, const char *text)
{
    int pitch = 0;
    bool none = says_none(r, text);
    if (!none && (!value_pitch(text, &pitch) || pitch < r->low || pitch > r->high))
        return false;
    *(int *)at = pitch;
    return true;
}

static void write_pitch(const struct steer_row *r, const void *at,
                        char buf[STEER_TEXT_BYTES])
{
    static const char *const NAMES[] = {"C",  "C#", "D",  "Eb", "E",  "F",
                                        "F#", "G",  "Ab", "A",  "Bb", "B"};
    int pitch = *(const int *)at;
    if (is_none(r, pitch))
        snprintf(buf, STEER_TEXT_BYTES, "%s", r->none);
    else
        snprintf(buf, STEER_TEXT_BYTES, "%s%d", NAMES[pitch % 12], pitch / 12 - 1);
}

const struct steer_kind STEER_PITCH = {
    read_pitch, write_pitch, step_count, share_count, "a pitch as in G4, or a number",
    false};

/* -- one of a few names, numbered from `low` -- */

static bool read_choice(const struct steer_row *r, void *at, const char *text)
{
    for (int i = (int)r->low; i <= (int)r->high; i++)
        if (!strcmp(text, r->choice(i))) {
            *(int *)at = i;
            return true;
        }
    return false;
}

static void write_choice(const struct steer_row *r, const void *at,
                         char buf[STEER_TEXT_BYTES])
{
    snprintf(buf, STEER_TEXT_BYTES, "%s", r->choice(*(const int *)at));
}

const struct steer_kind STEER_CHOICE = {read_choice, write_choice, step_count,
                                        NULL,        NULL,         false};

/* -- on or off -- */

static bool read_flag(const struct steer_row *r, void *at, const char *text)
{
    (void)r;
    bool is_on = !strcmp(text, "on");
    if (!is_on && strcmp(text, "off") != 0)
        return false;
    *(bool *)at = is_on;
    return true;
}

static void write_flag(const struct steer_row *r, const void *at,
                       char buf[STEER_TEXT_BYTES])
{
    (void)r;
    snprintf(buf, STEER_TEXT_BYTES, "%s", *(const bool *)at ? "on" : "off");
}

static void step_flag(const struct steer_row *r, void *at, int by)
{
    (void)r;
    *(bool *)at = by > 0;
}

const struct steer_kind STEER_FLAG = {read_flag, write_flag,  step_flag,
                                      NULL,      "on or off", false};

/* -- the seed -- */

static bool read_seed(const struct steer_row *r, void *at, const char *text)
{
    (void)r;
    return value_seed(text, at);
}

static void write_seed(const struct steer_row *r, const void *at,
                       char buf[STEER_TEXT_BYTES])
{
    (void)r;
    snprintf(buf, STEER_TEXT_BYTES, "%" PRIu64, *(const uint64_t *)at);
}

static void step_seed(const struct steer_row *r, void *at, int by)
{
    uint64_t *seed = at, size = (uint64_t)fabs(r->step * by);
    uint64_t room = by < 0 ? *seed : UINT64_MAX - *seed;
    size = size < room ? size : room;
    *seed = by < 0 ? *seed - size : *seed + size;
}

/* Kept as text: a number in JSON need not hold 64 bits. */
const struct steer_kind STEER_SEED = {read_seed, write_seed,       step_seed,
                                      NULL,      "a whole number", false};

/* -- scales -- */

static bool read_scale(const struct steer_row *r, void *at, const char *text)
{
    if (!says_none(r, text))
        return scale_parse(text, at);
    *(struct scale *)at = (struct scale){0};
    return true;
}

static void write_scale(const struct steer_row *r, const void *at,
                        char buf[STEER_TEXT_BYTES])
{
    const struct scale *scale = at;
    char text[SCALE_TEXT];
    snprintf(buf, STEER_TEXT_BYTES, "%s",
             scale->letter ? scale_format(scale, text) : r->none);
}

/* Major keys by fifths: neighbours share six pitch classes. "any" is before the first
 * and after the last, and where any other scale is. */
static const char *const KEYS[] = {"C",  "G",  "D",  "A",  "E",  "B",
                                   "F#", "Db", "Ab", "Eb", "Bb", "F"};
enum { N_KEYS = sizeof KEYS / sizeof KEYS[0] };

static int key_index(const struct steer_row *r, const void *at)
{
    char text[STEER_TEXT_BYTES];
    struct scale key;
    int i = 0;
    write_scale(r, at, text);
    for (; i < N_KEYS; i++) {
        char name[SCALE_TEXT];
        if (scale_parse(KEYS[i], &key) && !strcmp(scale_format(&key, name), text))
            break;
    }
    return i;
}

static void step_scale(const struct steer_row *r, void *at, int by)
{
    int n = N_KEYS + 1, i = ((key_index(r, at) + by % n) % n + n) % n;
    if (i == N_KEYS)
        *(struct scale *)at = (struct scale){0};
    else
        scale_parse(KEYS[i], at);
}

const struct steer_kind STEER_SCALE = {read_scale,
                                       write_scale,
                                       step_scale,
                                       NULL,
                                       "a scale: C, F# minor, Bb dorian, E blues",
                                       false};
