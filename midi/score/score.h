/* The score: everything that a MIDI file holds, arranged as music.
 *
 * Chunks hold every event that is not a paired note, in file order. Tracks hold the
 * notes. There is a track for each chunk and channel with notes, so a file of format 0
 * shows its channels as tracks. A chunk that only chooses a program has a track, too.
 * Saving merges notes and events by (tick, order), so what was not edited comes back
 * event for event.
 *
 * Time is in integer ticks of the file's own division. A score is plain data with one
 * owner; other threads get a clone. */
#ifndef MIDI_SCORE_H
#define MIDI_SCORE_H

#include "midi/base/midi.h"
#include "midi/score/taps.h"
#include "midi/score/timeline.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of new and moved events at one tick: note-offs first, then the events of
 * the file, then note-ons. */
#define ORDER_FIRST 0u
#define ORDER_LAST  UINT32_MAX

enum {
    NOTE_HANGING = 1,   /* no note-off; it ends with its chunk */
    NOTE_END_BY_ON = 2, /* a note-on of velocity 0 ended it */
};

struct note {
    uint64_t id; /* unique in its score, never reused; 0: not in a score yet */
    int64_t start, length; /* ticks; length may be 0 in a loaded file */
    uint8_t pitch, velocity, off_velocity;
    uint8_t flags;
    uint32_t on_order, off_order;
    /* The time at which it was played minus its present time, in ticks. A note that is
     * moved keeps this difference, so quantising can be undone. */
    int32_t raw_start, raw_length;
    uint32_t spare; /* always 0, so that notes can be compared as memory */
};

/* An event that is not a paired note: a channel message (also an unpaired note-off), a
 * system exclusive message or a meta event. `data` is what follows the delta time in
 * the file, status byte first; running status is expanded. Meta: FF type length data.
 * System exclusive: F0 or F7 length data. */
struct event {
    int64_t tick;
    uint32_t order;
    uint32_t n_data;
    uint8_t *data; /* owned by the chunk; a broken file may have data bytes above 127 */
};

struct event_block; /* midi/score/chunk.h */

struct chunk {
    struct event *events; /* sorted by (tick, order) */
    size_t n_events, cap_events;
    struct event_block *blocks; /* the events' bytes */
    int64_t end_tick;           /* tick of End of Track; a later note moves it */
    uint8_t port;               /* port of its channels: its first FF 21, else 0 */
    bool is_unknown;            /* not an MTrk chunk; saving writes `raw` back */
    uint8_t type[4];
    uint8_t *raw;
    size_t n_raw;
};

enum { SMPTE_BIT = 0x8000 }; /* set in `division` */
enum { TRACK_COLOURS = 8 };  /* number of colours that tell tracks apart */

/* Whether the pitches of a channel are the sounds of a drum kit. The first bank select
 * of the channel can choose a kit. The part modes of Roland's GS and Yamaha's XG can do
 * so, too, and can make channel 10 a melody's. */
enum part_mode { PART_BY_CHANNEL, PART_DRUMS, PART_MELODY };

struct track {
    /* UTF-8 if the file's bytes can be read so. Not sanitised; ends with NUL. The event
     * holds the bytes of the file. */
    char name[64];
    int chunk; /* index into score.chunks */
    uint8_t channel, program;
    bool lacks_program;         /* its file gives none; `program` is then 0 */
    enum part_mode mode;        /* of its channel, from banks and sysex */
    bool mute, solo, arm, hide; /* of the session, not of the file */
    uint8_t colour; /* of the session; 1..TRACK_COLOURS, or 0: by position */
    /* Sorted by (start, pitch, id). To write to them see midi/score/notes.h. */
    const struct note *notes;
    size_t n_notes, cap_notes;
    atomic_size_t *n_sharers; /* scores that share `notes`; NULL: see notes.h */
};

struct score {
    int format;           /* 0, 1 or 2 as in the header */
    uint16_t division;    /* as in the header; with SMPTE_BIT it counts frames */
    uint8_t *header_tail; /* bytes of the header after the first 6 */
    size_t n_header_tail;
    int ticks_per_quarter; /* for SMPTE time the ticks in half a second, at least 1 */
    struct chunk *chunks;
    size_t n_chunks;
    struct track *tracks;
    size_t n_tracks;
    struct timeline timeline; /* tempo and meter of all chunks; always current */
    struct taps taps;         /* of the session, not of the file */
    uint64_t next_id;
};

