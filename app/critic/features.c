/* The features of a take: harmony, rhythm, lines and form, mostly beside the given bars. See
 * critic.h. */
#include "app/critic/critic.h"

#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- means -- */

/* A mean of what was added. */
struct mean {
    double sum, weight;
};

static void mean_add(struct mean *m, double x, double weight)
{
    m->sum += x * weight;
    m->weight += weight;
}

static double mean_of(const struct mean *m, double of_nothing)
{
    return m->weight > 0 ? m->sum / m->weight : of_nothing;
}

/* By how much x is beyond a limit; 0: it is not. */
static double beyond(double x, double limit)
{
    return x > limit ? x - limit : 0;
}

/* By how much the mean of the new bars, m[1], is beyond that of the given ones, m[0]. */
static double mean_beyond(const struct mean m[2])
{
    return beyond(mean_of(&m[1], 0), mean_of(&m[0], 0));
}

static bool is_new_bar(const struct scene *c, int bar)
{
    return bar >= c->first_new && bar < c->end_new;
}

static int64_t end_of(const struct grid_note *n)
{
    return (int64_t)n->step + n->length;
}

/* -- harmony: what all tracks spell together, what each adds to it, and where the bass stands -- */

/* A pitch class outside the scale is the piece's own if it has this share of the given sound. */
#define OWN_CLASS 0.04

/* Roughness of intervals by semitones, octaves apart or not. */
static const double ROUGHNESS[12] = {0, 1, 0.5, 0, 0, 0.1, 0.3, 0, 0, 0, 0.2, 0.5};

/* Half a bar, or a bar that has no halves. */
struct part {
    int64_t from, to;
    bool is_new;
};

static int list_parts(const struct scene *c, struct part parts[SCENE_PARTS])
{
    int n = 0;
    for (int bar = 0; bar < c->n_bars; bar++) {
        const struct grid_meter *m = meter_at(&c->all, c->bars[bar]);
        const int n_halves = m->numerator % 2 == 0 && m->numerator > 2 ? 2 : 1;
        const int64_t length = c->bars[bar + 1] - c->bars[bar];
        for (int i = 0; i < n_halves; i++)
            parts[n++] = (struct part){.from = c->bars[bar] + length * i / n_halves,
                                       .to = c->bars[bar] + length * (i + 1) / n_halves,
                                       .is_new = is_new_bar(c, bar)};
    }
    return n;
}

/* Of a chord that sounds in part the rest is a guess, so that only what sounds may leave the key. */
static void judge_chords(const struct scene *c, double out[N_FEATURES])
{
    const struct chord_list *all = &c->chords[TOKEN_MAX_TRACKS];
    const uint64_t pitched = ~piece_drums(&c->all);
    struct part parts[SCENE_PARTS];
    struct mean in_key = {0}, root_in_bass = {0};
    const int n_parts = list_parts(c, parts);
    for (int i = 0; i < n_parts; i++) {
        const int64_t from = parts[i].from;
        const struct grid_note *note = NULL, *low = NULL;
        struct grid_chord chord;
        struct chord_symbol says;
        unsigned sounding = 0; /* pitch classes, bit 0 is C */
        if (!parts[i].is_new)
            continue;
        while ((note = next_note(&c->all, note, pitched, 0, parts[i].to))) {
            const int64_t end = end_of(note);
            if (end <= from)
                continue;
            sounding |= 1u << note->pitch % 12;
            /* the lowest of the notes that begin with the part */
            if (note->step < from + STEPS_PER_QUARTER / 2 &&
                end > from + STEPS_PER_QUARTER / 4 &&
                (!low || note->pitch < low->pitch))
                low = note;
        }
        const size_t n = grid_chords_until(all->of, all->n, from);
        if (!sounding)
            continue;
        if (n && grid_chord_notes(&all->of[n - 1], &says))
            mean_add(&in_key, !(says.classes & sounding & ~c->scale), 1);
        if (low && scene_chord_beside(c, low->track, from, &chord))
            mean_add(&root_in_bass, low->pitch % 12 == chord.bass, 1);
    }
    out[FEATURE_CHORDS_OF_KEY] = mean_of(&in_key, 0);
    out[FEATURE_BASS_ON_ROOT] = mean_of(&root_in_bass, 0);
}

