/* The take that the user and the model played together (app/editor/perform/answer.h).
 * Its notes are ghosts, as of any take. Its pedals, bends and pressure are kept here;
 * they wait, sound, are accepted and are saved with the take. UI thread only. */
#ifndef APP_PLAYED_TAKE_H
#define APP_PLAYED_TAKE_H

#include "app/document/proposals.h"
#include "midi/record/record.h"

struct kept_takes;
struct session;

/* Tests look into it, others do not. */
struct played_take {
    bool is_there;          /* one of the waiting takes is this one */
    struct recording music; /* owned */
    int64_t to;             /* ticks: where it ends */
};

/* Begins an empty take at tick `from`; ends it at tick `to`. */
void played_take_begin(struct session *s, int64_t from);
void played_take_end(struct session *s, int64_t to);
void played_take_forget(struct session *s);
/* The recording, for callers to add to. */
struct recording *played_take_music(const struct session *s);
/* Whether t is the played take: the first one; later ones fill the same span. */
bool played_take_is(const struct session *s, const struct proposal *t);
/* Adds its gestures at ticks [from, to) to a change of the score, or to a copy of the
 * music. Does nothing if t is another take. */
void played_take_add_gestures(const struct session *s, const struct proposal *t,
                              struct change *c, int64_t from, int64_t to);
enum midi_status played_take_hear_gestures(const struct session *s,
                                           const struct proposal *t,
                                           struct score *heard, int64_t from,
                                           int64_t to);
/* Packs it to be saved with the takes. false: out of memory. */
bool played_take_pack(const struct session *s, struct kept_takes *out);
/* Restores it as take A. tracks[] maps its tracks to the score's, -1: removed. Takes the
 * contents of *kept. */
void played_take_unpack(struct session *s, struct kept_takes *kept, const int *tracks);

#endif
