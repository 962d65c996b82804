/* The manual page, made from the tables that the program itself runs on. */
#ifndef APP_MAN_H
#define APP_MAN_H

#include <stdio.h>

/* troff -man source for continuo(1). verbs is the list the command line knows. */
struct man_verb {
    const char *name, *summary;
};
void man_write(FILE *to, const struct man_verb *verbs, size_t n_verbs);

#endif
