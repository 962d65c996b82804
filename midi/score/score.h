/* The score: all that a MIDI file held, arranged as music.
 *
 * Chunks keep every event that is not a paired note, in file order. Notes are in
 * tracks: one track for each chunk and channel that has notes (so a format 0 file
 * shows its channels as tracks), and one for a chunk that only chooses a program.
 * Saving merges notes and events by (tick, order); what was not edited comes back
 * event for event.
 *
 * Time is integer ticks in the file's own division. Plain data with one owner; other
 * threads get a clone. */
#ifndef MIDI_SCORE_H
#define MIDI_SCORE_H

#include "midi/base/midi.h"
#include "midi/score/taps.h"
#include "midi/score/timeline.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of new and moved events at one tick: note-offs first, then the file's
 * own events, then note-ons. */
#define ORDER_FIRST 0u
#define ORDER_LAST  UINT32_MAX

enum {
    NOTE_HANGING = 1,   /* no note-off; ends with its chunk */
    NOTE_END_BY_ON = 2, /* ended by a note-on of velocity 0 */
};

struct note {
    uint64_t id; /* unique in its score, never reused; 0: not in a score yet */
    int64_t start, length; /* ticks; length may be 0 in a loaded file */
    uint8_t pitch, velocity, off_velocity;
    uint8_t flags;
    uint32_t on_order, off_order;
    /* The time it was played, before quantising, minus the time it has now; ticks. A
     * note that is moved keeps this difference. */
    int32_t raw_start, raw_length;
    uint32_t spare; /* always 0, so that notes compare as memory */
};

/* An event that is not a paired note: channel messages (unpaired note-offs, too),
 * sysex, metas. `data` is what follows the delta time in the file, status byte first
 * (running status is expanded). Metas: FF type length data. Sysex: F0 or F7 length
 * data. */
struct event {
    int64_t tick;
    uint32_t order;
    uint32_t n_data;
    uint8_t *data; /* the chunk's; a broken file may have data bytes above 127 */
};

struct event_block; /* midi/score/chunk.h */

struct chunk {
    struct event *events; /* sorted by (tick, order) */
    size_t n_events, cap_events;
    struct event_block *blocks; /* the events' bytes */
    int64_t end_tick;           /* tick of End of Track; later notes move it */
    uint8_t port;               /* of its channels: its first FF 21, else 0 */
    bool is_unknown;            /* not an MTrk: saving writes `raw` back */
    uint8_t type[4];
    uint8_t *raw;
    size_t n_raw;
};

enum { SMPTE_BIT = 0x8000 }; /* of a division */
enum { TRACK_COLOURS = 8 };  /* the colours that tell tracks apart */

/* Whether a channel's pitches are the sounds of a kit. A first bank select of a kit makes it
 * so, and so do the part modes of Roland's GS and Yamaha's XG, which can also make channel
 * 10 a melody's. */
enum part_mode { PART_BY_CHANNEL, PART_DRUMS, PART_MELODY };

struct track {
    /* UTF-8 where the file's bytes can be read so, unsanitised, NUL-terminated. Its event
     * keeps the bytes of the file. */
    char name[64];
    int chunk; /* index into score.chunks */
    uint8_t channel, program;
    bool lacks_program;  /* its file says none: program is 0, and its name may say what
                           it should be */
    enum part_mode mode; /* of its channel, by banks and system exclusive messages */
    bool mute, solo, arm, hide; /* of the session, not the file */
    uint8_t colour; /* of the session; 0: by position, else 1..TRACK_COLOURS */
    /* Sorted by (start, pitch, id); to write: midi/score/notes.h. */
    const struct note *notes;
    size_t n_notes, cap_notes;
    atomic_size_t *n_sharers; /* scores that share `notes`; NULL: no notes */
};

