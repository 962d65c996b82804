#include "app/cli/verbs.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/cli/workstation.h"

#include <stdio.h>
#include <string.h>

#define ITS_ADDRESS(name) &VERB_##name,
const struct verb *const VERBS[] = {EACH_VERB(ITS_ADDRESS)};
const int n_verbs = sizeof VERBS / sizeof VERBS[0];

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

bool verb_option(const struct verb *v, int i, struct option_about *out)
{
    return option_table_about(v->table ? v->table : &OPTIONS, v, i, out);
}

static int run_score(const struct verb *v, struct options *o)
{
    struct score *s = say_load(o->file);
    if (s)
        options_follow(o, s);
    int status = s ? v->run_score(o, s) : 1;
    score_destroy(s);
    return status;
}

int verb_run(const struct verb *v, int argc, char **argv)
{
    struct options o;
    if (v->main)
        return v->main(argc, argv);
    int status = options_parse(&o, v, argc, argv);
    if (status >= 0)
        return status;
    return v->run_score ? run_score(v, &o) : v->run(&o);
}

void usage_write(FILE *to)
{
    struct option_about o;
    char left[40], path[4096];
    fputs(
        "continuo: compose in the terminal, with a transformer that continues you\n\n"
        "usage: continuo [options] [FILE.mid]     open the workstation\n"
        "       continuo VERB ...                 do one thing, without a terminal\n\n"
        "verbs, each with --help:\n",
        to);
    for (int i = 0; i < n_verbs; i++)
        fprintf(to, "  continuo %-12s %s\n", VERBS[i]->name, VERBS[i]->summary);
    fputs("\nOptions of the workstation:\n", to);
    for (int i = 0; verb_option(&WORKSTATION, i, &o); i++) {
        snprintf(left, sizeof left, "--%s %s", o.name, o.argument ? o.argument : "");
        fprintf(to, "  %-18s %s\n", left, o.help);
    }
    fputs("\n"
          "In the workstation ? shows the keys, Ctrl-P finds commands, :tutor starts a "
          "lesson,\n"
          ":q quits.\n",
          to);
    if (user_config_file(path, sizeof path))
        fprintf(to,
                "Settings: %s\n"
                "(`continuo config` prints a first version).\n",
                path);
}
