/* The shipped model does what it is asked: for each wish, what is asked and what is got
 * rise together. Holes in the bundled example, several takes of each; the figures are
 * those of midi/fill.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/rewrite.h"
#include "app/steer.h"
#include "midi/smf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAKES = 8, FIRST = 1, ALL = 15 };

struct engine {
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
    struct score *score;
};

static int set_up(void **state)
{
    struct engine *e = calloc(1, sizeof *e);
    char detail[96];
    *state = e;
    if (!e ||
        model_open(&e->model, "models/continuo.safetensors", detail, sizeof detail))
        return -1;
    e->pool = pool_create(2);
    return continuation_create(&e->continuation, e->model, e->pool) ||
           smf_load(&e->score, "models/example.mid", NULL);
}

static int tear_down(void **state)
{
    struct engine *e = *state;
    continuation_destroy(e->continuation);
    pool_destroy(e->pool);
    model_close(e->model);
    score_destroy(e->score);
    free(e);
    return 0;
}

/* What some notes have of each control. */
struct got {
    double density, voices, note_length, pitch;
};

static double sounding(const struct continued_note *notes, size_t n, size_t i)
{
    int count = 0;
    for (size_t k = 0; k < n; k++)
        count += notes[k].take == notes[i].take &&
                 notes[k].note.start <= notes[i].note.start &&
                 notes[k].note.start + notes[k].note.length > notes[i].note.start;
    return count;
}

/* Of all takes together. */
static struct got measure(const struct continued_note *notes, size_t n, double quarters,
                          double tpq)
{
    struct got g = {.density = (double)n / quarters / TAKES};
    for (size_t i = 0; i < n; i++) {
        g.voices += sounding(notes, n, i) / (double)n;
        g.note_length += log2((double)notes[i].note.length / tpq) / (double)n;
        g.pitch += notes[i].note.pitch / (double)n;
    }
    g.note_length = exp2(g.note_length);
    return g;
}

/* Bars 3 to 6 of these tracks, written with these wishes. */
static struct got ask(struct engine *e, const struct steering *wishes, uint64_t tracks)
{
    static struct continued_note notes[8192];
    struct score *s = score_clone(e->score);
    struct continuation_options o = CONTINUATION_DEFAULT;
    int64_t bar = timeline_bar(&s->timeline, 0).length;
    steer_apply(wishes, &o);
    o.hole.from_tick = 2 * bar;
    o.hole.to_tick = 6 * bar;
    o.tracks = tracks;
    o.n_takes = TAKES;
    rewrite_take_out(s, &o, NULL);
    enum continuation_state state = continuation_begin(e->continuation, s, &o);
    size_t n = 0;
    while (n < sizeof notes / sizeof notes[0] &&
           (state = continuation_next(e->continuation, &notes[n])) == CONTINUATION_NOTE)
        n++;
    assert_int_equal(state, CONTINUATION_DONE);
    assert_true(n > 0);
    score_destroy(s);
    return measure(notes, n, (double)(4 * bar) / e->score->ticks_per_quarter,
                   e->score->ticks_per_quarter);
}

static struct got ask_for(struct engine *e, uint64_t tracks, const char *name,
                          const char *value)
{
    struct steering wishes = STEERING_DEFAULT;
    assert_true(steer_set(steer_find(name), &wishes, value));
    return ask(e, &wishes, tracks);
}

static void density_rises(void **state)
{
    double low = ask_for(*state, FIRST, "density", "0.5").density;
    double middle = ask_for(*state, FIRST, "density", "1.41").density;
    double high = ask_for(*state, FIRST, "density", "4").density;
    printf("density: %.2f %.2f %.2f\n", low, middle, high);
    assert_true(low < middle && middle < high);
}

static void voices_rise(void **state)
{
    double low = ask_for(*state, ALL, "voices", "1").voices;
    double high = ask_for(*state, ALL, "voices", "4").voices;
    printf("voices: %.2f %.2f\n", low, high);
    assert_true(low < high);
}

static void notes_get_longer(void **state)
{
    double low = ask_for(*state, FIRST, "note-length", "0.25").note_length;
    double middle = ask_for(*state, FIRST, "note-length", "1").note_length;
    double high = ask_for(*state, FIRST, "note-length", "4").note_length;
    printf("note-length: %.2f %.2f %.2f\n", low, middle, high);
    assert_true(low < middle && middle < high);
}

static void notes_get_higher(void **state)
{
    double low = ask_for(*state, FIRST, "register", "54").pitch;
    double middle = ask_for(*state, FIRST, "register", "66").pitch;
    double high = ask_for(*state, FIRST, "register", "84").pitch;
    printf("register: %.1f %.1f %.1f\n", low, middle, high);
    assert_true(low < middle && middle < high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(density_rises),
        cmocka_unit_test(voices_rise),
        cmocka_unit_test(notes_get_longer),
        cmocka_unit_test(notes_get_higher),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
