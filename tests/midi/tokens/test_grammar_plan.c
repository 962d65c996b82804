/* A hole that keeps a rhythm has just its slots, but those that nothing fits; one that
 * keeps pitches has them all, in order, but those that can no longer come: whatever is
 * sampled. The rest of what test_grammar_fill.c shows holds too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/tokens/hole_run.h"
#include "tests/midi/tokens/plan_oracle.h"

enum { N_HOLES = 10000, N_TAUGHT = 3000, MAX_PLAN = 48 };

/* Most are tracks of the hole. */
static int random_track(const struct fill_request *q, uint64_t *r)
{
    int track = random_below(r, 10);
    bool is_any = random_below(r, 8) == 0;
    while (!is_any && !(q->tracks >> track & 1))
        track = (track + 1) % TOKEN_MAX_TRACKS;
    return track;
}

/* Close together, in the hole and a little about it; many in chords. */
static size_t random_notes(const struct fill_request *q, struct grid_note *notes,
                           uint64_t *r)
{
    int n = random_below(r, random_below(r, 4) ? 12 : MAX_PLAN);
    int spread = smaller(q->pitch_hi - q->pitch_lo + 1, 1 + random_below(r, 128));
    for (int i = 0; i < n; i++) {
        int32_t step = q->from - 1 + random_below(r, q->to - q->from + 2);
        bool joins = i > 0 && random_below(r, 2);
        notes[i] = (struct grid_note){
            .step = joins      ? notes[i - 1].step
                    : step < 0 ? 0
                               : step,
            .length = random_below(r, 8) ? 1 + random_below(r, 12) : random_length(r),
            .track = (uint8_t)(joins ? notes[i - 1].track : random_track(q, r)),
            .pitch = (uint8_t)(q->pitch_lo + random_below(r, spread)),
        };
    }
    return (size_t)n;
}

/* Hits take a step, as they will when they come. */
static void make_plan(struct hole_plan *plan, enum hole_plan_kind kind,
                      const struct fill *f, uint64_t *r)
{
    struct grid_note notes[MAX_PLAN];
    size_t n = random_notes(&f->request, notes, r);
    enum midi_status st = kind == HOLE_PLAN_RHYTHM ? hole_plan_rhythm(plan, notes, n)
                                                   : hole_plan_pitches(plan, notes, n);
    assert_int_equal(st, MIDI_OK);
    assert_int_equal(plan->kind, kind);
    for (size_t i = 0; i < plan->n_notes; i++)
        if (piece_is_hit(&f->around, &plan->notes[i]))
            plan->notes[i].length = HIT_STEPS;
}

/* Checks that the notes from *next on are this chord's, and goes past them. */
static void check_chord(struct chord *c, const struct piece *inside, size_t *next)
{
    int low = 0, left = c->voices;
    chord_count(c);
    for (int i = 0; i < c->n; i++) {
        if (!chord_takes_any(c, i, low, left))
            continue;
        assert_true(*next < inside->n_notes);
        const struct grid_note *n = &inside->notes[(*next)++];
        assert_true(begin_together(n, &c->slots[i]));
        assert_int_equal(n->length, c->slots[i].length);
        assert_true(chord_takes(c, i, low, n->pitch, left));
        low = n->pitch + 1;
        left--;
    }
}

static int count_voices_left(const struct asked *a, const struct piece *before,
                             const struct grid_note *slot)
{
    int most = a->hole.max_polyphony[slot->track];
    int sounding = count_sounding(before, slot->track, slot->step);
    return most == 0 ? N_PITCHES : most > sounding ? most - sounding : 0;
}

static void check_rhythm(const struct asked *a, const struct hole_plan *plan,
                         const struct piece *inside)
{
    static struct chord c;
    size_t next = 0, i = 0;
    while (i < plan->n_notes) {
        const struct grid_note *slots = &plan->notes[i];
        const struct piece before = {.notes = inside->notes, .n_notes = next};
        c.asked = a;
        c.before = &before;
        c.slots = slots;
        for (c.n = 0; i < plan->n_notes && begin_together(slots, &plan->notes[i]); i++)
            c.n++;
        c.voices = count_voices_left(a, &before, slots);
        check_chord(&c, inside, &next);
    }
    assert_int_equal(next, inside->n_notes);
}

