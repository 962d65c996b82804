/* See passing_tones.h. */
#include "app/biases/passing_tones.h"

/* A tune may have thirds in a fifth of its places. */
#define MOST_AT_ONCE 1.2

enum { STEP = 2 /* semitones */ };

int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass)
{
    int tune = -1;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (t != bass && tracks[t].n > 0 && p->families[t] != FAMILY_DRUMS &&
            tracks[t].n <= MOST_AT_ONCE * tracks[t].n_onsets &&
            (tune < 0 || track_mean(&tracks[t]) > track_mean(&tracks[tune])))
            tune = t;
    return tune;
}

/* The highest pitch of the track's newest onset before a step, no longer ago than a bar; -1: none.
 */
static int last_pitch(const struct piece *p, int track, int64_t step)
{
    const int64_t bar = piece_bar_at(p, step),
                  from = step - (piece_bar_start(p, bar + 1) - piece_bar_start(p, bar));
    int pitch = -1;
    int64_t onset = from;
    for (size_t i = piece_note_at(p, step); i-- > 0 && p->notes[i].step >= onset;) {
        const struct grid_note *n = &p->notes[i];
        if (n->track == track) {
            pitch = n->pitch > pitch ? n->pitch : pitch;
            onset = n->step;
        }
    }
    return pitch;
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
    const int last =
        is_strong(chords, at) ? -1 : last_pitch(at->p, at->track, at->step);
    for (int pitch = last - STEP; last >= 0 && pitch <= last + STEP; pitch++)
        if (pitch != last && pitch >= 0 && pitch < N_PITCHES)
            at->logits[TOKEN_PITCH + pitch] =
                fmaxf(at->logits[TOKEN_PITCH + pitch], kept[pitch]);
}
