/* See option_table.h. getopt's value of a row is FIRST_ROW and the row's place. */
#include "app/base/option_table.h"

#include "app/base/say.h"
#include "app/base/values.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { HELP = 'h', OUTPUT = 'o', FIRST_ROW = 256, MOST_ROWS = 96 };

static bool is_taken(const struct option_row *r, const struct verb *v)
{
    return r->kind == OPTION_IS_HELP || (r->set & v->takes) != 0;
}

static const char *help_of(const struct option_row *r)
{
    return r->own && r->own->help ? r->own->help(r) : r->help;
}

/* NULL: the end. */
static const struct option_row *find_row(const struct option_table *t,
                                         const struct verb *v, int i)
{
    for (int row = 0; row < t->n_rows; row++)
        if (is_taken(&t->rows[row], v) && i-- == 0)
            return &t->rows[row];
    return NULL;
}

bool option_table_about(const struct option_table *t, const struct verb *v, int i,
                        struct option_about *out)
{
    const struct option_row *r = find_row(t, v, i);
    if (r)
        *out = (struct option_about){r->name, r->argument, help_of(r)};
    return r;
}

static void print_help(const struct option_table *t, const struct verb *v)
{
    char left[40], buf[OPTION_WANTS_BYTES];
    printf("usage: continuo %s %s\n\n%s\n\n", v->name, v->arguments, v->about);
    for (const struct option_row *r = t->rows; r < t->rows + t->n_rows; r++) {
        if (!is_taken(r, v))
            continue;
        snprintf(left, sizeof left, "--%s %s", r->name, r->argument ? r->argument : "");
        printf("  %-18s %s", left, help_of(r));
        if (r->own && r->own->usual)
            printf(" (%s)", r->own->usual(r, buf));
        putchar('\n');
    }
    if (v->after)
        printf("\n%s\n", v->after);
}

int option_wrong(const struct verb *v, const char *subject, const char *what)
{
    fputs("continuo: ", stderr);
    if (subject) {
        say_safe(stderr, subject);
        fputs(": ", stderr);
    }
    say_safe(stderr, what);
    fprintf(stderr, "; see continuo %s%s--help\n", v->name, *v->name ? " " : "");
    return 2;
}

static const char *list_words(const struct option_row *r, char *buf)
{
    int n = snprintf(buf, OPTION_WANTS_BYTES, "one of");
    for (int i = 0; r->words[i] && n < OPTION_WANTS_BYTES; i++)
        n += snprintf(buf + n, (size_t)(OPTION_WANTS_BYTES - n), "%s %s", i ? "," : "",
                      r->words[i]);
    return buf;
}

/* "a number from 0 to 1". */
static const char *wants(const struct option_row *r, const void *to, char *buf)
{
    switch (r->kind) {
    case OPTION_IS_OWN:
        return r->own->wants(r, to, buf);
    case OPTION_IS_CHOICE:
        return list_words(r, buf);
    case OPTION_IS_SEED:
        return "a whole number";
    case OPTION_IS_PRECISION:
        return "one of f32, bf16, int8";
    case OPTION_IS_COUNT:
    case OPTION_IS_COUNT64:
        snprintf(buf, OPTION_WANTS_BYTES, "a whole number from %.0f to %.0f", r->low,
                 r->high);
        return buf;
    default:
        snprintf(buf, OPTION_WANTS_BYTES, "a number from %g to %g", r->low, r->high);
        return buf;
    }
}

const char *option_table_wants(const struct option_table *t, const struct verb *v,
                               int i, char *buf)
{
    const struct option_row *r = find_row(t, v, i);
    return !r || !r->argument || r->kind == OPTION_IS_TEXT ? "" : wants(r, NULL, buf);
}

static int wrong_value(const struct verb *v, const struct option_row *r,
                       const char *text, const void *to)
{
    char subject[160], buf[OPTION_WANTS_BYTES], what[OPTION_WANTS_BYTES + 16];
    snprintf(subject, sizeof subject, "--%s %s", r->name, text);
    snprintf(what, sizeof what, "must be %s", wants(r, to, buf));
    return option_wrong(v, subject, what);
}

static bool store_number(const struct option_row *r, const char *text, void *at)
{
    double x;
    if (!value_real(text, r->low, r->high, &x))
        return false;
    if (r->kind == OPTION_IS_COUNT64)
        *(int64_t *)at = (int64_t)x;
    else if (r->kind == OPTION_IS_REAL)
        *(float *)at = (float)x;
    else
        *(double *)at = x;
    return r->kind != OPTION_IS_COUNT64 || x == (double)(int64_t)x;
}

