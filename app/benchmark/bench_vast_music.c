/* See bench_vast_music.h. Notes come in order, so that each is put at the end of its track
 * at once, but for the last, which is where the first ones are. */
#include "app/benchmark/bench_vast_music.h"

enum { QUARTER = 480, STEP = QUARTER / 4, CHORD = 4 };

/* xorshift32: Marsaglia 2003. */
static uint32_t draw(uint32_t *dice)
{
    *dice ^= *dice << 13;
    *dice ^= *dice >> 17;
    *dice ^= *dice << 5;
    return *dice;
}

static bool put(struct score *s, int track, int64_t start, int64_t length, int pitch,
                int velocity)
{
    const struct note n = {.start = start,
                           .length = length,
                           .pitch = (uint8_t)pitch,
                           .velocity = (uint8_t)velocity,
                           .on_order = ORDER_LAST,
                           .off_order = ORDER_FIRST};
    return score_add_note(s, track, n) != 0;
}

/* A chord of up to four at each sixteenth, so that they are many and none meets itself. */
static bool fill_track(struct score *s, int track, size_t n_notes, uint32_t *dice)
{
    bool ok = true;
    int64_t tick = 0;
    for (size_t i = 0; ok && i < n_notes; tick += STEP)
        for (int voice = 0; ok && voice < CHORD && i < n_notes; voice++, i++)
            ok = put(s, track, tick, STEP / 2 + (int64_t)(draw(dice) % (STEP / 2)),
                     36 + 14 * voice + (int)(draw(dice) % 14),
                     40 + (int)(draw(dice) % 80));
    return ok;
}

static bool fill(struct score *s, size_t n_notes)
{
    uint32_t dice = 2463534242u;
    const size_t half = n_notes / 2, others = (n_notes - half) / (VAST_TRACKS - 1);
    bool ok = true;
    for (int t = 0; ok && t < VAST_TRACKS; t++)
        ok = score_add_track(s, "", (uint8_t)(t < 9 ? t : t + 1), (uint8_t)(8 * t)) ==
                 t &&
             fill_track(s, t, t ? others : half, &dice);
    return ok && put(s, 0, 0, score_end_tick(s), 24, 64);
}

struct score *vast_music(size_t n_notes)
{
    struct score *s = score_create(QUARTER);
    if (s && !fill(s, n_notes)) {
        score_destroy(s);
        return NULL;
    }
    return s;
}
