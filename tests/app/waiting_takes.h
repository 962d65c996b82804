/* A session with four bars of music and four waiting takes of two of them, and its files.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_WAITING_TAKES_H
#define TESTS_APP_WAITING_TAKES_H

#include "midi/base/array.h"
#include "midi/smf/smf.h"
#include "tests/app/asked_takes.h"
#include "app/editor/shell/shell.h"

static inline void save_as(struct session *s, const char *name)
{
    assert_true(act_save_as(s, in_folder(name), true));
    assert_false(s->message.is_error);
}

static inline void open_again(struct session *s, const char *name)
{
    act_open_line(s, in_folder(name), true); /* without what was not saved */
    assert_int_equal(s->mode, MODE_NORMAL);
}

/* Waiting ghosts have ids that no note of the score has or will have. */
static inline void assert_ids(const struct session *s)
{
    for (int i = 0; i < s->takes.n; i++)
        for (size_t k = 0; k < s->takes.list[i].n_ghosts; k++) {
            const struct ghost *g = &s->takes.list[i].ghosts[k];
            const struct note *found =
                score_find_note(s->project.score, g->track, g->note.id);
            assert_true(g->note.id > 0 && g->note.id < s->project.score->next_id);
            assert_true((found != NULL) == g->stands);
        }
}

/* Saves as another program would; takes the score. */
static inline void rewrite(const char *name, struct score *s)
{
    assert_int_equal(smf_save(s, in_folder(name)), MIDI_OK);
    score_destroy(s);
}

/* The takes and what was asked, as they were at "‹look›". */
static struct {
    struct proposals takes;
    struct generation asked;
    int64_t from, to, music_end;
    size_t n_there;
} looked;

WORD(look)
{
    for (int i = 0; i < looked.takes.n; i++) {
        free(looked.takes.list[i].ghosts);
        free(looked.takes.list[i].given);
    }
    looked.takes = s->takes;
    looked.asked = s->request.asked;
    looked.from = s->request.from;
    looked.to = s->request.to;
    looked.music_end = s->request.music_end;
    looked.n_there = s->request.rewritten.n_there;
    for (int i = 0; i < looked.takes.n; i++) {
        struct proposal *p = &looked.takes.list[i];
        p->ghosts = array_copy(p->ghosts, p->n_ghosts, sizeof *p->ghosts);
        p->given = array_copy(p->given, p->n_given, sizeof *p->given);
        assert_true(p->ghosts && p->given);
    }
}

static inline void assert_same_options(const struct continuation_options *a,
                                       const struct continuation_options *b)
{
    assert_memory_equal(&a->sampling, &b->sampling, sizeof a->sampling);
    assert_true(
        a->hole.from_tick == b->hole.from_tick && a->hole.to_tick == b->hole.to_tick &&
        a->hole.pitch_lo == b->hole.pitch_lo && a->hole.pitch_hi == b->hole.pitch_hi &&
        a->hole.min_notes == b->hole.min_notes && a->hole.close == b->hole.close);
    assert_true(a->hole.density == b->hole.density &&
                a->hole.polyphony == b->hole.polyphony &&
                a->hole.length == b->hole.length && a->hole.height == b->hole.height);
    assert_true(a->bars == b->bars && a->style == b->style && a->tracks == b->tracks &&
                a->max_polyphony == b->max_polyphony && a->n_takes == b->n_takes &&
                a->guidance == b->guidance && a->scale == b->scale);
    assert_true(a->keep == b->keep && a->stays == b->stays &&
                a->stays_seed == b->stays_seed);
}

static inline void assert_same_stats(const struct continuation_stats *a,
                                     const struct continuation_stats *b)
{
    assert_true(a->from_tick == b->from_tick && a->to_tick == b->to_tick &&
                a->at_tick == b->at_tick && a->n_tokens == b->n_tokens &&
                a->log_prob == b->log_prob && a->own_log_prob == b->own_log_prob &&
                a->masked == b->masked && a->closes == b->closes &&
                a->is_done == b->is_done && a->n_chords == b->n_chords);
    assert_memory_equal(&a->motif, &b->motif, sizeof a->motif);
    for (int i = 0; i < a->n_chords; i++) {
        const struct planned_chord *x = &a->chords[i], *y = &b->chords[i];
        assert_true(x->tick == y->tick && x->root == y->root && x->flats == y->flats &&
                    x->quality == y->quality && x->bass == y->bass);
    }
}

static inline void assert_same_ghosts(const struct proposal *a,
                                      const struct proposal *b)
{
    assert_int_equal(a->n_ghosts, b->n_ghosts);
    assert_int_equal(a->n_waiting, b->n_waiting);
    for (size_t i = 0; i < a->n_ghosts; i++) {
        struct ghost x = a->ghosts[i], y = b->ghosts[i];
        x.note.id = y.note.id = 0;
        assert_memory_equal(&x.note, &y.note, sizeof x.note);
        assert_true(x.track == y.track && x.probability == y.probability &&
                    x.is_kept == y.is_kept && x.stands == y.stands);
    }
}

static inline void assert_same_choices(const struct proposal *a,
                                       const struct proposal *b)
{
    assert_int_equal(a->n_given, b->n_given);
    for (size_t i = 0; i < a->n_given; i++)
        assert_int_equal(a->given[i], b->given[i]);
    assert_int_equal(a->n_muted, b->n_muted);
    for (size_t i = 0; i < a->n_muted; i++)
        assert_true(a->muted[i].kind == b->muted[i].kind &&
                    a->muted[i].layer == b->muted[i].layer &&
                    a->muted[i].head == b->muted[i].head);
}

static inline void assert_same_motif(const struct continuation_motif *a,
                                     const struct continuation_motif *b)
{
    assert_true(a->kind == b->kind && a->tracks == b->tracks &&
                a->from_tick == b->from_tick && a->to_tick == b->to_tick &&
                a->pitch_lo == b->pitch_lo && a->pitch_hi == b->pitch_hi);
}

/* All is as it was when it was looked at. */
WORD(as_looked)
{
    const struct proposals *a = &looked.takes, *b = &s->takes;
    assert_true(a->n == b->n && a->n_letters == b->n_letters && a->shown == b->shown);
    for (int i = 0; i < a->n; i++) {
        const struct proposal *x = &a->list[i], *y = &b->list[i];
        assert_true(x->letter == y->letter && x->liking == y->liking &&
                    x->rank == y->rank && x->n_came == y->n_came &&
                    x->style == y->style && x->model_hash == y->model_hash);
        assert_string_equal(x->model_name, y->model_name);
        assert_same_options(&x->options, &y->options);
        assert_same_motif(&x->options.motif, &y->options.motif);
        assert_same_stats(&x->stats, &y->stats);
        assert_same_ghosts(x, y);
        assert_int_equal(y->slot, -1);
        assert_same_choices(x, y);
    }
    looked.asked.options.n_takes = s->request.asked.options.n_takes; /* told anew */
    assert_int_equal(looked.asked.bars, s->request.asked.bars);
    assert_same_options(&looked.asked.options, &s->request.asked.options);
    assert_same_motif(&looked.asked.options.motif, &s->request.asked.options.motif);
    assert_true(looked.from == s->request.from && looked.to == s->request.to &&
                looked.n_there == s->request.rewritten.n_there);
    assert_ids(s);
}

#endif
