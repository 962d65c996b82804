/* The panel of steering values, MODE_STEER. UI thread only. */
#ifndef APP_STEERING_PANEL_H
#define APP_STEERING_PANEL_H

#include "app/decoding/learnt_styles.h"
#include "app/generation/steer.h"

struct session;

/* Whether the model has learnt the wanted style. */
bool steer_is_offered(const struct session *s, const struct steering *wanted);
/* Describes the valid values: "one of guess, any". Returns buf. */
const char *steer_line_wants(const struct session *s, const struct field *f,
                             char buf[FIELD_WANTS_BYTES]);

#endif
