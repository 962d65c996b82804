/* `continuo --help`: the verbs and the workstation's options, from their tables. */
#ifndef APP_USAGE_H
#define APP_USAGE_H

#include <stdio.h>

void usage_write(FILE *to);

#endif
