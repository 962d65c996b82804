/* Checks the program's promises on a session's music, by copying, writing, reading and undoing
 * all of it. What plays and what is saved is what is shown. Everything undoes to the byte, and
 * redoes. A killed program reopens where it was. An accepted take changes only its hole.
 * Include invariants.h before it. */
#ifndef TESTS_APP_PROMISES_H
#define TESTS_APP_PROMISES_H

#include "tests/app/driver.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/editor/perform/answer.h"
#include "app/editor/keep/keep.h"
#include "tests/midi/score_equal.h"

struct music_bytes {
    uint8_t *at; /* freed by the caller */
    size_t n;
};

static inline struct music_bytes music_of(const struct session *s)
{
    struct music_bytes b;
    assert_int_equal(smf_write(s->project.score, &b.at, &b.n), MIDI_OK);
    return b;
}

static inline void assert_same_bytes(const struct session *s,
                                     const struct music_bytes *as)
{
    struct music_bytes now = music_of(s);
    assert_int_equal(now.n, as->n);
    assert_memory_equal(now.at, as->at, now.n);
    free(now.at);
}

/* -- hearing -- */

/* The player has the music with the shown take, without what that replaces. */
static inline void check_heard(const struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    if (s->parts.hearing->is_switching || answer_is_on(s))
        return; /* the take before plays up to the beat */
    struct score *heard = session_heard(s);
    assert_non_null(heard);
    size_t n = score_n_notes(s->project.score);
    assert_int_equal(score_n_notes(heard),
                     t ? n - s->request.rewritten.n_there + t->n_waiting : n);
    check_score(heard);
    score_destroy(heard);
}

/* -- undoing -- */

/* Undoes to the start, where the piece equals `start`, and redoes. */
static inline void check_undoes(struct session *s, const struct music_bytes *start)
{
    struct history *h = s->project.history;
    uint64_t state = history_state(h);
    struct music_bytes now = music_of(s);
    assert_int_equal(history_go(h, s->project.score, 0), MIDI_OK);
    assert_same_bytes(s, start);
    assert_int_equal(history_go(h, s->project.score, state), MIDI_OK);
    assert_same_bytes(s, &now);
    free(now.at);
}

/* -- saving -- */

/* Call right after `:w`: the file has the music that is shown. */
static inline void check_saved(const struct session *s)
{
    struct score *saved;
    assert_false(project_modified(&s->project));
    assert_int_equal(smf_load(&saved, s->project.path, NULL), MIDI_OK);
    assert_true(score_equal(saved, s->project.score));
    score_destroy(saved);
}

/* -- being killed -- */

static inline void assert_same_takes(const struct session *a, const struct session *b)
{
    assert_int_equal(a->takes.n, b->takes.n);
    assert_int_equal(a->takes.shown, b->takes.shown);
    for (int i = 0; i < a->takes.n; i++) {
        assert_int_equal(a->takes.list[i].letter, b->takes.list[i].letter);
        assert_int_equal(a->takes.list[i].n_waiting, b->takes.list[i].n_waiting);
    }
}

static inline void assert_same_session(const struct session *a, const struct session *b)
{
    assert_true(score_equal(a->project.score, b->project.score));
    assert_int_equal(history_n_states(a->project.history),
                     history_n_states(b->project.history));
    assert_int_equal(history_state(a->project.history),
                     history_state(b->project.history));
    for (size_t t = 0; t < a->project.score->n_tracks; t++)
        assert_int_equal(a->project.score->tracks[t].mute,
                         b->project.score->tracks[t].mute);
    assert_true(a->loop.from == b->loop.from && a->loop.to == b->loop.to);
    assert_same_takes(a, b);
}

/* `name` is the piece, in this folder, which is the tests'; no take is being written. */
static inline void check_reopens(struct session *s, const char *name)
{
    session_autosave_flush(s);
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    copy_piece("killed.mid", name);
    struct session *again =
        session_with((struct session_options){.model = model, .journals = true});
    assert_true(session_open(again, "killed.mid"));
    assert_same_session(s, again);
    check_invariants(again);
    close_session((void **)&again);
}

/* -- accepting -- */

/* The score before a key, into which a take may be accepted. */
struct asked_hole {
    bool is_one;
    size_t n_states; /* of the history */
    uint64_t tracks;
    struct continuation_hole hole;
};

static inline struct asked_hole asked_hole(const struct session *s)
{
    return (struct asked_hole){
        s->has_take && hole_is_asked(s), history_n_states(s->project.history),
        s->request.asked.options.tracks, s->request.asked.options.hole};
}

static inline bool is_in_asked_hole(const struct asked_hole *a, int track,
                                    const struct note *n)
{
    return a->tracks >> track & 1 && is_in_hole(&a->hole, n);
}

/* Call after the key. If it filled the hole (and is no redo of an older change), nothing else
 * may have changed. Returns whether it did. */
static inline bool check_filled(const struct session *s, const struct asked_hole *a)
{
    const struct history *h = s->project.history;
    uint64_t now = history_state(h);
    const struct change *c = now >= a->n_states ? history_at(h, now)->change : NULL;
    if (!a->is_one || !c || strncmp(c->label, "fill ", 5) != 0)
        return false;
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        assert_int_equal(e->kind, EDIT_NOTE);
        assert_true(!e->has_before || is_in_asked_hole(a, e->track, &e->before));
        assert_true(!e->has_after || is_in_asked_hole(a, e->track, &e->after));
    }
    return true;
}

#endif