/* Whether a note of at most a beat lies a step from the one before it and from the one after it. */
static bool is_passing(const struct scene *c, const struct grid_note *before,
                       const struct grid_note *n, const struct grid_note *after)
{
    const int beat = unit_at(&c->all, n->step);
    if (!before || !after || n->length > beat || before->step == n->step ||
        after->step == n->step)
        return false;
    const int came = abs(n->pitch - before->pitch), goes = abs(after->pitch - n->pitch);
    return came && came <= 2 && goes && goes <= 2;
}

/* Time that new notes sound outside the chord that is written, or of the other tracks. */
static void judge_foreign_notes(const struct scene *c, double out[N_FEATURES])
{
    enum { SLICE = STEPS_PER_QUARTER / 4 };
    const struct piece *p = &c->all;
    struct mean foreign = {0};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const uint64_t track = UINT64_C(1) << t;
        const struct grid_note *before = NULL, *n = NULL, *after = NULL;
        if (piece_drums(p) & track)
            continue;
        for (n = next_note(p, NULL, track, 0, INT64_MAX); n; before = n, n = after) {
            after = next_note(p, n, track, 0, INT64_MAX);
            for (int64_t at = n->step; scene_is_new(c, n) && at < end_of(n);
                 at += SLICE) {
                struct grid_chord chord;
                struct chord_symbol says;
                if (scene_chord_beside(c, t, at, &chord) &&
                    grid_chord_notes(&chord, &says))
                    mean_add(&foreign,
                             !(says.classes >> n->pitch % 12 & 1) &&
                                 !is_passing(c, before, n, after),
                             (double)smaller(SLICE, end_of(n) - at));
            }
        }
    }
    out[FEATURE_FOREIGN_NOTES] = mean_of(&foreign, 0);
}

/* Chords in which a minor second or ninth sounds for half a beat; and how rough intervals are, by time.
 * In new bars those of the take count. */
static void judge_clashes(const struct scene *c, double out[N_FEATURES])
{
    const struct piece *p = &c->all;
    const uint64_t pitched = ~piece_drums(p);
    struct part parts[SCENE_PARTS];
    struct mean semitones[2] = {{0}}, roughness[2] = {{0}};
    const int n = list_parts(c, parts);
    for (int i = 0; i < n; i++) {
        const struct part *part = &parts[i];
        const int unit = unit_at(p, part->from);
        bool sounds = false, has_semitone = false;
        for (const struct grid_note *x = NULL;
             (x = next_note(p, x, pitched, 0, part->to));) {
            if (end_of(x) <= part->from)
                continue;
            sounds = true;
            for (const struct grid_note *y = NULL;
                 (y = next_note(p, y, pitched, 0, x->step + 1)) && y < x;) {
                const int64_t lasts = smaller(smaller(end_of(x), end_of(y)), part->to) -
                                      larger(larger(x->step, y->step), part->from);
                const int apart = abs(x->pitch - y->pitch) % 12;
                if (5 * lasts < unit ||
                    (part->is_new && !scene_is_new(c, x) && !scene_is_new(c, y)))
                    continue;
                mean_add(&roughness[part->is_new], ROUGHNESS[apart], (double)lasts);
                has_semitone |= apart == 1 && (double)lasts >= 0.45 * unit;
            }
        }
        if (sounds)
            mean_add(&semitones[part->is_new], has_semitone, 1);
    }
    out[FEATURE_SEMITONES] = mean_beyond(semitones);
    out[FEATURE_ROUGH] = mean_beyond(roughness);
}

/* Returns the entropy of pitch classes by their time, in nats; 0: none sounds. */
static double entropy_of(const double sounds[12])
{
    double all = 0, sum = 0;
    for (int i = 0; i < 12; i++)
        all += sounds[i];
    for (int i = 0; i < 12; i++)
        sum -= sounds[i] > 0 ? sounds[i] / all * log(sounds[i] / all) : 0;
    return sum;
}

