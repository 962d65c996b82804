/* The rule of openings: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

#include <stdlib.h>

/* Nats against a position that follows within an eighth, and a length of less than half of one; and
 * against a further equal wait, for each one of the run; a further note of the same pitch, or a
 * further leap, for each one of the newest moves. Tunes from nothing (A28) were unbroken sixteenths,
 * eighths on one pitch, or broken chords. */
#define TOO_SOON    5.0f
#define A_WAIT_MORE 3.0f
#define A_NOTE_MORE 2.0f
#define A_LEAP_MORE 1.5f

/* Those that are free, and from which on each further one costs the same. A step is so many semitones
 * at most. */
enum { SHORT_RUN = 3, FREE_MOVES = 1, LONG = 4, STEP = 2, NEWEST = 6 };

/* The newest notes of a line: those that have equal waits; of its last moves those that repeat a
 * pitch, and those that leap. */
struct run {
    int64_t wait;
    int n_waits, pitch, n_repeats, n_leaps;
};

static struct run find_run(const struct place *at)
{
    struct run r = {.pitch = -1};
    bool waits = true;
    int64_t next = at->step;
    int n = 0, later = -1; /* pitch */
    for (size_t i = piece_note_at(at->p, at->step);
         i-- > 0 && (waits || n <= NEWEST);) {
        const struct grid_note *note = &at->p->notes[i];
        if (note->track != at->track)
            continue;
        const int64_t wait = next - note->step;
        const bool moves = n > 0 && n <= NEWEST;
        waits = waits && (n == 0 || wait == r.wait);
        r.wait = n ? r.wait : wait;
        r.pitch = n ? r.pitch : note->pitch;
        r.n_waits += waits;
        r.n_repeats += moves && later == note->pitch;
        r.n_leaps += moves && abs(later - note->pitch) > STEP;
        later = note->pitch;
        next = note->step;
        n++;
    }
    return r;
}

static float cost_of(float nats, int n, int n_free)
{
    return -nats * (float)smaller(larger(n - n_free, 0), LONG);
}

void opening_bias_apply(struct rules *r, const struct place *at)
{
    if (!r->begins || !band_role_is_first(r->role))
        return;
    const int64_t place = at->step - at->bar;
    const struct run run = find_run(at);
    for (int64_t k = place + 1; k < place + STEPS_PER_QUARTER / 2; k++)
        bias_onset(at, -TOO_SOON, k);
    bias_shorter(at, -TOO_SOON, STEPS_PER_QUARTER / 4.0f);
    if (run.pitch < 0)
        return;
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        if (abs(pitch - run.pitch) > STEP)
            bias_pitch(at, cost_of(A_LEAP_MORE, run.n_leaps, FREE_MOVES), pitch);
    bias_pitch(at, cost_of(A_NOTE_MORE, run.n_repeats, FREE_MOVES - 1), run.pitch);
    bias_onset(at, cost_of(A_WAIT_MORE, run.n_waits, SHORT_RUN), place + run.wait);
}
