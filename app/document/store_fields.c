#include "app/document/store_fields.h"

#include "midi/base/array.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t get_whole(const void *at, size_t size)
{
    return size == 1   ? *(const uint8_t *)at
           : size == 2 ? *(const uint16_t *)at
           : size == 4 ? *(const int32_t *)at
                       : *(const int64_t *)at;
}

static void set_whole(void *to, size_t size, int64_t x)
{
    if (size == 1)
        *(uint8_t *)to = (uint8_t)x;
    else if (size == 2)
        *(uint16_t *)to = (uint16_t)x;
    else if (size == 4)
        *(int32_t *)to = (int32_t)x;
    else
        *(int64_t *)to = x;
}

static size_t count_of(const struct field_list *l, const void *of)
{
    return (size_t)get_whole((const char *)of + l->n, l->n_size);
}

static void *elements_of(const struct store_field *f, const void *of)
{
    char *at = (char *)of + f->offset;
    return f->list->is_inside ? at : *(char **)at;
}

/* -- writing -- */

__attribute__((format(printf, 2, 3))) static void print(struct bytes_out *to,
                                                        const char *format, ...)
{
    char text[64];
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    bytes_put(to, text, (size_t)n);
}

static void write_list(struct bytes_out *to, const struct store_field *f, size_t n,
                       const void *from, bool has_names);

/* Of bytes; a text is a string of JSON. */
static void write_bytes(struct bytes_out *to, const uint8_t *bytes, size_t n,
                        bool is_text)
{
    print(to, "\"");
    for (size_t i = 0; i < n; i++)
        if (!is_text)
            print(to, "%02X", bytes[i]);
        else if (bytes[i] < ' ' || bytes[i] == '"' || bytes[i] == '\\')
            print(to, "\\u%04x", bytes[i]);
        else
            bytes_put_byte(to, bytes[i]);
    print(to, "\"");
}

static void write_value(struct bytes_out *to, const struct store_field *f,
                        const void *from)
{
    const void *at = (const char *)from + f->offset;
    if (f->kind == FIELD_IS_WHOLE)
        print(to, "%lld", (long long)get_whole(at, f->size));
    else if (f->kind == FIELD_IS_REAL) {
        const bool is_float = f->size == sizeof(float);
        double x = is_float ? (double)*(const float *)at : *(const double *)at;
        x = x >= f->low ? fmin(x, f->high) : f->low; /* a number, too */
        print(to, is_float ? "%.9g" : "%.17g", x);
    } else if (f->kind == FIELD_IS_LIST) {
        const char *element = elements_of(f, from);
        print(to, "[");
        for (size_t i = 0; i < count_of(f->list, from); i++, element += f->list->size) {
            print(to, i ? "," : "");
            write_list(to, f->list->fields, f->list->n_fields, element, false);
        }
        print(to, "]");
    } else if (f->kind == FIELD_IS_BLOCK)
        write_bytes(to, (const uint8_t *)at + 1, *(const uint8_t *)at, false);
    else
        write_bytes(to, at, strnlen(at, f->size), f->kind == FIELD_IS_TEXT);
}

static void write_list(struct bytes_out *to, const struct store_field *f, size_t n,
                       const void *from, bool has_names)
{
    print(to, has_names ? "{" : "[");
    for (size_t i = 0; i < n; i++) {
        if (has_names)
            print(to, "%s\"%s\":", i ? "," : "", f[i].name);
        else if (i)
            print(to, ",");
        write_value(to, &f[i], from);
    }
    print(to, has_names ? "}" : "]");
}

char *fields_write(const struct store_field *f, size_t n, const void *from)
{
    struct bytes_out to = {0};
    write_list(&to, f, n, from, true);
    bytes_put_byte(&to, 0);
    if (!to.failed)
        return (char *)to.bytes;
    free(to.bytes);
    return NULL;
}

/* -- reading: SQLite parses JSON -- */

static bool read_bytes(uint8_t *to, size_t room, const char *digits, size_t *n)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    for (*n = 0; *n < room && *digits; ++*n, digits += 2) {
        const char *high = strchr(DIGITS, digits[0]), *low = strchr(DIGITS, digits[1]);
        if (!high || !low || !digits[1])
            return false;
        to[*n] = (uint8_t)((high - DIGITS) << 4 | (low - DIGITS));
    }
    return !*digits;
}

