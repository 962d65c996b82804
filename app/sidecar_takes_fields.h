/* What plain fields takes have as they are kept, with their names and ranges. Internal
 * to app/sidecar_takes*.c. */
#ifndef APP_SIDECAR_TAKES_FIELDS_H
#define APP_SIDECAR_TAKES_FIELDS_H

#include "app/json_fields.h"
#include "app/sidecar_takes.h"

extern const struct json_table TAKES_SETTINGS; /* struct continuation_options */
extern const struct json_table TAKES_ONE;      /* struct proposal */
extern const struct json_table TAKES_ALL;      /* struct sidecar_takes */

#endif
