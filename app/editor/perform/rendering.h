/* Renders to a file on its own thread while the user works, one at a time. UI thread only;
 * nothing here blocks but destroy, for a moment. */
#ifndef APP_RENDERING_H
#define APP_RENDERING_H

#include "midi/sound/render.h"

struct rendering;

/* Takes `snapshot`; copies the path and what `options` points at; sets its own go_on. NULL:
 * out of memory or threads. */
struct rendering *rendering_start(struct score *snapshot, const char *path,
                                  const struct render_options *options);
double rendering_share(const struct rendering *r); /* done, 0..1 */
void rendering_stop(struct rendering *r);          /* it ends soon */
/* false: it is still running. Else stores how it went and restores errno as it was then. */
bool rendering_is_over(const struct rendering *r, enum midi_status *st);
const char *rendering_path(const struct rendering *r);
/* When it is over: seconds of music, and seconds it took. */
double rendering_seconds(const struct rendering *r);
double rendering_took(const struct rendering *r);
void rendering_destroy(struct rendering *r); /* stops and joins; NULL is fine */

struct session;
bool render_is_at_work(
    const struct session *s); /* render_line.c: the session has one */

#endif
