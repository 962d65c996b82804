/* See analysis.h. */
#include "app/biases/analysis.h"

#include "app/base/draw.h"
#include "midi/base/larger.h"

#include <math.h>

int64_t steps_into_bar(const struct piece *p, size_t *meter, int64_t step)
{
    while (*meter + 1 < p->n_meters && p->meters[*meter + 1].step <= step)
        ++*meter;
    const struct grid_meter *m = &p->meters[*meter];
    return p->n_meters ? (step - m->step) % meter_steps(m->numerator, m->denominator)
                       : step % (4 * STEPS_PER_QUARTER);
}

void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end)
{
    size_t meter = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        of[t] = (struct track_facts){
            .low = 127, .onset = -1, .is_line = true, .is_apart = true};
    for (size_t i = first; i < end; i++) {
        const struct grid_note *n = &p->notes[i];
        struct track_facts *t = &of[n->track];
        t->n++;
        t->n_onsets += n->step != t->onset;
        t->low = at_most(t->low, n->pitch);
        t->high = at_least(t->high, n->pitch);
        t->sum += n->pitch;
        t->is_line = t->is_line && n->step >= t->end;
        t->is_apart = t->is_apart && (n->step == t->onset || n->step >= t->end);
        t->onset = n->step;
        t->end = at_least(t->end, n->step + n->length);
        const int in_beat =
            (int)(steps_into_bar(p, &meter, n->step) % STEPS_PER_QUARTER);
        t->at[in_beat]++;
        t->n_rides +=
            in_beat == 0 && (n->pitch == 51 || n->pitch == 53 || n->pitch == 59);
    }
}

bool tracks_swing(const struct track_facts of[TOKEN_MAX_TRACKS])
{
    int n_eighths = 0, n_triplets = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        n_eighths += of[t].at[STEPS_PER_QUARTER / 2];
        n_triplets += of[t].at[2 * STEPS_PER_QUARTER / 3];
    }
    return n_triplets > n_eighths;
}

int find_outer_track(const struct track_facts of[TOKEN_MAX_TRACKS], uint64_t tracks,
                     bool is_highest)
{
    int outer = -1;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!(tracks >> t & 1) || !of[t].n)
            continue;
        const double by = outer < 0 ? 0 : track_mean(&of[t]) - track_mean(&of[outer]);
        if (outer < 0 || (is_highest ? by > 0 : by < 0))
            outer = t;
    }
    return outer;
}

struct track_past find_past(const struct piece *p, int track, int64_t step)
{
    struct track_past past = {-1, -1, -1};
    for (size_t i = piece_note_at(p, step); i-- > 0 && past.before < 0;) {
        const struct grid_note *n = &p->notes[i];
        if (n->track == track && past.pitch >= 0)
            past.before = n->pitch;
        else if (n->track == track)
            past = (struct track_past){n->step, n->pitch, -1};
    }
    return past;
}

double add_sounds(double sounds[12], const struct piece *p, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++) {
        const double steps = piece_is_hit(p, &p->notes[i]) ? 0 : p->notes[i].length;
        sounds[p->notes[i].pitch % 12] += steps;
        sum += steps;
    }
    return sum;
}

double share_in_scale(const double sounds[12], uint16_t scale)
{
    double in = 0, all = 0;
    for (int c = 0; c < 12; c++) {
        in += scale >> c & 1 ? sounds[c] : 0;
        all += sounds[c];
    }
    return all > 0 ? in / all : 0;
}

uint64_t tracks_begin(const struct piece *p, int64_t from, int64_t to)
{
    const struct grid_note *n = NULL;
    uint64_t tracks = 0;
    while ((n = next_note(p, n, UINT64_MAX, from, to)))
        tracks |= UINT64_C(1) << n->track;
    return tracks;
}

int compare_notes_at(const struct grid_note *a, int64_t a_step,
                     const struct grid_note *b, int64_t b_step)
{
    return a_step != b_step       ? (a_step > b_step) - (a_step < b_step)
           : a->track != b->track ? a->track - b->track
                                  : a->pitch - b->pitch;
}

struct likeness compare_passages(const struct piece *p, uint64_t tracks, int64_t from,
                                 int64_t to, int64_t by)
{
    struct likeness l = {0};
    size_t i = piece_note_at(p, from), k = piece_note_at(p, from + by);
    const size_t i_end = piece_note_at(p, to), k_end = piece_note_at(p, to + by);
    while (i < i_end || k < k_end) {
        const struct grid_note *here = &p->notes[i], *there = &p->notes[k];
        const int order =
            i == i_end   ? 1
            : k == k_end ? -1
                         : compare_notes_at(here, here->step, there, there->step - by);
        const bool is_alike = order == 0;
        if (tracks >> (order > 0 ? there : here)->track & 1) {
            l.n += 1 + is_alike;
            l.n_alike += 2 * is_alike;
        }
        i += order <= 0;
        k += order >= 0;
    }
    return l;
}

