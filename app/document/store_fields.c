#include "app/document/store_fields.h"

#include "app/base/values.h"
#include "midi/base/array.h"
#include "midi/base/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- kinds: they write valid JSON, also if a text is cut to the buffer. They read a number of JSON or
 * a text without its quotes; text NULL, a missing value, leaves the field as it is -- */

static bool read_whole(const struct field *f, void *of, const char *text)
{
    void *at = field_at(f, of);
    char *end = NULL;
    errno = 0;
    const long long x = text ? strtoll(text, &end, 10) : field_get_whole(at, f->size);
    if ((end && *end) || errno || (double)x < f->low || (double)x > f->high)
        return false;
    field_set_whole(at, f->size, x);
    return true;
}

static void write_whole(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    snprintf(buf, n_buf, "%" PRId64, field_get_whole(field_at(f, of), f->size));
}

static bool read_real(const struct field *f, void *of, const char *text)
{
    char *end;
    const double x = text ? strtod(text, &end) : 0;
    if (text && (*end || end == text || !(x >= f->low && x <= f->high)))
        return false;
    if (text && f->size == sizeof(float))
        *(float *)field_at(f, of) = (float)x;
    else if (text)
        *(double *)field_at(f, of) = x;
    return true;
}

static void write_real(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const void *at = field_at(f, of);
    const bool is_float = f->size == sizeof(float);
    double x = is_float ? (double)*(const float *)at : *(const double *)at;
    x = x >= f->low ? fmin(x, f->high) : f->low; /* NaN becomes the low end */
    snprintf(buf, n_buf, is_float ? "%.9g" : "%.17g", x);
}

static bool read_text(const struct field *f, void *of, const char *text)
{
    return !text || field_read_text(f, of, text);
}

static void write_text(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const char *text = field_at(f, of);
    size_t n = 0;
    buf[n++] = '"';
    for (size_t i = 0; i < f->size && text[i] && n + sizeof "\\u0000\"" < n_buf; i++)
        if ((uint8_t)text[i] < ' ' || text[i] == '"' || text[i] == '\\')
            n += (size_t)snprintf(buf + n, n_buf - n, "\\u%04x", (unsigned)text[i]);
        else
            buf[n++] = text[i];
    snprintf(buf + n, n_buf - n, "\"");
}

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

static void write_bytes(const uint8_t *bytes, size_t n, char *buf, size_t n_buf)
{
    snprintf(buf, n_buf, "\"");
    n = n < n_buf / 2 - 1 ? n : n_buf / 2 - 1;
    for (size_t i = 0; i < n; i++)
        snprintf(buf + 1 + 2 * i, n_buf - 1 - 2 * i, "%02X", bytes[i]);
    snprintf(buf + 1 + 2 * n, n_buf - 1 - 2 * n, "\"");
}

static bool read_name(const struct field *f, void *of, const char *text)
{
    char *at = field_at(f, of);
    size_t n;
    return !text ||
           (read_bytes((uint8_t *)at, f->size - 1, text, &n) && strlen(at) == n);
}

static void write_name(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const char *name = field_at(f, of);
    write_bytes((const uint8_t *)name, strnlen(name, f->size), buf, n_buf);
}

static bool read_block(const struct field *f, void *of, const char *text)
{
    uint8_t *at = field_at(f, of);
    size_t n = *at;
    const bool ok = !text || read_bytes(at + 1, f->size - 1, text, &n);
    *at = (uint8_t)n;
    return ok;
}

static void write_block(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const uint8_t *at = field_at(f, of);
    write_bytes(at + 1, *at, buf, n_buf);
}

const struct field_kind STORED_WHOLE = {
    .read = read_whole, .write = write_whole, .is_number = true};
const struct field_kind STORED_REAL = {
    .read = read_real, .write = write_real, .is_number = true};
const struct field_kind STORED_TEXT = {.read = read_text, .write = write_text};
const struct field_kind STORED_NAME = {.read = read_name, .write = write_name};
const struct field_kind STORED_BLOCK = {.read = read_block, .write = write_block};

/* -- writing -- */

static size_t count_of(const struct field_list *l, const void *of)
{
    return (size_t)field_get_whole((const char *)of + l->n, l->n_size);
}

static void *elements_of(const struct field *f, const void *of)
{
    void *at = field_at(f, of);
    return f->list->is_inside ? at : *(void **)at;
}

static void put_text(struct bytes_out *to, const char *text)
{
    bytes_put(to, text, strlen(text));
}

