/* Lyrics (SMF 1.0: FF 05; in karaoke, a chunk with a text that begins with @, its texts) go
 * with the notes that they are sung on. A chunk's lyrics are sung by one track: of its own
 * tracks, or of all if it has no notes, the one with a note at most of them. A lyric may
 * be a 64th away from its note. Pure functions, except on the changes they build. */
#ifndef MIDI_LYRICS_H
#define MIDI_LYRICS_H

#include "midi/edit/edit.h"

/* A note of a track goes from one start to another; to -1: it is removed. */
struct note_move {
    int track;
    int64_t from, to; /* ticks */
};

/* Moves the lyrics of these notes, or removes them. A lyric stays if another note of its
 * track stays at its tick. moves: by track, then by `from`. */
enum midi_status change_move_lyrics(struct change *c, const struct score *s,
                                    const struct note_move *moves, size_t n);

/* Which tracks sing which chunks' lyrics, found once for many notes. Valid until the score
 * changes. */
struct lyrics {
    const struct score *score;
    struct lyrics_of_chunk {
        int singer; /* a track; -1: none */
        bool is_karaoke;
    } * of; /* [score->n_chunks] */
};
bool lyrics_init(struct lyrics *l, const struct score *s); /* false: out of memory */
void lyrics_fini(struct lyrics *l);

/* The lyric of the track's notes at `start`; NULL: none. */
const struct event *lyrics_at(const struct lyrics *l, int track, int64_t start);
/* Adds a lyric, a whole meta event, for a note of the track: to the chunk whose lyrics it
 * sings, or its own. */
enum midi_status change_add_lyric(struct change *c, const struct lyrics *l, int track,
                                  int64_t tick, const uint8_t *data, size_t n);

#endif
