/* Values of plain structs that people set: options of the command line, settings of the
 * configuration file, what steers the machine. A table of fields describes a struct; reading,
 * writing, stepping, help and messages are made from its rows.
 *
 * A value is written so that reading gives the same value, numbers with a fraction to six digits.
 * Reading leaves the value as it is if the text is not valid. Pure functions. */
#ifndef APP_FIELD_H
#define APP_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIELD_WANTS_BYTES = 384, /* room for all that field_wants says */
    FIELD_TEXT_BYTES = 1024, /* and for any value */
};

struct field;

/* What fields of one type have in common. `of` is the struct that has the field. */
struct field_kind {
    /* false, and nothing stored: text is no such value. NULL: an option without an argument. */
    bool (*read)(const struct field *f, void *of, const char *text);
    /* NULL: a value that is only read, and not written, compared or stepped. */
    void (*write)(const struct field *f, const void *of, char *buf, size_t n_buf);
    void (*step)(const struct field *f, void *of, int by);
    /* The place of the value in its range, 0 to 1; negative: it is `none`. */
    double (*share)(const struct field *f, const void *of);
    /* "a number": the valid values, before their range if they have a share. NULL: words. */
    const char *wants;
    bool is_number; /* the text is a number of JSON */
    /* Describes the valid values instead. of NULL: the usual ones. */
    void (*list)(const struct field *f, const void *of, char buf[FIELD_WANTS_BYTES]);
};

struct field {
    const char *name;
    const char *argument; /* of an option: "N"; NULL: it takes none */
    const char *help;     /* half a line, or more with line ends in it */
    const struct field_kind *kind;
    size_t offset, size; /* of the value in its struct */
    double low, high;    /* of a number; of words, the first and the last */
    double step;         /* 0: it has no steps */
    const char *none;    /* the name of 0, which is below `low`; NULL: 0 is no value */
    double start;        /* where the first step up from `none` leads */
    /* Of words: a list, or a function that returns each; then NULL. If `high` is set, words
     * after it are other names of the same values. */
    const char *const *words;
    const char *(*word)(int i);
    const char *wants; /* instead of the kind's */
    /* Of an option: a verb takes those that it shares a bit with; and the offset of a bool that
     * is set if it is given, or 0. */
    unsigned set;
    size_t given;
    /* Of FIELD_LIKE: finds the field of a name in the table of the struct at `offset`; and the
     * defaults of that struct. */
    const struct field *(*like)(const char *name);
    const void *usual;
    /* Of structs in a store (app/document/store_fields.h). */
    const struct field_list *list;
};

/* .offset and .size of a field of struct S. */
#define FIELD_OF(S, field)                                                             \
    .offset = offsetof(struct S, field), .size = sizeof((struct S *)0)->field

extern const struct field_kind FIELD_WHOLE, /* an integer or an enum */
    FIELD_REAL,      /* float or double; one with steps has six digits */
    FIELD_RATIO,     /* the same; each step is a factor, from `low` on */
    FIELD_EXACT,     /* the same to the last bit; outside its range the nearest end */
    FIELD_PITCH,     /* an integer, as the name of a note */
    FIELD_WORDS,     /* an integer, an enum or a bool, in words */
    FIELD_SEED,      /* uint64_t */
    FIELD_TEXT,      /* char[size] */
    FIELD_ARGUMENT,  /* const char *, which will point at what was read */
    FIELD_FLAG,      /* bool: the option is given */
    FIELD_PRECISION, /* struct model_precision */
    FIELD_LIKE;      /* another field; an option without an argument turns it "on" */

bool field_read(const struct field *f, void *of, const char *text);
/* The value as it is typed. Returns buf. */
const char *field_write(const struct field *f, const void *of, char *buf, size_t n_buf);
/* "a number from 0 to 5": the valid values; of NULL: the usual ones. Returns buf. */
const char *field_wants(const struct field *f, const void *of,
                        char buf[FIELD_WANTS_BYTES]);
/* Moves by so many steps, within the range. */
void field_step(const struct field *f, void *of, int by);
double field_share(const struct field *f, const void *of);
bool field_is_number(const struct field *f, const void *of);
bool field_is_equal(const struct field *f, const void *a, const void *b);
void field_copy(const struct field *f, void *to, const void *from);

/* For kinds that are made of these: what FIELD_LIKE reads, and FIELD_TEXT. */
bool field_read_like(const struct field *f, void *of, const char *text);
bool field_read_text(const struct field *f, void *of, const char *text);
void field_write_text(const struct field *f, const void *of, char *buf, size_t n_buf);
/* Where the value is. */
void *field_at(const struct field *f, const void *of);
/* An integer of this size: of 1 or 2 bytes unsigned, of 4 or 8 signed. */
int64_t field_get_whole(const void *at, size_t size);
void field_set_whole(void *at, size_t size, int64_t x);

#endif
