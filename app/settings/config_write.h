/* The configuration file that would have the effect of this one, with what each line of
 * it is for: `continuo config` prints it. What is as built in is a comment. */
#ifndef APP_CONFIG_WRITE_H
#define APP_CONFIG_WRITE_H

#include "app/settings/config.h"

#include <stdio.h>

void config_write(FILE *to, const struct config *c);

#endif