/* false: not a value of this option. */
static bool store(const struct option_row *r, const char *text, void *to)
{
    void *at = (char *)to + r->offset;
    switch (r->kind) {
    case OPTION_IS_TEXT:
        *(const char **)at = text;
        return true;
    case OPTION_IS_FLAG:
    case OPTION_IS_UNFLAG:
        *(bool *)at = r->kind == OPTION_IS_FLAG;
        return true;
    case OPTION_IS_COUNT:
        return value_count(text, (int)r->low, (int)r->high, at);
    case OPTION_IS_COUNT64:
    case OPTION_IS_REAL:
    case OPTION_IS_REAL64:
        return store_number(r, text, at);
    case OPTION_IS_SEED:
        return value_seed(text, at);
    case OPTION_IS_PRECISION:
        return value_precision(text, at);
    case OPTION_IS_CHOICE:
        return value_word(text, r->words, at);
    case OPTION_IS_OWN:
        return r->own->read(r, text, to);
    case OPTION_IS_HELP:
        break;
    }
    return false;
}

/* The row that -o stands for, or NULL. */
static const struct option_row *list_options(const struct option_table *t,
                                             const struct verb *v, struct option *list)
{
    const struct option_row *output = NULL;
    int n = 0;
    for (int i = 0; i < t->n_rows; i++) {
        const struct option_row *r = &t->rows[i];
        if (!is_taken(r, v))
            continue;
        list[n++] = (struct option){
            .name = r->name,
            .has_arg = r->argument ? required_argument : no_argument,
            .val = r->kind == OPTION_IS_HELP ? HELP : FIRST_ROW + i,
        };
        output = strcmp(r->name, "output") ? output : r;
    }
    list[n] = (struct option){0};
    return output;
}

/* "--t: may mean --takes, --top-p": the verb's options with this beginning. false: fewer
 * than two. */
static bool list_likely(const struct option *list, const char *word, char *buf)
{
    int n_found = 0, n = snprintf(buf, OPTION_WANTS_BYTES, "may mean");
    if (strncmp(word, "--", 2) != 0)
        return false;
    for (; list->name; list++)
        if (strstr(list->name, word + 2) == list->name && n < OPTION_WANTS_BYTES)
            n += snprintf(buf + n, (size_t)(OPTION_WANTS_BYTES - n), "%s --%s",
                          n_found++ ? "," : "", list->name);
    return n_found > 1;
}

/* getopt sets optopt to an unknown letter, which may be one of several behind a dash; or to
 * the value of an option that takes none and is given one. */
static int say_refused(const struct verb *v, const struct option *list,
                       const char *last, bool wants_value)
{
    char likely[OPTION_WANTS_BYTES];
    const char letter[] = {'-', (char)optopt, '\0'};
    const bool has_value = strchr(last, '=');
    const bool is_letter = optopt > 0 && optopt < FIRST_ROW && !has_value;
    const char *what = wants_value           ? "needs a value"
                       : has_value && optopt ? "takes no value"
                       : list_likely(list, last, likely)
                           ? likely
                           : "is not an option of this verb";
    return option_wrong(v, is_letter ? letter : last, what);
}

static int check_files(const struct verb *v, int n_files, const char *last)
{
    char what[OPTION_WANTS_BYTES];
    if (n_files > v->n_files + v->n_more)
        return option_wrong(v, last, "is one argument too many");
    if (n_files >= v->n_files)
        return -1;
    snprintf(what, sizeof what, "an argument is missing: %.*s",
             (int)strcspn(v->arguments, "\n"), v->arguments);
    return option_wrong(v, NULL, what);
}

int option_table_parse(const struct option_table *t, const struct verb *v, void *to,
                       const char **file, int argc, char **argv)
{
    struct option list[MOST_ROWS];
    const struct option_row *output = list_options(t, v, list);
    int c;
    opterr = 0;
    optind = 0; /* begin afresh, in glibc */
    while ((c = getopt_long(argc, argv, output ? ":o:h" : ":h", list, NULL)) != -1) {
        if (c == HELP) {
            if (t->help)
                t->help(stdout);
            else
                print_help(t, v);
            return 0;
        }
        if (c == '?' || c == ':' || (c == OUTPUT && !output))
            return say_refused(v, list, argv[optind - 1], c == ':');
        const struct option_row *r = c == OUTPUT ? output : &t->rows[c - FIRST_ROW];
        if (!store(r, optarg, to))
            return wrong_value(v, r, optarg, to);
        if (r->given)
            *((bool *)to + r->given) = true;
    }
    *file = optind < argc ? argv[optind] : NULL;
    return check_files(v, argc - optind, argv[argc - 1]);
}
