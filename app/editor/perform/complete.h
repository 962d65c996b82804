/* Completes a half-typed word: a line after `:`, a setting, a command or a file. */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include <stddef.h>

enum { COMPLETE_MAX = 400, COMPLETE_BYTES = 256 };

struct completions {
    char *words[COMPLETE_MAX]; /* in the order of the alphabet, each once */
    int n;
    size_t n_common; /* bytes of their common beginning */
};

/* Completes the last word of a line typed after `:`, which begins at *start. */
void complete_line(struct completions *c, const char *line, size_t *start);
/* Completes a file's name, "~/mu" or "a/b"; folders end with a slash. Hidden files only
 * match a name that begins with a dot; stores match none. */
void complete_file(struct completions *c, const char *path);
/* For a caller's own words: add keeps what begins with `typed`; finish once after. */
void complete_add(struct completions *c, const char *word, const char *typed);
void complete_finish(struct completions *c);
void complete_forget(struct completions *c);

#endif
