#include "midi/score/scale_guess.h"

#include "midi/base/larger.h"

#include <math.h>

enum { N_MODES = 2 };
/* For a key signature: the share of the sound that must lie in its scale before the
 * scale counts, and before its tonic counts, too; and their weights, as shares of all
 * sound. */
static const double SCALE_AT = 0.65, SCALE_WEIGHT = 0.6, TONIC_AT = 0.8,
                    TONIC_WEIGHT = 0.15;

const double KEY_PROFILES[N_MODES][12] = {
    {6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88},
    {6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17},
};

/* The usual spelling of each key. */
static const char TONICS[N_MODES][12][3] = {
    {"C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"},
    {"C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"}};

static double mean(const double x[12])
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += x[i];
    return sum / 12;
}

/* Returns Pearson's coefficient for one tonic, or NAN if x is constant. */
static double correlation(const double x[12], const double profile[12], int tonic)
{
    double mx = mean(x), mp = mean(profile), xp = 0, xx = 0, pp = 0;
    for (int i = 0; i < 12; i++) {
        double a = x[(i + tonic) % 12] - mx, b = profile[i] - mp;
        xp += a * b;
        xx += a * a;
        pp += b * b;
    }
    return xx > 0 ? xp / sqrt(xx * pp) : NAN;
}

bool scale_guess_by(const double sounds[12], const double profiles[N_MODES][12],
                    struct scale *out)
{
    double best = -2;
    for (int mode = 0; mode < N_MODES; mode++)
        for (int tonic = 0; tonic < 12; tonic++) {
            double fits = correlation(sounds, profiles[mode], tonic);
            if (!(fits > best))
                continue;
            best = fits;
            const char *name = TONICS[mode][tonic];
            *out = (struct scale){.letter = name[0],
                                  .accidental = (name[1] == '#') - (name[1] == 'b'),
                                  .kind = mode ? SCALE_MINOR : SCALE_MAJOR};
        }
    return best > -2;
}

bool scale_guess(const struct score *s, int64_t from, int64_t to, struct scale *out)
{
    double sounds[12] = {0};
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes && s->tracks[t].notes[i].start < to;
             i++) {
            const struct note *n = &s->tracks[t].notes[i];
            int64_t lasts = smaller(n->start + n->length, to) - larger(n->start, from);
            if (lasts > 0 && !track_is_drums(&s->tracks[t]))
                sounds[n->pitch % 12] += (double)lasts;
        }
    return scale_guess_by(sounds, KEY_PROFILES, out);
}

struct signature signature_of(int sharps, bool is_minor)
{
    enum { MAJOR = 0xab5 }; /* pitch classes of C major */
    const int tonic = 7 * (sharps + 12) % 12;
    return (struct signature){
        .scale = (uint16_t)((MAJOR << tonic | MAJOR >> (12 - tonic)) & 0xfff),
        .tonic = (tonic + (is_minor ? 9 : 0)) % 12};
}

bool signature_weigh(const struct signature *s, double sounds[12])
{
    double all = 0, kept = 0;
    for (int i = 0; i < 12; i++) {
        all += sounds[i];
        kept += s->scale >> i & 1 ? sounds[i] : 0;
    }
    if (!s->scale || kept < SCALE_AT * all)
        return false;
    for (int i = 0; i < 12; i++)
        sounds[i] += s->scale >> i & 1 ? SCALE_WEIGHT * all / 7 : 0;
    if (kept < TONIC_AT * all)
        return false;
    sounds[s->tonic] += TONIC_WEIGHT * all;
    return true;
}
