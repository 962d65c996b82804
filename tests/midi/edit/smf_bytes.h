/* MIDI files written out by hand: their fixed parts, and checks that a file is read
 * and written back correctly. */
#ifndef TESTS_MIDI_SMF_BYTES_H
#define TESTS_MIDI_SMF_BYTES_H

#include "tests/check.h"
#include "tests/midi/auto.h"
#include "midi/smf/smf.h"
#include "tests/midi/score_equal.h"
#include "tests/midi/undo.h"

#define HEADER(format, n_tracks, division)                                             \
    'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, format, 0, n_tracks, (division) >> 8,           \
        (division)&0xFF
/* A track chunk with its true length, and one with any length. */
#define TRACK(...)           TRACK_SAYING(sizeof((uint8_t[]){__VA_ARGS__}), __VA_ARGS__)
#define TRACK_SAYING(n, ...) 'M', 'T', 'r', 'k', 0, 0, 0, n, __VA_ARGS__
#define END                  0xFF, 0x2F, 0

#define BYTES(name, ...)     static const uint8_t name[] = {__VA_ARGS__}

/* Files in rows: of BYTES, or written there. */
struct file {
    const uint8_t *at;
    size_t n;
};
#define FILE_OF(name)                                                                  \
    {                                                                                  \
        name, sizeof(name)                                                             \
    }
#define BYTES_OF(...)                                                                  \
    (const uint8_t[])                                                                  \
    {                                                                                  \
        __VA_ARGS__                                                                    \
    }
#define FILE(...)                                                                      \
    {                                                                                  \
        BYTES_OF(__VA_ARGS__), sizeof BYTES_OF(__VA_ARGS__)                            \
    }

/* Fails the test unless the file reads. The caller destroys the score. */
static inline struct score *read_bytes(const uint8_t *bytes, size_t n,
                                       struct smf_report *report)
{
    struct score *s = NULL;
    assert_ok(smf_read(&s, bytes, n, report));
    assert_non_null(s);
    return s;
}

/* A score of a file, and the history of its changes. */
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

#define auto_song __attribute__((cleanup(close_song))) struct song

/* Does one change, which the call builds in `c`. */
#define DO(song, call)                                                                 \
    do {                                                                               \
        struct change *c = change_create(#call);                                       \
        assert_ok(call);                                                               \
        assert_ok(history_do((song).h, (song).s, c));                                  \
    } while (0)

/* The calls are refused, and build nothing. */
#define REFUSED(call)                                                                  \
    do {                                                                               \
        struct change *c = change_create(#call);                                       \
        assert_int_equal(call, MIDI_BAD_EDIT);                                         \
        assert_int_equal(c->n_edits, 0);                                               \
        change_destroy(c);                                                             \
    } while (0)

static inline void undo_all(struct song *song)
{
    while (history_undo(song->h, song->s, NULL))
        continue;
}

/* A file as it is written now; the caller frees `at`. */
struct written {
    uint8_t *at;
    size_t n;
};

static inline void written_fini(struct written *w)
{
    free(w->at);
}

#define auto_written __attribute__((cleanup(written_fini))) struct written

static inline struct written write_song(const struct score *s)
{
    struct written w = {0};
    assert_ok(smf_write(s, &w.at, &w.n));
    return w;
}

static inline void assert_writes(const struct score *s, const uint8_t *want, size_t n)
{
    auto_written now = write_song(s);
    assert_int_equal(now.n, n);
    assert_memory_equal(now.at, want, n);
}

#define WRITES(s, file) assert_writes(s, file, sizeof file)

/* The score now writes `now`; undo and redo give `before` and `now` again. */
static inline void assert_edited(struct song *song, const uint8_t *now, size_t n_now,
                                 const uint8_t *before, size_t n_before)
{
    assert_writes(song->s, now, n_now);
    assert_true(history_undo(song->h, song->s, NULL));
    assert_writes(song->s, before, n_before);
    assert_true(history_redo(song->h, song->s, NULL));
    assert_writes(song->s, now, n_now);
}

/* With the ids of their notes, the times of their bars and their taps. */
static inline void assert_same_scores(const struct score *a, const struct score *b)
{
    assert_true(score_equal(a, b));
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->n_tracks, b->n_tracks);
    assert_int_equal(a->n_chunks, b->n_chunks);
    assert_int_equal(a->taps.n, b->taps.n);
    for (size_t i = 0; i < a->taps.n; i++) {
        assert_true(taps_has(&b->taps, a->taps.list[i]));
        assert_true(i == 0 || a->taps.list[i - 1].tick <= a->taps.list[i].tick);
    }
    for (size_t t = 0; t < a->n_tracks; t++)
        for (size_t i = 0; i < a->tracks[t].n_notes; i++)
            assert_memory_equal(&a->tracks[t].notes[i], &b->tracks[t].notes[i],
                                offsetof(struct note, raw_length) +
                                    sizeof a->tracks[t].notes[i].raw_length);
    for (int64_t tick = 0; tick < 100000; tick += 997) {
        struct bar x = timeline_bar_at(&a->timeline, tick),
                   y = timeline_bar_at(&b->timeline, tick);
        assert_true(x.start == y.start && x.length == y.length && x.index == y.index);
        assert_true(timeline_bpm(&a->timeline, tick) ==
                    timeline_bpm(&b->timeline, tick));
    }
}

/* Saves and reads the score. */
static inline struct score *reread(const struct score *s)
{
    struct written now = write_song(s);
    struct score *again = read_bytes(now.at, now.n, NULL);
    free(now.at);
    return again;
}

#endif
