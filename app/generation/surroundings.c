/* See surroundings.h. */
#include "app/generation/surroundings.h"

#include "midi/edit/apply.h"

enum midi_status surroundings_add(struct surroundings *u, struct change *c,
                                  const struct score *s, const struct score *stays)
{
    if (u->is_hole)
        return change_move_gestures(c, s, stays, u->tracks, u->from, u->to, 0);
    enum midi_status st = change_restore_meter(c, s, &u->out);
    return st || u->is_meter ? st : change_restore(c, s, u->from, u->tracks, &u->out);
}

enum midi_status surroundings_apply(struct surroundings *u, struct score *s)
{
    struct change *c = change_create("");
    enum midi_status st = c ? surroundings_add(u, c, s, s) : MIDI_NO_MEMORY;
    if (!st)
        st = change_apply(c, s, true);
    change_destroy(c);
    return st;
}
