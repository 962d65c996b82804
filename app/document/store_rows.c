/* See store_rows.h. */
#include "app/document/store_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQL_BYTES = 2048 };

/* -- writing -- */

static void make_insert(const struct row_table *t, char sql[SQL_BYTES])
{
    int n = snprintf(sql, SQL_BYTES, "INSERT OR REPLACE INTO %s(piece, as_saved, n",
                     t->name);
    for (size_t i = 0; i < t->n_fields; i++)
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, ", %s", t->fields[i].name);
    n += snprintf(sql + n, SQL_BYTES - (size_t)n, ") VALUES(?, ?, ?");
    for (size_t i = 0; i < t->n_fields; i++)
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, ", ?");
    snprintf(sql + n, SQL_BYTES - (size_t)n, ")");
}

static double in_range(double x, const struct row_field *f)
{
    return x >= f->low ? fmin(x, f->high) : f->low; /* what is no number, too */
}

static int bind_text(sqlite3_stmt *st, int i, const struct row_field *f, const char *at)
{
    int n = (int)strnlen(at, (size_t)f->high);
    return f->kind == ROW_TEXT ? sqlite3_bind_text(st, i, at, n, SQLITE_STATIC)
                               : sqlite3_bind_blob(st, i, at, n, SQLITE_STATIC);
}

static int bind(sqlite3_stmt *st, int i, const struct row_field *f, const void *at)
{
    switch (f->kind) {
    case ROW_INT:
        return sqlite3_bind_int64(st, i, *(const int *)at);
    case ROW_U8:
        return sqlite3_bind_int64(st, i, *(const uint8_t *)at);
    case ROW_U16:
        return sqlite3_bind_int64(st, i, *(const uint16_t *)at);
    case ROW_SIZE:
        return sqlite3_bind_int64(st, i, (int64_t) * (const size_t *)at);
    case ROW_UINT:
        return sqlite3_bind_int64(st, i, *(const unsigned *)at);
    case ROW_TICK:
        return sqlite3_bind_int64(st, i, *(const int64_t *)at);
    case ROW_WORD:
        return sqlite3_bind_int64(st, i, (int64_t) * (const uint64_t *)at);
    case ROW_REAL:
        return sqlite3_bind_double(st, i, in_range(*(const float *)at, f));
    case ROW_LONG_REAL:
        return sqlite3_bind_double(st, i, in_range(*(const double *)at, f));
    case ROW_YES:
        return sqlite3_bind_int64(st, i, *(const bool *)at);
    default:
        return bind_text(st, i, f, at);
    }
}

static int put_one(sqlite3_stmt *st, const struct row_table *t, struct row_key key,
                   size_t n, const char *from)
{
    int code = sqlite3_bind_int64(st, 1, key.piece);
    if (!code)
        code = sqlite3_bind_int(st, 2, key.as_saved);
    if (!code)
        code = sqlite3_bind_int64(st, 3, (int64_t)n);
    for (size_t i = 0; !code && i < t->n_fields; i++)
        code = bind(st, (int)i + 4, &t->fields[i], from + t->fields[i].offset);
    if (code)
        return code;
    code = sqlite3_step(st);
    sqlite3_reset(st);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int rows_put(struct store *s, const struct row_table *t, struct row_key key,
             size_t n_from, const void *structs, size_t n)
{
    char sql[SQL_BYTES];
    sqlite3_stmt *st = NULL;
    if (!n)
        return SQLITE_OK;
    make_insert(t, sql);
    int code = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);
    for (size_t i = 0; !code && i < n; i++)
        code = put_one(st, t, key, n_from + i, (const char *)structs + i * t->size);
    sqlite3_finalize(st);
    return code;
}

int rows_delete(struct store *s, const struct row_table *t, struct row_key key)
{
    char sql[160];
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE piece = %lld AND as_saved = %d",
             t->name, (long long)key.piece, key.as_saved);
    return store_exec(s, sql);
}

/* -- reading -- */

static void make_select(const struct row_table *t, struct row_key key,
                        char sql[SQL_BYTES])
{
    int n = snprintf(sql, SQL_BYTES, "SELECT ");
    for (size_t i = 0; i < t->n_fields; i++)
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, "%s%s", i ? ", " : "",
                      t->fields[i].name);
    snprintf(sql + n, SQL_BYTES - (size_t)n,
             " FROM %s WHERE piece = %lld AND as_saved = %d ORDER BY n", t->name,
             (long long)key.piece, key.as_saved);
}

static bool get_text(sqlite3_stmt *st, int i, const struct row_field *f, char *to)
{
    const void *text = sqlite3_column_blob(st, i);
    size_t n = (size_t)sqlite3_column_bytes(st, i);
    if (n >= (size_t)f->high || (n && (!text || memchr(text, 0, n))))
        return false;
    if (n)
        memcpy(to, text, n);
    return true;
}

static bool get_real(sqlite3_stmt *st, int i, const struct row_field *f, void *to)
{
    double x = sqlite3_column_double(st, i);
    if (!(x >= f->low && x <= f->high))
        return false;
    if (f->kind == ROW_REAL)
        *(float *)to = (float)x;
    else
        *(double *)to = x;
    return true;
}

