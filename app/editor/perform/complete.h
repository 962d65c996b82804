/* What a half-typed word can become: the names of lines typed after `:`, of settings, of
 * commands, and of files. */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include <stddef.h>

enum { COMPLETE_MAX = 400, COMPLETE_BYTES = 256 };

struct completions {
    char *words[COMPLETE_MAX]; /* in the order of the alphabet, each once */
    int n;
    size_t n_common; /* bytes that all begin with */
};

/* For the end of a line typed after `:`; *start is where its last word begins. */
void complete_line(struct completions *c, const char *line, size_t *start);
/* For a file's name, "~/mu" or "a/b"; a folder's ends with a slash. Hidden ones are told
 * when they are asked for. */
void complete_file(struct completions *c, const char *path);
/* For words that someone else knows: those that begin with what is typed, and then once
 * finish. */
void complete_add(struct completions *c, const char *word, const char *typed);
void complete_finish(struct completions *c);
void complete_forget(struct completions *c);

#endif
