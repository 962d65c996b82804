/* Each onset has a phase in every division of the quarter. If the music was played to
 * the file's tempo, the phases of some division gather at zero, however loosely, and
 * the mean of their cosines is high. Played at another tempo, they are spread, and the
 * mean is near zero. If they gather elsewhere than at zero, all was played late.
 *
 * Phases in fine divisions do not tell playing from chance. So fine divisions count
 * only for quick notes that lie on them exactly, as in written music.
 *
 * Of 581 pieces of our corpora none is off the grid; of 60 takes of drummers 15 are,
 * mostly fills. */
#include "midi/score/score.h"

#include <math.h>

enum {
    LEAST_ONSETS = 16,
    TOGETHER = 16, /* part of a quarter: closer notes of a track are one onset */
};
/* The mean of n cosines is no chance if it exceeds LEAST_MEAN + CHANCE / sqrt(n). */
static const double LEAST_MEAN = 0.15, CHANCE = 1.7;
static const double LEAST_EXACT = 0.6, GATHERED = 0.8; /* shares of all onsets */
static const double NEAR = 1.0 / 16;                   /* of a division: on it */
static const double QUICK = 0.26; /* quarters since the last onset */
enum { COARSE = 4 };              /* divisions of 1 to 4 in a quarter */

struct onset_count {
    double cosines[COARSE], sines[COARSE];
    size_t n, n_exact;
};

static bool is_exact(double quarters, int division)
{
    return fabs(remainder(quarters * division, 1)) <= NEAR;
}

/* quarters: since the bar line. since: quarters since the last onset. */
static void count_onset(struct onset_count *count, double quarters, double since)
{
    for (int i = 0; i < COARSE; i++) {
        count->cosines[i] += cos(2 * M_PI * quarters * (i + 1));
        count->sines[i] += sin(2 * M_PI * quarters * (i + 1));
    }
    count->n_exact +=
        is_exact(quarters, 2) ||
        (since <= QUICK && (is_exact(quarters, 6) || is_exact(quarters, 8)));
    count->n++;
}

bool score_is_off_grid(const struct score *s)
{
    struct onset_count count = {0};
    bool is_off = true;
    if (s->division & SMPTE_BIT)
        return false;
    for (size_t k = 0; k < s->n_tracks; k++) {
        const struct track *t = &s->tracks[k];
        struct bar bar = timeline_bar(&s->timeline, 0);
        int64_t last = -1 - s->ticks_per_quarter;
        for (size_t i = 0; i < t->n_notes; i++) {
            const int64_t at = t->notes[i].start;
            if (at - last <= s->ticks_per_quarter / TOGETHER)
                continue;
            if (at >= bar.start + bar.length)
                bar = timeline_bar_at(&s->timeline, at);
            count_onset(&count, (double)(at - bar.start) / s->ticks_per_quarter,
                        (double)(at - last) / s->ticks_per_quarter);
            last = at;
        }
    }
    const double n = (double)count.n;
    if (count.n < LEAST_ONSETS || (double)count.n_exact >= LEAST_EXACT * n)
        return false;
    for (int i = 0; i < COARSE && is_off; i++) {
        is_off = count.cosines[i] < LEAST_MEAN * n + CHANCE * sqrt(n);
        if (is_off && i < 2 && hypot(count.cosines[i], count.sines[i]) >= GATHERED * n)
            return true; /* all gather in one place, which is not the beat */
    }
    return is_off;
}
