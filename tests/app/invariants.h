/* What holds of a session between any two keys. Include cmocka.h before it. */
#ifndef TESTS_APP_INVARIANTS_H
#define TESTS_APP_INVARIANTS_H

#include "app/session.h"
#include "midi/note.h"

static inline void check_notes(const struct track *t)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        assert_true(note_is_valid(&t->notes[i]));
        if (i)
            assert_true(note_compare(&t->notes[i - 1], &t->notes[i]) < 0);
    }
}

static inline void check_events(const struct chunk *c)
{
    for (size_t i = 1; i < c->n_events; i++) {
        const struct event *a = &c->events[i - 1], *b = &c->events[i];
        assert_true(a->tick < b->tick || (a->tick == b->tick && a->order <= b->order));
    }
}

static inline void check_invariants(const struct session *s)
{
    const struct score *score = s->project.score;
    for (size_t i = 0; i < score->n_tracks; i++) {
        assert_in_range(score->tracks[i].chunk, 0, score->n_chunks - 1);
        check_notes(&score->tracks[i]);
    }
    for (size_t i = 0; i < score->n_chunks; i++)
        check_events(&score->chunks[i]);
    assert_true(score->n_tracks ? s->track >= 0 && (size_t)s->track < score->n_tracks
                                : true);
    assert_in_range(s->cursor_pitch, 0, 127);
    assert_true(s->cursor_tick >= 0);
    for (size_t i = 1; i < s->n_selected; i++)
        assert_true(s->selected[i - 1] < s->selected[i]);
}

#endif
