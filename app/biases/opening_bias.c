/* See opening_bias.h. */
#include "app/biases/opening_bias.h"

#include "midi/base/larger.h"

/* Nats against a position that follows within an eighth; and against a further equal wait, or a
 * further note of the same pitch, for each one of the run. Tunes from nothing (A28) were
 * unbroken sixteenths, or eighths on one pitch. */
#define TOO_SOON    5.0f
#define A_WAIT_MORE 1.5f
#define A_NOTE_MORE 2.0f

/* Runs that are free, and from which on each further note costs the same. */
enum { SHORT_RUN = 3, SHORT_REPEAT = 1, LONG = 4 };

/* The newest notes of a line that have equal waits, and those of equal pitches. */
struct run {
    int64_t wait;
    int n_waits, pitch, n_pitches;
};

static struct run find_run(const struct place *at)
{
    struct run r = {.pitch = -1};
    bool waits = true, repeats = true;
    int64_t next = at->step;
    for (size_t i = piece_note_at(at->p, at->step); i-- > 0 && (waits || repeats);) {
        const struct grid_note *n = &at->p->notes[i];
        if (n->track != at->track)
            continue;
        const int64_t wait = next - n->step;
        waits = waits && (r.n_waits == 0 || wait == r.wait);
        repeats = repeats && (r.pitch < 0 || n->pitch == r.pitch);
        r.wait = r.n_waits ? r.wait : wait;
        r.pitch = r.pitch < 0 ? n->pitch : r.pitch;
        r.n_waits += waits;
        r.n_pitches += repeats;
        next = n->step;
    }
    return r;
}

static float cost_of(float nats, int n, int n_free)
{
    return -nats * (float)smaller(larger(n - n_free, 0), LONG);
}

static void bias_position(const struct place *at, float nats, int64_t position)
{
    if (position >= at->base && position < at->base + TOKEN_RADIX)
        bias_add(at, nats, TOKEN_POS + (int)(position - at->base), 1);
}

void opening_bias_apply(const struct place *at)
{
    const int64_t place = at->step - at->bar;
    const struct run run = find_run(at);
    for (int64_t k = place + 1; k < place + STEPS_PER_QUARTER / 2; k++)
        bias_position(at, -TOO_SOON, k);
    if (run.pitch < 0)
        return;
    bias_pitch(at, cost_of(A_NOTE_MORE, run.n_pitches, SHORT_REPEAT), run.pitch);
    bias_position(at, cost_of(A_WAIT_MORE, run.n_waits, SHORT_RUN), place + run.wait);
}
