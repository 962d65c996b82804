/* continuo: runs the named verb, or the workstation without one. */
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/cli/workstation.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int obey(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct verb *verb = verb_find(word);
    if (verb)
        return verb_run(verb, argc - 1, argv + 1);
    if (strcmp(word, "help") != 0)
        return cmd_workstation(argc, argv);
    usage_write(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    streams_fill();
    signal(SIGXFSZ,
           SIG_IGN); /* a limit on the size of files is reported like a full disk */
    return streams_finish(obey(argc, argv));
}
