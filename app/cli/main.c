/* continuo: runs the named verb, or the workstation without one. */
#include "app/base/say.h"
#include "app/cli/verbs.h"
#include "app/cli/workstation.h"
#include "midi/base/file.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct verb *verb = verb_find(word);
    int status = 0;
    file_find_program(argv[0]);
    streams_fill();
    signal(SIGXFSZ,
           SIG_IGN); /* writing past a limit on the size of files fails instead */
    if (verb)
        status = verb_run(verb, argc - 1, argv + 1);
    else if (strcmp(word, "help") != 0)
        status = cmd_workstation(argc, argv);
    else
        usage_write(stdout);
    return streams_finish(status);
}
