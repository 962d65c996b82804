/* Checks what must hold in a session between any two keys: the rules of midi/score/score.h, and
 * that cursor, selection, modes and takes refer to what exists. Checks that need the disk or
 * the whole history are in tests/app/promises.h. Include cmocka.h before it. */
#ifndef TESTS_APP_INVARIANTS_H
#define TESTS_APP_INVARIANTS_H

#include "midi/base/ids.h"
#include "app/editor/session/edit.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/perform/answer.h"
#include "midi/score/notes.h"

#include <stdlib.h>

/* The ids of all notes of a score, ascending. */
struct all_ids {
    uint64_t *at;
    size_t n;
};

/* -- the score -- */

static inline void check_notes(const struct track *t)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        assert_true(note_is_valid(&t->notes[i]));
        if (i)
            assert_true(note_compare(&t->notes[i - 1], &t->notes[i]) < 0);
    }
}

/* The number of notes that begin while another of their pitch and track still sounds. */
static inline size_t count_overlaps(const struct score *s)
{
    size_t n = 0;
    for (size_t t = 0; t < s->n_tracks; t++) {
        int64_t sounds_to[128] = {0};
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *note = &s->tracks[t].notes[i];
            int64_t end = note->start + note->length, *to = &sounds_to[note->pitch];
            n += note->start < *to;
            *to = end > *to ? end : *to;
        }
    }
    return n;
}

static inline void check_events(const struct chunk *c)
{
    for (size_t i = 1; i < c->n_events; i++) {
        const struct event *a = &c->events[i - 1], *b = &c->events[i];
        assert_true(a->tick < b->tick || (a->tick == b->tick && a->order <= b->order));
    }
}

/* The tempo and meter maps agree with the events, as if the file had just been read. */
static inline void check_timeline(const struct score *s)
{
    struct score *again = score_clone(s);
    assert_non_null(again);
    assert_int_equal(score_update_timeline(again), MIDI_OK);
    const struct timeline *a = &s->timeline, *b = &again->timeline;
    assert_int_equal(a->n_tempos, b->n_tempos);
    for (size_t i = 0; i < a->n_tempos; i++) {
        assert_true(a->tempos[i].tick == b->tempos[i].tick);
        assert_true(a->tempos[i].us_per_quarter == b->tempos[i].us_per_quarter);
    }
    assert_int_equal(a->n_meters, b->n_meters);
    for (size_t i = 0; i < a->n_meters; i++) {
        assert_true(a->meters[i].tick == b->meters[i].tick);
        assert_int_equal(a->meters[i].numerator, b->meters[i].numerator);
        assert_int_equal(a->meters[i].denominator, b->meters[i].denominator);
    }
    score_destroy(again);
}

/* All ids; the caller frees them. No id is 0, used twice, or still to be given out. */
static inline struct all_ids check_ids(const struct score *s)
{
    struct all_ids ids = {calloc(score_n_notes(s) + 1, sizeof *ids.at), 0};
    assert_non_null(ids.at);
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            ids.at[ids.n++] = s->tracks[t].notes[i].id;
    ids_sort(ids.at, ids.n);
    for (size_t i = 0; i < ids.n; i++)
        assert_true(ids.at[i] > (i ? ids.at[i - 1] : 0));
    assert_true(!ids.n || ids.at[ids.n - 1] < s->next_id);
    return ids;
}

static inline void check_score(const struct score *score)
{
    for (size_t i = 0; i < score->n_tracks; i++) {
        assert_in_range(score->tracks[i].chunk, 0, score->n_chunks - 1);
        assert_in_range(score->tracks[i].channel, 0, 15);
        check_notes(&score->tracks[i]);
    }
    for (size_t i = 0; i < score->n_chunks; i++)
        check_events(&score->chunks[i]);
    check_timeline(score);
}

/* -- cursor, selection, modes -- */

