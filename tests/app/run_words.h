/* A verb in this process, with words that have single blanks between; what it says on that
 * descriptor is in `said`. Include tests/check.h before it. */
#ifndef TESTS_APP_RUN_WORDS_H
#define TESTS_APP_RUN_WORDS_H

#include "app/cli/verbs.h"

#include <unistd.h>

static char said[1 << 17];

static inline int run_words(const struct verb *verb, int fd, const char *words)
{
    enum { MOST_WORDS = 64 };
    char line[2048], *argv[MOST_WORDS] = {(char *)verb->name}, *rest;
    int argc = 1, was = dup(fd);
    FILE *to = tmpfile();
    assert_true(to && was >= 0);
    snprintf(line, sizeof line, "%s", words);
    for (char *word = strtok_r(line, " ", &rest); word && argc < MOST_WORDS - 1;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    fflush(NULL);
    dup2(fileno(to), fd);
    int status = verb_run(verb, argc, argv);
    fflush(NULL);
    dup2(was, fd);
    close(was);
    rewind(to);
    said[fread(said, 1, sizeof said - 1, to)] = '\0';
    fclose(to);
    return status;
}

#endif
