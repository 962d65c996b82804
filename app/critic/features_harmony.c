/* Harmony: what all tracks spell together, what each adds to it, and where the bass stands.
 * See critic.h. */
#include "app/critic/critic.h"

#include <math.h>
#include <stdlib.h>

/* Quarters from a chord's start within which a note counts as beginning with it. */
#define WITH_CHORD 0.05
/* A pitch class outside the scale is the piece's own if it has this share of the given sound. */
#define OWN_CLASS  0.04

/* Roughness of intervals by semitones, octaves apart or not. */
static const double ROUGHNESS[12] = {0, 1, 0.5, 0, 0, 0.1, 0.3, 0, 0, 0, 0.2, 0.5};

static void judge_chords(const struct scene *c, double out[N_FEATURES])
{
    struct mean in_key = {0}, root_in_bass = {0};
    for (int i = 0; i < c->n_chords; i++) {
        const struct scene_chord *h = &c->chords[i];
        if (!h->is_new || h->fit <= 0)
            continue;
        /* of a triad that sounds in part the rest is a guess */
        unsigned triad = chord_classes(h->root, h->kind, 3);
        for (int class = 0; class < 12; class ++)
            triad &= h->weights[class] > 0 ? ~0u : ~(1u << class);
        mean_add(&in_key, (triad & c->scale) == triad, 1);
        if (h->low < 0)
            continue;
        mean_add(&root_in_bass,
                 h->low % 12 == scene_harmony_beside(c, i, h->low_track).bass, 1);
    }
    out[FEATURE_CHORDS_OF_KEY] = mean_of(&in_key, 0);
    out[FEATURE_BASS_ON_ROOT] = mean_of(&root_in_bass, 0);
}

/* Whether a note lies a step from the one before it and from the one after it on its track, and
 * lasts no longer than a beat. */
static bool is_passing(const struct scene *c, size_t i)
{
    const struct scene_note *n = &c->notes[i];
    const struct scene_track *t = &c->tracks[n->track];
    if (i == t->first || i + 1 == t->end || n->end - n->start > c->bars[n->bar].beat)
        return false;
    const int before = abs(n->pitch - n[-1].pitch), after = abs(n[1].pitch - n->pitch);
    return n[-1].start < n->start && n[1].start > n->start && before && before <= 2 &&
           after && after <= 2;
}

/* Time that new notes sound outside the chord that is written, or of the other tracks. */
static void judge_foreign_notes(const struct scene *c, double out[N_FEATURES])
{
    struct mean foreign = {0};
    for (int i = 0; i < c->n_chords; i++) {
        const struct scene_chord *h = &c->chords[i];
        struct scene_harmony beside = {0};
        int of_track = -1;
        for (size_t k = 0; h->is_new && k < c->n_notes; k++) {
            const struct scene_note *n = &c->notes[k];
            if (!n->is_new || n->is_hit || n->start >= h->end || n->end <= h->start)
                continue;
            if (of_track != n->track)
                beside = scene_harmony_beside(c, i, n->track);
            of_track = n->track;
            mean_add(&foreign,
                     !(beside.classes >> n->pitch % 12 & 1) && !is_passing(c, k),
                     fmin(n->end, h->end) - fmax(n->start, h->start));
        }
    }
    out[FEATURE_FOREIGN_NOTES] = mean_of(&foreign, 0);
}

/* Chords in which a minor second or ninth sounds for half a beat; and how rough intervals are,
 * by time. */
struct clash_facts {
    struct mean semitones, roughness;
};

/* Adds the interval of two notes, if it sounds in the chord and, in new bars, is the take's.
 * Returns whether it is a semitone, or some octaves more, for half a beat. */
static bool add_interval(struct clash_facts *f, const struct scene_chord *h,
                         double beat, const struct scene_note *x,
                         const struct scene_note *y)
{
    const double lasts =
        fmin(fmin(x->end, y->end), h->end) - fmax(fmax(x->start, y->start), h->start);
    const int apart = abs(x->pitch - y->pitch) % 12;
    if (y->is_hit || lasts < 0.2 * beat || (h->is_new && !x->is_new && !y->is_new))
        return false;
    mean_add(&f->roughness, ROUGHNESS[apart], lasts);
    return apart == 1 && lasts >= 0.45 * beat;
}

static void read_clashes(struct clash_facts *f, const struct scene *c, bool is_new)
{
    for (int i = 0; i < c->n_chords; i++) {
        const struct scene_chord *h = &c->chords[i];
        bool has_semitone = false;
        if (h->is_new != is_new || h->fit <= 0)
            continue;
        for (size_t k = 0; k < c->n_notes; k++) {
            const struct scene_note *x = &c->notes[k];
            if (x->is_hit || x->start >= h->end || x->end <= h->start)
                continue;
            for (size_t m = 0; m < k; m++)
                has_semitone |=
                    add_interval(f, h, c->bars[x->bar].beat, x, &c->notes[m]);
        }
        mean_add(&f->semitones, has_semitone, 1);
    }
}

static void judge_clashes(const struct scene *c, double out[N_FEATURES])
{
    struct clash_facts now = {.semitones = {0}}, given = {.semitones = {0}};
    read_clashes(&now, c, true);
    read_clashes(&given, c, false);
    out[FEATURE_SEMITONES] = mean_beyond(&now.semitones, &given.semitones);
    out[FEATURE_ROUGH] = mean_beyond(&now.roughness, &given.roughness);
}

