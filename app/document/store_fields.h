/* Plain structs as JSON objects in a store: a table of fields (app/base/field.h) has the name, the
 * offset and the range of each, for writing and reading. Lists of structs are arrays of arrays, in
 * the order of the fields. What is read is not trusted: if a value is of the wrong kind or out of
 * range, the error names its field. If an object lacks a value, the struct's own stays, if it is in
 * range. Unknown fields are ignored. One thread at a time. */
#ifndef APP_STORE_FIELDS_H
#define APP_STORE_FIELDS_H

#include "app/base/field.h"
#include "app/document/store.h"

extern const struct field_kind
    STORED_NAME,  /* char[size] of any bytes, with its zero; written in hexadecimal */
    STORED_BLOCK; /* uint8_t[size]: a count, and as many bytes; written in hexadecimal */

struct field_list {
    const struct field *fields;
    size_t n_fields, size; /* fields and bytes of an element */
    size_t n, n_size;      /* offset and size of the count, an int or a size_t */
    size_t most;           /* elements */
    bool
        is_inside; /* the list is an array in the struct; else malloc'd, with room for one more */
};

/* Runs `sql` as store_do does, with the object {"name":value,...} as its bytes, of all fields or,
 * with usual, of those that differ from it. Returns SQLite's code. */
int fields_write(const struct field *f, size_t n, const void *from, const void *usual,
                 struct store *s, char *sql);
/* Reads the object in column `data` of the row that `row` selects ("clipboard WHERE n = 3"). Lists
 * are appended to those of *to; the caller frees them also after an error. Returns NULL on success,
 * else the name of the invalid field, or "data" if the row cannot be read. */
const char *fields_read(const struct field *f, size_t n, void *to, struct store *s,
                        const char *row, bool *is_there);
void fields_free(const struct field *f, size_t n,
                 void *of); /* frees the lists of a struct */

/* Rows of a table of struct S; the range of a number comes last. STORE_WORD is a uint64_t of any
 * value. */
#define STORE_NUMBER(S, its_name, its_kind, field, from, to)                           \
    {                                                                                  \
        .name = (its_name), .kind = &(its_kind), FIELD_OF(S, field), .low = (from),    \
        .high = (to)                                                                   \
    }
#define STORE_WHOLE(S, name, field, ...)                                               \
    STORE_NUMBER(S, name, FIELD_WHOLE, field, __VA_ARGS__)
#define STORE_REAL(S, name, field, ...)                                                \
    STORE_NUMBER(S, name, FIELD_EXACT, field, __VA_ARGS__)
#define STORE_YES(S, name, field)        STORE_WHOLE(S, name, field, 0, 1)
#define STORE_WORD(S, name, field)       STORE_WHOLE(S, name, field, -0x1p63, 0x1p63)
#define STORE_TEXT(S, name, kind, field) STORE_NUMBER(S, name, kind, field, 0, 0)
/* A list whose elements `count` counts. */
#define STORE_LIST(S, its_name, its_list, count, most, is_inside, fields)              \
    {                                                                                  \
        .name = (its_name), .offset = offsetof(struct S, its_list),                    \
        .list = &(const struct field_list)                                             \
        {                                                                              \
            fields, sizeof(fields) / sizeof(fields)[0],                                \
                sizeof *((struct S *)0)->its_list, offsetof(struct S, count),          \
                sizeof((struct S *)0)->count, most, is_inside                          \
        }                                                                              \
    }

#endif
