/* Prints the text of a report from its JSON, so that each figure is written only once.
 * Prints on standard output. Any thread. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include <cjson/cJSON.h>

/* Prints a layout, in which "{path:format}" stands for a field of `from`:
 *
 *   report_print(j, "{file:s}: {notes:d} note{notes:p} on {tracks:n} tracks\n");
 *
 * The path consists of names and, in lists, indices from 0, separated by dots. The format
 * is printf's without the percent sign and ends in d (a whole number), f, g or s; or it is
 * p (an s unless the number is 1) or n (the length of a list). A number that is missing or
 * not finite prints "-"; a text that is missing or empty prints what follows "|". Texts are
 * made safe for a terminal. */
void report_print(const cJSON *from, const char *layout);
/* Prints it for each object of a list; NULL is an empty one. */
void report_print_each(const cJSON *list, const char *layout);

#endif
