/* Songs as bytes of a file, and their tracks edited by one change each, which is undone to the
 * byte. Include cmocka.h before it. */
#ifndef TESTS_MIDI_TRACK_SONG_H
#define TESTS_MIDI_TRACK_SONG_H

#include "midi/edit/track_edit.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#define CONDUCTOR TRACK(0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END)

/* A conductor, a named track with a bank select, and one without name or program. */
BYTES(SONG, HEADER(1, 3, 96), CONDUCTOR,
      TRACK(0, 0xFF, 3, 3, 'O', 'l', 'd', 0, 0xB0, 0, 1, 0, 0xC0, 5, 0, 0x90, 60, 80, 9,
            0x80, 60, 0, 0, END),
      TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END));

/* Format 0: two channels in one chunk. */
BYTES(JAMMED, HEADER(0, 1, 96),
      TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC1, 6, 0,
            0x91, 62, 80, 9, 0xB1, 7, 9, 0, 0x80, 60, 0, 0, 0x81, 62, 0, 0, END));

struct song {
    struct score *s;
    struct history *h;
};

static inline struct song open_song(const uint8_t *bytes, size_t n)
{
    struct song song = {read_bytes(bytes, n, NULL), history_create()};
    assert_non_null(song.h);
    return song;
}

static inline void close_song(struct song *song)
{
    history_destroy(song->h);
    score_destroy(song->s);
}

/* As it is saved and read again. */
static inline struct score *reread(const struct score *s)
{
    uint8_t *bytes;
    size_t n;
    assert_int_equal(smf_write(s, &bytes, &n), MIDI_OK);
    struct score *again = read_bytes(bytes, n, NULL);
    free(bytes);
    return again;
}

static inline void do_it(struct song *song, struct change *c, enum midi_status st)
{
    assert_int_equal(st, MIDI_OK);
    assert_int_equal(history_do(song->h, song->s, c), MIDI_OK);
}

static inline void rename_track(struct song *song, int track, const char *name)
{
    struct change *c = change_create("rename");
    do_it(song, c, change_rename_track(c, song->s, track, name));
}

static inline void set_program(struct song *song, int track, uint8_t program)
{
    struct change *c = change_create("instrument");
    do_it(song, c, change_set_program(c, song->s, track, program));
}

static inline void set_channel(struct song *song, int track, uint8_t channel)
{
    struct change *c = change_create("channel");
    do_it(song, c, change_set_channel(c, song->s, track, channel));
}

static inline void remove_track(struct song *song, int track)
{
    struct change *c = change_create("remove");
    do_it(song, c, change_remove_track(c, song->s, track));
}

static inline void move_track(struct song *song, int track, int other)
{
    struct change *c = change_create("move");
    do_it(song, c, change_move_track(c, song->s, track, other));
}

/* Writes this now, the score's own bytes undone, and this again. */
static inline void assert_edited(struct song *song, const uint8_t *now, size_t n_now,
                                 const uint8_t *before, size_t n_before)
{
    assert_writes(song->s, now, n_now);
    assert_true(history_undo(song->h, song->s, NULL));
    assert_writes(song->s, before, n_before);
    assert_true(history_redo(song->h, song->s, NULL));
    assert_writes(song->s, now, n_now);
}

#endif
