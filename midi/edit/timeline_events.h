/* Meters, tempos, key signatures, markers, cue points and lyrics (SMF 1.0: FF 58, 51,
 * 59, 06, 07, 05) and chords, of all chunks as one list; and changes that add, move and
 * remove them.
 *
 * A text (FF 01) is a chord if all of it is a chord symbol with a root
 * (midi/score/chord.h). In a chunk with a text that begins with @, texts are the words
 * of karaoke, and none is a chord.
 *
 * A timeline event refers to an event of the score it was collected from, and is valid
 * until that score changes. Pure functions, any thread. */
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
    int chunk; /* index of its chunk, and of the event in it */
    size_t event;
    double bpm;                 /* TEMPO: quarters a minute */
    int numerator, denominator; /* METER */
    int sharps;                 /* KEY: -7..7, flats negative */
    bool minor;
};

struct timeline_events { /* sorted by tick, then kind, then file order */
    struct timeline_event *list;
    size_t n;
};

/* Collects events of these kinds (TIMELINE_BIT, or'ed), except invalid ones. On
 * failure, which means that memory is out, the list is empty. */
enum midi_status timeline_events_collect(struct timeline_events *out,
                                         const struct score *s, unsigned kinds);
void timeline_events_fini(struct timeline_events *g);

/* Whether the texts of the chunk are the words of karaoke. */
bool chunk_is_karaoke(const struct chunk *c);
/* Returns in *out the key signature in force at a tick, or else the first one. Without
 * any, out->scale is 0. */
enum midi_status timeline_signature(const struct score *s, int64_t tick,
                                    struct signature *out);

/* Returns the text of a marker, cue point, lyric or chord as in the file, which may be
 * any bytes. For other kinds *n is 0. */
const uint8_t *timeline_event_text(const struct score *s,
                                   const struct timeline_event *g, size_t *n);
/* Copies the text as a string, cut to n - 1 bytes; a zero byte ends it. Returns buf. */
const char *timeline_event_copy_text(const struct score *s,
                                     const struct timeline_event *g, char *buf,
                                     size_t n);

/* -- changes -- */

/* Replaces the last marker, cue point or lyric at `tick`, or all chords there. If there
 * is none, adds one to the first chunk. "" removes all of that kind at that tick. */
enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum timeline_kind kind, int64_t tick,
                                 const char *text);
/* Replaces the last key signature at `tick`, or adds one to the first chunk. sharps:
 * -7..7, flats negative; for others MIDI_BAD_EDIT. */
enum midi_status change_set_key(struct change *c, const struct score *s, int64_t tick,
                                int sharps, bool minor);
/* Adds a chord at `tick`, after the texts there. MIDI_BAD_EDIT: it would not be read as
 * a chord. */
enum midi_status change_add_chord(struct change *c, const struct score *s, int64_t tick,
                                  const char *symbol);
/* Removes all events of that kind in [from, to). */
enum midi_status change_remove_timeline(struct change *c, const struct score *s,
                                        enum timeline_kind kind, int64_t from,
                                        int64_t to);
enum midi_status change_remove_timeline_event(struct change *c, const struct score *s,
                                              const struct timeline_event *g);
enum midi_status change_move_timeline_event(struct change *c, const struct score *s,
                                            const struct timeline_event *g,
                                            int64_t tick);
/* Makes tempos change evenly from bpm_from to bpm_to, in a step at each beat of [from,
 * to). Replaces the tempos there. At `to` bpm_to is set, unless a tempo is there.
 * MIDI_BAD_EDIT: the span is empty or too long, or no file can hold the tempos. */
enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to);

#endif
