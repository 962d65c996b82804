/* The index of notes: after any edits it finds what looking at every note finds, and the
 * map counts as one made anew does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/view/survey.h"

#include <stdlib.h>

enum { TRACKS = 3, EDITS = 300, PROBES = 20 };

static uint32_t seed;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void add(struct score *s)
{
    struct note n = {.start = draw() % 20000,
                     .length = draw() % 5 ? draw() % 300 : draw() % 15000,
                     .pitch = (uint8_t)(draw() % 128),
                     .velocity = 64};
    assert_true(score_add_note(s, (int)(draw() % TRACKS), n) != 0);
}

static void edit(struct score *s)
{
    int track = (int)(draw() % TRACKS);
    const struct track *t = &s->tracks[track];
    if (draw() % 3 || !t->n_notes)
        add(s);
    else
        assert_true(score_remove_note(s, track, t->notes[draw() % t->n_notes].id));
}

static int64_t end_of(const struct note *n)
{
    return n->start + (n->length ? n->length : 1);
}

static void assert_finds(const struct survey *survey, const struct score *s)
{
    for (int i = 0; i < PROBES; i++) {
        int track = (int)(draw() % TRACKS);
        const struct track *t = &s->tracks[track];
        int64_t tick = draw() % 22000;
        size_t from = draw() % (t->n_notes + 1), want = from;
        while (want < t->n_notes && end_of(&t->notes[want]) <= tick)
            want++;
        assert_int_equal(survey_next_note(survey, s, track, from, tick), want);
    }
}

static void assert_same_map(const struct survey *a, const struct survey *b)
{
    assert_int_equal(survey_end_tick(a), survey_end_tick(b));
    assert_int_equal(survey_densest(a), survey_densest(b));
    for (int bin = 0; bin < SURVEY_BINS; bin++)
        assert_int_equal(survey_density(a, bin), survey_density(b, bin));
}

static void test_follows_every_edit(void **state)
{
    (void)state;
    seed = 11;
    struct score *s = score_create(480);
    struct survey *kept = survey_create();
    for (int t = 0; t < TRACKS; t++)
        score_add_track(s, "", (uint8_t)t, 0);
    for (int i = 0; i < 500; i++)
        add(s);
    for (int i = 0; i < EDITS; i++) {
        struct survey *fresh = survey_create();
        for (uint32_t n = draw() % 4; n > 0; n--)
            edit(s);
        assert_true(survey_update(kept, s, (uint64_t)i + 1));
        assert_true(survey_update(fresh, s, 1));
        assert_finds(kept, s);
        assert_same_map(kept, fresh);
        survey_destroy(fresh);
    }
    survey_destroy(kept);
    score_destroy(s);
}

/* Tracks come and go, and the score may be another one altogether. */
static void test_follows_tracks(void **state)
{
    (void)state;
    seed = 5;
    struct survey *kept = survey_create();
    for (int round = 0; round < 20; round++) {
        struct score *s = score_create(480);
        struct survey *fresh = survey_create();
        for (int t = 0; t < TRACKS + round % 4; t++)
            score_add_track(s, "", (uint8_t)t, 0);
        for (int i = 0; i < 40 * round; i++)
            add(s);
        assert_true(survey_update(kept, s, (uint64_t)round));
        assert_true(survey_update(fresh, s, 1));
        assert_finds(kept, s);
        assert_same_map(kept, fresh);
        survey_destroy(fresh);
        score_destroy(s);
    }
    survey_destroy(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_every_edit),
        cmocka_unit_test(test_follows_tracks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