static inline void check_places(const struct session *s)
{
    const struct score *score = s->project.score;
    assert_true(score->n_tracks
                    ? s->view.track >= 0 && (size_t)s->view.track < score->n_tracks
                    : true);
    assert_in_range(s->view.cursor.pitch, 0, 127);
    assert_true(s->view.cursor.tick >= 0);
    assert_true(s->loop.from >= 0 && s->loop.from <= s->loop.to);
    if (s->view.mode == MODE_TAKES)
        assert_true(s->has_take);
    if (s->view.mode == MODE_INSPECT)
        assert_true(s->view.inspect);
}

static inline void check_selection(const struct session *s, const struct all_ids *ids)
{
    for (size_t i = 0; i < s->selection.n; i++) {
        assert_true(!i || s->selection.ids[i - 1] < s->selection.ids[i]);
        assert_non_null(ids_find(ids->at, ids->n, s->selection.ids[i]));
    }
}

/* -- takes -- */

static inline bool ghosts_overlap(const struct ghost *a, const struct ghost *b)
{
    return a->track == b->track && a->note.pitch == b->note.pitch &&
           a->note.start < note_end(&b->note) && b->note.start < note_end(&a->note);
}

/* Of the score a ghost is no note until it is accepted. */
static inline void check_ghost(const struct session *s, const struct ghost *g,
                               const struct all_ids *ids)
{
    const struct note *n = &g->note;
    assert_true(note_is_valid(n) && n->id && n->id < s->project.score->next_id);
    assert_in_range(g->track, 0, s->project.score->n_tracks - 1);
    assert_int_equal(g->stands, ids_find(ids->at, ids->n, n->id) != NULL);
}

static inline bool is_in_hole(const struct continuation_hole *h, const struct note *n)
{
    return n->start >= h->from_tick && n->length <= h->to_tick - n->start &&
           n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi;
}

/* Of a continuation anything is. */
static inline bool is_in_request(const struct continuation_options *o,
                                 const struct ghost *g)
{
    bool is_asked = !o->tracks || o->tracks >> g->track & 1;
    return o->hole.to_tick <= 0 || (is_asked && is_in_hole(&o->hole, &g->note));
}

/* Takes stay within the request, and no two of their notes overlap. What was kept of others
 * may: of several takes, or of a continuation, whose notes may end later. */
static inline void check_take(const struct session *s, const struct proposal *t,
                              const struct all_ids *ids)
{
    const size_t n_kept = t->n_ghosts > t->n_came ? t->n_ghosts - t->n_came : 0;
    size_t n_outside = 0;
    assert_true(t->n_waiting <= t->n_ghosts);
    for (size_t k = 0; k < t->n_ghosts; k++) {
        const struct ghost *g = &t->ghosts[k];
        assert_int_equal(g->stands, k >= t->n_waiting);
        check_ghost(s, g, ids);
        n_outside += !is_in_request(&t->options, g);
        for (size_t j = 0; j < k && !n_kept; j++)
            assert_false(ghosts_overlap(&t->ghosts[j], g));
    }
    assert_true(n_outside <= n_kept);
}

static inline void check_takes(const struct session *s, const struct all_ids *ids)
{
    const struct proposals *p = &s->takes;
    if (answer_is_on(s))
        return; /* playing together does not request a hole */
    assert_in_range(p->n, 0, PROPOSALS_MAX);
    assert_true(p->shown >= -1 && p->shown < (p->n ? p->n : 1));
    assert_int_equal(s->has_take, p->n > 0);
    assert_true(s->has_take || s->request.from == s->request.to);
    for (int i = 0; i < p->n; i++)
        check_take(s, &p->list[i], ids);
}

static inline void check_invariants(const struct session *s)
{
    check_score(s->project.score);
    check_places(s);
    struct all_ids ids = check_ids(s->project.score);
    check_selection(s, &ids);
    check_takes(s, &ids);
    free(ids.at);
}

#endif