/* The next note of that track from *i on; NULL: none. */
static const struct grid_note *next_of_track(const struct piece *p, int track,
                                             size_t *i)
{
    while (*i < p->n_notes && p->notes[*i].track != track)
        ++*i;
    return *i < p->n_notes ? &p->notes[(*i)++] : NULL;
}

static void check_line(const struct asked *a, const struct hole_plan *plan, int track,
                       const struct piece *inside)
{
    static struct line l;
    const struct piece list = {.notes = plan->notes, .n_notes = plan->n_notes};
    const struct grid_note *given, *n;
    size_t i = 0, k = 0;
    int voices = a->hole.max_polyphony[track], most = plan->most_together[track];
    l.asked = a;
    l.track = track;
    l.n = 0;
    l.most_together = voices > 0 ? smaller(voices, most) : most;
    while ((given = next_of_track(&list, track, &i)) != NULL)
        if (line_goes_on(&l, given->pitch)) {
            n = next_of_track(inside, track, &k);
            assert_non_null(n);
            assert_int_equal(n->pitch, given->pitch);
        }
    assert_null(next_of_track(inside, track, &k));
}

static void check_pitches(const struct asked *a, const struct hole_plan *plan,
                          const struct piece *inside)
{
    int together = 0;
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *n = &inside->notes[i];
        together = i > 0 && begin_together(n - 1, n) ? together + 1 : 1;
        assert_true(together <= plan->most_together[n->track]);
    }
    for (int track = 0; track < TOKEN_MAX_TRACKS; track++)
        check_line(a, plan, track, inside);
}

/* Returns how many notes were sampled. */
static size_t check(const struct run *run, const struct hole_plan *plan)
{
    struct fill back;
    assert_int_equal(fill_decode(&back, run->ids, run->n), MIDI_OK);
    assert_true(pieces_equal(&back.around, &run->asked.fill.around));
    run_check_notes(run, &back.inside);
    if (plan->kind == HOLE_PLAN_RHYTHM)
        check_rhythm(&run->asked, plan, &back.inside);
    else
        check_pitches(&run->asked, plan, &back.inside);
    size_t n = back.inside.n_notes;
    fill_fini(&back);
    return n;
}

static void every_hole_keeps_its_plan(void **state)
{
    (void)state;
    struct run *run = run_create();
    int n = count_holes(N_HOLES);
    size_t n_given = 0, n_kept = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i; /* each hole can be had again by itself */
        enum chooser how = (enum chooser)(i % N_CHOOSERS);
        struct hole_plan plan;
        run_make_hole(run, how, &r);
        make_plan(&plan, i / N_CHOOSERS % 2 ? HOLE_PLAN_RHYTHM : HOLE_PLAN_PITCHES,
                  &run->asked.fill, &r);
        assert_int_equal(grammar_keep(run->g, &plan), MIDI_OK);
        n_given += plan.n_notes;
        run_ask(run);
        run_sample(run, how, &r);
        n_kept += check(run, &plan);
        hole_plan_fini(&plan);
        fill_fini(&run->asked.fill);
    }
    assert_in_range(n_kept, n_given / 10, n_given * 9 / 10);
    run_destroy(run);
}

/* On sixteenths from the hole's beginning to its end. */
static void align(struct fill *f)
{
    struct fill_request *q = &f->request;
    q->to -= (q->to - q->from) % 6;
    if (q->to == q->from)
        q->to = smaller(q->from + 6, FILL_MAX_STEP);
    for (size_t i = 0; i < f->inside.n_notes; i++) {
        struct grid_note *n = &f->inside.notes[i];
        n->step = smaller(n->step, q->to - 1);
        n->step -= (n->step - q->from) % 6;
        n->length = smaller(n->length, q->to - n->step);
    }
    piece_sort(&f->inside);
}

static void keep_own(struct run *run, enum hole_plan_kind kind)
{
    const struct piece *own = &run->asked.fill.inside;
    struct hole_plan plan;
    enum midi_status st = kind == HOLE_PLAN_RHYTHM
                              ? hole_plan_rhythm(&plan, own->notes, own->n_notes)
                              : hole_plan_pitches(&plan, own->notes, own->n_notes);
    assert_int_equal(st, MIDI_OK);
    assert_int_equal(grammar_keep(run->g, &plan), MIDI_OK);
    hole_plan_fini(&plan);
}

