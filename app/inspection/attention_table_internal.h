/* What tables of attention by notes and by tokens have in common. Internal to
 * app/inspection/attention_table.c and app/inspection/attention_tokens.c. */
#ifndef APP_ATTENTION_TABLE_INTERNAL_H
#define APP_ATTENTION_TABLE_INTERNAL_H

#include "app/inspection/attention_table.h"

#include <stdio.h>

/* A table that is being written; row has room for all notes, and for all keys. */
struct table {
    struct attention_work *work;
    FILE *file;
    float *row;
    float other[INSPECTED_KINDS];
};

/* Opens the file, writes, and closes it: the exit status; it has said why. */
int table_write(struct attention_work *w, const char *path,
                int (*write_to)(struct table *t));

/* Of JSON: the object's beginning up to "part"; "notes": [...],; "name": [x, ...] with null
 * for what is not finite; a string. */
void table_write_about(const struct table *t);
void table_write_notes(const struct table *t);
void table_write_numbers(FILE *f, const char *name, const float *x, int n);
void table_write_text(FILE *f, const char *text);

/* attention_tokens.c */
int tokens_write_csv(struct table *t);
int tokens_write_json(struct table *t);

#endif
