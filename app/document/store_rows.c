#include "app/document/store_rows.h"

#include "midi/base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQL_BYTES = 2048 };

static int bind(sqlite3_stmt *st, int i, const struct row_field *f, const void *at)
{
    if (f->kind == ROW_IS_WHOLE)
        return sqlite3_bind_int64(st, i,
                                  f->size == 1   ? *(const uint8_t *)at
                                  : f->size == 2 ? *(const uint16_t *)at
                                  : f->size == 4 ? *(const int32_t *)at
                                                 : *(const int64_t *)at);
    if (f->kind == ROW_IS_REAL) {
        const double x =
            f->size == sizeof(float) ? (double)*(const float *)at : *(const double *)at;
        const bool is_enough = x >= f->low; /* a number, too */
        return sqlite3_bind_double(st, i, is_enough ? fmin(x, f->high) : f->low);
    }
    const int n = (int)strnlen(at, f->size);
    return f->kind == ROW_IS_TEXT ? sqlite3_bind_text(st, i, at, n, SQLITE_STATIC)
                                  : sqlite3_bind_blob(st, i, at, n, SQLITE_STATIC);
}

static int put_one(sqlite3_stmt *st, const struct row_table *t, struct row_key key,
                   int64_t n, const char *from)
{
    int code = sqlite3_bind_int64(st, 1, key.piece);
    if (!code)
        code = sqlite3_bind_int(st, 2, key.as_saved);
    if (!code)
        code = sqlite3_bind_int64(st, 3, n);
    for (size_t i = 0; !code && i < t->n_fields; i++)
        code = bind(st, (int)i + 4, &t->fields[i], from + t->fields[i].offset);
    if (code)
        return code;
    code = sqlite3_step(st);
    sqlite3_reset(st);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int prepare_put(struct store *s, const struct row_table *t, sqlite3_stmt **st)
{
    char sql[SQL_BYTES];
    int used = snprintf(sql, SQL_BYTES, "INSERT OR REPLACE INTO %s(piece, as_saved, n",
                        t->name);
    for (size_t i = 0; i < t->n_fields; i++)
        used +=
            snprintf(sql + used, SQL_BYTES - (size_t)used, ", %s", t->fields[i].name);
    used += snprintf(sql + used, SQL_BYTES - (size_t)used, ") VALUES(?, ?, ?");
    for (size_t i = 0; i < t->n_fields; i++)
        used += snprintf(sql + used, SQL_BYTES - (size_t)used, ", ?");
    snprintf(sql + used, SQL_BYTES - (size_t)used, ")");
    return sqlite3_prepare_v2(s->db, sql, -1, st, NULL);
}

int rows_put(struct store *s, const struct row_table *t, struct row_key key,
             size_t n_from, const void *structs, size_t n)
{
    sqlite3_stmt *st = NULL;
    int code = n ? prepare_put(s, t, &st) : SQLITE_OK;
    for (size_t i = 0; !code && i < n; i++)
        code = put_one(st, t, key, (int64_t)(n_from + i),
                       (const char *)structs + i * t->size);
    sqlite3_finalize(st);
    return code;
}

/* -- what differs -- */

/* A list that is gone through by the numbers of its rows. */
struct row_walk {
    const struct row_table *table;
    const char *at;
    size_t left;
    int64_t n; /* the number of the row; INT64_MAX: the end */
};

static int64_t first_of_group(const struct row_walk *w)
{
    int group;
    if (w->table->group == (size_t)ROW_NO_GROUP || !w->at)
        return 0;
    memcpy(&group, w->at + w->table->group, sizeof group);
    return (int64_t)group << ROW_GROUP_BITS;
}

static struct row_walk walk_rows(const struct row_table *t, const void *list, size_t n)
{
    struct row_walk w = {t, list, n, INT64_MAX};
    if (n)
        w.n = first_of_group(&w);
    return w;
}

static void next_row(struct row_walk *w)
{
    w->at += w->table->size;
    if (!--w->left) {
        w->n = INT64_MAX;
        return;
    }
    const int64_t first = first_of_group(w);
    w->n = first > w->n ? first : w->n + 1;
}

static bool are_same(const struct row_table *t, const char *a, const char *b)
{
    if (!a || !b)
        return false;
    for (size_t i = 0; i < t->n_fields; i++)
        if (memcmp(a + t->fields[i].offset, b + t->fields[i].offset,
                   t->fields[i].size) != 0)
            return false;
    return true;
}

static int delete_one(struct store *s, const struct row_table *t, struct row_key key,
                      int64_t n, sqlite3_stmt **st)
{
    char sql[SQL_BYTES];
    int code = SQLITE_OK;
    if (!*st) {
        snprintf(sql, SQL_BYTES,
                 "DELETE FROM %s WHERE piece = %lld AND as_saved = %d AND n = ?",
                 t->name, (long long)key.piece, key.as_saved);
        code = sqlite3_prepare_v2(s->db, sql, -1, st, NULL);
    }
    if (!code)
        code = sqlite3_bind_int64(*st, 1, n);
    if (code)
        return code;
    code = sqlite3_step(*st);
    sqlite3_reset(*st);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int rows_replace(struct store *s, const struct row_table *t, struct row_key key,
                 const void *before, size_t n_before, const void *now, size_t n_now)
{
    enum { ROWS_AT_ONCE = 40 }; /* between looks whether to give way */
    struct row_walk old = walk_rows(t, before, n_before),
                    new = walk_rows(t, now, n_now);
    sqlite3_stmt *put = NULL, *delete = NULL;
    int code = SQLITE_OK, n_done = 0;
    while (!code && (old.left || new.left)) {
        const bool goes = old.n < new.n, stays = old.n == new.n;
        const bool differs = !stays || !are_same(t, old.at, new.at);
        if (goes)
            code = delete_one(s, t, key, old.n, &delete);
        else if (differs && !put)
            code = prepare_put(s, t, &put);
        if (!code && !goes && differs)
            code = put_one(put, t, key, new.n, new.at);
        if (goes || stays)
            next_row(&old);
        if (!goes)
            next_row(&new);
        n_done += differs;
        if (!code && differs && n_done % ROWS_AT_ONCE == 0 && s->gives_way &&
            s->gives_way(s->owner))
            code = SQLITE_INTERRUPT;
    }
    sqlite3_finalize(put);
    sqlite3_finalize(delete);
    return code;
}

int rows_delete(struct store *s, const struct row_table *t, struct row_key key)
{
    char sql[160];
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE piece = %lld AND as_saved = %d",
             t->name, (long long)key.piece, key.as_saved);
    return store_exec(s, sql);
}

static void store_whole(void *to, size_t size, int64_t x)
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

static int select_rows(struct store *s, const struct row_table *t, struct row_key key,
                       sqlite3_stmt **st)
{
    char sql[SQL_BYTES];
    int n = snprintf(sql, SQL_BYTES, "SELECT ");
    for (size_t i = 0; i < t->n_fields; i++)
        n += snprintf(sql + n, SQL_BYTES - (size_t)n, "%s%s", i ? ", " : "",
                      t->fields[i].name);
    snprintf(sql + n, SQL_BYTES - (size_t)n,
             " FROM %s WHERE piece = %lld AND as_saved = %d ORDER BY n", t->name,
             (long long)key.piece, key.as_saved);
    return sqlite3_prepare_v2(s->db, sql, -1, st, NULL);
}

static bool get(sqlite3_stmt *st, int i, const struct row_field *f, void *to)
{
    if (f->kind >= ROW_IS_TEXT) {
        const void *text = sqlite3_column_blob(st, i);
        size_t n = (size_t)sqlite3_column_bytes(st, i);
        if (n >= f->size || (n && (!text || memchr(text, 0, n))))
            return false;
        if (n)
            memcpy(to, text, n);
        return true;
    }
    const int64_t whole = sqlite3_column_int64(st, i);
    const double x =
        f->kind == ROW_IS_REAL ? sqlite3_column_double(st, i) : (double)whole;
    if (!(x >= f->low && x <= f->high))
        return false;
    if (f->kind == ROW_IS_WHOLE)
        store_whole(to, f->size, whole);
    else if (f->size == sizeof(float))
        *(float *)to = (float)x;
    else
        *(double *)to = x;
    return true;
}

static const char *get_one(sqlite3_stmt *st, const struct row_table *t, char *to)
{
    for (size_t i = 0; i < t->n_fields; i++)
        if (!get(st, (int)i, &t->fields[i], to + t->fields[i].offset))
            return t->fields[i].name;
    return NULL;
}

const char *rows_get(struct store *s, const struct row_table *t, struct row_key key,
                     void **structs, size_t *n, size_t most)
{
    sqlite3_stmt *st = NULL;
    size_t cap = 0;
    const char *wrong = NULL;
    *structs = NULL;
    *n = 0;
    int code = select_rows(s, t, key, &st) ? SQLITE_ERROR : SQLITE_ROW;
    while (!wrong && code == SQLITE_ROW) {
        if (!array_grow(structs, *n, &cap, t->size))
            break;
        code = sqlite3_step(st);
        if (code != SQLITE_ROW)
            break;
        char *row = (char *)*structs + *n * t->size;
        memset(row, 0, t->size);
        wrong = *n == most ? t->name : get_one(st, t, row);
        *n += !wrong;
    }
    sqlite3_finalize(st);
    return wrong || code == SQLITE_DONE ? wrong : t->name;
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

static void **list_of(const struct row_list *l, const void *of)
{
    return (void **)((const char *)of + l->list);
}

static size_t *n_of(const struct row_list *l, const void *of)
{
    return (size_t *)((const char *)of + l->n);
}

int lists_replace(struct store *s, const struct row_list *l, size_t n_lists,
                  struct row_key key, const void *before, const void *now)
{
    int code = SQLITE_OK;
    for (size_t i = 0; !code && i < n_lists; i++)
        code = rows_replace(s, l[i].table, key, before ? *list_of(&l[i], before) : NULL,
                            before ? *n_of(&l[i], before) : 0, *list_of(&l[i], now),
                            *n_of(&l[i], now));
    return code;
}

int lists_put(struct store *s, const struct row_list *l, size_t n_lists,
              struct row_key key, const void *of)
{
    return lists_replace(s, l, n_lists, key, NULL, of);
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
