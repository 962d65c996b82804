/* Plain structs as JSON objects in a store: a table has the name, the offset and the range of
 * each field, for writing and reading. Lists of structs are arrays of arrays, in the order of
 * the fields. What is read is not trusted: for a value of the wrong kind or out of range the
 * error names its field. A value that an object lacks stays as it was in the struct, if that is
 * in range; fields that are not known are passed over. One thread at a time. */
#ifndef APP_STORE_FIELDS_H
#define APP_STORE_FIELDS_H

#include "app/document/store.h"
#include "midi/base/bytes.h"

enum field_kind {
    FIELD_IS_WHOLE, /* of 1 or 2 bytes, unsigned; or of 4 or 8, signed */
    FIELD_IS_REAL, /* float or double; out of range it becomes the nearest end when written */
    FIELD_IS_TEXT,  /* char[size], with its zero */
    FIELD_IS_NAME,  /* the same, of any bytes: in hexadecimal */
    FIELD_IS_BLOCK, /* uint8_t[size], the first of which counts those that follow */
    FIELD_IS_LIST,
};

struct field_list;

struct store_field {
    const char *name;
    enum field_kind kind;
    size_t offset, size;
    double low, high; /* of a number */
    const struct field_list *list;
};

struct field_list {
    const struct store_field *fields;
    size_t n_fields, size; /* of an element */
    size_t n, n_size;      /* where its count is, an int or a size_t */
    size_t most;
    bool is_inside; /* an array in the struct; else malloc'd, with room for one more */
};

/* The object {"name":value,...}; never NULL: *text is malloc'd, NULL without memory. */
char *fields_write(const struct store_field *f, size_t n, const void *from);
/* The object in column `data` of the row that `row` selects ("clipboard WHERE n = 3").
 * NULL: success; else the name of the invalid field, or `row`. The lists of *to are empty
 * before; after an error the caller frees what is in them. */
const char *fields_read(const struct store_field *f, size_t n, void *to,
                        struct store *s, const char *row, bool *is_there);
void fields_free(const struct store_field *f, size_t n, void *of); /* its lists */

/* Fields of struct S, for the tables above; the range of a number comes last. FIELD_WORD is a
 * uint64_t of any value. */
#define FIELD_AT(S, name, kind, field, ...)                                            \
    {                                                                                  \
        name, kind, offsetof(struct S, field), sizeof((struct S *)0)->field,           \
            __VA_ARGS__                                                                \
    }
#define FIELD_WHOLE(S, name, field, ...)                                               \
    FIELD_AT(S, name, FIELD_IS_WHOLE, field, __VA_ARGS__, NULL)
#define FIELD_REAL(S, name, field, ...)                                                \
    FIELD_AT(S, name, FIELD_IS_REAL, field, __VA_ARGS__, NULL)
#define FIELD_YES(S, name, field)  FIELD_WHOLE(S, name, field, 0, 1)
#define FIELD_WORD(S, name, field) FIELD_WHOLE(S, name, field, -0x1p63, 0x1p63)
#define FIELD_TEXT(S, name, field) FIELD_AT(S, name, FIELD_IS_TEXT, field, 0, 0, NULL)
#define FIELD_NAME(S, name, field) FIELD_AT(S, name, FIELD_IS_NAME, field, 0, 0, NULL)
/* `count` counts the elements of `list`, an array inside the struct or a malloc'd one. */
#define FIELD_LIST(S, name, list, count, most, is_inside, fields)                      \
    {                                                                                  \
        name, FIELD_IS_LIST, offsetof(struct S, list), 0, 0, 0,                        \
            &(const struct field_list)                                                 \
        {                                                                              \
            fields, sizeof(fields) / sizeof(fields)[0], sizeof *((struct S *)0)->list, \
                offsetof(struct S, count), sizeof((struct S *)0)->count, most,         \
                is_inside                                                              \
        }                                                                              \
    }

#endif