/* The notes themselves come, and then the end, which nothing puts off. */
static void teach(struct run *run)
{
    uint8_t allowed[TOKEN_COUNT];
    struct tokens t;
    run_ask(run);
    assert_int_equal(fill_encode(&t, &run->asked.fill, true), MIDI_OK);
    for (size_t k = run->n_asked; k < t.n; k++) {
        bool is_last = k + 1 == t.n;
        int n = grammar_allow(run->g, allowed);
        assert_true(allowed[t.id[k]]);
        assert_int_equal(allowed[TOKEN_FILL_END], is_last);
        assert_true(!is_last || n == 1);
        assert_int_equal(grammar_feed(run->g, t.id[k]), MIDI_OK);
    }
    assert_true(grammar_done(run->g));
    tokens_fini(&t);
}

/* Notes that fit keep their own plan; of pitches on sixteenths, as they are paced, and
 * with voices enough. */
static void what_a_plan_came_from_is_allowed(void **state)
{
    (void)state;
    struct run *run = run_create();
    for (int i = 0; i < N_TAUGHT; i++) {
        uint64_t r = (uint64_t)i;
        enum hole_plan_kind kind = i % 2 ? HOLE_PLAN_RHYTHM : HOLE_PLAN_PITCHES;
        run->asked.fill = random_fill(&r);
        random_inside(&run->asked.fill, &r);
        if (kind == HOLE_PLAN_PITCHES)
            align(&run->asked.fill);
        run->asked.hole = hole_from_request(&run->asked.fill.request);
        run->asked.hole.drums = piece_drums(&run->asked.fill.around);
        run->asked.n_blocked = 0;
        run_keep_what_fits(run);
        if (kind == HOLE_PLAN_PITCHES)
            hole_free_tracks(&run->asked.hole);
        grammar_start(run->g, &run->asked.hole);
        keep_own(run, kind);
        teach(run);
        fill_fini(&run->asked.fill);
    }
    run_destroy(run);
}

/* A bar of 4/4 with nothing around, asked to be filled from 0 to `to`, pitches 60 to
 * 62, on two tracks. The hole wants many notes, but a plan does not heed that. */
static struct grammar *ask_by_hand(const struct hole_plan *plan, int to)
{
    const struct hole h = {.to = 96,
                           .pitch_lo = 60,
                           .pitch_hi = 62,
                           .tracks = {true, true},
                           .high = {127, 127},
                           .min_notes = 1000};
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    assert_int_equal(grammar_keep(g, plan), MIDI_OK);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_TRACK + 1);
    FEED(g, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3, TOKEN_DEN + 2);
    FEED(g, TOKEN_POS, TOKEN_HOLE, TOKEN_POS + to, TOKEN_RESUME);
    FEED(g, TOKEN_FILL, TOKEN_POS, TOKEN_POS + to, TOKEN_PITCH + 60, TOKEN_PITCH + 62);
    FEED(g, TOKEN_TRACK, TOKEN_TRACK + 1);
    return g;
}

static void assert_forced(const struct grammar *g, int32_t token)
{
    uint8_t allowed[TOKEN_COUNT];
    assert_int_equal(grammar_allow(g, allowed), 1);
    assert_true(allowed[token]);
}

/* Two notes together, one on the other track, and one that lasts too long. */
static void a_rhythm_by_hand(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 12, .length = 24, .pitch = 1},
                                      {.step = 12, .length = 30, .pitch = 2},
                                      {.step = 48, .length = 7, .track = 1},
                                      {.step = 60, .length = 31}};
    uint8_t allowed[TOKEN_COUNT];
    struct hole_plan plan;
    assert_int_equal(hole_plan_rhythm(&plan, notes, 4), MIDI_OK);
    struct grammar *g = ask_by_hand(&plan, 90);
    hole_plan_fini(&plan);
    assert_forced(g, TOKEN_POS + 12);
    FEED(g, TOKEN_POS + 12);
    assert_forced(g, TOKEN_TRACK);
    FEED(g, TOKEN_TRACK);
    assert_int_equal(grammar_allow(g, allowed), TOKEN_VELOCITIES);
    FEED(g, TOKEN_VEL + 5);
    assert_int_equal(grammar_allow(g, allowed), 2); /* the other one is to be higher */
    assert_int_equal(count(allowed, TOKEN_PITCH + 60, 2), 2);
    FEED(g, TOKEN_PITCH + 60);
    assert_forced(g, TOKEN_DUR + 23);
    FEED(g, TOKEN_DUR + 23);
    assert_int_equal(grammar_allow(g, allowed), TOKEN_VELOCITIES - 1 + 2);
    assert_int_equal(count(allowed, TOKEN_PITCH + 61, 2), 2);
    FEED(g, TOKEN_PITCH + 62);
    assert_forced(g, TOKEN_DUR + 29);
    FEED(g, TOKEN_DUR + 29);
    assert_forced(g, TOKEN_POS + 48);
    FEED(g, TOKEN_POS + 48);
    assert_forced(g, TOKEN_TRACK + 1);
    FEED(g, TOKEN_TRACK + 1, TOKEN_VEL + 5, TOKEN_PITCH + 60, TOKEN_DUR + 6);
    assert_forced(g, TOKEN_FILL_END);
    grammar_destroy(g);
}

