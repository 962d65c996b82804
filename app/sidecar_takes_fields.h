/* What takes have as they are kept: plain fields with their names and ranges; how they were
 * chosen (sidecar_takes_choices.c); and what was played with them
 * (sidecar_takes_playing.c). Internal to app/sidecar_takes*.c. */
#ifndef APP_SIDECAR_TAKES_FIELDS_H
#define APP_SIDECAR_TAKES_FIELDS_H

#include "app/json_fields.h"
#include "app/sidecar_takes.h"

extern const struct json_table TAKES_SETTINGS; /* struct continuation_options */
extern const struct json_table TAKES_ONE;      /* struct proposal */
extern const struct json_table TAKES_ALL;      /* struct sidecar_takes */

/* What one began with and was written without (app/proposals.h). false: out of memory. */
bool takes_choices_write(cJSON *to, const struct proposal *p);
/* NULL: all is well, else the name of what is wrong; *p has what was read until then. */
const char *takes_choices_read(struct proposal *p, const cJSON *from);

/* As "played", where it is there. false: out of memory. */
bool takes_playing_write(cJSON *to, const struct kept_playing *p);
/* from: NULL: it is not there. false: it cannot be right, or there is no memory. */
bool takes_playing_read(struct kept_playing *p, const cJSON *from, size_t n_tracks);

#endif
