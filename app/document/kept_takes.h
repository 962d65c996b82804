/* The takes that wait, as they are kept beside a piece (app/document/beside.h): all that
 * app/document/proposals.h knows of each, and what they would replace.
 *
 * A reopened score has other note ids, and a track that holds nothing is not in its
 * file. So ghosts are numbered from 1 here, notes of the score are told by where they
 * are, and tracks, which go by their index in the score, by the chunk and the channel
 * they come from. app/editor/keep/takes_pack.h goes from one to the other.
 *
 * What is read fits together and is in range, but may not fit the score. One thread at a
 * time. */
#ifndef APP_KEPT_TAKES_H
#define APP_KEPT_TAKES_H

#include "app/document/proposals.h"
#include "app/document/store_rows.h"
#include "midi/record/record.h"

struct kept_track {
    int chunk, channel;
};

/* Where a note of the score is. */
struct kept_place {
    int track;
    int64_t start, length; /* ticks */
    int pitch;
    int ghost; /* number of the one that it is; 0: none */
};

/* What take A has where two have played (app/editor/perform/answer.h), but for the notes. */
struct kept_playing {
    bool is_there;
    int64_t to; /* tick: what is held goes up there */
    struct recorded_event *events;
    size_t n_events;
};

#define TAKES_UNTOLD INT64_MIN

/* Empty when no take waits. All owned; zero-initialise. */
struct kept_takes {
    int ticks_per_quarter;
    struct kept_track *tracks;
    size_t n_tracks;
    struct kept_place *replaced, *standing;
    size_t n_replaced, n_standing;

    struct ghost *ghosts;   /* each once, however many takes it is in; */
    size_t n_ghosts;        /* note.id is its number, its place here and 1 */
    struct proposals takes; /* with copies of them; in order of letters */
    struct kept_playing playing;

    /* Which music they fit: what has been done to it since it was saved. Unsaved edits
     * may be newer than this, or be gone. */
    int64_t time_put_in;  /* ticks; TAKES_UNTOLD: not known */
    uint64_t arrangement; /* of tracks; 0: the saved one */

    struct generation asked; /* these as in struct session */
    int takes_once;
    int64_t hole_from, hole_to, music_end;
};

void kept_takes_fini(struct kept_takes *t); /* also when zeroed */

/* In place of those that are there. SQLITE_OK, or why not. */
int kept_takes_write(struct store *s, struct row_key key, const struct kept_takes *t);
/* Into *t, which is empty. NULL: all is well, else the name of what is wrong in it, and
 * *t is to be freed all the same. */
const char *kept_takes_read(struct kept_takes *t, struct store *s, struct row_key key);

/* A message of a channel that is kept as one: its length, from its first byte; 0: none. */
int kept_message_bytes(const uint8_t data[3]);

#endif
