/* See scene.h. */
#include "app/critic/scene.h"

#include "midi/edit/timeline_events.h"
#include "midi/score/general_midi.h"
#include "midi/score/scale_guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double to_quarters(const struct score *s, int64_t tick)
{
    return (double)tick / s->ticks_per_quarter;
}

/* The take's first bar is the one in which it begins; of a continuation that completes a bar,
 * the next one. */
static int64_t first_bar(const struct score *s, const struct critic_request *r)
{
    const struct bar bar = timeline_bar_at(&s->timeline, r->from_tick);
    const bool completes =
        !r->is_hole && r->from_tick > bar.start && bar.start + bar.length < r->to_tick;
    return bar.index + completes;
}

static enum midi_status make_bars(struct scene *c, const struct score *s,
                                  const struct critic_request *r)
{
    const struct timeline *t = &s->timeline;
    const int64_t first = first_bar(s, r),
                  end = timeline_bar_at(t, r->to_tick - 1).index + 1,
                  from = first > SCENE_BARS_BEFORE ? first - SCENE_BARS_BEFORE : 0,
                  to = r->is_hole ? end + SCENE_BARS_AFTER : end;
    if (end <= first)
        return MIDI_EMPTY;
    if (end - first > CONTINUATION_MAX_BARS + 1)
        return MIDI_TOO_LONG;
    c->n_bars = (int)(to - from);
    c->first_new = (int)(first - from);
    c->end_new = (int)(end - from);
    c->bars = calloc((size_t)c->n_bars + 1, sizeof *c->bars);
    if (!c->bars)
        return MIDI_NO_MEMORY;
    for (int i = 0; i < c->n_bars; i++) {
        const struct bar bar = timeline_bar(t, from + i);
        c->bars[i] = (struct scene_bar){
            .start = to_quarters(s, bar.start),
            .end = to_quarters(s, bar.start + bar.length),
            .beat = 4.0 / bar.denominator,
            .n_beats = bar.numerator,
            .is_new = i >= c->first_new && i < c->end_new,
        };
    }
    return MIDI_OK;
}

static int find_bar(const struct scene *c, double start)
{
    const double near = 1.0 / 24; /* a note that is played early is of the next bar */
    int bar = 0;
    while (bar + 1 < c->n_bars && c->bars[bar + 1].start <= start + near)
        bar++;
    return bar;
}

static void add_note(struct scene *c, const struct score *s, int track,
                     const struct note *n, bool is_new)
{
    const double start = to_quarters(s, n->start),
                 end = to_quarters(s, n->start + n->length);
    struct scene_track *t = &c->tracks[track];
    if (start >= c->bars[c->n_bars - 1].end || end <= c->bars[0].start)
        return;
    c->notes[c->n_notes++] = (struct scene_note){.start = start,
                                                 .end = end,
                                                 .track = track,
                                                 .bar = find_bar(c, start),
                                                 .pitch = n->pitch,
                                                 .is_new = is_new,
                                                 .is_hit = t->is_drums};
    t->n_given += !is_new;
    t->n_new += is_new;
}

static int compare_notes(const void *a, const void *b)
{
    const struct scene_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->pitch > y->pitch) - (x->pitch < y->pitch);
}

/* Notes are sorted: those of a track, and of a bar in it, lie together. */
static enum midi_status index_notes(struct scene *c, const struct critic_request *r)
{
    const size_t n = (size_t)c->n_bars + 1;
    size_t at = 0;
    c->bar_notes = calloc((size_t)c->n_tracks * n + 1, sizeof *c->bar_notes);
    if (!c->bar_notes)
        return MIDI_NO_MEMORY;
    for (int t = 0; t < c->n_tracks; t++) {
        struct scene_track *track = &c->tracks[t];
        track->first = at;
        for (int bar = 0; bar <= c->n_bars; bar++) {
            while (at < c->n_notes && c->notes[at].track == t && c->notes[at].bar < bar)
                at++;
            c->bar_notes[(size_t)t * n + (size_t)bar] = at;
        }
        track->end = at;
        track->is_asked =
            r->tracks ? r->tracks >> t & 1 : track->n_given || track->n_new;
    }
    return MIDI_OK;
}

static enum midi_status make_notes(struct scene *c, const struct score *s,
                                   const struct critic_request *r,
                                   const struct continued_note *notes, size_t n)
{
    size_t most = n + 1;
    c->n_tracks = s->n_tracks < SCENE_TRACKS ? (int)s->n_tracks : SCENE_TRACKS;
    for (int t = 0; t < c->n_tracks; t++)
        most += s->tracks[t].n_notes;
    c->notes = calloc(most, sizeof *c->notes);
    if (!c->notes)
        return MIDI_NO_MEMORY;
    for (int t = 0; t < c->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        c->tracks[t] = (struct scene_track){.is_drums = track_is_drums(track),
                                            .program = track->program};
        for (size_t i = 0; i < track->n_notes; i++)
            add_note(c, s, t, &track->notes[i], false);
    }
    for (size_t i = 0; i < n; i++)
        if (notes[i].track >= 0 && notes[i].track < c->n_tracks)
            add_note(c, s, notes[i].track, &notes[i].note, true);
    qsort(c->notes, c->n_notes, sizeof *c->notes, compare_notes);
    return c->n_notes ? index_notes(c, r) : MIDI_EMPTY;
}

