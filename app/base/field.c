#include "app/base/field.h"

#include "app/base/values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *field_at(const struct field *f, const void *of)
{
    return (char *)of + f->offset;
}

static bool says_none(const struct field *f, const char *text)
{
    return f->none && (!strcmp(text, f->none) || !strcmp(text, "0"));
}

int64_t field_get_whole(const void *at, size_t size)
{
    return size == 1   ? *(const uint8_t *)at
           : size == 2 ? *(const uint16_t *)at
           : size == 4 ? *(const int32_t *)at
                       : *(const int64_t *)at;
}

void field_set_whole(void *at, size_t size, int64_t x)
{
    if (size == 1)
        *(uint8_t *)at = (uint8_t)x;
    else if (size == 2)
        *(uint16_t *)at = (uint16_t)x;
    else if (size == 4)
        *(int32_t *)at = (int32_t)x;
    else
        *(int64_t *)at = x;
}

/* -- numbers: whole ones, and those with a fraction -- */

static bool is_real(const struct field *f)
{
    return f->kind == &FIELD_REAL || f->kind == &FIELD_RATIO || f->kind == &FIELD_EXACT;
}

static double get_number(const struct field *f, const void *of)
{
    const void *at = field_at(f, of);
    return !is_real(f)                ? (double)field_get_whole(at, f->size)
           : f->size == sizeof(float) ? (double)*(const float *)at
                                      : *(const double *)at;
}

/* Stores a number. One with a fraction that has steps is rounded to six digits, which are all that is
 * written. */
static void set_number(const struct field *f, void *of, double x)
{
    char text[32];
    void *at = field_at(f, of);
    if (is_real(f) && f->step > 0) {
        snprintf(text, sizeof text, "%.6g", x);
        x = f->size == sizeof(float) ? (double)strtof(text, NULL) : strtod(text, NULL);
    }
    if (!is_real(f))
        field_set_whole(at, f->size, (int64_t)x);
    else if (f->size == sizeof(float))
        *(float *)at = (float)x;
    else
        *(double *)at = x;
}

static bool is_none(const struct field *f, double x)
{
    return f->none && x == 0;
}

/* Reads digits to the last of 64 bits, and numbers like "1e3" if a double holds them. */
static bool read_whole(const struct field *f, void *of, const char *text)
{
    char *end;
    double x;
    errno = 0;
    int64_t n = strtoll(text, &end, 10);
    if (says_none(f, text)) {
        n = 0;
    } else if (end == text || *end || errno || (double)n < f->low ||
               (double)n > f->high) {
        if (!value_real(text, f->low, f->high, &x) || fabs(x) > 0x1p53 || x != trunc(x))
            return false;
        n = (int64_t)x;
    }
    field_set_whole(field_at(f, of), f->size, n);
    return true;
}

static bool read_real(const struct field *f, void *of, const char *text)
{
    double x = 0;
    if (!says_none(f, text) && !value_real(text, f->low, f->high, &x))
        return false;
    set_number(f, of, x);
    return true;
}

static void write_number(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const double x = get_number(f, of);
    if (is_none(f, x))
        snprintf(buf, n_buf, "%s", f->none);
    else if (!is_real(f))
        snprintf(buf, n_buf, "%" PRId64, field_get_whole(field_at(f, of), f->size));
    else if (f->kind == &FIELD_EXACT) /* NaN becomes the low end */
        snprintf(buf, n_buf, f->size == sizeof(float) ? "%.9g" : "%.17g",
                 x >= f->low ? fmin(x, f->high) : f->low);
    else
        snprintf(buf, n_buf, "%g", x);
}

/* Returns how many steps above `low` a value is. */
static double count_steps(const struct field *f, double x)
{
    return f->kind == &FIELD_RATIO ? log(x / f->low) / log(f->step)
                                   : (x - f->low) / f->step;
}

