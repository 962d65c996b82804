#include "app/document/store_fields.h"

#include "app/base/values.h"
#include "midi/base/array.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- kinds -- */

static bool read_bytes(uint8_t *to, size_t room, const char *digits, size_t *n)
{
    for (*n = 0; *n < room && g_ascii_isxdigit(digits[0]) && digits[1]; digits += 2) {
        const int high = g_ascii_xdigit_value(digits[0]);
        const int low = g_ascii_xdigit_value(digits[1]);
        if (low < 0)
            return false;
        to[(*n)++] = (uint8_t)(high << 4 | low);
    }
    return !*digits;
}

static void write_bytes(const uint8_t *bytes, size_t n, char *buf, size_t n_buf)
{
    *buf = '\0';
    for (size_t i = 0; i < n && 2 * i + 2 < n_buf; i++)
        snprintf(buf + 2 * i, n_buf - 2 * i, "%02X", bytes[i]);
}

static bool read_name(const struct field *f, void *of, const char *text)
{
    char *at = field_at(f, of);
    size_t n;
    return read_bytes((uint8_t *)at, f->size - 1, text, &n) && strlen(at) == n;
}

static void write_name(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const char *name = field_at(f, of);
    write_bytes((const uint8_t *)name, strnlen(name, f->size), buf, n_buf);
}

static bool read_block(const struct field *f, void *of, const char *text)
{
    uint8_t *at = field_at(f, of);
    size_t n;
    const bool ok = read_bytes(at + 1, f->size - 1, text, &n);
    *at = (uint8_t)n;
    return ok;
}

static void write_block(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const uint8_t *at = field_at(f, of);
    write_bytes(at + 1, *at, buf, n_buf);
}

const struct field_kind STORED_NAME = {.read = read_name, .write = write_name};
const struct field_kind STORED_BLOCK = {.read = read_block, .write = write_block};

/* -- writing -- */

static size_t count_of(const struct field_list *l, const void *of)
{
    return (size_t)field_get_whole((const char *)of + l->n, l->n_size);
}

static char *element_of(const struct field *f, const void *of, size_t i)
{
    void *at = field_at(f, of);
    return (char *)(f->list->is_inside ? at : *(void **)at) + i * f->list->size;
}

/* Returns whether values are numbers in JSON. What people set (it has a help) is a text, as typed. */
static bool is_number(const struct field *f)
{
    return f->kind->is_number && !f->help;
}

static void put_value(sqlite3_str *to, const struct field *f, const void *of)
{
    char text[FIELD_TEXT_BYTES];
    field_write(f, of, text, sizeof text);
    if (is_number(f)) {
        sqlite3_str_appendall(to, text);
        return;
    }
    sqlite3_str_appendchar(to, 1, '"');
    for (const char *c = text; *c; c++)
        if ((uint8_t)*c < ' ' || *c == '"' || *c == '\\')
            sqlite3_str_appendf(to, "\\u%04x", (unsigned)*c);
        else
            sqlite3_str_appendchar(to, 1, *c);
    sqlite3_str_appendchar(to, 1, '"');
}

static void put_struct(sqlite3_str *to, const struct field *f, size_t n,
                       const void *from, const void *usual, bool has_names)
{
    const char *comma = "";
    sqlite3_str_appendall(to, has_names ? "{" : "[");
    for (size_t i = 0; i < n; i++) {
        const struct field_list *l = f[i].list;
        if (usual && field_is_equal(&f[i], from, usual))
            continue;
        sqlite3_str_appendall(to, comma);
        comma = ",";
        if (has_names)
            sqlite3_str_appendf(to, "\"%s\":", f[i].name);
        if (!l) {
            put_value(to, &f[i], from);
            continue;
        }
        sqlite3_str_appendall(to, "[");
        for (size_t k = 0; k < count_of(l, from); k++) {
            sqlite3_str_appendall(to, k ? "," : "");
            put_struct(to, l->fields, l->n_fields, element_of(&f[i], from, k), NULL,
                       false);
        }
        sqlite3_str_appendall(to, "]");
    }
    sqlite3_str_appendall(to, has_names ? "}" : "]");
}

int fields_write(const struct field *f, size_t n, const void *from, const void *usual,
                 struct store *s, char *sql)
{
    sqlite3_str *to = sqlite3_str_new(NULL);
    put_struct(to, f, n, from, usual, true);
    const int n_bytes = sqlite3_str_length(to);
    char *text = sqlite3_str_finish(to); /* NULL: it had no memory */
    const int code =
        text && sql ? store_run(s, sql, text, (size_t)n_bytes) : SQLITE_NOMEM;
    sqlite3_free(sql);
    sqlite3_free(text);
    return code;
}

/* -- reading: SQLite parses JSON -- */

static const char *read_columns(const struct field *f, size_t n, void *to,
                                sqlite3_stmt *st, bool is_complete)
{
    char own[FIELD_TEXT_BYTES];
    int column = 0;
    for (size_t i = 0; i < n; i++) {
        if (f[i].list)
            continue;
        const char *text = (const char *)sqlite3_column_text(st, column++);
        if (!text && !is_complete) /* its own value, if that is valid */
            text = field_write(&f[i], to, own, sizeof own);
        if (!text || !field_read(&f[i], to, text))
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
        if (f[i].list)
            continue;
        const char *get = is_number(&f[i]) ? "->" : "->>";
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
    size_t n = count_of(l, to), cap = n;
    int code = st ? SQLITE_ROW : SQLITE_ERROR;
    while (!wrong && code == SQLITE_ROW &&
           (l->is_inside || array_grow((char *)to + f->offset, n, &cap, l->size)) &&
           (code = sqlite3_step(st)) == SQLITE_ROW) {
        char *element = element_of(f, to, n);
        memset(element, 0, n < l->most ? l->size : 0);
        wrong = n == l->most ? f->name
                             : read_columns(l->fields, l->n_fields, element, st, true);
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
                                              : "data";
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
