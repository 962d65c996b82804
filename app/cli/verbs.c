#include "app/cli/verbs.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/cli/workstation.h"
#include "app/document/overwrite.h"
#include "app/generation/take.h"

#include <stdio.h>
#include <string.h>

#define ITS_ADDRESS(name) &VERB_##name,
#define ITS_NUMBER(name)  NUMBER_OF_##name,
enum { EACH_VERB(ITS_NUMBER) N_OWN_VERBS };
const struct verb *const VERBS[] = {EACH_VERB(ITS_ADDRESS) EACH_LAB_VERB(ITS_ADDRESS)};
const int n_verbs = sizeof VERBS / sizeof VERBS[0], n_own_verbs = N_OWN_VERBS;

const struct verb *verb_find(const char *name)
{
    for (int i = 0; i < n_verbs; i++)
        if (!strcmp(name, VERBS[i]->name))
            return VERBS[i];
    return NULL;
}

const struct verb *verb_like(const char *word)
{
    const struct verb *like = NULL;
    size_t most = 1;
    for (int i = 0; i < n_verbs; i++) {
        size_t n = 0;
        while (word[n] && word[n] == VERBS[i]->name[n])
            n++;
        like = n > most ? VERBS[i] : like;
        most = n > most ? n : most;
    }
    return like;
}

static const struct option_table *table_of(const struct verb *v)
{
    return v->table ? v->table : &OPTIONS;
}

const struct field *verb_option(const struct verb *v, int i)
{
    return option_table_row(table_of(v), v, i);
}

/* Checks the output before the work is done; with --takes, each of the files. */
static int check_outputs(const struct verb *v, const struct options *o)
{
    char path[4096], model[4096], file[4096], other[4096];
    int status = 0;
    /* The file of --weights and that of --mean-with are models, found by name. */
    const bool has_model = v->takes & OPTION_MODEL,
               is_model = v->takes & OPTION_WEIGHTS;
    const char *inputs[] = {
        has_model && paths_model(model, sizeof model, o->model) ? model : NULL,
        v->rewrites                                           ? NULL
        : is_model && paths_model(file, sizeof file, o->file) ? file
                                                              : o->file,
        o->data,
        o->soundfont,
        o->mean_with && paths_model(other, sizeof other, o->mean_with) ? other : NULL,
        o->more_like,
        o->less_like};
    for (int i = 0; !status && o->output && i < o->takes; i++)
        if (takes_path(path, sizeof path, o, i))
            status =
                overwrite_check(path, o->force, inputs, sizeof inputs / sizeof *inputs);
    return status;
}

static bool is_output(const struct options *o)
{
    char path[4096];
    bool is = false;
    for (int i = 0; !is && o->output && i < o->takes; i++)
        is = takes_path(path, sizeof path, o, i) && file_is_same(path, o->file);
    return is;
}

static int run_score(const struct verb *v, struct options *o)
{
    bool is_partial = false;
    struct score *s = say_load(o->file, &is_partial);
    int status = s ? 0 : 1;
    if (s && is_partial && !o->force && is_output(o))
        status = say_error(o->file, "was not read completely, so that writing it would "
                                    "lose the rest: write to another file, or --force");
    if (!status) {
        options_follow(o, s);
        status = v->run_score(o, s);
    }
    score_destroy(s);
    return status;
}

int verb_run(const struct verb *v, int argc, char **argv)
{
    struct options o;
    if (v->main)
        return v->main(argc, argv);
    int status = options_parse(&o, v, argc, argv);
    if (status < 0 && check_outputs(v, &o))
        status = 1;
    if (status >= 0)
        return status;
    say_end_cleanly();
    if (o.file)
        file_umask_within(o.file); /* what is made of private music is private */
    return v->run_score ? run_score(v, &o) : v->run(&o);
}

void usage_write(FILE *to)
{
    const struct field *o;
    char left[40], path[4096];
    fputs(
        "continuo: compose in the terminal, with a transformer that continues you\n\n"
        "usage: continuo [options] [FILE.mid]     open the workstation\n"
        "       continuo VERB ...                 do one thing, without a terminal\n\n"
        "verbs, each with --help:\n",
        to);
    for (int i = 0; i < n_verbs; i++)
        fprintf(to, "%s  continuo %-12s %s\n",
                i == n_own_verbs ? "\nfor those who make models:\n" : "",
                VERBS[i]->name, VERBS[i]->summary);
    fputs("\nOptions of the workstation:\n", to);
    for (int i = 0; (o = verb_option(&WORKSTATION, i)); i++) {
        snprintf(left, sizeof left, "--%s %s", o->name, o->argument ? o->argument : "");
        fprintf(to, "  %-18s %s\n", left, option_help(o));
    }
    fputs("\n"
          "In the workstation ? shows the keys, Ctrl-P finds commands, :tutor starts a "
          "lesson,\n"
          ":q quits.\n",
          to);
    if (user_config_file(path, sizeof path)) {
        fputs("Settings: ", to);
        say_safe(to, path);
        fputs("\n(`continuo config` prints a first version).\n", to);
    }
}
