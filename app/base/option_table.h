/* Options of the command line from tables. Reading, ranges, --help, the manual page and the
 * shells' completions are all made from the rows. Main thread only, as getopt is. */
#ifndef APP_OPTION_TABLE_H
#define APP_OPTION_TABLE_H

#include "app/base/field.h"

#include <stdio.h>

struct option_table {
    const struct field *rows;
    int n_rows;
    /* What --help prints; NULL: usage and options of the verb. */
    void (*help)(FILE *to);
};

/* Every table has this row, for all verbs. */
#define OPTION_HELP                                                                    \
    {                                                                                  \
        "help", NULL, "print this help", .kind = NULL                                  \
    }
/* A line break within a help text; the next line is indented to the column of help texts. */
#define OPTION_NEXT_LINE "\n                     "

struct options;
struct score;

struct verb {
    const char *name;      /* "continue"; "": the workstation */
    const char *summary;   /* its help, in half a line */
    const char *arguments; /* as the usage line has them: "IN.mid -o OUT.mid" */
    const char *about;     /* the paragraph below it */
    const char *after;     /* a paragraph after the options, or NULL */
    int n_files;           /* required arguments, besides options */
    int n_more;            /* optional arguments after them */
    int bars;              /* when --bars is not given */
    bool rewrites;         /* -o is the first argument, changed: both may be one file */
    unsigned takes, needs; /* bits: options, and those that must be given */
    const struct option_table *table; /* NULL: app/generation/options.h's */
    /* One of these; each returns the exit status. */
    int (*run)(struct options *o);
    int (*run_score)(struct options *o, struct score *s); /* the file is loaded; s may
                                                             be changed */
    int (*main)(int argc, char **argv); /* reads its options by itself */
};

/* Returns the i-th option of the verb; NULL: the end. If it takes an argument, field_wants describes the
 * valid values. */
const struct field *option_table_row(const struct option_table *t, const struct verb *v,
                                     int i);
const char *option_help(const struct field *row); /* its help */

/* Fills `to` with the given values, and *file with the first argument that is not an
 * option, or NULL. Returns -1 to continue, else the exit status: 0 after --help, 2 after an error
 * message. */
int option_table_parse(const struct option_table *t, const struct verb *v, void *to,
                       const char **file, int argc, char **argv);
/* Prints "continuo: SUBJECT: WHAT; see continuo VERB --help"; subject may be NULL. Returns 2. */
int option_wrong(const struct verb *v, const char *subject, const char *what);

#endif
