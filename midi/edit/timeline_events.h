/* Meters, tempos, key signatures, markers, cue points and lyrics (SMF 1.0: FF 58,
 * 51, 59, 06, 07, 05) of all chunks as one list, and changes that add, move and
 * remove them.
 *
 * A text (FF 01) is a chord if all of it is a chord symbol with a root
 * (midi/score/chord.h). In a chunk with a text that begins with @ texts are the words of
 * karaoke, and none is a chord.
 *
 * A timeline event refers to an event of the score it was collected from; it is
 * valid until the score changes. Pure functions, any thread. */
#ifndef MIDI_TIMELINE_EVENTS_H
#define MIDI_TIMELINE_EVENTS_H

#include "midi/edit/edit.h"
#include "midi/score/scale_guess.h"

enum timeline_kind {
    TIMELINE_METER,
    TIMELINE_TEMPO,
    TIMELINE_KEY,
    TIMELINE_MARKER,
    TIMELINE_CUE_POINT,
    TIMELINE_LYRIC,
    TIMELINE_CHORD,
    TIMELINE_KINDS,
};

#define TIMELINE_BIT(kind) (1u << (kind))

struct timeline_event {
    int64_t tick;
    enum timeline_kind kind;
    int chunk; /* indices of its chunk and of the event in it */
    size_t event;
    double bpm;                 /* TEMPO: quarters a minute */
    int numerator, denominator; /* METER */
    int sharps;                 /* KEY: -7..7, flats negative */
    bool minor;
};

struct timeline_events { /* by tick, then kind, then file order */
    struct timeline_event *list;
    size_t n;
};

/* Collects events of these kinds (TIMELINE_BIT, or'ed). Leaves out invalid ones.
 * Call timeline_events_fini also on failure: out of memory. */
enum midi_status timeline_events_collect(struct timeline_events *out,
                                         const struct score *s, unsigned kinds);
void timeline_events_fini(struct timeline_events *g);

/* The key signature in force at a tick, or else the first. */
enum midi_status timeline_signature(const struct score *s, int64_t tick,
                                    struct signature *out);

/* The text of a marker, cue point, lyric or chord as in the file, any bytes; empty for
 * other kinds. */
const uint8_t *timeline_event_text(const struct score *s,
                                   const struct timeline_event *g, size_t *n);
/* The same as a string, cut to n - 1 bytes and at a zero byte. Returns buf. */
const char *timeline_event_copy_text(const struct score *s,
                                     const struct timeline_event *g, char *buf,
                                     size_t n);

/* -- changes -- */

/* Replaces the last marker, cue point or lyric at `tick`, or all chords there, or adds
 * one to the first chunk. "" removes all of that kind at that tick. */
enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum timeline_kind kind, int64_t tick,
                                 const char *text);
/* Replaces the last key signature at `tick`, or adds one to the first chunk. sharps: -7..7,
 * flats negative; else MIDI_BAD_EDIT. */
enum midi_status change_set_key(struct change *c, const struct score *s, int64_t tick,
                                int sharps, bool minor);
/* Adds a chord to those at `tick`, after the texts there. MIDI_BAD_EDIT: it would not be read
 * as one. */
enum midi_status change_add_chord(struct change *c, const struct score *s, int64_t tick,
                                  const char *symbol);
/* Removes all of that kind in [from, to). */
enum midi_status change_remove_timeline(struct change *c, const struct score *s,
                                        enum timeline_kind kind, int64_t from,
                                        int64_t to);
enum midi_status change_remove_timeline_event(struct change *c, const struct score *s,
                                              const struct timeline_event *g);
enum midi_status change_move_timeline_event(struct change *c, const struct score *s,
                                            const struct timeline_event *g,
                                            int64_t tick);
/* Makes tempos change evenly from bpm_from to bpm_to, a step at each beat of [from,
 * to). Replaces the tempos there; bpm_to holds at `to` unless a tempo is there.
 * MIDI_BAD_EDIT: the span is empty or too long, or no file can hold the tempos. */
enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to);

#endif
