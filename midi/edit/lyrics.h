/* Lyrics, and the notes that they are sung on.
 *
 * Lyrics are FF 05 (SMF 1.0). In a chunk of karaoke, which has a text that begins with
 * @, the other texts are lyrics, too. One track sings the lyrics of a chunk: the track
 * that has notes at more of the lyrics than any other. It is one of the chunk's own
 * tracks, or any track if those have no notes. A lyric may be a 64th away from its
 * note. When notes move, their lyrics go along. Pure functions, except on the changes
 * that they build. */
#ifndef MIDI_LYRICS_H
#define MIDI_LYRICS_H

#include "midi/edit/edit.h"

/* A note of a track goes from one start to another. `to` is -1 if it is removed. */
struct note_move {
    int track;
    int64_t from, to; /* ticks */
};

/* Moves or removes the lyrics of these notes. A lyric stays if another note of its
 * track stays at its tick. `moves` is sorted by track, then by `from`. */
enum midi_status change_move_lyrics(struct change *c, const struct score *s,
                                    const struct note_move *moves, size_t n);

/* The track that sings each chunk's lyrics, found once for many notes. Valid until the
 * score changes. */
struct lyrics {
    const struct score *score;
    struct lyrics_of_chunk {
        int singer; /* a track; -1: none */
        bool is_karaoke;
    } * of; /* [score->n_chunks] */
};
bool lyrics_init(struct lyrics *l, const struct score *s); /* false: out of memory */
void lyrics_fini(struct lyrics *l);

/* Returns the lyric of the track's notes at `start`, or NULL. */
const struct event *lyrics_at(const struct lyrics *l, int track, int64_t start);
/* Adds a lyric, which is a whole meta event, for a note of the track: to the chunk
 * whose lyrics the track sings, or else to its own. */
enum midi_status change_add_lyric(struct change *c, const struct lyrics *l, int track,
                                  int64_t tick, const uint8_t *data, size_t n);

#endif
