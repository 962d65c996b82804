/* Ends that sequencers write before the grid are read as on it, and new notes end as early. That
 * tokens are the same: tests/app/decoding/test_windows.c. */
#include "tests/check.h"
#include "tests/midi/music.h"

static const int LENGTHS[] = {6, 12, 24, 36, 8,  48,  12, 72,
                              6, 96, 16, 24, 18, 144, 192};
enum { N_NOTES = sizeof LENGTHS / sizeof *LENGTHS };

static const struct gate GATES[] = {{95, 0}, {90, 0}, {85, 0}, {100, 10}, {100, 1}};
enum { N_GATES = sizeof GATES / sizeof *GATES };

static int64_t tick_of(int64_t step, int tpq)
{
    return tick_from_step(step, tpq);
}

/* Notes of these lengths, each followed by a rest up to a quarter, behind a gate. */
static void play(struct note *notes, struct gate g, int tpq)
{
    int64_t step = 0;
    for (int i = 0; i < N_NOTES; i++) {
        const int64_t length = tick_of(LENGTHS[i], tpq);
        notes[i] = (struct note){.start = tick_of(step, tpq),
                                 .length = (length * g.percent + 50) / 100 - g.ticks,
                                 .pitch = (uint8_t)(60 + i),
                                 .velocity = 80};
        step += (LENGTHS[i] / STEPS_PER_QUARTER + 1) * (int64_t)STEPS_PER_QUARTER;
    }
}

TEST(gated_ends_are_read_as_on_the_grid)
{
    static const int TPQ[] = {240, 384, 480, 960};
    struct note notes[N_NOTES];
    for (size_t k = 0; k < N_GATES * (sizeof TPQ / sizeof *TPQ); k++) {
        const struct gate given = GATES[k % N_GATES];
        const int tpq = TPQ[k / N_GATES];
        play(notes, given, tpq);
        const struct gate g = gate_of(notes, N_NOTES, tpq);
        for (int i = 0; i < N_NOTES; i++) {
            const int64_t step = step_from_tick(notes[i].start, tpq),
                          end = notes[i].start + notes[i].length;
            assert_int_equal(gate_read_end(g, &notes[i], tpq), step + LENGTHS[i]);
            const int64_t written =
                gate_write_end(g, notes[i].start, step + LENGTHS[i], tpq);
            assert_in_range(written - end + 2, 0, 4);
        }
    }
}

/* Staccato, legato, quintuplets and a player's own timing have no gate. */
TEST(other_ends_have_none)
{
    enum { TPQ = 480, N = 40 };
    static const int START[][2] = {{480, 240}, {480, 480}, {96, 96}, {240, 60}};
    struct note notes[N] = {0};
    for (size_t k = 0; k < sizeof START / sizeof *START; k++) {
        for (int i = 0; i < N; i++)
            notes[i] =
                (struct note){.start = (int64_t)i * START[k][0], .length = START[k][1]};
        assert_true(gate_is_none(gate_of(notes, N, TPQ)));
    }
    for (int i = 0; i < N; i++)
        notes[i] =
            (struct note){.start = (int64_t)i * 480, .length = 100 + (i * 137) % 500};
    assert_true(gate_is_none(gate_of(notes, N, TPQ)));
    assert_true(gate_is_none(gate_of(notes, 3, TPQ)));
    assert_true(gate_is_none(gate_of(notes, 0, TPQ)));
}

/* A few long ends of chords that are held on do not make a gate of the others' ends, which
 * are on the grid. */
TEST(ends_on_the_grid_have_none)
{
    enum { TPQ = 480, WHOLE = 3 * TPQ, N = 21 };
    for (int64_t over = 1; over <= TPQ; over++) {
        struct note notes[N];
        for (int i = 0; i < N; i++)
            notes[i] = (struct note){.start = i / 3 * (int64_t)WHOLE,
                                     .length = WHOLE + (i / 3 == N / 3 - 1) * over,
                                     .pitch = (uint8_t)(48 + 4 * (i % 3)),
                                     .velocity = 80};
        assert_true(gate_is_none(gate_of(notes, N, TPQ)));
    }
}

/* Different ends are written differently, and ends on the grid are read again; nothing ends
 * later than it should. */
TEST(writing_tells_ends_apart)
{
    enum { MOST = 200, N = 5 };
    static const struct {
        struct gate gate;
        int tpq;
    } CASES[N] = {{{95, 0}, 480},
                  {{90, 0}, 480},
                  {{100, 10}, 480},
                  {{96, 0}, 480}, /* of a quarter to 23.04 steps */
                  {{100, 4}, 48}};
    for (int k = 0; k < N; k++)
        for (int start = 0; start < STEPS_PER_QUARTER; start++) {
            bool is_taken[8192] = {false};
            for (int end = start + 1; end < start + MOST; end++) {
                const struct gate g = CASES[k].gate;
                const int tpq = CASES[k].tpq;
                struct note note = {.start = tick_of(start, tpq)};
                note.length = gate_write_end(g, note.start, end, tpq) - note.start;
                assert_true(note.length > 0);
                assert_true(note.start + note.length <= tick_of(end, tpq));
                assert_false(is_taken[note.length]);
                is_taken[note.length] = true;
                if (tpq == 480 && (end % 6 == 0 || end % 4 == 0))
                    assert_int_equal(gate_read_end(g, &note, tpq), end);
            }
        }
}