static void step_number(const struct field *f, void *of, int by)
{
    char text[32];
    double x = get_number(f, of);
    if (is_none(f, x)) {
        set_number(f, of, by > 0 ? f->start : 0);
        return;
    }
    double steps = count_steps(f, x);
    steps = (is_real(f) ? floor(steps + 0.5) : steps) + by;
    x = is_real(f) ? f->low + steps * f->step : x + by * f->step;
    if (f->kind == &FIELD_RATIO) { /* three digits are enough */
        snprintf(text, sizeof text, "%.3g", f->low * pow(f->step, steps));
        x = strtod(text, NULL);
    }
    set_number(f, of, steps >= 0 ? fmin(x, f->high) : f->none ? 0 : f->low);
}

static double share_number(const struct field *f, const void *of)
{
    const double x = get_number(f, of);
    if (is_none(f, x))
        return -1;
    return f->kind == &FIELD_RATIO ? count_steps(f, x) / count_steps(f, f->high)
                                   : (x - f->low) / (f->high - f->low);
}

const struct field_kind FIELD_WHOLE = {
    read_whole, write_number, step_number, share_number, "a whole number", true, NULL};
const struct field_kind FIELD_REAL = {
    read_real, write_number, step_number, share_number, "a number", true, NULL};
const struct field_kind FIELD_RATIO = {
    read_real, write_number, step_number, share_number, "a number", true, NULL};
const struct field_kind FIELD_EXACT = {
    .read = read_real, .write = write_number, .is_number = true};

/* -- pitches -- */

static bool read_pitch(const struct field *f, void *of, const char *text)
{
    int pitch = 0;
    if (!says_none(f, text) &&
        (!value_pitch(text, &pitch) || pitch < f->low || pitch > f->high))
        return false;
    set_number(f, of, pitch);
    return true;
}

static void write_pitch(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    static const char *const NAMES[] = {"C",  "C#", "D",  "Eb", "E",  "F",
                                        "F#", "G",  "Ab", "A",  "Bb", "B"};
    const int pitch = (int)get_number(f, of);
    if (is_none(f, pitch))
        snprintf(buf, n_buf, "%s", f->none);
    else
        snprintf(buf, n_buf, "%s%d", NAMES[pitch % 12], pitch / 12 - 1);
}

const struct field_kind FIELD_PITCH = {
    read_pitch, write_pitch, step_number, share_number, "a pitch as in G4, or a number",
    false,      NULL};

/* -- one of a few words -- */

static const char *word_of(const struct field *f, int i)
{
    return f->word ? f->word(i) : f->words[i - (int)f->low];
}

static bool read_word(const struct field *f, void *of, const char *text)
{
    const int low = (int)f->low, n = (int)f->high - low + 1;
    const char *word;
    for (int i = low; (word = word_of(f, i)); i++)
        if (!strcmp(text, word)) {
            set_number(f, of, n > 1 ? low + (i - low) % n : i);
            return true;
        }
    return false;
}

static void write_word(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    snprintf(buf, n_buf, "%s", word_of(f, (int)get_number(f, of)));
}

const struct field_kind FIELD_WORDS = {read_word, write_word, step_number, NULL,
                                       NULL,      false,      NULL};

/* -- seeds: JSON's numbers do not hold 64 bits -- */

static bool read_seed(const struct field *f, void *of, const char *text)
{
    return value_seed(text, field_at(f, of));
}

static void write_seed(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    snprintf(buf, n_buf, "%" PRIu64, *(const uint64_t *)field_at(f, of));
}

static void step_seed(const struct field *f, void *of, int by)
{
    uint64_t *seed = field_at(f, of), size = (uint64_t)fabs(f->step * by);
    const uint64_t room = by < 0 ? *seed : UINT64_MAX - *seed;
    size = size < room ? size : room;
    *seed = by < 0 ? *seed - size : *seed + size;
}

const struct field_kind FIELD_SEED = {read_seed,        write_seed, step_seed, NULL,
                                      "a whole number", false,      NULL};

/* -- texts -- */

