/* What the notes of a take have to be, told from what was asked alone: each lies in its hole, on a
 * track that it may have, over nothing that sounds, and they come in order. The one place where
 * tests say so. Include cmocka.h before it. */
#ifndef TESTS_APP_TAKE_CHECKS_H
#define TESTS_APP_TAKE_CHECKS_H

#include "app/decoding/continuation.h"
#include "midi/score/general_midi.h"

static char checked[4200]; /* which take it is, for messages */

#define HOLDS(what)                                                                    \
    do {                                                                               \
        if (!(what))                                                                   \
            fail_msg("%s: %s", checked, #what);                                        \
    } while (0)

static inline bool asks_for_hole(const struct continuation_options *o)
{
    return o->hole.to_tick > 0;
}

static inline bool has_drums(const struct score *s, int track)
{
    return track < (int)s->n_tracks && s->tracks[track].channel == GM_DRUM_CHANNEL;
}

/* The model hears something of it. */
static inline bool is_heard(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    bool any = false;
    for (size_t i = 0; i < t->n_notes; i++)
        any = any || !has_drums(s, track) || is_hit_key(t->notes[i].pitch);
    return any && !t->mute;
}

static inline bool may_have(const struct score *s, const struct continuation_options *o,
                            int track)
{
    if (s->n_tracks == 0) /* one is added for what goes on, and for no hole */
        return track == 0 && !asks_for_hole(o);
    if (track < 0 || track >= (int)s->n_tracks)
        return false;
    const bool is_named = o->tracks >> track & 1;
    if (asks_for_hole(o))
        return o->tracks ? is_named
                         : s->tracks[track].n_notes > 0 && !s->tracks[track].mute;
    bool any = false, any_named = false;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        any = any || is_heard(s, t);
        any_named = any_named || (is_heard(s, t) && o->tracks >> t & 1);
    }
    return !any || (is_heard(s, track) && (is_named || !any_named));
}

/* A continuation begins after it, though notes may ring on. */
static inline int64_t last_onset(const struct score *s)
{
    int64_t last = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            if (s->tracks[t].notes[i].start > last)
                last = s->tracks[t].notes[i].start;
    return last;
}

static inline void check_place(const struct score *s,
                               const struct continuation_options *o,
                               const struct continuation_stats *stats,
                               const struct continued_note *n)
{
    const int64_t start = n->note.start, stop = start + n->note.length;
    HOLDS(may_have(s, o, n->track));
    HOLDS(n->is_hit == has_drums(s, n->track));
    HOLDS(n->is_hit ? is_hit_key(n->note.pitch)
                    : !o->scale || o->scale >> n->note.pitch % 12 & 1);
    HOLDS(n->note.velocity >= 1 && n->note.velocity < 128 && n->note.pitch < 128);
    HOLDS(n->note.length > 0);
    if (asks_for_hole(o)) {
        HOLDS(start >= o->hole.from_tick && stop <= o->hole.to_tick);
        HOLDS(n->note.pitch >= o->hole.pitch_lo && n->note.pitch <= o->hole.pitch_hi);
    } else {
        HOLDS(start >= stats->from_tick && stop <= stats->to_tick);
        HOLDS(start >= (o->end_tick ? o->begin_tick : last_onset(s)));
    }
}

static inline bool overlap(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < b->start + b->length &&
           b->start < a->start + a->length;
}

/* Off all that stands and all that was written before it, in as many voices as may sound. */
static inline void check_alone(const struct score *s,
                               const struct continuation_options *o,
                               const struct continued_note *notes, size_t at)
{
    const struct continued_note *n = &notes[at];
    int n_sounding = 1;
    for (size_t i = 0; i < at; i++) {
        if (notes[i].track != n->track || notes[i].take != n->take)
            continue;
        HOLDS(!overlap(&n->note, &notes[i].note));
        n_sounding += notes[i].note.start + notes[i].note.length > n->note.start;
    }
    HOLDS(o->max_polyphony == 0 || n->is_hit || n_sounding <= o->max_polyphony);
    if (n->track >= (int)s->n_tracks)
        return;
    const struct track *track = &s->tracks[n->track];
    for (size_t i = 0; i < track->n_notes; i++)
        HOLDS(!overlap(&n->note, &track->notes[i]));
}

/* Of one take or several. Where the model hears nothing a band may begin, whose instruments come in
 * turn. */
static inline void check_notes(const struct score *s,
                               const struct continuation_options *o,
                               const struct continuation_stats *stats,
                               const struct continued_note *notes, size_t n)
{
    bool any = false;
    for (int t = 0; t < (int)s->n_tracks; t++)
        any = any || is_heard(s, t);
    const bool in_turn = o->is_band || (!any && !asks_for_hole(o));
    for (size_t i = 0; i < n; i++) {
        check_place(s, o, stats, &notes[i]);
        check_alone(s, o, notes, i);
        HOLDS(i == 0 || in_turn || notes[i].take != notes[i - 1].take ||
              notes[i].note.start >= notes[i - 1].note.start);
    }
}

#endif