static void judge_pitches(const struct scene *c, double out[N_FEATURES])
{
    double now[12] = {0}, given[12] = {0}, same = 0;
    double own[12] = {0}; /* given, of the tracks that were to be written */
    const double all_now = fmax(add_sounds(now, &c->now, 0, c->now.n_notes), 1),
                 all_given = fmax(add_sounds(given, &c->given, 0, c->given.n_notes), 1);
    struct mean outside = {0};
    for (int i = 0; i < 12; i++)
        same += fmin(now[i] / all_now, given[i] / all_given);
    for (size_t i = 0; i < c->now.n_notes; i++) {
        const int class = c->now.notes[i].pitch % 12;
        if (!piece_is_hit(&c->now, &c->now.notes[i]))
            mean_add(&outside,
                     !(c->scale >> class & 1) && given[class] < OWN_CLASS * all_given,
                     1);
    }
    for (size_t i = 0; i < c->given.n_notes; i++) {
        const struct grid_note *n = &c->given.notes[i];
        if (c->asked >> n->track & 1 && !piece_is_hit(&c->given, n))
            own[n->pitch % 12] += n->length;
    }
    out[FEATURE_PITCHES_AS_GIVEN] = same;
    out[FEATURE_FEW_PITCHES] = beyond(entropy_of(own), entropy_of(now));
    out[FEATURE_OUTSIDE_KEY] = mean_of(&outside, 0);
}

/* -- the end -- */

/* Whether the dominant on which the given bars end goes to the tonic or the sixth degree in
 * the first bar: 1, or -1; 0: they end otherwise. */
static double find_resolution(const struct scene *c)
{
    const struct chord_list *all = &c->chords[TOKEN_MAX_TRACKS];
    const int64_t from = c->bars[c->first_new], to = c->bars[c->first_new + 1];
    const int sixth = (c->tonic + (c->is_minor ? 8 : 9)) % 12;
    size_t i = grid_chords_until(all->of, all->n, from - 1);
    const struct grid_chord *end = i ? &all->of[i - 1] : NULL;
    if (!end || end->root != (c->tonic + 7) % 12 ||
        (end->quality != CHORD_MAJOR && end->quality != CHORD_DOMINANT7))
        return 0;
    for (; i < all->n && all->of[i].step < to; i++)
        if (all->of[i].root == c->tonic || all->of[i].root == sixth)
            return 1;
    return -1;
}

static void judge_ending(const struct scene *c, double out[N_FEATURES])
{
    const struct piece *p = &c->all;
    const struct chord_list *chords = &c->chords[TOKEN_MAX_TRACKS];
    const uint64_t pitched = ~piece_drums(p);
    const int third = (c->tonic + (c->is_minor ? 3 : 4)) % 12,
              beat = unit_at(p, c->bars[c->end_new - 1]);
    const struct grid_note *n = NULL;
    int64_t onset = -1, lasts = 0;
    int low = 128, high = -1, root = -1, root_before = -1; /* pitches; classes */
    out[FEATURE_RESOLVES] = find_resolution(c);
    out[FEATURE_CLOSE] = c->close ? 0 : NOT_ASKED;
    while ((n = next_note(p, n, pitched, c->bars[c->end_new - 1], c->bars[c->end_new])))
        onset = n->step;
    if (!c->close || onset < 0)
        return;
    /* What sounds from the take's last onset on. */
    while ((n = next_note(p, n, pitched, 0, onset + 1)))
        if (end_of(n) > onset) {
            low = (int)smaller(low, n->pitch);
            high = (int)larger(high, n->pitch);
            lasts = larger(lasts, end_of(n) - onset);
        }
    for (size_t i = 0; i < chords->n && chords->of[i].step <= onset; i++)
        if (chords->of[i].root < 12 && chords->of[i].root != root) {
            root_before = root;
            root = chords->of[i].root;
        }
    if (low % 12 != c->tonic)
        return;
    /* 1: the tonic in bass and top, held, the dominant before it */
    const double top = high % 12 == c->tonic ? 1 : high % 12 == third ? 0.5 : 0;
    const bool has_dominant = root_before == (c->tonic + 7) % 12 ||
                              root_before == (c->tonic + 11) % 12,
               is_held = (double)lasts > 1.4 * beat;
    out[FEATURE_CLOSE] = 0.4 + 0.3 * top + 0.15 * has_dominant + 0.15 * is_held;
}

