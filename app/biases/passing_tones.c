/* See passing_tones.h. */
#include "app/biases/passing_tones.h"

/* A tune may have thirds in a fifth of its places. */
#define MOST_AT_ONCE 1.2

enum { STEP = 2 /* semitones */ };

int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass)
{
    uint64_t lines = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        lines |=
            (uint64_t)(t != bass && tracks[t].n <= MOST_AT_ONCE * tracks[t].n_onsets)
            << t;
    return find_outer_track(tracks, lines & ~piece_drums(p), true);
}

static bool is_strong(const struct chord_bias *chords, const struct place *at)
{
    const struct grid_chord *chord = chord_bias_in_force(chords, at->step);
    return at->step == at->bar || 2 * (at->step - at->bar) == at->next_bar - at->bar ||
           (chord && chord->step == at->step);
}

void passing_tones_free(const struct chord_bias *chords, const struct place *at,
                        const float *kept)
{
    if (is_strong(chords, at))
        return;
    const struct track_past past = find_past(at->p, at->track, at->step);
    const bool is_near = past.step >= at->step - (at->next_bar - at->bar); /* a bar */
    const int last = is_near ? past.pitch : -1;
    for (int pitch = last - STEP; last >= 0 && pitch <= last + STEP; pitch++)
        if (pitch != last && pitch >= 0 && pitch < N_PITCHES)
            at->logits[TOKEN_PITCH + pitch] =
                fmaxf(at->logits[TOKEN_PITCH + pitch], kept[pitch]);
}
