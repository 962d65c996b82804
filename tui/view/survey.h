/* Facts about the whole score, kept between frames: an index of its notes, their
 * density for the map, its timeline events (midi/edit/timeline_events.h), and the values
 * that the lane under the roll shows.
 *
 * Notes are sorted by start, so bisection finds the first one in view. But a note that
 * sounds at the left edge may begin anywhere before it. So the survey keeps the latest
 * end of every block of 64 notes, and drawing skips blocks that have ended. For n notes
 * with k in view that takes n / 64 + k steps: some 16,000 of a million notes, a few
 * microseconds.
 *
 * The survey is made anew when the version changes. UI thread only. */
#ifndef TUI_SURVEY_H
#define TUI_SURVEY_H

#include "midi/edit/controllers.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/score.h"

enum { SURVEY_BLOCK = 64, SURVEY_BINS = 1024 };

struct control_points { /* sorted by tick */
    struct control_point *at;
    size_t n, cap;
};

/* Only survey.c changes it. */
struct survey {
    const struct score *score; /* that it is of; NULL: it is empty */
    uint64_t version;

    int64_t *ends; /* latest note end of each block, track after track */
    size_t *first; /* [n_tracks + 1] of a track's blocks */
    size_t n_tracks;
    int64_t end_tick;         /* latest note end */
    int density[SURVEY_BINS]; /* how many notes sound in each bin */

    struct timeline_events signs; /* all of the score */

    /* The values of the lane: of the track's own chunk, and of other chunks, which a format 1
     * file may hold as well. */
    struct control_points own, other;
    bool has_points;
    int track;              /* of these, */
    struct control control; /* and of this control */
};

struct survey *survey_create(void); /* NULL: out of memory */
void survey_destroy(struct survey *s);
/* Reads the score if `version` or its address changed. false: out of memory; the survey
 * is empty, and painting works, but slower. */
bool survey_update(struct survey *s, const struct score *score, uint64_t version);

/* Goes along the notes of a track that may sound in [from, to). */
struct survey_walk {
    const struct survey *survey;
    const struct score *score;
    int track;
    int64_t from, to;
    size_t next; /* 0 at first */
};
const struct note *survey_walk(struct survey_walk *w); /* NULL: there are no more */
/* The bin of a tick, clamped to the piece. */
int survey_bin(const struct survey *s, int64_t tick);
/* The key signature in force, sharps -7..7. false: the file has none up to there. */
bool survey_key_at(const struct survey *s, int64_t tick, int *sharps, bool *minor);

/* Reads the values of a control on a track's channel, unless it did so since the last
 * change of the score; call it after survey_update. track -1: none. false: out of memory,
 * and there are no values. */
bool survey_control(struct survey *s, const struct score *score, int track,
                    struct control k);

#endif
