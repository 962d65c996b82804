/* What a store holds, for continuo info. */
#ifndef APP_DESCRIBE_STORE_H
#define APP_DESCRIBE_STORE_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* The caller's. NULL: `why` has a phrase. Blocks for the disk. */
cJSON *describe_store(const char *path, char *why, size_t n_why);
void describe_store_print(const cJSON *store); /* as text, on standard output */

#endif