/* -- the key -- */

/* Weight of the first bar's bass, as a share of all that sounds: pieces end in the key in
 * which they begin. */
#define FIRST_BASS 0.1
/* A pitch class with at least this share of the bass is the tonic: in a blues, or over a
 * drone. Found among the first MANY notes. */
#define MOST_BASS  0.6
enum { MANY = 512 };
/* Sound that is so many steps away counts half, and never less than the least: a dance that ends
 * with its trio ends in the trio's key. */
#define HALVED (32.0 * STEPS_PER_QUARTER)
#define LEAST  0.1

/* Of Albrecht & Shanahan, "The Use of Large Corpora to Train a New Type of Key-Finding Algorithm"
 * (Music Perception 31(1), 2013): they find the end of 50 of 60 held-out chorales, KEY_PROFILES
 * that of 40. */
const double KEY_SHARES[2][12] = {
    {.238, .006, .111, .006, .137, .094, .016, .214, .009, .080, .008, .081},
    {.220, .006, .104, .123, .019, .103, .012, .214, .062, .022, .061, .052},
};

static int64_t end_of(const struct grid_note *n)
{
    return (int64_t)n->step + n->length;
}

/* How long each pitch class sounds in [from, to), nearest to step `end`. */
static void add_near_sounds(double sounds[12], const struct piece *p, int64_t from,
                            int64_t to, int64_t end)
{
    const uint64_t pitched = ~piece_drums(p);
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, pitched, 0, to))) {
        const int64_t length = smaller(end_of(n), to) - larger(n->step, from);
        const double away = (double)larger(end - n->step, 0),
                     weight = LEAST + (1 - LEAST) * exp2(-away / HALVED);
        if (length > 0)
            sounds[n->pitch % 12] += (double)length * weight;
    }
}

/* How long each pitch class is the bass of the first n notes, with nothing lower that sounds
 * when it begins; returns the sum. */
static double bass_of(double low[12], const struct piece *p, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct grid_note *note = &p->notes[i];
        bool is_bass = !piece_is_hit(p, note);
        for (const struct grid_note *k = p->notes; is_bass && k < p->notes + n; k++)
            is_bass = k->pitch >= note->pitch || piece_is_hit(p, k) ||
                      k->step > note->step || end_of(k) <= note->step;
        low[note->pitch % 12] += is_bass ? note->length : 0;
        sum += is_bass ? note->length : 0;
    }
    return sum;
}

static double sum_classes(const double sounds[12])
{
    double all = 0;
    for (int i = 0; i < 12; i++)
        all += sounds[i];
    return all;
}

struct piece_key piece_key(const struct piece *p, const struct signature *signature,
                           int64_t from, int64_t to)
{
    struct piece_key key = {.tonic = -1};
    double sounds[12] = {0}, low[12] = {0}, steady[12] = {0};
    add_near_sounds(sounds, p, INT64_MIN, from, from);
    add_near_sounds(sounds, p, to, INT64_MAX, from);
    /* the bass of the four quarters from the first note on */
    const int64_t first = p->n_notes ? p->notes[0].step : 0;
    const double n_low = bass_of(low, p,
                                 piece_note_at(p, smaller(from, first + TOKEN_RADIX))),
                 heard = sum_classes(sounds);
    for (int i = 0; i < 12 && n_low > 0; i++)
        sounds[i] += FIRST_BASS * heard * low[i] / n_low;
    if (!signature_weigh(signature, sounds)) {
        /* root and fifth of a steady bass outweigh all else; the other notes decide between major and
         * minor */
        const size_t n = piece_note_at(p, from);
        const double n_steady = bass_of(steady, p, n < MANY ? n : MANY),
                     all = sum_classes(sounds);
        for (int i = 0; i < 12 && n_steady > 0; i++)
            if (steady[i] >= MOST_BASS * n_steady) {
                sounds[i] += all;
                sounds[(i + 7) % 12] += all;
            }
    }
    if (!scale_guess_by(sounds, KEY_SHARES, &key.scale)) {
        add_near_sounds(sounds, p, from, to, from);
        if (!scale_guess_by(sounds, KEY_SHARES, &key.scale))
            return key;
    }
    key.tonic = scale_tonic(&key.scale);
    key.is_minor = scale_mask(&key.scale) >> (key.tonic + 3) % 12 & 1;
    return key;
}