struct score {
    int format;           /* 0, 1 or 2 as in the header */
    uint16_t division;    /* as in the header; top bit set: SMPTE */
    uint8_t *header_tail; /* header bytes after the first 6 */
    size_t n_header_tail;
    int ticks_per_quarter; /* of SMPTE time: ticks in half a second, at least 1 */
    struct chunk *chunks;
    size_t n_chunks;
    struct track *tracks;
    size_t n_tracks;
    struct timeline timeline; /* tempo and meter of all chunks, always current */
    struct taps taps;         /* of the session, not the file */
    uint64_t next_id;
};

/* An empty score: 4/4, 120 a minute, format 1, a conductor chunk, no tracks. NULL:
 * out of memory. */
struct score *score_create(int ticks_per_quarter);
void score_destroy(struct score *s); /* NULL is fine */
/* Returns an independent copy. It shares notes until one side writes
 * (midi/score/notes.h) and copies events. NULL: out of memory. */
struct score *score_clone(const struct score *s);

/* Adds a chunk with a name and a program change, and its track. channel: of all ports; another
 * port than the first is written (FF 21). Returns the track's index; -1: out of memory. */
int score_add_track(struct score *s, const char *name, uint8_t channel,
                    uint8_t program);

/* Makes room for n > 0 more chunks and tracks. false: out of memory. */
bool score_make_room(struct score *s, size_t n);

/* Returns a channel for the n-th new track, from 0: one that no track uses, never the drums',
 * among those of all ports (port * 16 + channel), of the first port where there is one.
 * If there are no more, used channels in turn. */
uint8_t score_free_channel(const struct score *s, int n);

/* The same for a new drum track. *kit: the program that is wanted, 0: any; it becomes that of
 * the channel. Drums share the channel of those that have this kit, since a program rules
 * all of its channel; another kit gets channel 10 of a port without one. */
uint8_t score_drum_channel(const struct score *s, uint8_t *kit);

/* Inserts a copy of `n` in sorted order. Gives it a new id if its id is 0. Returns
 * the id; 0: out of memory, or not note_is_valid (midi/score/notes.h). */
uint64_t score_add_note(struct score *s, int track, struct note n);
/* false: no such note, or out of memory. */
bool score_remove_note(struct score *s, int track, uint64_t id);
const struct note *score_find_note(const struct score *s, int track, uint64_t id);

/* Returns the index of the first note of `track` with start >= tick. */
size_t score_first_note_at(const struct score *s, int track, int64_t tick);

size_t score_n_notes(const struct score *s);
/* A track is heard if it is not muted; if any track is solo, only solo tracks are. */
bool score_has_solo(const struct score *s);
bool track_is_audible(const struct track *t, bool has_solo);
/* The channel of a chunk's messages, among those of all ports: port * 16 + channel. */
enum { SCORE_PORTS = 16, SCORE_CHANNELS = SCORE_PORTS * 16 };
static inline int chunk_channel(const struct chunk *c, int channel)
{
    return c->port % SCORE_PORTS << 4 | (channel & 15);
}
static inline int score_channel(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    return chunk_channel(&s->chunks[t->chunk], t->channel);
}
/* Whether its pitches are the sounds of a drum kit: by its part's mode, else its channel is that
 * of the drums. */
bool track_is_drums(const struct track *t);
/* Whether a track of that name sings: "Bass" beside a soprano, an alto or a tenor. */
bool score_names_voice(const struct score *s, const char *name);
/* Its program; if its file says none, that of the instrument it is named for, if it is. */
uint8_t track_meant_program(const struct track *t);
/* Drum tracks that are one kit, as in many programs: each sound has a track of its own. home
 * receives the track of each key, or -1; *tracks the kit's audible tracks (bit i). Returns
 * the first of them; -1: no kit is split. */
int score_split_kit(const struct score *s, int home[128], uint64_t *tracks);
/* The channel where its program sounds as it should without its bank: its own, or the drums'. */
int track_sound_channel(const struct track *t);
int64_t score_end_tick(const struct score *s);  /* largest note end, 0 if none */
int64_t score_last_tick(const struct score *s); /* of notes and events */

/* Rebuilds s->timeline, the chunks' ports, and the tracks' modes, after events changed. */
enum midi_status score_update_timeline(struct score *s);

#endif
