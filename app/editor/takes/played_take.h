/* The take that two have played (app/editor/perform/answer.h): besides its notes, which are
 * ghosts as those of other takes, its pedals, bends and pressure. They wait with it, are
 * heard, accepted and kept with it. UI thread only. */
#ifndef APP_PLAYED_TAKE_H
#define APP_PLAYED_TAKE_H

#include "app/document/proposals.h"
#include "midi/record/record.h"

struct kept_playing;
struct session;

struct played_take {
    bool is_there;          /* a take that waits is what both have played */
    struct recording music; /* owned */
    int64_t to;             /* ticks: where it ends */
};

void played_take_forget(struct played_take *p); /* frees */
/* The first of its request; others were made of its span since. */
bool played_take_is(const struct session *s, const struct proposal *t);
/* Its gestures at ticks [from, to), into a change of the score; and into a copy of the
 * music. Of another take there is nothing. */
enum midi_status played_take_add_gestures(const struct session *s,
                                          const struct proposal *t, struct change *c,
                                          int64_t from, int64_t to);
enum midi_status played_take_hear_gestures(const struct session *s,
                                           const struct proposal *t,
                                           struct score *heard, int64_t from,
                                           int64_t to);
/* As it is kept with the takes. false: out of memory. */
bool played_take_pack(const struct session *s, struct kept_playing *out);
/* Take A is that again; its tracks are tracks[] of the score now, -1: gone. *kept is used
 * up. */
void played_take_unpack(struct session *s, struct kept_playing *kept,
                        const int *tracks);

#endif
