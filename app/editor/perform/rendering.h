/* Rendering to a file on a thread of its own, while the music is worked on: one at a time.
 * UI thread only; nothing here blocks but stopping, for a moment. */
#ifndef APP_RENDERING_H
#define APP_RENDERING_H

#include "midi/sound/render.h"

struct rendering;

/* Takes `snapshot`; copies the path and what `options` point at, whose go_on is its own.
 * NULL: out of memory or threads. */
struct rendering *rendering_start(struct score *snapshot, const char *path,
                                  const struct render_options *options);
double rendering_share(const struct rendering *r); /* that is done, 0..1 */
void rendering_stop(struct rendering *r);          /* it ends soon */
/* false: it is at work still. Else how it went, with errno as it was then. */
bool rendering_is_over(const struct rendering *r, enum midi_status *st);
const char *rendering_path(const struct rendering *r);
/* When it is over: how much music it was, and how long that took. */
double rendering_seconds(const struct rendering *r);
double rendering_took(const struct rendering *r);
void rendering_destroy(struct rendering *r); /* stops and joins; NULL is fine */

#endif
