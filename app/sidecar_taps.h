/* Bar lines that were tapped, in the sidecar: {"bars": [960, 2870], "begins": [0]}, ticks of
 * the file, ascending; each left out where there are none. Pure functions. */
#ifndef APP_SIDECAR_TAPS_H
#define APP_SIDECAR_TAPS_H

#include "midi/taps.h"

#include <cjson/cJSON.h>

/* *t is zero before; taps_fini it also on failure. NULL: all is well; else the name of what
 * cannot be right. */
const char *sidecar_taps_read(struct taps *t, const cJSON *from);
bool sidecar_taps_write(cJSON *to, const struct taps *t); /* false: no memory */

#endif
