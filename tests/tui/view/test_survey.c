/* The index of notes: after any edits it finds what looking at every note finds, and the
 * map counts as one made anew does. */
#include "tests/check.h"
#include "tests/tui/noise.h"

#include "tui/view/survey.h"

enum { TRACKS = 3, EDITS = 300, PROBES = 20 };

static uint32_t seed;

static uint32_t draw(void)
{
    return noise(&seed);
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
        if (from < t->n_notes)
            assert_true(
                survey_density(survey, survey_bin(survey, t->notes[from].start)) > 0);
    }
}

static void assert_same_map(const struct survey *a, const struct survey *b)
{
    assert_int_equal(survey_end_tick(a), survey_end_tick(b));
    for (int bin = 0; bin < SURVEY_BINS; bin++)
        assert_int_equal(survey_density(a, bin), survey_density(b, bin));
}

static struct score *make_notes(int n_tracks, int n_notes)
{
    struct score *s = score_create(480);
    for (int t = 0; t < n_tracks; t++)
        score_add_track(s, "", (uint8_t)t, 0);
    for (int i = 0; i < n_notes; i++)
        add(s);
    return s;
}

/* Beside a survey made anew. */
static void assert_follows(struct survey *kept, const struct score *s, int version)
{
    struct survey *fresh = survey_create();
    assert_true(survey_update(kept, s, (uint64_t)version));
    assert_true(survey_update(fresh, s, 1));
    assert_finds(kept, s);
    assert_same_map(kept, fresh);
    survey_destroy(fresh);
}

TEST(test_follows_every_edit)
{
    seed = 11;
    struct score *s = make_notes(TRACKS, 500);
    struct survey *kept = survey_create();
    for (int i = 0; i < EDITS; i++) {
        for (uint32_t n = draw() % 4; n > 0; n--)
            edit(s);
        assert_follows(kept, s, i + 1);
    }
    survey_destroy(kept);
    score_destroy(s);
}

/* Tracks come and go, and the score may be another one altogether. */
TEST(test_follows_tracks)
{
    seed = 5;
    struct survey *kept = survey_create();
    for (int round = 0; round < 20; round++) {
        struct score *s = make_notes(TRACKS + round % 4, 40 * round);
        assert_follows(kept, s, round);
        score_destroy(s);
    }
    survey_destroy(kept);
}