/* -- rhythm: how each track moves, compared with its given bars; and the drums -- */

enum { POSITIONS = 48 };

/* Without given drums: between praise and blame. */
#define GROOVE_NOT_ASKED 0.7

/* How a track moves in the new bars, or in the given ones. */
struct motion {
    double positions[POSITIONS]; /* of its notes in their bars, quarters of a beat */
    double a_bar[2]; /* notes, and onsets; given ones from the track's first note on */
    int n;           /* notes */
    double empty;    /* share of the bars in which nothing sounds */
};

/* Whether the track sounds in a bar; of the notes that begin in new bars the take's, if only_new. */
static bool sounds_in(const struct scene *c, uint64_t track, int bar, bool only_new)
{
    for (const struct grid_note *n = NULL;
         (n = next_note(&c->all, n, track, 0, c->bars[bar + 1]));)
        if (end_of(n) > c->bars[bar] &&
            (!only_new || scene_is_new(c, n) || n->step < c->bars[c->first_new]))
            return true;
    return false;
}

static void read_motion(struct motion *m, const struct scene *c, int t, bool is_new)
{
    const struct piece *p = is_new ? &c->now : &c->given;
    const uint64_t track = UINT64_C(1) << t;
    const struct grid_note *n = NULL,
                           *first = next_note(&c->all, NULL, track, 0, INT64_MAX);
    const bool is_asked = c->asked & track;
    int n_onsets = 0, n_bars = 0, n_empty = 0;
    int64_t last = -1;
    *m = (struct motion){.n = 0};
    while ((n = next_note(p, n, track, 0, INT64_MAX))) {
        const int64_t bar = piece_bar_start(p, piece_bar_at(p, n->step));
        const double at = (double)(n->step - bar) * 4 / STEPS_PER_QUARTER;
        m->positions[(int)fmin(POSITIONS - 1, floor(at + 0.3))]++;
        n_onsets += n->step > last;
        last = n->step;
        m->n++;
    }
    for (int i = 0; i < c->n_bars; i++) {
        /* before its entry a track has no say; one that is not asked for is given everywhere */
        const bool counts = is_new_bar(c, i) == is_new || (!is_new && !is_asked);
        if (counts && (is_new || !first || c->bars[i + 1] > first->step)) {
            n_bars++;
            n_empty += !sounds_in(c, track, i, is_new);
        }
    }
    if (n_bars) {
        m->a_bar[0] = (double)m->n / n_bars;
        m->a_bar[1] = (double)n_onsets / n_bars;
        m->empty = (double)n_empty / n_bars;
    }
}

/* The share of the notes at their positions that both have. */
static double compare_positions(const struct motion *a, const struct motion *b)
{
    double sum = 0;
    for (int i = 0; i < POSITIONS; i++)
        sum += fmin(a->positions[i] / fmax(a->n, 1), b->positions[i] / fmax(b->n, 1));
    return sum;
}

/* The logarithm of a track's notes a bar over its given ones; without given ones it is compared with
 * the others: the mean of their notes a bar. */
static double compare_density(const struct scene *c, int track,
                              const struct motion *now, const struct motion *given,
                              bool by_onsets)
{
    const uint64_t drums = piece_drums(&c->all);
    struct mean usual = {0};
    struct motion m;
    if (c->tracks_given[track].n)
        mean_add(&usual, given->a_bar[by_onsets], 1);
    else
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            if (c->tracks_given[t].n && (drums >> t & 1) == (drums >> track & 1)) {
                read_motion(&m, c, t, false);
                mean_add(&usual, m.a_bar[by_onsets], 1);
            }
    const double of = mean_of(&usual, 0);
    return of > 0 ? log((now->a_bar[by_onsets] + 0.3) / (of + 0.3)) : 0;
}

