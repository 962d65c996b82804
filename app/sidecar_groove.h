/* How `=` and `~` are set, in the file beside the music (app/sidecar.h):
 * {"quantise": "80% start swing 56", "ms": 10, "velocity": 6}, of which only that which is
 * not as it comes. Pure functions. */
#ifndef APP_SIDECAR_GROOVE_H
#define APP_SIDECAR_GROOVE_H

#include "app/groove.h"
#include "midi/humanise.h"

#include <cjson/cJSON.h>

/* NULL: read; else what cannot be right, and nothing is changed. */
const char *sidecar_groove_read(struct groove *g, struct humanise *h,
                                const cJSON *from);
bool sidecar_groove_write(cJSON *to, const struct groove *g,
                          const struct humanise *h); /* false: out of memory */

#endif
