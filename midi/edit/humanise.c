#include "midi/edit/humanise.h"
#include "midi/base/array.h"
#include "midi/base/hash.h"
#include "midi/score/notes.h"

#include <math.h>

const struct humanise HUMANISE_DEFAULT = {.ms = 10, .velocity = 6, .seed = 1};

enum { N_SUMMED = 12 };

double humanise_draw(uint64_t seed, uint64_t i)
{
    uint64_t at = hash_number(seed + HASH_STEP) + N_SUMMED * i * HASH_STEP;
    int64_t sum = 0; /* its deviation is 1 << 24 */
    for (int k = 0; k < N_SUMMED; k++)
        sum += (int64_t)(hash_number(at += HASH_STEP) >> 40) - (1 << 23);
    double x = 0.4 * (double)sum / (1 << 24);
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

/* Limits the shift so that the note cannot pass its neighbours, even if they come as
 * far towards it. */
static int64_t bounded(const struct track *t, int64_t start, int64_t shift)
{
    size_t here, next;
    ARRAY_PASS(here, t->n_notes, t->notes[here].start < start);
    ARRAY_PASS(next, t->n_notes, t->notes[next].start <= start);
    int64_t earlier = here > 0 ? (start - t->notes[here - 1].start - 1) / 2 : start;
    if (shift < -earlier)
        return -earlier;
    if (next == t->n_notes)
        return shift;
    int64_t later = (t->notes[next].start - start - 1) / 2;
    return shift > later ? later : shift;
}

void humanise_notes(const struct humanise *h, const struct timeline *timeline,
                    const struct track *t, struct note *notes, size_t n,
                    uint64_t first_draw)
{
    for (size_t i = 0; i < n; i++) {
        struct note was = notes[i];
        double time = humanise_draw(h->seed, first_draw + 2 * i);
        double force = humanise_draw(h->seed, first_draw + 2 * i + 1);
        double at = timeline_seconds(timeline, (double)was.start) + time * h->ms / 1000;
        int64_t shift = llround(timeline_tick(timeline, fmax(at, 0))) - was.start;
        int velocity = was.velocity + (int)lround(force * h->velocity);
        notes[i].start += bounded(t, was.start, shift);
        notes[i].velocity = (uint8_t)(velocity < 1     ? 1
                                      : velocity > 127 ? 127
                                                       : velocity);
        played_keep(&notes[i], &was);
    }
}