static void compare_motions(const struct scene *c, double out[N_FEATURES])
{
    struct mean empty = {0}, sparser = {0}, busier = {0}, rhythm = {0};
    double worst = 0;
    struct motion now, given;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const bool is_drums = c->all.families[t] == FAMILY_DRUMS,
                   is_given = c->tracks_given[t].n > 0;
        if (!(c->asked >> t & 1))
            continue;
        read_motion(&now, c, t, true);
        read_motion(&given, c, t, false);
        const double silent = beyond(now.empty, is_given ? given.empty : 0);
        worst = fmax(worst, silent);
        mean_add(&empty, silent, 1);
        /* A bass plays no chords; and those that accompany a tune are no more than its notes. */
        const bool is_bass = c->all.families[t] == FAMILY_BASSES,
                   is_part = !is_drums && !is_given;
        const bool by_onsets = is_bass || is_part;
        const double less = beyond(-compare_density(c, t, &now, &given, is_bass), 0),
                     more = beyond(compare_density(c, t, &now, &given, by_onsets), 0);
        mean_add(&sparser, less, 1);
        mean_add(&busier, more, 1);
        if (t == c->tune && is_given)
            out[FEATURE_TUNE_SPARSER] = less;
        if (is_given && now.n)
            mean_add(&rhythm, compare_positions(&now, &given), 1);
    }
    out[FEATURE_SILENT_PART] = worst;
    out[FEATURE_SILENCE] = mean_of(&empty, 1);
    out[FEATURE_SPARSER] = mean_of(&sparser, 0);
    out[FEATURE_BUSIER] = mean_of(&busier, 0);
    out[FEATURE_RHYTHM_AS_GIVEN] = mean_of(&rhythm, 0.5);
}

/* Hits of some keys, a string, in a bar: at that beat; or all, with beat -1. */
static int count_hits(const struct scene *c, int bar, int beat, const char *keys)
{
    const uint64_t drums = piece_drums(&c->all);
    const struct grid_note *n = NULL;
    const int unit = unit_at(&c->all, c->bars[bar]);
    int n_hits = 0;
    while ((n = next_note(&c->all, n, drums, c->bars[bar], c->bars[bar + 1])))
        n_hits += strchr(keys, n->pitch) &&
                  (beat < 0 || 5 * llabs(n->step - c->bars[bar] - beat * unit) < unit);
    return n_hits;
}

static void judge_beat(const struct scene *c, double out[N_FEATURES])
{
    static const char KICKS[] = {35, 36, 0}, SNARES[] = {37, 38, 39, 40, 0},
                      CYMBALS[] = {42, 44, 46, 51, 53, 59, 54, 70, 0};
    struct mean backbeat[2] = {{0}}, kick[2] = {{0}}, hats[2] = {{0}}; /* given, new */
    const uint64_t drums = piece_drums(&c->all) & c->asked;
    const bool heard = drums & piece_tracks(&c->given);
    if (!drums)
        return;
    for (int i = 0; i < c->n_bars; i++) {
        const int n_beats = meter_at(&c->all, c->bars[i])->numerator;
        const bool is_new = is_new_bar(c, i);
        if (n_beats == 4)
            mean_add(&backbeat[is_new],
                     (count_hits(c, i, 1, SNARES) > 0) * 0.5 +
                         (count_hits(c, i, 3, SNARES) > 0) * 0.5,
                     1);
        mean_add(&kick[is_new], count_hits(c, i, 0, KICKS) > 0, 1);
        mean_add(&hats[is_new],
                 fmin(1, (double)count_hits(c, i, -1, CYMBALS) / n_beats), 1);
    }
    out[FEATURE_BACKBEAT_LOST] =
        beyond(heard ? mean_of(&backbeat[0], 0) : 1, mean_of(&backbeat[1], 1));
    out[FEATURE_KICK_LOST] =
        beyond(heard ? mean_of(&kick[0], 0) : 1, mean_of(&kick[1], 0));
    out[FEATURE_HATS_LOST] =
        beyond(heard ? mean_of(&hats[0], 0) : 1, mean_of(&hats[1], 0));
}

