/* Plain structs as rows of a store: a table has the name, the offset and the range of each
 * field, for writing and reading. Rows are not trusted: for a value of the wrong kind or
 * out of range the error names its column. One thread at a time. */
#ifndef APP_STORE_ROWS_H
#define APP_STORE_ROWS_H

#include "app/document/store.h"

enum row_kind {
    ROW_IS_WHOLE, /* of 1 or 2 bytes, unsigned; or of 4 or 8, signed */
    ROW_IS_REAL,  /* float or double */
    ROW_IS_TEXT,  /* char[size], with its zero */
    ROW_IS_NAME,  /* the same, of any bytes */
};

struct row_field {
    const char *name;
    enum row_kind kind;
    size_t offset, size;
    double low, high; /* of a number */
};

struct row_table {
    const char *name;
    size_t size; /* of the struct */
    const struct row_field *fields;
    size_t n_fields;
    /* Offset of an int that ascends, from 0, or ROW_NO_GROUP. Each group has row numbers of its
     * own, so that one can grow while those after it stay as they are. */
    size_t group;
};
enum { ROW_NO_GROUP = -1, ROW_GROUP_BITS = 24 };

/* Of which piece, and whether as it was saved. */
struct row_key {
    int64_t piece;
    int as_saved;
};

/* Writes n structs as rows n_from, n_from + 1, ..., and replaces existing rows. SQLITE_OK,
 * or an error. Reals out of range become the nearest end of the range. */
int rows_put(struct store *s, const struct row_table *t, struct row_key key,
             size_t n_from, const void *structs, size_t n);
int rows_delete(struct store *s, const struct row_table *t, struct row_key key);
/* Writes what differs from the n_before structs that are there, all of them. It gives way
 * if the store's owner asks for that (store.h): SQLITE_INTERRUPT. */
int rows_replace(struct store *s, const struct row_table *t, struct row_key key,
                 const void *before, size_t n_before, const void *now, size_t n_now);

/* Reads all rows, in order, into *structs, which the caller frees and which has room for
 * one more; other fields are zero. More than `most` is an error. NULL: success; else the
 * error. */
const char *rows_get(struct store *s, const struct row_table *t, struct row_key key,
                     void **structs, size_t *n, size_t most);
/* The first row, if *is_there, into the fields of *to, whose others are left alone. */
const char *rows_get_one(struct store *s, const struct row_table *t, struct row_key key,
                         void *to, bool *is_there);

/* Lists of a struct, each of them malloc'd and all the rows of a table; functions as above,
 * for all of them. */
struct row_list {
    const struct row_table *table;
    size_t list, n; /* offsets of the pointer and of the count, a size_t */
    size_t most;
};
int lists_put(struct store *s, const struct row_list *l, size_t n_lists,
              struct row_key key, const void *of);
/* before: what is there; NULL: nothing is. */
int lists_replace(struct store *s, const struct row_list *l, size_t n_lists,
                  struct row_key key, const void *before, const void *now);
int lists_delete(struct store *s, const struct row_list *l, size_t n_lists,
                 struct row_key key);
const char *lists_get(struct store *s, const struct row_list *l, size_t n_lists,
                      struct row_key key, void *of);
void lists_free(const struct row_list *l, size_t n_lists, void *of);

/* Fields of struct S, for the tables above; the range of a number comes last. ROW_WORD is a
 * uint64_t of any value. */
#define ROW_FIELD(S, name, kind, field, ...)                                           \
    {                                                                                  \
        name, kind, offsetof(struct S, field), sizeof((struct S *)0)->field,           \
            __VA_ARGS__                                                                \
    }
#define ROW_WHOLE(S, name, field, ...)                                                 \
    ROW_FIELD(S, name, ROW_IS_WHOLE, field, __VA_ARGS__)
#define ROW_REAL(S, name, field, ...)                                                  \
    ROW_FIELD(S, name, ROW_IS_REAL, field, __VA_ARGS__)
#define ROW_YES(S, name, field)  ROW_WHOLE(S, name, field, 0, 1)
#define ROW_WORD(S, name, field) ROW_WHOLE(S, name, field, -0x1p63, 0x1p63)
#define ROW_TEXT(S, name, field) ROW_FIELD(S, name, ROW_IS_TEXT, field, 0, 0)
#define ROW_NAME(S, name, field) ROW_FIELD(S, name, ROW_IS_NAME, field, 0, 0)
#define ROW_TABLE(S, name, fields)                                                     \
    {                                                                                  \
        name, sizeof(struct S), fields, sizeof(fields) / sizeof(fields)[0],            \
            (size_t)ROW_NO_GROUP                                                       \
    }
#define ROW_TABLE_BY(S, group, name, fields)                                           \
    {                                                                                  \
        name, sizeof(struct S), fields, sizeof(fields) / sizeof(fields)[0],            \
            offsetof(struct S, group)                                                  \
    }
#define ROW_LIST(S, table, list, n, most)                                              \
    {                                                                                  \
        &(table), offsetof(struct S, list), offsetof(struct S, n), most                \
    }

#endif
