/* Holes filled by models of random weights, when something is asked of what fills them:
 * wishes, with guidance, marks of what is liked, the rhythm or the pitches or a share of
 * what was there. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "app/document/rewrite.h"
#include "tests/app/one_fixture.h"

enum { C_MAJOR = 0xAB5 };

static struct result plain, other;

static void begin(int n, int context)
{
    music = some_score(n);
    set_up(&f, context, TOKEN_COUNT, 2);
}

static void fill(const struct continuation_options *o, struct result *to)
{
    assert_int_equal(run(&f, music, o, to), CONTINUATION_DONE);
}

/* Guidance of 1 is none, and needs a request; what two readers say is the same for takes
 * drawn alone and together. */
TEST_IN(guidance_moves_what_is_requested, NULL, end)
{
    static struct result asked, guided;
    struct continuation_options o = whole_hole(8000);
    begin(3, 512);
    fill(&o, &plain);
    o.guidance = 3;
    fill(&o, &other);
    assert_true(same_notes(&plain, &other)); /* nothing was requested */
    o.hole.density = 9;
    o.guidance = 0;
    fill(&o, &other);
    assert_true(same_notes(&plain, &other)); /* as if nothing had been */
    o.guidance = 1;
    fill(&o, &asked);
    o.guidance = 30;
    fill(&o, &guided);
    assert_false(same_notes(&asked, &guided));
    o.n_takes = 3;
    o.sampling.seed -= 2;
    fill(&o, &other);
    size_t n = 0;
    for (size_t i = 0; i < other.n; i++)
        if (other.notes[i].take == 2)
            other.notes[n++] = other.notes[i];
    other.n = n;
    assert_true(same_notes(&guided, &other));
}

/* Notes of the other take that begin with one of this take. */
static size_t n_like(const struct result *marked)
{
    size_t n = 0;
    for (size_t i = 0; i < other.n; i++)
        for (size_t k = 0; k < marked->n; k++)
            if (other.notes[i].note.start == marked->notes[k].note.start) {
                n++;
                break;
            }
    return n;
}

/* A random model has no taste: what it is shown as liked is what it then likes. It knows no grid
 * either: the rule that keeps to one would leave few onsets to choose among. */
TEST_IN(marks_bias_the_draws, NULL, end)
{
    static struct result first;
    struct continuation_options o = whole_hole(8000);
    double like[3] = {0, 0, 0}, all[3] = {0, 0, 0};
    o.without = rules_bits("grid", 4);
    begin(4, 512);
    fill(&o, &first);
    struct continuation_mark mark = {first.notes, first.n, 0};
    for (o.sampling.seed = 90; o.sampling.seed < 98; o.sampling.seed++) {
        o.n_marks = 0;
        fill(&o, &plain);
        o.marks = &mark;
        o.n_marks = 1;
        for (int i = 0; i < 3; i++) {
            mark.how_much = (float)(i - 1);
            fill(&o, &other);
            like[i] += (double)n_like(&first);
            all[i] += (double)other.n;
            assert_int_equal(same_notes(&plain, &other),
                             i == 1); /* not marked at all */
        }
    }
    assert_true(like[2] / all[2] > like[0] / all[0]);
}

/* So many times ten notes on the grid, none over itself, of two tracks. */
static struct score *grid_score(int n)
{
    return score_of("480 | a: (50e 53s r 52e 55s r 51e)*%d | "
                    "b: (57s r 60e 58s r 61e 62e)*%d",
                    n, n);
}

static bool by_slot; /* which of a chord's slots a pitch comes into is nobody's wish */

/* By track, start, and in chords of slots the length, then pitch. */
static int compare(const void *a, const void *b)
{
    const struct continued_note *x = a, *y = b;
    const int64_t keys[][2] = {{x->track, y->track},
                               {x->note.start, y->note.start},
                               {by_slot * x->note.length, by_slot * y->note.length},
                               {x->note.pitch, y->note.pitch}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* The hole of o in s, emptied, filled again. */
static void refill(struct score *s, struct continuation_options *o,
                   struct continued_note **old, struct result *to)
{
    by_slot = o->keep == HOLE_PLAN_RHYTHM;
    *old = rewrite_list(s, o, NULL, &o->n_replaced);
    assert_non_null(*old);
    o->replaced = *old;
    rewrite_take_out(s, o, NULL);
    assert_int_equal(run(&f, s, o, to), CONTINUATION_DONE);
    assert_legal(s, o, to);
    qsort(*old, o->n_replaced, sizeof **old, compare);
    qsort(to->notes, to->n, sizeof *to->notes, compare);
}

/* Refills a hole with what o keeps of it, in one part and in many. In each, the notes are
 * as many as there were, each as `is_new` has it, which says whether it is new at all. */
static void keep(const struct continuation_options *o,
                 bool (*is_new)(const struct note *old, const struct note *new))
{
    for (int context = 128; context <= 1024; context *= 8) {
        struct continued_note *old;
        struct continuation_options own = *o;
        auto_score *s = grid_score(16);
        int n_new = 0;
        set_up(&f, context, TOKEN_COUNT, 1);
        refill(s, &own, &old, &plain);
        assert_int_equal(plain.n, own.n_replaced);
        for (size_t i = 0; i < plain.n; i++) {
            assert_int_equal(plain.notes[i].track, old[i].track);
            n_new += is_new(&old[i].note, &plain.notes[i].note);
        }
        assert_true(n_new > 80);
        free(old);
        tear_down(&f);
    }
}

static bool has_its_position(const struct note *old, const struct note *new)
{
    assert_int_equal(new->start, old->start);
    assert_int_equal(new->length, old->length);
    assert_true(C_MAJOR >> new->pitch % 12 & 1);
    return new->pitch != old->pitch;
}

static bool has_its_pitch(const struct note *old, const struct note *new)
{
    assert_int_equal(new->pitch, old->pitch);
    return new->start != old->start || new->length != old->length;
}

/* Pitches are free enough for every slot. */
TEST(a_rhythm_is_kept)
{
    struct continuation_options o = whole_hole(80 * 240);
    o.hole.from_tick = 3 * 240;
    o.keep = HOLE_PLAN_RHYTHM;
    o.scale = C_MAJOR;
    keep(&o, has_its_position);
}

TEST(pitches_are_kept)
{
    struct continuation_options o = whole_hole(80 * 240);
    o.tracks = 3;
    o.keep = HOLE_PLAN_PITCHES;
    keep(&o, has_its_pitch);
}