static bool get_whole(sqlite3_stmt *st, int i, const struct row_field *f, void *to)
{
    int64_t x = sqlite3_column_int64(st, i);
    if (f->kind != ROW_WORD && !((double)x >= f->low && (double)x <= f->high))
        return false;
    if (f->kind == ROW_INT)
        *(int *)to = (int)x;
    else if (f->kind == ROW_U8)
        *(uint8_t *)to = (uint8_t)x;
    else if (f->kind == ROW_U16)
        *(uint16_t *)to = (uint16_t)x;
    else if (f->kind == ROW_SIZE)
        *(size_t *)to = (size_t)x;
    else if (f->kind == ROW_UINT)
        *(unsigned *)to = (unsigned)x;
    else if (f->kind == ROW_YES)
        *(bool *)to = x != 0;
    else
        memcpy(to, &x, sizeof x);
    return true;
}

static bool get(sqlite3_stmt *st, int i, const struct row_field *f, void *to)
{
    if (f->kind == ROW_TEXT || f->kind == ROW_NAME)
        return get_text(st, i, f, to);
    return f->kind == ROW_REAL || f->kind == ROW_LONG_REAL ? get_real(st, i, f, to)
                                                           : get_whole(st, i, f, to);
}

static const char *get_one(sqlite3_stmt *st, const struct row_table *t, char *to)
{
    for (size_t i = 0; i < t->n_fields; i++)
        if (!get(st, (int)i, &t->fields[i], to + t->fields[i].offset))
            return t->fields[i].name;
    return NULL;
}

/* Room for one more, doubled; what is new is zero. */
static bool make_room(void **list, size_t size, size_t n, size_t *cap)
{
    if (n + 1 < *cap)
        return true;
    size_t wanted = *cap ? 2 * *cap : 8;
    char *grown = reallocarray(*list, wanted, size);
    if (!grown)
        return false;
    memset(grown + *cap * size, 0, (wanted - *cap) * size);
    *list = grown;
    *cap = wanted;
    return true;
}

static int select_rows(struct store *s, const struct row_table *t, struct row_key key,
                       sqlite3_stmt **st)
{
    char sql[SQL_BYTES];
    make_select(t, key, sql);
    return sqlite3_prepare_v2(s->db, sql, -1, st, NULL);
}

const char *rows_get(struct store *s, const struct row_table *t, struct row_key key,
                     void **structs, size_t *n, size_t most)
{
    sqlite3_stmt *st = NULL;
    size_t cap = 0;
    const char *wrong = NULL;
    *structs = NULL;
    *n = 0;
    int code = select_rows(s, t, key, &st);
    if (code || !make_room(structs, t->size, 0, &cap))
        wrong = t->name;
    while (!wrong && (code = sqlite3_step(st)) == SQLITE_ROW) {
        if (*n == most || !make_room(structs, t->size, *n, &cap))
            wrong = t->name;
        else
            wrong = get_one(st, t, (char *)*structs + *n * t->size);
        *n += !wrong;
    }
    if (!wrong && code != SQLITE_DONE)
        wrong = t->name;
    sqlite3_finalize(st);
    return wrong;
}

const char *rows_get_one(struct store *s, const struct row_table *t, struct row_key key,
                         void *to, bool *is_there)
{
    sqlite3_stmt *st = NULL;
    const char *wrong = NULL;
    int code = select_rows(s, t, key, &st);
    if (!code)
        code = sqlite3_step(st);
    *is_there = code == SQLITE_ROW;
    if (*is_there)
        wrong = get_one(st, t, to);
    else if (code != SQLITE_DONE)
        wrong = t->name;
    sqlite3_finalize(st);
    return wrong;
}

/* -- lists -- */

static void **list_of(const struct row_list *l, const void *of)
{
    return (void **)((const char *)of + l->list);
}

static size_t *n_of(const struct row_list *l, const void *of)
{
    return (size_t *)((const char *)of + l->n);
}

int lists_put(struct store *s, const struct row_list *l, size_t n_lists,
              struct row_key key, const void *of)
{
    int code = SQLITE_OK;
    for (size_t i = 0; !code && i < n_lists; i++)
        code = rows_put(s, l[i].table, key, 0, *list_of(&l[i], of), *n_of(&l[i], of));
    return code;
}

int lists_delete(struct store *s, const struct row_list *l, size_t n_lists,
                 struct row_key key)
{
    int code = SQLITE_OK;
    for (size_t i = 0; !code && i < n_lists; i++)
        code = rows_delete(s, l[i].table, key);
    return code;
}

const char *lists_get(struct store *s, const struct row_list *l, size_t n_lists,
                      struct row_key key, void *of)
{
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < n_lists; i++)
        wrong = rows_get(s, l[i].table, key, list_of(&l[i], of), n_of(&l[i], of),
                         l[i].most);
    return wrong;
}

void lists_free(const struct row_list *l, size_t n_lists, void *of)
{
    for (size_t i = 0; i < n_lists; i++) {
        free(*list_of(&l[i], of));
        *list_of(&l[i], of) = NULL;
        *n_of(&l[i], of) = 0;
    }
}