/* -- the key: of a scale that was set, else a guess that heeds the signature -- */

/* The tonic among the two keys of a major scale: of major, or three semitones below. */
static void choose_mode(struct scene *c, const double sounds[12], int major)
{
    double worth[2] = {0, 0};
    for (int i = 0; i < 12; i++) {
        worth[0] += sounds[(major + i) % 12] * KEY_PROFILES[0][i];
        worth[1] += sounds[(major + 9 + i) % 12] * KEY_PROFILES[1][i];
    }
    c->is_minor = worth[1] > worth[0];
    c->tonic = (major + (c->is_minor ? 9 : 0)) % 12;
}

static enum midi_status find_key(struct scene *c, const struct score *s,
                                 const struct critic_request *r)
{
    const uint16_t set = r->scale;
    double sounds[12] = {0};
    struct scale guess = {.letter = 'C'};
    struct signature signature;
    const enum midi_status st = timeline_signature(s, r->from_tick, &signature);
    if (scene_add_sounds(c, false, sounds) == 0) /* the take has its own key */
        scene_add_sounds(c, true, sounds);
    if (set && set != signature.scale && scale_from_mask(set, &guess))
        choose_mode(c, sounds, scale_tonic(&guess));
    else {
        signature_weigh(&signature, sounds);
        scale_guess_by(sounds, KEY_PROFILES, &guess);
        c->tonic = scale_tonic(&guess);
        c->is_minor = guess.kind == SCALE_MINOR;
    }
    const unsigned raised = 1u << (c->tonic + 9) % 12 | 1u << (c->tonic + 11) % 12;
    c->scale = set ? set : (uint16_t)(scale_mask(&guess) | (c->is_minor ? raised : 0));
    return st;
}

double scene_add_sounds(const struct scene *c, bool is_new, double sounds[12])
{
    double sum = 0;
    for (size_t i = 0; i < c->n_notes; i++) {
        const struct scene_note *n = &c->notes[i];
        const double lasts = n->is_hit || n->is_new != is_new ? 0 : n->end - n->start;
        sounds[n->pitch % 12] += lasts;
        sum += lasts;
    }
    return sum;
}

static int find_tune(const struct scene *c)
{
    int tune = -1;
    double best = -1;
    for (int t = 0; t < c->n_tracks; t++) {
        const struct scene_track *track = &c->tracks[t];
        double sum = 0, n = 0;
        if (track->is_drums || !track->is_asked)
            continue;
        for (size_t i = track->first; i < track->end; i++)
            if (!track->n_given || !c->notes[i].is_new) {
                sum += c->notes[i].pitch;
                n++;
            }
        if (n > 0 && sum / n > best) {
            best = sum / n;
            tune = t;
        }
    }
    return tune;
}

double scene_compare_bars(const struct scene *c, int track, int a, int b)
{
    const double near = 0.05; /* quarters */
    size_t i = 0, k = 0;
    const size_t end_i = scene_bar_notes(c, track, a, &i) + i,
                 end_k = scene_bar_notes(c, track, b, &k) + k;
    int both = 0, all = 0;
    while (i < end_i || k < end_k) {
        const struct scene_note *x = &c->notes[i], *y = &c->notes[k];
        double order = i == end_i ? 1 : k == end_k ? -1 : 0;
        if (order == 0)
            order = x->start - c->bars[a].start - (y->start - c->bars[b].start);
        if (fabs(order) < near)
            order = x->pitch - y->pitch;
        both += order == 0;
        all++;
        i += order <= 0;
        k += order >= 0;
    }
    return all ? (double)both / all : 0;
}

struct critic_request critic_request_of(const struct continuation_options *o,
                                        const struct continuation_stats *stats)
{
    return (struct critic_request){.from_tick = stats->from_tick,
                                   .to_tick = stats->to_tick,
                                   .tracks = o->tracks,
                                   .scale = o->scale,
                                   .is_hole = o->hole.to_tick > 0,
                                   .close = o->hole.close};
}

enum midi_status scene_init(struct scene *scene, const struct score *s,
                            const struct critic_request *r,
                            const struct continued_note *notes, size_t n)
{
    *scene = (struct scene){.is_hole = r->is_hole, .close = r->close};
    if (r->from_tick < 0 || r->to_tick <= r->from_tick)
        return MIDI_EMPTY;
    enum midi_status st = make_bars(scene, s, r);
    if (!st)
        st = make_notes(scene, s, r, notes, n);
    scene->tune = st ? -1 : find_tune(scene);
    if (!st)
        st = find_key(scene, s, r);
    if (!st)
        st = scene_find_chords(scene, s);
    if (st)
        scene_fini(scene);
    return st;
}

void scene_fini(struct scene *scene)
{
    free(scene->notes);
    free(scene->bars);
    free(scene->bar_notes);
    free(scene->chords);
    free(scene->shares);
    *scene = (struct scene){0};
}
