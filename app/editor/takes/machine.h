/* Asking the machine for a take: what continuing and changing have in common. */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include "app/editor/session/session.h"

/* No take waits and there is a model; else says why not. */
bool machine_is_free(struct session *s);
/* For takes of what s->asked says, beside those there are. It and s->rewritten are
 * set. false: it could not be asked, which is said. */
bool machine_ask(struct session *s);

/* act_hole.c: of what was asked last. */
static inline bool hole_is_asked(const struct session *s)
{
    return s->asked.options.hole.to_tick > 0;
}
/* Bits of the tracks with notes that are heard; 0: there are none, which is said. */
uint64_t machine_tracks(struct session *s);
/* Asks for that box of those tracks. n_takes 0: as many as ever. */
void hole_change(struct session *s, const struct box *b, uint64_t tracks, int n_takes);
/* Finds what it holds now. false: it cannot be asked for (any more), which is said. */
bool hole_collect(struct session *s);
/* "bars 3-4", "2 beats of bar 5"; buf is returned. */
const char *hole_name(const struct session *s, char buf[64]);
/* "c rewrites bars 3-4 of Alto": what `c` would do to the box that is selected, or `cc` to
 * notes that are no box; "": nothing is selected. Cheap: it is asked at every frame. */
void hole_say_selected(const struct session *s, char *buf, size_t n);

/* act_accept.c: "a accepts 5 notes of take 2 in place of 4": what `a` would do with the box
 * that is selected while takes wait. */
void accept_say_selected(const struct session *s, char *buf, size_t n);

#endif