/* Returns an empty score: format 1, a conductor chunk with 4/4 and 120 a minute, and no
 * tracks. NULL: out of memory. */
struct score *score_create(int ticks_per_quarter);
void score_destroy(struct score *s); /* NULL is fine */
/* Returns an independent copy. Notes are shared until one side writes
 * (midi/score/notes.h); events are copied. NULL: out of memory. */
struct score *score_clone(const struct score *s);

/* Adds a track in a chunk of its own, with a name and a program change. `channel`
 * counts over all ports (score_channel); a port other than the first is written as FF
 * 21. Returns the index of the track, or -1 if memory is out. */
int score_add_track(struct score *s, const char *name, uint8_t channel,
                    uint8_t program);

/* Makes room for n > 0 more chunks and tracks. false: out of memory. */
bool score_make_room(struct score *s, size_t n);

/* Returns a channel, over all ports, for the n-th of several new tracks (n from 0): one
 * that no track uses and that is not for drums. Channels of the first port come first.
 * If all are used, returns used ones of the first port in turn. */
uint8_t score_free_channel(const struct score *s, int n);

/* Returns a channel for a new drum track. *kit is the wanted program, or 0 for any; it
 * becomes that of the channel. A channel of drums with this kit is shared, since a
 * program applies to the whole channel. Another kit gets channel 10 of a port on which
 * no track uses it. */
uint8_t score_drum_channel(const struct score *s, uint8_t *kit);

/* Inserts a copy of `n` at its place in the order, and gives it a new id if its id is
 * 0. Returns the id, or 0 if memory is out or `n` is not note_is_valid
 * (midi/score/notes.h). */
uint64_t score_add_note(struct score *s, int track, struct note n);
/* Returns false if there is no such note or memory is out. */
bool score_remove_note(struct score *s, int track, uint64_t id);
const struct note *score_find_note(const struct score *s, int track, uint64_t id);

/* Returns the index of the first note of the track with start >= tick. */
size_t score_first_note_at(const struct score *s, int track, int64_t tick);

size_t score_n_notes(const struct score *s);
/* Tracks are audible unless they are muted. If any track is solo, only solo tracks
 * are. */
bool score_has_solo(const struct score *s);
bool track_is_audible(const struct track *t, bool has_solo);
/* Returns the channel of a chunk's messages, counted over all ports: port * 16 +
 * channel. */
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
/* Whether the pitches of the track are the sounds of a drum kit: by the mode of its
 * channel, or else because it is the drums' channel. */
bool track_is_drums(const struct track *t);
/* Whether a track of this name sings: "Bass" beside a soprano, an alto or a tenor. */
bool score_names_voice(const struct score *s, const char *name);
/* Returns the program of the track. If its file gives none, returns that of the
 * instrument that the track is named after, if it is. */
uint8_t track_meant_program(const struct track *t);
/* Finds a drum kit that is split over several tracks, each with sounds of its own, as
 * many programs write it. home[key] becomes the track of each key, or -1. *tracks
 * becomes the set of the kit's audible tracks (bit i: track i). Returns the first of
 * these, or -1 if no kit is split. */
int score_split_kit(const struct score *s, int home[128], uint64_t *tracks);
/* Returns a channel of the first port on which the track's program sounds right without
 * a bank: the drums' channel for drums, else the track's own, or 0 instead of the
 * drums'. */
int track_sound_channel(const struct track *t);
/* Whether the notes do not lie on the grid of the score's beats, as in music that was played
 * without a click, or to another tempo than the file's: its bars mean nothing until it is
 * laid on them (midi/edit/tempo_fit.h). Music that swings, or is a little out of time, lies
 * on the grid. Returns false also if there are too few notes to tell, or if the file counts
 * frames (SMPTE). */
bool score_is_off_grid(const struct score *s);
int64_t score_end_tick(const struct score *s);  /* latest end of a note, or 0 */
int64_t score_last_tick(const struct score *s); /* of notes and events */

/* Rebuilds the timeline, the ports of chunks and the modes of tracks. Call it after
 * events have changed. */
enum midi_status score_update_timeline(struct score *s);

#endif
