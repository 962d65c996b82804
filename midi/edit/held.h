/* Values that hold until the next event: the controllers, bend and pressure of a
 * channel, the tempo, and the meter. This finds which value is in force at a tick and
 * which is usual in the music near it, and builds changes so that a value does not
 * reach music it was not meant for.
 *
 * A channel is one of all ports (score_channel), with the events of all chunks. The
 * music within HELD_BARS bars decides what is usual. A value is usual if it holds for a
 * quarter of the time, or if it is not among the lowest or the highest fifth. There are
 * two exceptions. A bend is usual only if it holds most of the time, and from the first
 * note on; else the centre is. A pedal that is ever lifted is usually up. Pure
 * functions, except on the changes that they build. */
#ifndef MIDI_HELD_H
#define MIDI_HELD_H

#include "midi/edit/controllers.h"

enum { HELD_BARS = 16 };

/* What a change restores, for a message to the user. */
struct held_kinds {
    bool level, bend, pedal, other, tempo, meter;
};
/* Writes "expression and tempo", or "" for nothing. Returns buf. */
const char *held_say(const struct held_kinds *k, char *buf, size_t n);

/* Whether the control is a gesture of hand, foot or breath, which goes where its notes
 * go: bend, pressure, pedals, modulation, breath, expression. Other controls set up a
 * track. */
bool control_is_gesture(struct control k);

/* Returns the value of `k` on the channel at `tick`, after all events there. */
int held_value(const struct score *s, int channel, struct control k, int64_t tick);

/* Lists the programs under the track's notes: first the one at its first note, then
 * each further one up to its last note, with the tick where it begins. Events of all
 * chunks on the channel count; without any, the track's own program does. Writes at
 * most `most` points and returns their number, at least 1. */
int held_programs(const struct score *s, int track, struct control_point *out,
                  int most);

/* For music that follows: from tick `from` on, where new notes begin, sets the tempo
 * and the channels of these tracks (bit i: track i) back to what is usual in the last
 * bars. So nothing that the last bars leave behind stays in force. An event of the
 * score at `from` or later stays, and the usual value follows it. */
enum midi_status change_restore(struct change *c, const struct score *s, int64_t from,
                                uint64_t tracks, struct held_kinds *out);
/* If a single short or odd bar ends the music, sets the usual meter at the bar line
 * after it. Do this before new bars are counted. */
enum midi_status change_restore_meter(struct change *c, const struct score *s,
                                      struct held_kinds *out);

/* Moves the gestures of these tracks' channels in [from, to) by `by` ticks, with the notes
 * that they belong to; or if `by` is 0, removes them, since their notes go, and the values
 * become what is usual. From `to` on everything is as before. Nothing changes where a note
 * of `stays` sounds on the channel, except one from before `from` that rings on for at most
 * a beat. stays: the score without the notes that go, with the same tracks as s. */
enum midi_status change_move_gestures(struct change *c, const struct score *s,
                                      const struct score *stays, uint64_t tracks,
                                      int64_t from, int64_t to, int64_t by);
/* Inserts n bars before the one that begins at `at`, in the same meter. Before a pickup
 * the new bars are whole, like the bar after it. Bars before the music get the values
 * that are usual in it; where the music begins, its values are set again. *by becomes
 * the number of ticks inserted. The change has no other edits. */
enum midi_status change_insert_bars(struct change *c, const struct score *s, int64_t at,
                                    int n, int64_t *by, struct held_kinds *out);

#endif
