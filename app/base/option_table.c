/* See option_table.h. getopt's value of a row is FIRST_ROW and the row's place. */
#include "app/base/option_table.h"

#include "app/base/say.h"
#include "app/base/values.h"

#include <getopt.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { HELP = 'h', OUTPUT = 'o', FIRST_ROW = 256, MOST_ROWS = 96 };

static bool is_taken(const struct field *r, const struct verb *v)
{
    return !r->kind || (r->set & v->takes) != 0;
}

const char *option_help(const struct field *r)
{
    return r->help ? r->help : r->like(r->name)->help;
}

const struct field *option_table_row(const struct option_table *t, const struct verb *v,
                                     int i)
{
    for (int row = 0; row < t->n_rows; row++)
        if (is_taken(&t->rows[row], v) && i-- == 0)
            return &t->rows[row];
    return NULL;
}

static void print_help(const struct option_table *t, const struct verb *v)
{
    char left[40], buf[FIELD_WANTS_BYTES];
    printf("usage: continuo %s %s\n\n%s\n\n", v->name, v->arguments, v->about);
    for (const struct field *r = t->rows; r < t->rows + t->n_rows; r++) {
        if (!is_taken(r, v))
            continue;
        snprintf(left, sizeof left, "--%s %s", r->name, r->argument ? r->argument : "");
        printf("  %-18s %s", left, option_help(r));
        if (r->like)
            printf(" (%s)", field_write(r->like(r->name), r->usual, buf, sizeof buf));
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

/* Lists the verb's options for getopt. Returns the row that -o stands for, or NULL. */
static const struct field *list_options(const struct option_table *t,
                                        const struct verb *v, struct option *list)
{
    const struct field *output = NULL;
    int n = 0;
    for (int i = 0; i < t->n_rows; i++) {
        const struct field *r = &t->rows[i];
        if (!is_taken(r, v))
            continue;
        list[n++] = (struct option){
            .name = r->name,
            .has_arg = r->argument ? required_argument : no_argument,
            .val = !r->kind ? HELP : FIRST_ROW + i,
        };
        output = strcmp(r->name, "output") ? output : r;
    }
    list[n] = (struct option){0};
    return output;
}

/* Says what is wrong with the option that getopt refused. optopt is an unknown letter, which may be one
 * of several behind a dash, or the number of an option that was given a value and takes none. */
static int say_refused(const struct verb *v, const struct option *list,
                       const char *last, bool wants_value)
{
    char likely[FIELD_WANTS_BYTES] = "may mean";
    int n_likely = 0; /* options that begin as the word does */
    for (const struct option *o = list; !strncmp(last, "--", 2) && o->name; o++)
        if (g_str_has_prefix(o->name, last + 2))
            text_append(likely, sizeof likely, "%s --%s", n_likely++ ? "," : "",
                        o->name);
    const char letter[] = {'-', (char)optopt, '\0'};
    const bool has_value = strchr(last, '=');
    const bool is_letter = optopt > 0 && optopt < FIRST_ROW && !has_value;
    const char *what = wants_value           ? "needs a value"
                       : has_value && optopt ? "takes no value"
                       : n_likely > 1        ? likely
                                             : "is not an option of this verb";
    return option_wrong(v, is_letter ? letter : last, what);
}

int option_table_parse(const struct option_table *t, const struct verb *v, void *to,
                       const char **file, int argc, char **argv)
{
    struct option list[MOST_ROWS];
    const struct field *output = list_options(t, v, list);
    int c;
    opterr = 0;
    optind = 0; /* glibc begins afresh */
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
        const struct field *r = c == OUTPUT ? output : &t->rows[c - FIRST_ROW];
        if (!field_read(r, to, optarg)) {
            char subject[160], wants[FIELD_WANTS_BYTES], what[FIELD_WANTS_BYTES + 16];
            snprintf(subject, sizeof subject, "--%s %s", r->name, optarg);
            snprintf(what, sizeof what, "must be %s", field_wants(r, to, wants));
            return option_wrong(v, subject, what);
        }
        if (r->given)
            *((bool *)to + r->given) = true;
    }
    char what[FIELD_WANTS_BYTES];
    const int n_files = argc - optind;
    *file = n_files > 0 ? argv[optind] : NULL;
    if (n_files > v->n_files + v->n_more)
        return option_wrong(v, argv[argc - 1], "is one argument too many");
    if (n_files >= v->n_files && (!*file || **file))
        return -1;
    snprintf(what, sizeof what, "an argument is missing: %.*s",
             (int)strcspn(v->arguments, "\n"), v->arguments);
    return option_wrong(v, NULL, what);
}