/* 60 60 62, and 59 that is out of range, in four sixteenths: 62 comes by the last, the
 * others a sixteenth before what follows, each. */
static void pitches_by_hand(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 0, .length = 1, .pitch = 60},
                                      {.step = 5, .length = 1, .pitch = 59},
                                      {.step = 6, .length = 1, .pitch = 60},
                                      {.step = 9, .length = 1, .pitch = 62}};
    uint8_t allowed[TOKEN_COUNT];
    struct hole_plan plan;
    assert_int_equal(hole_plan_pitches(&plan, notes, 4), MIDI_OK);
    struct grammar *g = ask_by_hand(&plan, 24);
    hole_plan_fini(&plan);
    assert_int_equal(grammar_allow(g, allowed), 7);
    assert_int_equal(count(allowed, TOKEN_POS, 7), 7);
    FEED(g, TOKEN_POS + 2);
    assert_forced(g, TOKEN_TRACK);
    FEED(g, TOKEN_TRACK, TOKEN_VEL);
    assert_forced(g, TOKEN_PITCH + 60);
    FEED(g, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 10);
    assert_int_equal(count(allowed, TOKEN_DUR, 10), 10);
    FEED(g, TOKEN_DUR + 3);
    assert_int_equal(grammar_allow(g, allowed), 7);
    assert_int_equal(count(allowed, TOKEN_POS + 6, 7), 7);
    FEED(g, TOKEN_POS + 12, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 12);
    FEED(g, TOKEN_DUR + 11);
    assert_int_equal(grammar_allow(g, allowed), 6); /* no two came together before */
    assert_int_equal(count(allowed, TOKEN_POS + 13, 6), 6);
    FEED(g, TOKEN_POS + 18);
    assert_int_equal(grammar_allow(g, allowed), TOKEN_VELOCITIES - 1 + 1);
    FEED(g, TOKEN_PITCH + 62, TOKEN_DUR + 5);
    assert_forced(g, TOKEN_FILL_END);
    grammar_destroy(g);
}

/* Nothing to keep is a plan too, and start forgets it. */
static void an_empty_plan_leaves_the_hole_empty(void **state)
{
    (void)state;
    struct hole_plan plan;
    for (int rhythm = 0; rhythm < 2; rhythm++) {
        assert_int_equal(rhythm ? hole_plan_rhythm(&plan, NULL, 0)
                                : hole_plan_pitches(&plan, NULL, 0),
                         MIDI_OK);
        struct grammar *g = ask_by_hand(&plan, 24);
        assert_forced(g, TOKEN_FILL_END);
        grammar_destroy(g);
        hole_plan_fini(&plan);
    }
}

/* A plan of one hole is not that of the next. */
static void starting_again_forgets_the_plan(void **state)
{
    (void)state;
    struct run *run = run_create();
    struct hole_plan plan;
    assert_int_equal(hole_plan_rhythm(&plan, NULL, 0), MIDI_OK);
    for (int i = 0; i < 2; i++) {
        uint64_t r = 1;
        run_make_hole(run, FAIR, &r);
        assert_int_equal(grammar_keep(run->g, &plan), MIDI_OK);
        grammar_start(run->g, &run->asked.hole);
        run_ask(run);
        uint8_t allowed[TOKEN_COUNT];
        assert_true(grammar_allow(run->g, allowed) > 1);
        fill_fini(&run->asked.fill);
    }
    hole_plan_fini(&plan);
    run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hole_keeps_its_plan),
        cmocka_unit_test(what_a_plan_came_from_is_allowed),
        cmocka_unit_test(a_rhythm_by_hand),
        cmocka_unit_test(pitches_by_hand),
        cmocka_unit_test(an_empty_plan_leaves_the_hole_empty),
        cmocka_unit_test(starting_again_forgets_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