bool field_read_text(const struct field *f, void *of, const char *text)
{
    const size_t n = strlen(text);
    if (n >= f->size)
        return false;
    memcpy(field_at(f, of), text, n + 1);
    return true;
}

void field_write_text(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    snprintf(buf, n_buf, "%s", (const char *)field_at(f, of));
}

static void list_texts(const struct field *f, const void *of,
                       char buf[FIELD_WANTS_BYTES])
{
    (void)of;
    snprintf(buf, FIELD_WANTS_BYTES, "a text of less than %zu bytes", f->size);
}

const struct field_kind FIELD_TEXT = {
    .read = field_read_text, .write = field_write_text, .list = list_texts};

static bool read_argument(const struct field *f, void *of, const char *text)
{
    *(const char **)field_at(f, of) = text;
    return true;
}

const struct field_kind FIELD_ARGUMENT = {.read = read_argument, .wants = ""};

/* -- other values of options -- */

static bool read_flag(const struct field *f, void *of, const char *text)
{
    (void)text;
    return *(bool *)field_at(f, of) = true;
}

const struct field_kind FIELD_FLAG = {.read = read_flag, .wants = ""};

static bool read_precision(const struct field *f, void *of, const char *text)
{
    return value_precision(text, field_at(f, of));
}

static void write_precision(const struct field *f, const void *of, char *buf,
                            size_t n_buf)
{
    const struct model_precision *p = field_at(f, of);
    snprintf(buf, n_buf, "%s", value_precision_name(p->weights));
}

const struct field_kind FIELD_PRECISION = {.read = read_precision,
                                           .write = write_precision,
                                           .wants = "one of f32, bf16, int8"};

bool field_read_like(const struct field *f, void *of, const char *text)
{
    return field_read(f->like(f->name), field_at(f, of), text ? text : "on");
}

const struct field_kind FIELD_LIKE = {.read = field_read_like};

/* -- for all kinds -- */

bool field_read(const struct field *f, void *of, const char *text)
{
    return f->kind->read(f, of, text);
}

const char *field_write(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    f->kind->write(f, of, buf, n_buf);
    return buf;
}

const char *field_wants(const struct field *f, const void *of,
                        char buf[FIELD_WANTS_BYTES])
{
    const struct field_kind *k = f->kind;
    const char *wants = f->wants ? f->wants : k->wants, *word;
    *buf = '\0';
    if (k->list)
        k->list(f, of, buf);
    else if (f->like)
        field_wants(f->like(f->name), NULL, buf);
    if (k->list || f->like)
        return buf;
    text_append(buf, FIELD_WANTS_BYTES, "%s", wants ? wants : "one of");
    for (int i = (int)f->low; !wants && (word = word_of(f, i)); i++)
        text_append(buf, FIELD_WANTS_BYTES, "%s %s", i > (int)f->low ? "," : "", word);
    if (k->share)
        text_append(buf, FIELD_WANTS_BYTES, " from %.15g to %.15g", f->low, f->high);
    if (f->none)
        text_append(buf, FIELD_WANTS_BYTES, "%s or %s", k->share ? "," : ";", f->none);
    return buf;
}

void field_step(const struct field *f, void *of, int by)
{
    f->kind->step(f, of, by);
}

double field_share(const struct field *f, const void *of)
{
    return f->kind->share ? f->kind->share(f, of) : -1;
}

bool field_is_number(const struct field *f, const void *of)
{
    char text[FIELD_TEXT_BYTES];
    return f->kind->is_number &&
           !(f->none && !strcmp(field_write(f, of, text, sizeof text), f->none));
}

bool field_is_equal(const struct field *f, const void *a, const void *b)
{
    char one[FIELD_TEXT_BYTES], other[FIELD_TEXT_BYTES];
    return !strcmp(field_write(f, a, one, sizeof one),
                   field_write(f, b, other, sizeof other));
}

void field_copy(const struct field *f, void *to, const void *from)
{
    memcpy(field_at(f, to), field_at(f, from), f->size);
}