/* The value as JSON has it; a text without its quotes. NULL: it is missing. */
static bool read_value(const struct store_field *f, const char *text, void *to)
{
    void *at = (char *)to + f->offset;
    char *end = NULL;
    size_t n;
    if (f->kind == FIELD_IS_WHOLE) {
        errno = 0;
        const long long x = text ? strtoll(text, &end, 10) : get_whole(at, f->size);
        if ((end && *end) || errno || (double)x < f->low || (double)x > f->high)
            return false;
        set_whole(at, f->size, x);
        return true;
    }
    if (!text)
        return true;
    if (f->kind == FIELD_IS_REAL) {
        const double x = strtod(text, &end);
        if (*end || end == text || !(x >= f->low && x <= f->high))
            return false;
        if (f->size == sizeof(float))
            *(float *)at = (float)x;
        else
            *(double *)at = x;
        return true;
    }
    if (f->kind == FIELD_IS_BLOCK) {
        const bool ok = read_bytes((uint8_t *)at + 1, f->size - 1, text, &n);
        *(uint8_t *)at = (uint8_t)n;
        return ok;
    }
    if (f->kind == FIELD_IS_NAME)
        return read_bytes(at, f->size - 1, text, &n) && strlen(at) == n;
    n = strlen(text);
    if (n < f->size)
        memcpy(at, text, n + 1);
    return n < f->size;
}

static const char *read_columns(const struct store_field *f, size_t n, void *to,
                                sqlite3_stmt *st, bool is_complete)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = (const char *)sqlite3_column_text(st, (int)i);
        if ((is_complete && !text) ||
            (f[i].kind != FIELD_IS_LIST && !read_value(&f[i], text, to)))
            return f[i].name;
    }
    return NULL;
}

/* "SELECT data -> 'a', data ->> 'text', ..." */
static sqlite3_stmt *select_fields(struct store *s, const struct store_field *f,
                                   size_t n, const char *list, const char *row)
{
    char sql[4096];
    sqlite3_stmt *st = NULL;
    int used = snprintf(sql, sizeof sql, "SELECT ");
    for (size_t i = 0; i < n; i++) {
        const char *get = f[i].kind > FIELD_IS_REAL ? "->>" : "->";
        used += list ? snprintf(sql + used, sizeof sql - (size_t)used, "value %s %zu, ",
                                get, i)
                     : snprintf(sql + used, sizeof sql - (size_t)used, "data %s '%s', ",
                                get, f[i].name);
    }
    if (list)
        snprintf(sql + used, sizeof sql - (size_t)used,
                 "0 FROM (SELECT data FROM %s), json_each(data, '$.%s')", row, list);
    else
        snprintf(sql + used, sizeof sql - (size_t)used, "0 FROM %s", row);
    return sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) ? NULL : st;
}

static const char *read_list(const struct store_field *f, void *to, struct store *s,
                             const char *row)
{
    const struct field_list *l = f->list;
    sqlite3_stmt *st = select_fields(s, l->fields, l->n_fields, f->name, row);
    const char *wrong = NULL;
    size_t n = 0, cap = 0;
    int code = st ? SQLITE_ROW : SQLITE_ERROR;
    while (!wrong && code == SQLITE_ROW &&
           (l->is_inside || array_grow((char *)to + f->offset, n, &cap, l->size)) &&
           (code = sqlite3_step(st)) == SQLITE_ROW) {
        char *list = elements_of(f, to);
        memset(list + n * l->size, 0, n < l->most ? l->size : 0);
        wrong = n == l->most ? f->name
                             : read_columns(l->fields, l->n_fields, list + n * l->size,
                                            st, true);
        set_whole((char *)to + l->n, l->n_size, (int64_t)(n += !wrong));
    }
    sqlite3_finalize(st);
    return wrong || code == SQLITE_DONE ? wrong : f->name;
}

const char *fields_read(const struct store_field *f, size_t n, void *to,
                        struct store *s, const char *row, bool *is_there)
{
    sqlite3_stmt *st = select_fields(s, f, n, NULL, row);
    const int code = st ? sqlite3_step(st) : SQLITE_ERROR;
    *is_there = code == SQLITE_ROW;
    const char *wrong = *is_there             ? read_columns(f, n, to, st, false)
                        : code == SQLITE_DONE ? NULL
                                              : row;
    sqlite3_finalize(st);
    for (size_t i = 0; *is_there && !wrong && i < n; i++)
        if (f[i].kind == FIELD_IS_LIST)
            wrong = read_list(&f[i], to, s, row);
    return wrong;
}

void fields_free(const struct store_field *f, size_t n, void *of)
{
    for (size_t i = 0; i < n; i++)
        if (f[i].kind == FIELD_IS_LIST) {
            void **list = (void **)((char *)of + f[i].offset);
            set_whole((char *)of + f[i].list->n, f[i].list->n_size, 0);
            if (!f[i].list->is_inside) {
                free(*list);
                *list = NULL;
            }
        }
}
