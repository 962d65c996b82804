/* How the roll is ruled, in the sidecar: {"grid": "1/16T", "snap": true, "fold": true},
 * each left out where it is as ever. */
#ifndef APP_SIDECAR_ROLL_H
#define APP_SIDECAR_ROLL_H

#include "app/grid_step.h"

#include <cjson/cJSON.h>

/* All zero: as ever. */
struct sidecar_roll {
    struct grid_step grid; /* division 0: the default's */
    bool snaps, folds;     /* to the scale, which is among what steers */
};

/* NULL: all is well, else what of it cannot be right. */
const char *sidecar_roll_read(struct sidecar_roll *r, const cJSON *from);
bool sidecar_roll_write(cJSON *to, const struct sidecar_roll *r); /* false: no memory */

#endif
