/* Values that hold until the next event: controllers, bends and pressure of a channel, the
 * tempo, the meter. What rules at a tick, what is usual in the music there, and changes
 * that keep a value from ruling where it was not meant to.
 *
 * A channel is one of a port, port * 16 + channel (score_channel), and has the events of
 * all chunks. A value is usual if the music has it for long: one that holds for a quarter of it,
 * or any that is not in its lowest or highest fifth. Of a bend only one that holds most
 * of the time and from the first note on, else the centre; of a pedal that is ever lifted,
 * up. Music near the tick counts, HELD_BARS bars of it. Pure functions, except on the
 * changes that they build. */
#ifndef MIDI_HELD_H
#define MIDI_HELD_H

#include "midi/edit/controllers.h"

enum { HELD_BARS = 16 };

/* What a change restores, for a message. */
struct held_kinds {
    bool level, bend, pedal, other, tempo, meter;
};
/* Writes "expression and tempo"; "": nothing. Returns buf. */
const char *held_say(const struct held_kinds *k, char *buf, size_t n);

/* Whether it is a gesture of the hand, foot or breath and goes where its notes go: bend,
 * pressure, pedals, modulation, breath, expression. The rest sets up a track. */
bool control_is_gesture(struct control k);

/* The value of `k` on the channel after all events up to `tick`, those at it included. */
int held_value(const struct score *s, int channel, struct control k, int64_t tick);

/* The programs under the track's notes: first the one at its first note, by the events of all
 * chunks on its channel, else the track's own; then each other one until its last note,
 * where it begins. At most `most`; returns how many there are, at least 1. */
int held_programs(const struct score *s, int track, struct control_point *out,
                  int most);

/* Music that follows: puts everything that the last bars leave behind back to what is usual
 * in them, from `from` on, where new notes begin: the tempo, and what the channels of these
 * tracks (bit i: track i) hold. An event of the score at `from` or later stays, and what is
 * usual follows it. */
enum midi_status change_restore(struct change *c, const struct score *s, int64_t from,
                                uint64_t tracks, struct held_kinds *out);
/* The meter: if a single short or odd bar ends the music, the usual one at the bar line
 * after it. Do this before new bars are counted. */
enum midi_status change_restore_meter(struct change *c, const struct score *s,
                                      struct held_kinds *out);

/* Takes the gestures of these tracks' channels out of [from, to), where they become what is
 * usual; from `to` on all is as it was. Where a note of `stays` sounds on the channel,
 * nothing changes; a note that rings over from before `from` for at most a beat does not
 * count. stays: the score without the notes that go; its tracks are those of s. */
enum midi_status change_clear_gestures(struct change *c, const struct score *s,
                                       const struct score *stays, uint64_t tracks,
                                       int64_t from, int64_t to);

/* Moves the same gestures by `by` ticks, with the notes that they belong to. */
enum midi_status change_move_gestures(struct change *c, const struct score *s,
                                      const struct score *stays, uint64_t tracks,
                                      int64_t from, int64_t to, int64_t by);

/* Inserts n bars before the one that begins at `at`, like it; before a pickup, whole bars like
 * the one after it. Bars before the music have what is usual in it; where it begins, what
 * was there holds again. *by: ticks inserted. The change has no other edits. */
enum midi_status change_insert_bars(struct change *c, const struct score *s, int64_t at,
                                    int n, int64_t *by, struct held_kinds *out);

#endif
