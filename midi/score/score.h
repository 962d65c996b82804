/* The score: everything a MIDI file held, arranged for music.
 *
 * A file's chunks keep every event that is not a paired note, with the place
 * it had among its neighbours; notes are lifted out into tracks, one track per
 * chunk and channel that has notes (so a format 0 file shows its channels as
 * tracks), and one for a chunk that only chooses a program. Saving merges the
 * two again by (tick, order): what was not edited comes back event for event.
 *
 * Time is integer ticks in the file's own division. Plain data, one owner;
 * other threads get a clone. Nothing here is safe to call on one score from
 * two threads at once. */
#ifndef MIDI_SCORE_H
#define MIDI_SCORE_H

#include "midi/base/midi.h"
#include "midi/score/taps.h"
#include "midi/score/timeline.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a new or moved event goes among simultaneous ones: note-offs first,
 * then what the file held in its own order, then note-ons. */
#define ORDER_FIRST 0u
#define ORDER_LAST  UINT32_MAX

enum {
    NOTE_HANGING = 1,   /* the file never ended it; ends with its chunk */
    NOTE_END_BY_ON = 2, /* ended by a note-on of velocity 0 */
};

struct note {
    uint64_t id; /* unique in its score and never reused; 0: not in a score yet */
    int64_t start, length; /* ticks; length may be 0 in a loaded file */
    uint8_t pitch, velocity, off_velocity;
    uint8_t flags;
    uint32_t on_order, off_order;
    /* As it was played, before it was quantised: where less where it is now, and how long
     * less how long it is; ticks. Moving a note takes its played time along. */
    int32_t raw_start, raw_length;
    uint32_t spare; /* 0: no byte is left unset, so that notes compare as memory */
};

/* Any event that is not a paired note: channel messages (also unpaired
 * note-offs), sysex, metas. `data` is what follows the delta time in the file
 * with running status written out: status byte first. For metas FF type
 * length data; for sysex F0/F7 length data. */
struct event {
    int64_t tick;
    uint32_t order;
    uint32_t n_data;
    uint8_t *data; /* owned by the chunk; in a broken file data bytes may pass 127 */
};

struct event_block; /* midi/score/chunk.h */

struct chunk {
    struct event *events; /* sorted by (tick, order) */
    size_t n_events, cap_events;
    struct event_block *blocks; /* where the events' bytes live */
    int64_t end_tick;           /* where End of Track stands; later notes push it on */
    bool is_unknown;            /* not an MTrk: `raw` is written back as it was */
    uint8_t type[4];
    uint8_t *raw;
    size_t n_raw;
};

enum { TRACK_COLOURS = 8 }; /* of the set that tracks are told apart by */

struct track {
    char name[64]; /* as in the file, unsanitised, NUL-terminated */
    int chunk;     /* index into score.chunks */
    uint8_t channel, program;
    bool mute, solo, arm, hide; /* the session's, not the file's, */
    uint8_t colour;             /* as this: 0: by its place, else 1..TRACK_COLOURS */
    const struct note
        *notes; /* sorted by (start, pitch, id); to write: midi/score/notes.h */
    size_t n_notes, cap_notes;
    atomic_size_t *n_sharers; /* of the array, this score too; NULL: it has none */
};

struct score {
    int format;           /* 0, 1 or 2 as in the header */
    uint16_t division;    /* as in the header; top bit set: SMPTE */
    uint8_t *header_tail; /* what a header longer than 6 bytes held after them */
    size_t n_header_tail;
    int ticks_per_quarter; /* for SMPTE: ticks in half a second, at least 1 */
    struct chunk *chunks;
    size_t n_chunks;
    struct track *tracks;
    size_t n_tracks;
    struct timeline timeline; /* tempo and meter of all chunks, kept current */
    struct taps taps;         /* the session's, not the file's */
    uint64_t next_id;
};

/* An empty 4/4 score at 120 with a conductor chunk (format 1) and no tracks.
 * NULL: out of memory. */
struct score *score_create(int ticks_per_quarter);
void score_destroy(struct score *s); /* NULL is fine */
/* A score of its own: what one of the two changes, the other does not see. Notes are
 * shared until then (midi/score/notes.h), events copied. NULL: out of memory. */
struct score *score_clone(const struct score *s);

/* Adds a chunk and its track with a name and a program-change event; the new
 * track's index, or -1 when out of memory. */
int score_add_track(struct score *s, const char *name, uint8_t channel,
                    uint8_t program);

/* For the n-th track to be added, from 0: a channel that no track is on, and not the
 * drums'; when there are no more, the others again in turn. */
uint8_t score_free_channel(const struct score *s, int n);

/* Inserts a copy of `n` in its sorted place. With id 0 it is given a new id.
 * Returns the id, 0 when out of memory or note_is_valid (midi/score/note.h) says no. */
uint64_t score_add_note(struct score *s, int track, struct note n);
/* false: there is none, or out of memory. */
bool score_remove_note(struct score *s, int track, uint64_t id);
const struct note *score_find_note(const struct score *s, int track, uint64_t id);

/* Index of the first note of `track` with start >= tick. */
size_t score_first_note_at(const struct score *s, int track, int64_t tick);

size_t score_n_notes(const struct score *s);
/* What is heard: all tracks but the muted, or those alone that are solo. */
bool score_has_solo(const struct score *s);
bool track_is_audible(const struct track *t, bool has_solo);
int64_t score_end_tick(const struct score *s);  /* largest note end, 0 if none */
int64_t score_last_tick(const struct score *s); /* of notes and events */

/* Compares what a listener and a saver would see: every note (not its id) and
 * every event in file order. For tests and `copy`. */
bool score_equal(const struct score *a, const struct score *b);

/* Rebuilds s->timeline after tempo or meter events changed. */
enum midi_status score_update_timeline(struct score *s);

#endif
