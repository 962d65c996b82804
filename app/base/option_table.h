/* Options of the command line from tables. Reading, ranges, --help, the manual page and the
 * shells' completions are all made from the rows. Main thread only, as getopt is. */
#ifndef APP_OPTION_TABLE_H
#define APP_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The kind of a row's value, and its type in memory. */
enum option_kind {
    OPTION_IS_TEXT,      /* const char *, which points into argv */
    OPTION_IS_FLAG,      /* bool, true when it is given */
    OPTION_IS_UNFLAG,    /* bool, false when it is given */
    OPTION_IS_COUNT,     /* int */
    OPTION_IS_COUNT64,   /* int64_t */
    OPTION_IS_REAL,      /* float */
    OPTION_IS_REAL64,    /* double */
    OPTION_IS_SEED,      /* uint64_t */
    OPTION_IS_PRECISION, /* struct model_precision */
    OPTION_IS_CHOICE,    /* int, the place of one of `words` */
    OPTION_IS_OWN,       /* parsed by `own` */
    OPTION_IS_HELP,      /* prints the help; every table has one, for all verbs */
};

enum { OPTION_WANTS_BYTES = 384 };

struct option_row;

/* The functions of an own kind. `to` is the whole struct that is filled. */
struct option_own {
    /* false: not a valid value. text is NULL if the option has no argument. */
    bool (*read)(const struct option_row *r, const char *text, void *to);
    /* "one of A, B": describes the valid values; may return buf [OPTION_WANTS_BYTES]. `to` may
     * be NULL: the usual ones. */
    const char *(*wants)(const struct option_row *r, const void *to, char *buf);
    const char *(*help)(const struct option_row *r); /* NULL: the row's */
    /* The default value, for --help; NULL: the help text has it. */
    const char *(*usual)(const struct option_row *r, char *buf);
};

struct option_row {
    const char *name;     /* "bars" of --bars; "output" is -o, too */
    const char *argument; /* "N"; NULL: it has none */
    const char *help;     /* half a line, or more with line ends in it */
    enum option_kind kind;
    unsigned set;     /* bits: a verb takes the rows that it shares a bit with */
    size_t offset;    /* of the value in the struct that is filled, */
    size_t given;     /* and of a bool that is set if it is given; 0: none */
    double low, high; /* of a number */
    const char *const *words; /* of a choice, then NULL */
    const struct option_own *own;
};

struct option_table {
    const struct option_row *rows;
    int n_rows;
    /* What --help prints; NULL: usage and options of the verb. */
    void (*help)(FILE *to);
};

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

/* The description of an option, for lists of options. */
struct option_about {
    const char *name, *argument, *help; /* as the row has them */
};
/* The i-th option of the verb; false: the end. */
bool option_table_about(const struct option_table *t, const struct verb *v, int i,
                        struct option_about *out);

/* "one of f32, bf16, int8": the valid values of the i-th option, "" if any text is one. Returns buf
 * [OPTION_WANTS_BYTES] or a literal. */
const char *option_table_wants(const struct option_table *t, const struct verb *v,
                               int i, char *buf);

/* Fills `to` with the given values, and *file with the first argument that is not an
 * option, or NULL. -1: continue. Else the exit status: 0 after --help, 2 after an error
 * message. */
int option_table_parse(const struct option_table *t, const struct verb *v, void *to,
                       const char **file, int argc, char **argv);
/* "continuo: SUBJECT: WHAT; see continuo VERB --help"; subject may be NULL. Returns 2. */
int option_wrong(const struct verb *v, const char *subject, const char *what);

#endif
