/* continuo: which verb was asked for, and the workstation when none was. */
#include "app/cli/man.h"
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/cli/workstation.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int obey(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct verb_entry *verb = verb_find(word);
    if (verb)
        return verb->run(argc - 1, argv + 1);
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
        usage_write(stdout);
        return 0;
    }
    if (!strcmp(word, "--man")) {
        man_write(stdout);
        return 0;
    }
    if (!strcmp(word, "--version")) {
        puts("continuo 0.1");
        return 0;
    }
    return cmd_workstation(argc, argv);
}

int main(int argc, char **argv)
{
    streams_fill();
    signal(SIGXFSZ,
           SIG_IGN); /* a limit on the size of files is said like a full disk */
    return streams_finish(obey(argc, argv));
}
