/* Plain structs as JSON objects in a store: a table has the name, the offset and the range of
 * each field, for writing and reading. Lists of structs are arrays of arrays, in the order of
 * the fields. What is read is not trusted: for a value of the wrong kind or out of range the
 * error names its field. A value that an object lacks stays as it was in the struct, if that is
 * in range; fields that are not known are passed over. One thread at a time. */
#ifndef APP_STORE_FIELDS_H
#define APP_STORE_FIELDS_H

#include "app/base/field.h"
#include "app/document/store.h"

/* Kinds of fields in JSON. Those of app/base/field.h are for people. */
extern const struct field_kind
    STORED_WHOLE, /* of 1 or 2 bytes, unsigned; or 4 or 8, signed */
    STORED_REAL,  /* out of range it becomes the nearest end when it is written */
    STORED_TEXT,  /* char[size], with its zero */
    STORED_NAME,  /* the same, of any bytes: in hexadecimal */
    STORED_BLOCK; /* uint8_t[size], the first of which counts those that follow */

struct field_list {
    const struct field *fields;
    size_t n_fields, size; /* of an element */
    size_t n, n_size;      /* where its count is, an int or a size_t */
    size_t most;
    bool is_inside; /* an array in the struct; else malloc'd, with room for one more */
};

/* The object {"name":value,...}; never NULL: *text is malloc'd, NULL without memory. */
char *fields_write(const struct field *f, size_t n, const void *from);
/* The object in column `data` of the row that `row` selects ("clipboard WHERE n = 3").
 * NULL: success; else the name of the invalid field, or `row`. The lists of *to are empty
 * before; after an error the caller frees what is in them. */
const char *fields_read(const struct field *f, size_t n, void *to, struct store *s,
                        const char *row, bool *is_there);
void fields_free(const struct field *f, size_t n, void *of); /* its lists */

/* Fields of struct S, for the tables above; the range of a number comes last. STORE_WORD is a
 * uint64_t of any value. */
#define STORE_FIELD(S, its_name, its_kind, field)                                      \
    .name = (its_name), .kind = &(its_kind), FIELD_OF(S, field)
#define STORE_NUMBER(S, name, kind, field, from, to)                                   \
    {                                                                                  \
        STORE_FIELD(S, name, kind, field), .low = (from), .high = (to)                 \
    }
#define STORE_WHOLE(S, name, field, ...)                                               \
    STORE_NUMBER(S, name, STORED_WHOLE, field, __VA_ARGS__)
#define STORE_REAL(S, name, field, ...)                                                \
    STORE_NUMBER(S, name, STORED_REAL, field, __VA_ARGS__)
#define STORE_YES(S, name, field)  STORE_WHOLE(S, name, field, 0, 1)
#define STORE_WORD(S, name, field) STORE_WHOLE(S, name, field, -0x1p63, 0x1p63)
#define STORE_TEXT(S, name, field)                                                     \
    {                                                                                  \
        STORE_FIELD(S, name, STORED_TEXT, field)                                       \
    }
#define STORE_NAME(S, name, field)                                                     \
    {                                                                                  \
        STORE_FIELD(S, name, STORED_NAME, field)                                       \
    }
/* `count` counts the elements of `list`, an array inside the struct or a malloc'd one. The kind only
 * says that it is taken out of JSON as it is, and not as a text. */
#define STORE_LIST(S, its_name, its_list, count, most, is_inside, fields)              \
    {                                                                                  \
        .name = (its_name), .offset = offsetof(struct S, its_list),                    \
        .kind = &STORED_WHOLE, .list = &(const struct field_list)                      \
        {                                                                              \
            fields, sizeof(fields) / sizeof(fields)[0],                                \
                sizeof *((struct S *)0)->its_list, offsetof(struct S, count),          \
                sizeof((struct S *)0)->count, most, is_inside                          \
        }                                                                              \
    }

#endif
