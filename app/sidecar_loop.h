/* The loop, in the sidecar: {"from": 0, "to": 7680, "on": 1}, ticks of the file; nothing
 * where there is none. Pure functions. */
#ifndef APP_SIDECAR_LOOP_H
#define APP_SIDECAR_LOOP_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct sidecar_loop { /* ticks; equal: there is none */
    int64_t from, to;
    bool on;
};

/* false: it is no span of time, and nothing is changed. */
bool sidecar_loop_read(struct sidecar_loop *l, const cJSON *from);
bool sidecar_loop_write(cJSON *to, const struct sidecar_loop *l); /* false: no memory */

#endif
