/* What the player plays: the music with the shown take, without the notes it replaces.
 * A take that is chosen during playback plays from the next beat on. Ui thread only. */
#ifndef APP_HEARING_H
#define APP_HEARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proposal;
struct session;
struct surroundings;

/* Only tests look into it. */
struct hearing {
    /* Another take was chosen during playback: the old one plays up to switch_tick. */
    bool is_switching;
    int heard_before; /* as takes.shown */
    int64_t switch_tick;

    /* The project version that the player last got; UINT64_MAX: ghosts, displaced notes, mute or
     * solo have changed since. */
    uint64_t published;
};

/* Call after changes of ghosts, displaced notes, mute or solo: sends all of it to the
 * player again. */
void hearing_changed(struct session *s);
/* The same without waiting for a beat. */
void hearing_changed_now(struct session *s);

/* Sets *out to what the take changes beside its notes, in the part of the music that begins in
 * [from, to) (app/generation/surroundings.h). false: nothing. */
bool hearing_surroundings(const struct session *s, const struct proposal *t,
                          int64_t from, int64_t to, struct surroundings *out);

/* -- displaced notes -- */

/* The score's notes that a waiting take displaces: the notes that it rewrites, and the notes
 * accepted from other takes of its request. While the take is shown they are painted dashed and
 * are silent. They are removed when the take is accepted, or the part of it that they begin in.
 * So a take never overlaps the notes of another. */
struct displaced {
    uint64_t *ids; /* owned; of the score's notes, ascending */
    size_t n;
};

/* Finds what the take `index` (struct proposals, shown) displaces; -1, the original,
 * displaces none. All begin in the hole. false: out of memory; *d is empty. */
bool displaced_by(struct displaced *d, const struct session *s, int index);
bool displaced_has(const struct displaced *d, uint64_t id);
void displaced_fini(struct displaced *d); /* empty again */

#endif
