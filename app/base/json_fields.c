#include "app/base/json_fields.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "tui/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, FORMAT_BYTES = 32, TEXT_BYTES = 4096 };

/* One field of a description: "name %.2f". */
struct field {
    char name[NAME_BYTES];
    char flags[FORMAT_BYTES];  /* "%.2" */
    char length[FORMAT_BYTES]; /* "ll" */
    char conversion;           /* 'd' */
    double number;
    long long whole;
    unsigned long long bits;
    const char *text;
};

/* Copies the part of `at` before any of `ends`; returns what follows it. */
static const char *take(char *to, size_t n_to, const char *at, const char *ends)
{
    size_t n = strcspn(at, ends);
    snprintf(to, n_to, "%.*s", (int)n, at);
    return at + n;
}

// NOLINTBEGIN(clang-analyzer-valist.Uninitialized): it does not follow a va_list by address
/* Reads the next field of *at with its value. false: the end. */
static bool next_field(struct field *f, const char **at, va_list *values)
{
    const char *p = *at + strspn(*at, " ");
    if (!*p)
        return false;
    *f = (struct field){.conversion = 's'};
    p = take(f->name, sizeof f->name, p, " ");
    if (!strcmp(f->name, "%s"))
        snprintf(f->name, sizeof f->name, "%s", va_arg(*values, const char *));
    p += strspn(p, " ");
    p = take(f->flags, sizeof f->flags, p, "hlzdusxfg");
    p = take(f->length, sizeof f->length, p, "dusxfg");
    f->conversion = *p ? *p++ : 's';
    *at = p;
    if (f->conversion == 's')
        f->text = va_arg(*values, const char *);
    else if (f->conversion == 'd') {
        const char *n = f->length;
        f->whole = !strcmp(n, "ll")  ? va_arg(*values, long long)
                   : !strcmp(n, "l") ? va_arg(*values, long)
                                     : va_arg(*values, int);
        f->number = (double)f->whole;
    } else if (strchr("ux", f->conversion)) {
        const char *n = f->length;
        f->bits = !strcmp(n, "ll")  ? va_arg(*values, unsigned long long)
                  : !strcmp(n, "l") ? va_arg(*values, unsigned long)
                  : !strcmp(n, "z") ? va_arg(*values, size_t)
                                    : va_arg(*values, unsigned);
        f->number = (double)f->bits;
    } else {
        f->number = va_arg(*values, double);
    }
    return true;
}

// NOLINTEND(clang-analyzer-valist.Uninitialized)

static void add_field(cJSON *to, const struct field *f)
{
    char text[TEXT_BYTES];
    const char *dot = strchr(f->flags, '.');
    if (f->conversion == 's' && !f->text)
        return;
    if (f->conversion == 's')
        cJSON_AddStringToObject(to, f->name, say_copy(text, sizeof text, f->text));
    else if (f->conversion == 'd' && !strcmp(f->length, "hh"))
        cJSON_AddBoolToObject(to, f->name, f->whole != 0);
    else if (strchr("ux", f->conversion) && strchr(f->length, 'l')) {
        const bool is_hex = f->conversion == 'x';
        snprintf(text, sizeof text, is_hex ? "%0*llx" : "%*llu",
                 (int)strtol(f->flags + 1, NULL, 10), f->bits);
        cJSON_AddStringToObject(to, f->name, text);
    } else if (!isfinite(f->number))
        cJSON_AddNullToObject(to, f->name);
    else if (dot && f->conversion == 'f') {
        const double parts = pow(10, (double)strtol(dot + 1, NULL, 10));
        cJSON_AddNumberToObject(to, f->name, round(f->number * parts) / parts);
    } else
        cJSON_AddNumberToObject(to, f->name, f->number);
}

cJSON *json_add(cJSON *to, const char *fields, ...)
{
    struct field f;
    va_list values;
    va_start(values, fields);
    while (next_field(&f, &fields, &values))
        add_field(to, &f);
    va_end(values);
    return to;
}

cJSON *json_item(cJSON *list)
{
    cJSON *item = list ? cJSON_CreateObject() : NULL;
    cJSON_AddItemToArray(list, item);
    return item;
}

void json_append_text(cJSON *list, const char *text)
{
    char safe[TEXT_BYTES];
    cJSON_AddItemToArray(list, cJSON_CreateString(say_copy(safe, sizeof safe, text)));
}

/* -- printing: past ASCII JSON has nothing but strings, so an escape may stand for any
 * character there -- */

bool say_json(FILE *to, const cJSON *j)
{
    char *text = cJSON_Print(j);
    size_t n = text ? strlen(text) : 0;
    for (size_t at = 0, used; at < n; at += used) {
        uint32_t code;
        used = text_decode(text + at, n - at, &code);
        if (!used) { /* the last character is cut short */
            code = TEXT_REPLACEMENT;
            used = n - at;
        }
        /* text_next replaces what a terminal must not get. */
        char alone[5] = "";
        const char *next = alone;
        text_encode(code, alone);
        if (code != TEXT_REPLACEMENT && (code < 0x7F || text_next(&next) == code))
            fwrite(text + at, 1, used, to);
        else if (code <= 0xFFFF)
            fprintf(to, "\\u%04x", code);
        else /* two surrogates (RFC 2781, 2.1) */
            fprintf(to, "\\u%04x\\u%04x", 0xD800u | (code - 0x10000) >> 10,
                    0xDC00u | (code & 0x3FFu));
    }
    cJSON_free(text);
    return text && fputc('\n', to) != EOF;
}

bool say_json_once(FILE *to, cJSON *j)
{
    bool ok = say_json(to, j);
    cJSON_Delete(j);
    return ok;
}

bool json_write_file(const cJSON *j, const char *path)
{
    char *text = cJSON_Print(j);
    errno = ENOMEM;
    struct output_file out;
    bool ok = text && output_file_open(&out, path);
    ok = ok && output_file_close(&out, fprintf(out.stream, "%s\n", text) > 0);
    cJSON_free(text);
    return ok;
}

cJSON *json_read_file(const char *path, size_t most_bytes, const char **why)
{
    uint8_t *bytes;
    size_t n;
    const enum midi_status st = file_read(path, most_bytes, &bytes, &n);
    const int error = st == MIDI_NO_FILE ? errno : 0;
    cJSON *j = st ? NULL : cJSON_ParseWithLength((const char *)bytes, n);
    if (why)
        *why = j                        ? NULL
               : st == MIDI_OK          ? "is not JSON"
               : st == MIDI_TOO_BIG     ? "is too large"
               : st == MIDI_NOT_REGULAR ? "is not a file"
               : error                  ? strerror(error)
                                        : midi_strerror(st);
    free(bytes);
    errno = error;
    return j;
}

const cJSON *json_get(const cJSON *from, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(from, name);
}

const char *json_text(const cJSON *from, const char *name)
{
    return cJSON_GetStringValue(json_get(from, name));
}

bool json_is_text(const cJSON *from, const char *name, const char *text)
{
    const char *found = json_text(from, name);
    return found && !strcmp(found, text);
}

double json_number(const cJSON *from, const char *name)
{
    const cJSON *item = json_get(from, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

bool json_real(const cJSON *from, const char *name, double low, double high, double *x)
{
    double found = json_number(from, name);
    if (!(found >= low && found <= high))
        return false;
    *x = found;
    return true;
}

bool json_count(const cJSON *from, const char *name, int low, int high, int *n)
{
    double x;
    if (!json_real(from, name, low, high, &x) || x != (double)(int)x)
        return false;
    *n = (int)x;
    return true;
}
