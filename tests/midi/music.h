/* Scores made by hand, and helpers for tests that play them. */
#ifndef TESTS_MIDI_MUSIC_H
#define TESTS_MIDI_MUSIC_H

#include "tests/midi/score_of.h"
#include "midi/score/chunk.h"
#include "midi/transport/player.h"

#define auto_schedule __attribute__((cleanup(free_schedule))) struct schedule
#define auto_player   __attribute__((cleanup(free_player))) struct player
FREES(schedule, schedule_destroy)
FREES(player, player_destroy)

enum { QUARTER = 480, BAR = 4 * QUARTER };

static inline struct note note(int64_t start, int64_t length, int pitch)
{
    return music_note(start, length, pitch, 90);
}

static inline uint64_t add(struct score *s, int track, int64_t start, int64_t length,
                           int pitch)
{
    uint64_t id = score_add_note(s, track, note(start, length, pitch));
    assert_true(id != 0);
    return id;
}

static inline void add_event(struct score *s, int chunk, int64_t tick, uint32_t order,
                             const void *data, size_t n)
{
    uint8_t bytes[64];
    memcpy(bytes, data, n);
    struct event e = {
        .tick = tick, .order = order, .n_data = (uint32_t)n, .data = bytes};
    assert_ok(chunk_insert_event(&s->chunks[chunk], &e));
}

static inline void add_message(struct score *s, int chunk, int64_t tick, int status,
                               int data1, int data2)
{
    const uint8_t data[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    add_event(s, chunk, tick, ORDER_LAST, data, 3);
}

static inline const char *own_soundfont(void)
{
    const char *path = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!path)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    return path;
}

/* A player whose sound is open, or missing. */
static inline struct player *open_player(const struct player_config *config)
{
    struct player *p = player_create(config);
    assert_non_null(p);
    for (int i = 0; i < 300 && player_is_opening(p); i++)
        sleep_ms(10);
    assert_false(player_is_opening(p));
    return p;
}

#endif
