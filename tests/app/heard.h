/* Facts of scripts about what is heard, and about the music beside what it was at
 * "‹remember›". Include it after tests/check.h. */
#ifndef TESTS_APP_HEARD_H
#define TESTS_APP_HEARD_H

#include "app/editor/takes/hearing.h"
#include "tests/app/script.h"
#include "tests/midi/score_equal.h"

static struct score *remembered;
static size_t n_ghosts_then, n_gone_then;

/* The music, how many ghosts there are, and how many notes they replace. */
WORD(remember)
{
    score_destroy(remembered);
    remembered = score_clone(s->project.score);
    n_ghosts_then = n_ghosts(s);
    n_gone_then = s->request.rewritten.n_there;
}

/* Ids, too. */
static inline bool is_as_remembered(const struct session *s)
{
    bool is_so = score_equal(remembered, s->project.score);
    for (size_t t = 0; is_so && t < remembered->n_tracks; t++)
        for (size_t i = 0; i < remembered->tracks[t].n_notes; i++)
            is_so &= remembered->tracks[t].notes[i].id == note_of(s, (int)t, i)->id;
    return is_so;
}

static inline bool is_heard_as_written(const struct session *s)
{
    auto_score *heard = session_heard(s);
    return score_equal(heard, s->project.score);
}

static inline size_t n_heard(const struct session *s)
{
    auto_score *heard = session_heard(s);
    return score_n_notes(heard);
}

static inline int64_t heard_from(const struct session *s, int track)
{
    auto_score *heard = session_heard(s);
    return heard->tracks[track].notes[0].start;
}

NUMBER_FACT(as_remembered, is_as_remembered(s))
NUMBER_FACT(n_beside, n_notes(s) - n_ghosts_then) /* those ghosts */
/* Notes that neither were replaced by those ghosts nor are there. */
NUMBER_FACT(lost, score_n_notes(remembered) - n_gone_then + n_ghosts_then - n_notes(s))
NUMBER_FACT(as_many_gone, s->request.rewritten.n_there == n_gone_then)
NUMBER_FACT(heard, n_heard(s))
NUMBER_FACT(heard_beside, n_heard(s) - n_ghosts(s)) /* the take that is shown */
NUMBER_FACT(heard_from, heard_from(s, of))
NUMBER_FACT(heard_as_written, is_heard_as_written(s))
NUMBER_FACT(heard_anew, s->parts.hearing->published == UINT64_MAX)

/* Until there is a take with notes: dice may also leave a hole empty. */
WORD(wait)
{
    WAIT_FOR(s, s->has_take && !s->request.is_running);
    for (int i = 0; i < 20 && !n_ghosts(s); i++) {
        run(s, CMD_AGAIN);
        wait_for_end(s);
    }
    assert_true(n_ghosts(s) > 0);
}

#endif
