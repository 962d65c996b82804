/* Completion scripts for shells, made from the tables of verbs and options. */
#ifndef APP_COMPLETIONS_H
#define APP_COMPLETIONS_H

#include <stdbool.h>
#include <stdio.h>

/* -- completions -- */

/* Completion scripts for shells, made from the tables of verbs and options. */

/* shell: "bash", "zsh" or "fish"; false: another, and nothing is written. */
bool completions_write(FILE *to, const char *shell);

#endif
