/* Placing pitches that are given in order, track by track: the next note of a track has
 * the next of its pitches. Each pitch has a step at which it must come at the latest if
 * those after it are to come too, and nothing that is legal goes past that. Of places. */
#ifndef MIDI_KEPT_PITCHES_H
#define MIDI_KEPT_PITCHES_H

#include "midi/tokens/hole_plan.h"
#include "midi/tokens/occupancy.h"

struct kept_pitch {
    uint8_t pitch;
    uint8_t n_chord; /* at the latest step come so many, from this one on */
    int64_t latest;  /* step */
};

struct kept_line {
    struct kept_pitch *pitches; /* in order; once begun, those that fit */
    size_t n, next;
    bool has_begun;
    int most_together;     /* notes at one onset */
    int64_t step;          /* of the last note, */
    int n_together, pitch; /* how many have come at it, and the highest */
};

struct kept_pitches {
    struct kept_pitch *pool; /* of all lines */
    struct kept_line lines[TOKEN_MAX_TRACKS];
    int64_t
        deadline; /* the first of the next pitches' latest; INT64_MAX: none is left */
};

/* `k` starts zeroed; init may be called again. No line is begun. */
enum midi_status kept_pitches_init(struct kept_pitches *k,
                                   const struct hole_plan *plan);
void kept_pitches_fini(struct kept_pitches *k);

/* The track's pitches are to come in the room, where only blocked notes are yet. Once
 * it is begun that changes nothing. */
void kept_pitches_begin(struct kept_pitches *k, int track,
                        const struct occupancy *room);
/* After each note, once it is in the room. */
void kept_pitches_pass(struct kept_pitches *k, const struct grid_note *note);

/* As the functions of occupancy of that name; the pitch is the one that is next. */
int64_t kept_pitches_next_step(const struct kept_pitches *k,
                               const struct occupancy *room, int64_t step);
bool kept_pitches_track_fits(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int low, int64_t step);
int kept_pitches_first_pitch(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int low, int64_t step);
int64_t kept_pitches_longest(const struct kept_pitches *k, const struct occupancy *room,
                             int track, int pitch, int64_t step);

#endif