/* Time of each pitch class, as shares. */
static void read_classes(const struct scene *c, bool is_new, double shares[12])
{
    const double sum = scene_add_sounds(c, is_new, shares);
    for (int i = 0; i < 12; i++)
        shares[i] = sum > 0 ? shares[i] / sum : 0;
}

static void judge_pitches(const struct scene *c, double out[N_FEATURES])
{
    double now[12] = {0}, given[12] = {0}, same = 0;
    struct mean outside = {0};
    read_classes(c, true, now);
    read_classes(c, false, given);
    for (int i = 0; i < 12; i++)
        same += fmin(now[i], given[i]);
    for (size_t i = 0; i < c->n_notes; i++) {
        const int class = c->notes[i].pitch % 12;
        if (c->notes[i].is_new && !c->notes[i].is_hit)
            mean_add(&outside, !(c->scale >> class & 1) && given[class] < OWN_CLASS, 1);
    }
    out[FEATURE_PITCHES_AS_GIVEN] = same;
    out[FEATURE_OUTSIDE_KEY] = mean_of(&outside, 0);
}

static bool is_tonic_chord(const struct scene *c, const struct scene_chord *h)
{
    return h->root == c->tonic && chord_is_minor(h->kind) == c->is_minor;
}

/* Whether the dominant on which the given bars end goes to the tonic or the sixth degree in
 * the first bar: 1, or -1; 0: they end otherwise. */
static double find_resolution(const struct scene *c)
{
    const struct scene_chord *end = NULL;
    const int sixth = (c->tonic + (c->is_minor ? 8 : 9)) % 12;
    int i = 0;
    for (; i < c->n_chords && !c->chords[i].is_new; i++)
        end = c->chords[i].fit > 0 ? &c->chords[i] : end;
    if (!end || end->root != (c->tonic + 7) % 12 || !chord_is_dominant(end->kind))
        return 0;
    for (; i < c->n_chords && c->chords[i].start < c->bars[c->first_new].end; i++)
        if (c->chords[i].fit > 0 &&
            (is_tonic_chord(c, &c->chords[i]) || c->chords[i].root == sixth))
            return 1;
    return -1;
}

/* What sounds from the take's last onset on. */
struct ending {
    int low, high, root, root_before; /* pitches; pitch classes, -1: none */
    double lasts;                     /* quarters */
};

/* false: nothing begins in the last bar. */
static bool read_ending(struct ending *e, const struct scene *c)
{
    const struct scene_bar *b = &c->bars[c->end_new - 1];
    double onset = -1;
    *e = (struct ending){.low = 128, .high = -1, .root = -1, .root_before = -1};
    for (size_t i = 0; i < c->n_notes; i++)
        if (!c->notes[i].is_hit && c->notes[i].bar == c->end_new - 1)
            onset = fmax(onset, c->notes[i].start);
    if (onset < b->start - WITH_CHORD)
        return false;
    for (size_t i = 0; i < c->n_notes; i++) {
        const struct scene_note *n = &c->notes[i];
        if (n->is_hit || n->start > onset + WITH_CHORD || n->end < onset + WITH_CHORD)
            continue;
        e->low = n->pitch < e->low ? n->pitch : e->low;
        e->high = n->pitch > e->high ? n->pitch : e->high;
        e->lasts = fmax(e->lasts, n->end - onset);
    }
    for (int i = 0; i < c->n_chords && c->chords[i].start <= onset; i++)
        if (c->chords[i].fit > 0) {
            e->root_before = c->chords[i].root != e->root ? e->root : e->root_before;
            e->root = c->chords[i].root;
        }
    return true;
}

/* 1: the tonic in bass and top, held, the dominant before it. Without the tonic in the bass,
 * 0. */
static double measure_close(const struct scene *c, const struct ending *e)
{
    const int third = (c->tonic + (c->is_minor ? 3 : 4)) % 12;
    const double top = e->high % 12 == c->tonic ? 1 : e->high % 12 == third ? 0.5 : 0;
    const bool has_dominant = e->root_before == (c->tonic + 7) % 12 ||
                              e->root_before == (c->tonic + 11) % 12,
               is_held = e->lasts > 1.4 * c->bars[c->end_new - 1].beat;
    return e->low % 12 == c->tonic
               ? 0.4 + 0.3 * top + 0.15 * has_dominant + 0.15 * is_held
               : 0;
}

/* Whether the take ends on the tonic or the dominant: in the bass, and a third, fifth or
 * octave of it at the top. */
static bool ends_on_degree(const struct scene *c, const struct ending *e)
{
    const int bass = (e->low - c->tonic + 12) % 12, top = (e->high - e->low) % 12;
    return (bass == 0 || bass == 7) && (top == 0 || top == 3 || top == 4 || top == 7);
}

static void judge_ending(const struct scene *c, double out[N_FEATURES])
{
    struct ending e;
    const bool ends = read_ending(&e, c);
    out[FEATURE_RESOLVES] = find_resolution(c);
    out[FEATURE_LAST_CHORD] = out[FEATURE_CLOSE] = NOT_ASKED;
    if (!c->is_hole)
        out[FEATURE_LAST_CHORD] = ends && ends_on_degree(c, &e);
    if (c->close)
        out[FEATURE_CLOSE] = ends ? measure_close(c, &e) : 0;
}

void features_harmony(const struct scene *c, double out[N_FEATURES])
{
    judge_chords(c, out);
    judge_foreign_notes(c, out);
    judge_clashes(c, out);
    judge_pitches(c, out);
    judge_ending(c, out);
}