/* -- lines: range, motion, breath, and how voices go together -- */

/* Returns the highest note of a track's next onset after the note n (NULL: of its first); NULL: there is
 * none. is_new: whether its lowest is the take's. */
static const struct grid_note *
next_top(const struct scene *c, const struct grid_note *n, int track, bool *is_new)
{
    const uint64_t bit = UINT64_C(1) << track;
    const struct grid_note *top = next_note(&c->all, n, bit, 0, INT64_MAX), *also = top;
    *is_new = top && scene_is_new(c, top);
    while (also && (also = next_note(&c->all, also, bit, 0, top->step + 1)))
        top = also;
    return top;
}

/* How a line moves in the new bars and in the given ones. */
static void judge_tune(const struct scene *c, double out[N_FEATURES])
{
    struct mean repeated[2] = {{0}}, seesaw[2] = {{0}},
                pitch[2] = {{0}};                        /* given, new */
    const struct grid_note *before = NULL, *last = NULL; /* of those in a row */
    bool is_new, was_new = false;
    if (c->tune < 0)
        return;
    for (const struct grid_note *x = NULL; (x = next_top(c, x, c->tune, &is_new));) {
        if (is_new != was_new)
            last = before = NULL;
        mean_add(&pitch[is_new], x->pitch, 1);
        if (last)
            mean_add(&repeated[is_new], x->pitch == last->pitch, 1);
        if (before)
            mean_add(&seesaw[is_new],
                     x->pitch == before->pitch && x->pitch != last->pitch, 1);
        before = last;
        last = x;
        was_new = is_new;
    }
    const bool heard = pitch[0].weight > 0;
    out[FEATURE_REPEATED] =
        beyond(mean_of(&repeated[1], 0), heard ? mean_of(&repeated[0], 0) : 0.2);
    out[FEATURE_SEESAW] =
        beyond(mean_of(&seesaw[1], 0), heard ? mean_of(&seesaw[0], 0) : 0.2);
    out[FEATURE_REGISTER] =
        heard && pitch[1].weight > 0
            ? fabs(mean_of(&pitch[1], 0) - mean_of(&pitch[0], 0)) / 12
            : 0;
}

/* Counts the onsets of the higher one of two voices that lie below the note of the other that sounds
 * there. */
static void count_crossed(struct mean crossed[2], const struct scene *c, int a, int b)
{
    const struct track_facts *of_a = &(c->tracks_given[a].n ? c->tracks_given
                                                            : c->tracks)[a],
                             *of_b = &(c->tracks_given[b].n ? c->tracks_given
                                                            : c->tracks)[b];
    const bool is_higher = track_mean(of_a) >= track_mean(of_b);
    const int high = is_higher ? a : b, low = is_higher ? b : a;
    bool x_is_new, y_is_new = false, next_is_new;
    const struct grid_note *y = NULL, *next = next_top(c, NULL, low, &next_is_new);
    for (const struct grid_note *x = NULL; (x = next_top(c, x, high, &x_is_new));) {
        for (; next && next->step <= x->step;
             next = next_top(c, next, low, &next_is_new)) {
            y = next;
            y_is_new = next_is_new;
        }
        if (y && end_of(y) > x->step)
            mean_add(&crossed[x_is_new || y_is_new], x->pitch < y->pitch, 1);
    }
}

/* Voices: tracks that mostly have one note at a time. */
static void judge_voices(const struct scene *c, double out[N_FEATURES])
{
    struct mean crossed[2] = {{0}}; /* given, new */
    uint64_t voices = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const struct track_facts *f = &c->tracks[t];
        if (!f->n || c->all.families[t] == FAMILY_DRUMS ||
            f->n > (int)(1.2 * f->n_onsets))
            continue;
        for (int u = 0; u < t; u++)
            if (voices >> u & 1)
                count_crossed(crossed, c, t, u);
        voices |= UINT64_C(1) << t;
    }
    out[FEATURE_CROSSED] = mean_beyond(crossed);
}

