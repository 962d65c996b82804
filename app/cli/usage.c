#include "app/cli/usage.h"

#include "app/cli/start.h"
#include "app/base/user_paths.h"
#include "app/cli/verbs.h"

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
        fprintf(to, "  continuo %-12s %s\n", VERBS[i].name, VERBS[i].summary);
    fputs("\nOptions of the workstation:\n", to);
    for (int i = 0; start_option(i, &o); i++) {
        snprintf(left, sizeof left, "--%s %s", o.name, o.argument ? o.argument : "");
        fprintf(to, "  %-18s %s\n", left, o.help);
    }
    fputs("\nIn the workstation ? tells the keys, Ctrl-P finds what there is to do, "
          ":tutor\nshows the way from a note to a continuation, :q leaves.\n",
          to);
    if (user_config_file(path, sizeof path))
        fprintf(to, "Settings: %s\n(`continuo config` prints one to begin with).\n",
                path);
}
