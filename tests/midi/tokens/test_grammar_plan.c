/* A hole with a rhythm has exactly its slots, except those that nothing fits; one
 * with pitches has them all, in order, except those that can no longer come,
 * whatever is sampled. What test_grammar_fill.c shows also holds. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 4000, N_TAUGHT = 2000, MAX_PLAN = 48 };

/* Most are tracks of the hole. */
static int random_track(const struct fill_request *q, uint64_t *r)
{
    int track = random_below(r, 10);
    bool is_any = random_below(r, 8) == 0;
    while (!is_any && !(q->tracks >> track & 1))
        track = (track + 1) % TOKEN_MAX_TRACKS;
    return track;
}

/* Close together, in and around the hole; many in chords. */
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

/* Hits take a step, as they will later. */
static void make_plan(struct hole_plan *plan, enum hole_plan_kind kind,
                      const struct fill *f, uint64_t *r)
{
    struct grid_note notes[MAX_PLAN];
    size_t n = random_notes(&f->request, notes, r);
    assert_ok(hole_plan_make(plan, kind, notes, n));
    assert_int_equal(plan->kind, kind);
    for (size_t i = 0; i < plan->n_notes; i++)
        if (piece_is_hit(&f->around, &plan->notes[i]))
            plan->notes[i].length = HIT_STEPS;
}

/* The most slots of a chord that ascending pitches fill beside earlier notes, found by trying. */
static int most_of_chord(const struct asked *a, const struct piece *before,
                         const struct grid_note *slots, int n)
{
    static int most[MAX_PLAN + 1][N_PITCHES + 1]; /* slots from i, pitches from p on */
    memset(most, 0, sizeof most);
    for (int i = n - 1; i >= 0; i--)
        for (int p = N_PITCHES - 1; p >= 0; p--) {
            struct grid_note one = slots[i];
            one.pitch = (uint8_t)p;
            const int with = fits(a, before, &one) ? 1 + most[i + 1][p + 1] : 0;
            const int without =
                most[i][p + 1] > most[i + 1][p] ? most[i][p + 1] : most[i + 1][p];
            most[i][p] = with > without ? with : without;
        }
    return most[0][0];
}

static int count_voices_left(const struct asked *a, const struct piece *before,
                             const struct grid_note *slot)
{
    int most = a->hole.max_polyphony[slot->track];
    int sounding = count_sounding(before, slot->track, slot->step);
    return most == 0 ? N_PITCHES : most > sounding ? most - sounding : 0;
}

/* Of each chord's slots, in order, as many as can be. */
static void check_rhythm(const struct asked *a, const struct hole_plan *plan,
                         const struct piece *inside)
{
    size_t next = 0;
    for (size_t i = 0, end; i < plan->n_notes; i = end) {
        const struct grid_note *slots = &plan->notes[i];
        const struct piece before = {.notes = inside->notes, .n_notes = next};
        for (end = i;
             end < plan->n_notes && grid_notes_are_chord(slots, &plan->notes[end]);)
            end++;
        const int most = most_of_chord(a, &before, slots, (int)(end - i));
        const int voices = count_voices_left(a, &before, slots);
        for (size_t k = i; k < end && next < inside->n_notes; k++)
            next += grid_notes_are_chord(&inside->notes[next], slots) &&
                    inside->notes[next].length == plan->notes[k].length;
        assert_int_equal(next - before.n_notes, smaller(most, voices));
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

/* Of each track's pitches, in order, some; that all come which can: in
 * tests/app/generation/test_requested_fills.c. */
static void check_pitches(const struct hole_plan *plan, const struct piece *inside)
{
    const struct piece list = {.notes = plan->notes, .n_notes = plan->n_notes};
    int together = 0;
    for (size_t i = 0; i < inside->n_notes; i++) {
        const struct grid_note *n = &inside->notes[i];
        together = i > 0 && grid_notes_are_chord(n - 1, n) ? together + 1 : 1;
        assert_true(together <= plan->most_together[n->track]);
    }
    for (int track = 0; track < TOKEN_MAX_TRACKS; track++) {
        const struct grid_note *n;
        for (size_t i = 0, k = 0; (n = next_of_track(inside, track, &i));) {
            const struct grid_note *given;
            do
                assert_non_null(given = next_of_track(&list, track, &k));
            while (given->pitch != n->pitch);
        }
    }
}

/* Returns how many notes were sampled. */
static size_t check_filled(const struct run *run, const struct hole_plan *plan)
{
    auto_fill back;
    assert_ok(fill_decode(&back, run->ids, run->n));
    assert_true(pieces_equal(&back.around, &run->asked.fill.around));
    assert_true(all_fit(&run->asked, &back.inside));
    if (plan->kind == HOLE_PLAN_RHYTHM)
        check_rhythm(&run->asked, plan, &back.inside);
    else
        check_pitches(plan, &back.inside);
    return back.inside.n_notes;
}

TEST(every_hole_keeps_its_plan)
{
    auto_run *run = run_create();
    int n = count_holes(N_HOLES);
    size_t n_given = 0, n_kept = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i; /* each hole can be repeated alone */
        enum chooser how = (enum chooser)(i % N_CHOOSERS);
        auto_plan plan;
        run_make_hole(run, how, &r);
        make_plan(&plan, i / N_CHOOSERS % 2 ? HOLE_PLAN_RHYTHM : HOLE_PLAN_PITCHES,
                  &run->asked.fill, &r);
        assert_ok(grammar_keep(run->g, &plan));
        n_given += plan.n_notes;
        run_ask(run);
        run_sample(run, how, &r);
        n_kept += check_filled(run, &plan);
        fill_fini(&run->asked.fill);
    }
    assert_in_range(n_kept, n_given / 10, n_given * 9 / 10);
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
    auto_plan plan;
    assert_ok(hole_plan_make(&plan, kind, own->notes, own->n_notes));
    assert_ok(grammar_keep(run->g, &plan));
}

/* Notes that fit may follow their own plan; pitches on sixteenths, as they are
 * paced, and with enough voices. */
TEST(what_a_plan_came_from_is_allowed)
{
    auto_run *run = run_create();
    for (int i = 0; i < N_TAUGHT; i++) {
        uint64_t r = (uint64_t)i;
        enum hole_plan_kind kind = i % 2 ? HOLE_PLAN_RHYTHM : HOLE_PLAN_PITCHES;
        run->asked.fill = random_fill(&r);
        random_inside(&run->asked.fill, &r);
        if (kind == HOLE_PLAN_PITCHES)
            align(&run->asked.fill);
        run_keep_what_fits(run);
        if (kind == HOLE_PLAN_PITCHES)
            hole_free_tracks(&run->asked.hole);
        grammar_start(run->g, &run->asked.hole);
        keep_own(run, kind);
        run_teach(run, true);
        fill_fini(&run->asked.fill);
    }
}