/* -- form: bars that repeat themselves or the given ones -- */

/* Likeness of a track's bars that counts as usual where none are given. */
#define USUAL_HABIT 0.5
/* Bars of that likeness are the same to the ear. */
#define SAME        0.75

/* The share of the notes of two bars of a track that both have (Jaccard), 0..1. */
static double compare_bars(const struct scene *c, int track, int a, int b)
{
    const int64_t from = c->bars[a];
    const struct likeness l = compare_passages(&c->all, UINT64_C(1) << track, from,
                                               c->bars[a + 1], c->bars[b] - from);
    const int both = l.n_alike / 2;
    return l.n ? (double)both / (l.n - both) : 0;
}

/* How like a bar is to the bar of [from, to) most like it, but for those that are new if only_given. */
static double find_likest(const struct scene *c, int track, int bar, int from, int to,
                          bool only_given)
{
    double best = 0;
    for (int i = from; i < to; i++)
        if (!only_given || !is_new_bar(c, i))
            best = fmax(best, compare_bars(c, track, bar, i));
    return best;
}

/* How like the bars [from, to) are to earlier ones of them. */
static double measure_loops(const struct scene *c, int track, int from, int to)
{
    struct mean likest = {0};
    for (int i = from; i < to; i++)
        if (next_note(&c->all, NULL, UINT64_C(1) << track, c->bars[i], c->bars[i + 1]))
            mean_add(&likest, find_likest(c, track, i, from, i, false), 1);
    return mean_of(&likest, 0);
}

/* The longest run of bars alike, counted from the second one on. */
static int find_run(const struct scene *c, int track, int from, int to)
{
    int run = 0, best = 0;
    for (int i = from + 1; i < to; i++) {
        run = compare_bars(c, track, i, i - 1) > SAME ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

static void judge_form(const struct scene *c, double out[N_FEATURES])
{
    const int from = c->first_new, to = c->end_new;
    struct mean copied = {0}, groove = {0};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const bool is_drums = c->all.families[t] == FAMILY_DRUMS,
                   is_given = c->tracks_given[t].n;
        struct mean copies = {0};
        if (!(c->asked >> t & 1) ||
            (is_drums ? !is_given : c->tracks[t].n == c->tracks_given[t].n))
            continue;
        for (int i = from; i < to; i++)
            mean_add(is_drums ? &groove : &copies,
                     find_likest(c, t, i, 0, is_drums ? c->n_bars : from, true), 1);
        if (is_drums)
            continue;
        const double habit = is_given ? measure_loops(c, t, 0, from) : USUAL_HABIT;
        mean_add(&copied, beyond(mean_of(&copies, 0), habit), 1);
        if (t != c->tune)
            continue;
        out[FEATURE_LOOPS] = beyond(measure_loops(c, t, from, to), habit);
        out[FEATURE_SAME_BAR] =
            beyond(find_run(c, t, from, to), is_given ? find_run(c, t, 0, from) : 1);
    }
    out[FEATURE_COPIES] = mean_of(&copied, 0);
    out[FEATURE_GROOVE] = mean_of(&groove, GROOVE_NOT_ASKED);
}

void features_measure(const struct scene *c, double out[N_FEATURES])
{
    memset(out, 0, N_FEATURES * sizeof *out);
    judge_chords(c, out);
    judge_foreign_notes(c, out);
    judge_clashes(c, out);
    judge_pitches(c, out);
    judge_ending(c, out);
    compare_motions(c, out);
    judge_beat(c, out);
    judge_form(c, out);
    judge_tune(c, out);
    judge_voices(c, out);
    for (int i = 0; i < N_FEATURES; i++)
        out[i] = isfinite(out[i]) ? out[i] : 0;
}