static void write_struct(struct bytes_out *to, const struct field *f, size_t n,
                         const void *from, bool has_names)
{
    char text[1024];
    put_text(to, has_names ? "{" : "[");
    for (size_t i = 0; i < n; i++) {
        put_text(to, i ? "," : "");
        if (has_names) {
            snprintf(text, sizeof text, "\"%s\":", f[i].name);
            put_text(to, text);
        }
        const struct field_list *l = f[i].list;
        if (!l) {
            put_text(to, field_write(&f[i], from, text, sizeof text));
            continue;
        }
        const char *element = elements_of(&f[i], from);
        put_text(to, "[");
        for (size_t k = 0; k < count_of(l, from); k++, element += l->size) {
            put_text(to, k ? "," : "");
            write_struct(to, l->fields, l->n_fields, element, false);
        }
        put_text(to, "]");
    }
    put_text(to, has_names ? "}" : "]");
}

char *fields_write(const struct field *f, size_t n, const void *from)
{
    struct bytes_out to = {0};
    write_struct(&to, f, n, from, true);
    bytes_put(&to, "", 1);
    if (!to.failed)
        return (char *)to.bytes;
    free(to.bytes);
    return NULL;
}

/* -- reading: SQLite parses JSON -- */

static const char *read_columns(const struct field *f, size_t n, void *to,
                                sqlite3_stmt *st, bool is_complete)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = (const char *)sqlite3_column_text(st, (int)i);
        if ((is_complete && !text) || (!f[i].list && !field_read(&f[i], to, text)))
            return f[i].name;
    }
    return NULL;
}

/* Prepares "SELECT data -> 'a', data ->> 'text', ..." for the row or, one row each, for the elements
 * of its list. */
static sqlite3_stmt *select_fields(struct store *s, const struct field *f, size_t n,
                                   const char *list, const char *row)
{
    char sql[4096] = "SELECT ";
    sqlite3_stmt *st = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *get = f[i].kind->is_number ? "->" : "->>";
        if (list)
            text_append(sql, sizeof sql, "value %s %zu, ", get, i);
        else
            text_append(sql, sizeof sql, "data %s '%s', ", get, f[i].name);
    }
    if (list)
        text_append(sql, sizeof sql,
                    "0 FROM (SELECT data FROM %s), json_each(data, '$.%s')", row, list);
    else
        text_append(sql, sizeof sql, "0 FROM %s", row);
    return sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) ? NULL : st;
}

static const char *read_list(const struct field *f, void *to, struct store *s,
                             const char *row)
{
    const struct field_list *l = f->list;
    sqlite3_stmt *st = select_fields(s, l->fields, l->n_fields, f->name, row);
    const char *wrong = NULL;
    size_t n = 0, cap = 0;
    int code = st ? SQLITE_ROW : SQLITE_ERROR;
    field_set_whole((char *)to + l->n, l->n_size, 0);
    while (!wrong && code == SQLITE_ROW &&
           (l->is_inside || array_grow((char *)to + f->offset, n, &cap, l->size)) &&
           (code = sqlite3_step(st)) == SQLITE_ROW) {
        char *list = elements_of(f, to);
        memset(list + n * l->size, 0, n < l->most ? l->size : 0);
        wrong = n == l->most ? f->name
                             : read_columns(l->fields, l->n_fields, list + n * l->size,
                                            st, true);
        field_set_whole((char *)to + l->n, l->n_size, (int64_t)(n += !wrong));
    }
    sqlite3_finalize(st);
    return wrong || code == SQLITE_DONE ? wrong : f->name;
}

const char *fields_read(const struct field *f, size_t n, void *to, struct store *s,
                        const char *row, bool *is_there)
{
    sqlite3_stmt *st = select_fields(s, f, n, NULL, row);
    const int code = st ? sqlite3_step(st) : SQLITE_ERROR;
    *is_there = code == SQLITE_ROW;
    const char *wrong = *is_there             ? read_columns(f, n, to, st, false)
                        : code == SQLITE_DONE ? NULL
                                              : row;
    sqlite3_finalize(st);
    for (size_t i = 0; *is_there && !wrong && i < n; i++)
        if (f[i].list)
            wrong = read_list(&f[i], to, s, row);
    return wrong;
}

void fields_free(const struct field *f, size_t n, void *of)
{
    for (size_t i = 0; i < n; i++)
        if (f[i].list) {
            void **list = field_at(&f[i], of);
            field_set_whole((char *)of + f[i].list->n, f[i].list->n_size, 0);
            if (!f[i].list->is_inside) {
                free(*list);
                *list = NULL;
            }
        }
}
