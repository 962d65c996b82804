/* See critic.h. */
#include "app/critic/critic.h"

#include <math.h>

enum { PART_BARS = 8 };

/* Shares below these are not faults. */
#define FEW_OUT     0.02
#define FEW_LOOPS   0.03

/* The share of notes in the piece's key: 96 % in real continuations on average, and less than
 * this in one of nine. The cost per unit of a missing share, in addition to the weights. */
#define MOST_IN_KEY 0.9
#define ASTRAY      40.0f
/* Drums should be as similar to the bars before as those are to each other, less this
 * tolerance for fills. The cost per unit of missing similarity. */
#define FILL        0.1
#define GROOVE      10.0f
/* The cost of an octave too far from the notes after a hole. */
#define LEAP_OUT    4.0f

float critic_merit(const struct critic *c, const float features[FEATURES_MOST],
                   float gives[FEATURES_MOST])
{
    float sum = 0;
    for (int i = 0; i < features_count(); i++) {
        const struct critic_weight *w = &c->weights[i];
        float z = w->scale > 0 ? (features[i] - w->mean) / w->scale : 0;
        z = fminf(fmaxf(z, -CRITIC_FAR), CRITIC_FAR);
        gives[i] = w->linear * z + w->square * z * z;
        sum += gives[i];
    }
    return sum;
}

/* What faults cost: a track that falls silent or drops out, a drone, notes out of range, and
 * exact repeats beyond the piece's own habit; and notes out of its key, which are none. */
static float faults(const struct critic_view *v, int *n)
{
    double out = feature_out_of_range(v), loops = feature_loops(v);
    double astray = fmax(0, MOST_IN_KEY - feature_key(v));
    double lost = fmax(0, feature_lost_groove(v) - FILL);
    *n = (int)feature_fading(v) + (int)feature_drones(v) + (out > FEW_OUT) +
         (loops > FEW_LOOPS);
    return CRITIC_FAULT * ((float)*n + (float)(out + loops)) + ASTRAY * (float)astray +
           GROOVE * (float)lost + LEAP_OUT * (float)feature_leaps_out(v) +
           CRITIC_FAULT / 2 * (float)feature_silent(v);
}

static int count_silent(const struct scene *c, size_t n_tracks)
{
    bool plays[SCENE_TRACKS] = {false};
    int n = n_tracks < SCENE_TRACKS ? (int)n_tracks : SCENE_TRACKS;
    for (size_t i = c->first_new; i < c->n_notes; i++) {
        n -= !plays[c->notes[i].track];
        plays[c->notes[i].track] = true;
    }
    return n;
}

/* A take without music before it cannot be compared. So it is judged by faults: a loop, a
 * single rhythm, few pitch classes, no key, silent tracks. The limits are near the means of
 * held-out music; limits and weights are chosen by hand. */
static void judge_alone(const struct scene *c, size_t n_tracks,
                        struct critic_verdict *out)
{
    const struct span now = {c->first_new, c->n_notes, c->from, c->to};
    struct bar_keys *keys = bar_keys_create(c, -1);
    struct repeats r;
    struct facts f;
    if (!keys)
        return;
    facts_find(&f, c, &now);
    repeats_find(&r, keys, c->first_new_bar, c->n_bars);
    bar_keys_destroy(keys);
    const double lacks = 10 * fmax(0, r.loops - 0.2) +
                         4 * fmax(0, r.before[REPEAT_RHYTHM] - 0.75) +
                         3 * fmax(0, 1.9 - f.entropy) + 10 * fmax(0, 0.9 - f.scale);
    out->merit = -(float)(lacks + 2 * count_silent(c, n_tracks));
    out->is_judged = true;
}

static void judge_passage(const struct critic *c, const struct score *s,
                          int64_t from_tick, int64_t to_tick,
                          const struct continued_note *notes, size_t n,
                          struct critic_verdict *out)
{
    float features[FEATURES_MOST], gives[FEATURES_MOST];
    struct scene scene;
    struct critic_view view;
    *out = (struct critic_verdict){0};
    if (scene_init(&scene, s, from_tick, to_tick, notes, n))
        return;
    if (!scene.first_new)
        judge_alone(&scene, s->n_tracks, out);
    else if (critic_view_find(&view, &scene)) {
        features_find(&view, features);
        out->merit = critic_merit(c, features, gives) - faults(&view, &out->n_faults);
        out->is_judged = true;
        critic_find_words(&view, features, gives, out->words);
    }
    scene_fini(&scene);
}

bool critic_part(struct critic_part *out, const struct timeline *t, int64_t from_tick,
                 int64_t to_tick, int i)
{
    const int64_t first = timeline_bar_at(t, from_tick).index,
                  n_bars = timeline_bar_at(t, to_tick - 1).index + 1 - first,
                  n = (n_bars + PART_BARS - 1) / PART_BARS;
    out->from = i > 0 ? timeline_bar(t, first + n_bars * i / n).start : from_tick;
    out->to = i + 1 < n ? timeline_bar(t, first + n_bars * (i + 1) / n).start : to_tick;
    return i < n;
}

/* A part has all bars before it. Words are of the whole. */
void critic_judge(const struct critic *c, const struct score *s, int64_t from_tick,
                  int64_t to_tick, const struct continued_note *notes, size_t n,
                  struct critic_verdict *out)
{
    struct critic_part part;
    struct critic_verdict verdict, sum = {0};
    int n_parts = 0;
    judge_passage(c, s, from_tick, to_tick, notes, n, out);
    if (!out->is_judged || !critic_part(&part, &s->timeline, from_tick, to_tick, 1))
        return;
    while (critic_part(&part, &s->timeline, from_tick, to_tick, n_parts)) {
        judge_passage(c, s, part.from, part.to, notes, n, &verdict);
        sum.merit += verdict.merit;
        sum.n_faults += verdict.n_faults;
        n_parts++;
    }
    out->merit = sum.merit / (float)n_parts;
    out->n_faults = sum.n_faults;
}
