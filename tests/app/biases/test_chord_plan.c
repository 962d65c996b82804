/* The chords that are decided before notes: from other tracks, a tune, a form that repeats; what is
 * left to the model, and what is fixed there. */
#include "tests/check.h"
#include "app/biases/chord_form.h"
#include "app/biases/chord_plan.h"
#include "app/biases/chord_tune.h"
#include "midi/tokens/grid_chord.h"
#include "tests/app/hand_piece.h"

#include <stdlib.h>

enum { BASS, CHORDS, TUNE, BAR = 4 * QUARTER };

static struct hand_piece hand;
static struct chord_plan plan;

/* "G7" with its notes in whole bars, on one track; the bass on another. */
static void put_chord(int bar, const char *symbol)
{
    struct chord chord;
    assert_true(chord_parse(symbol, 60, &chord));
    hand_note(&hand, BASS, bar * BAR, BAR, chord.pitches[0] - 24);
    for (int i = 0; i < chord.n; i++)
        hand_note(&hand, CHORDS, bar * BAR, BAR, chord.pitches[i]);
}

/* Bars of these chords, separated by spaces; returns how many. */
static int put_bars(const char *symbols)
{
    char text[256], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", symbols);
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        put_chord(n++, w);
    return n;
}

static enum chord_source make(struct chord_plan_request q)
{
    static const struct signature NONE;
    q.signature = q.signature ? q.signature : &NONE;
    chord_plan_fini(&plan);
    assert_int_equal(chord_plan_make(&plan, &hand.piece, &q), MIDI_OK);
    return plan.source;
}

/* What follows n bars, for so many. */
static enum chord_source go_on(int n, int bars)
{
    return make((struct chord_plan_request){
        .from = n * BAR, .to = (n + bars) * BAR, .tracks = 1 << BASS | 1 << CHORDS});
}

/* The names of the chords in force at each bar from this one on. */
static const char *bars_from(int bar, int n)
{
    static char text[512];
    size_t used = 0;
    text[0] = '\0';
    for (int b = bar; b < bar + n; b++) {
        char name[CHORD_TEXT] = "-";
        for (size_t i = 0; i < plan.n && plan.chords[i].step <= b * BAR; i++)
            grid_chord_name(&plan.chords[i], false, name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 b > bar ? " " : "", name);
    }
    return text;
}

TEST(chords_of_the_other_tracks)
{
    hand_begin(&hand, 8);
    put_bars("C F G7 C C F G7 C");
    const struct chord_plan_request q = {
        .from = 2 * BAR, .to = 6 * BAR, .tracks = 1 << TUNE};
    assert_int_equal(make(q), CHORDS_OTHERS);
    assert_string_equal(bars_from(0, 8), "C F G7 C C F G7 C");
    assert_true(plan.free_from == plan.free_to);
}

/* Inversions of a keyboard say nothing of a bass that is missing. */
TEST(a_missing_bass_gets_roots)
{
    struct chord_plan_request q = {.to = 4 * BAR, .tracks = 1 << TUNE};
    hand_begin(&hand, 4);
    put_bars("C/E F/A G7/B C");
    make(q);
    assert_string_equal(bars_from(0, 4), "C/E F/A G7/B C");
    hand.piece.families[TUNE] = 4;
    make(q);
    assert_string_equal(bars_from(0, 4), "C F G7 C");
}

TEST(nothing_is_planned_for_drums_or_a_line)
{
    static const int LINE[] = {60, 62, 64, 65, 67, 65, 64, 62, 60, 62, 64, 65};
    hand_begin(&hand, 8);
    hand_line(&hand, TUNE, 0, LINE, 12);
    assert_int_equal(go_on(3, 4), CHORDS_NONE);
    put_bars("C F G7 C");
    hand.piece.families[BASS] = FAMILY_DRUMS;
    assert_int_equal(
        make((struct chord_plan_request){.to = 4 * BAR, .tracks = 1 << BASS}),
        CHORDS_NONE);
    assert_true(!plan.n && !plan.chords);
}

/* F major for four bars, then C major, which has B natural. */
TEST(a_tune_is_harmonised_in_its_keys)
{
    static const int FIRST[] = {65, 69, 72, 69, 70, 74, 70, 65,
                                72, 70, 67, 64, 65, 69, 65, 65},
                     THEN[] = {72, 76, 79, 76, 74, 77, 74, 71,
                               79, 77, 74, 71, 72, 76, 72, 72};
    hand_begin(&hand, 16);
    for (int i = 0; i < 2; i++) {
        hand_line(&hand, TUNE, i * 4 * BAR, FIRST, 16);
        hand_line(&hand, TUNE, (8 + i * 4) * BAR, THEN, 16);
    }
    const struct chord_plan_request q = {.to = 16 * BAR, .tracks = 1 << BASS};
    assert_int_equal(make(q), CHORDS_TUNE);
    assert_string_equal(bars_from(0, 4), "F A# C7 F");
    const char *then = bars_from(12, 4);
    assert_true(strstr(then, "G") && !strcmp(then + strlen(then) - 2, " C"));
}

/* It ends on G, held, after C F E D: on the dominant. */
TEST(a_tune_may_end_open)
{
    static const int LINE[] = {60, 64, 67, 64, 65, 69, 67, 65, 64, 67, 65, 64, 62};
    hand_begin(&hand, 4);
    hand_line(&hand, TUNE, 0, LINE, 12);
    hand_note(&hand, TUNE, 3 * BAR, BAR, 67);
    const struct signature c_major = signature_of(0, false);
    assert_int_equal(make((struct chord_plan_request){
                         .to = 4 * BAR, .tracks = 1 << BASS, .signature = &c_major}),
                     CHORDS_TUNE);
    assert_true(!strncmp(bars_from(0, 1), "C", 1) && !strncmp(bars_from(3, 1), "G", 1));
}

TEST(a_loop_goes_on)
{
    hand_begin(&hand, 8);
    const int n = put_bars("Am F C G Am F C G");
    hand.piece.families[TUNE] = FAMILY_DRUMS;
    assert_int_equal(go_on(n, 6), CHORDS_FORM);
    assert_string_equal(bars_from(n, 6), "Am F C G Am F");
    assert_true(plan.free_from == plan.free_to);
    /* in the middle of the loop */
    hand_begin(&hand, 10);
    put_bars("Am F C G Am F C G Am F");
    hand.piece.families[TUNE] = FAMILY_DRUMS;
    assert_int_equal(go_on(10, 4), CHORDS_FORM);
    assert_string_equal(bars_from(10, 4), "C G Am F");
}

TEST(a_verse_of_two_phrases_returns_whole)
{
    hand_begin(&hand, 8);
    const int n = put_bars("G D Em C G D Am D");
    hand.piece.families[TUNE] = FAMILY_DRUMS;
    assert_int_equal(go_on(n, 8), CHORDS_FORM);
    assert_string_equal(bars_from(n, 8), "G D Em C G D Am D");
}

/* Of eight bars, of twelve, and from the middle of the second chorus; with a quick change. */
TEST(a_blues_goes_on_in_its_twelve_bars)
{
    hand_begin(&hand, 8);
    int n = put_bars("A7 D7 A7 A7 D7 D7 A7 A7");
    assert_int_equal(go_on(n, 8), CHORDS_FORM);
    assert_string_equal(bars_from(n, 8), "E7 D7 A7 E7 A7 D7 A7 A7");
    hand_begin(&hand, 12);
    n = put_bars("C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7");
    assert_int_equal(go_on(n, 12), CHORDS_FORM);
    assert_string_equal(bars_from(n, 12), "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7");
    hand_begin(&hand, 18);
    n = put_bars("C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7 C7 C7 C7 C7 F7 F7");
    assert_int_equal(go_on(n, 6), CHORDS_FORM);
    assert_string_equal(bars_from(n, 6), "C7 C7 G7 F7 C7 G7");
}

/* Of a section that has not returned, in half of the takes; its answer closes. */
TEST(a_section_may_return)
{
    struct chord_plan_request q = {
        .from = 8 * BAR, .to = 16 * BAR, .tracks = 1 << BASS | 1 << CHORDS};
    hand_begin(&hand, 8);
    put_bars("C G C F Dm C Am G7");
    assert_int_equal(make(q), CHORDS_MODEL);
    q.returns = true;
    assert_int_equal(make(q), CHORDS_FORM);
    assert_string_equal(bars_from(8, 8), "C G C F Dm C Am C");
}

TEST(a_dominant_is_resolved_and_the_rest_left_to_the_model)
{
    hand_begin(&hand, 6);
    const int n = put_bars("C F Dm G C G7");
    assert_int_equal(go_on(n, 4), CHORDS_MODEL);
    assert_string_equal(bars_from(n, 4), "C C C C");
    assert_true(plan.free_from == n * BAR && plan.free_to == (n + 4) * BAR);
    assert_int_equal(plan.unit, BAR);
    assert_true(plan.rate > 0.8f);
    hand_begin(&hand, 6);
    put_bars("C F G C Am A7"); /* of D minor */
    assert_int_equal(go_on(n, 4), CHORDS_MODEL);
    assert_string_equal(bars_from(n, 1), "Dm");
}

TEST(a_close_is_planned)
{
    hand_begin(&hand, 6);
    const int n = put_bars("Cm G7 Cm Fm G7 Cm");
    assert_int_equal(
        make((struct chord_plan_request){
            .from = n * BAR, .to = (n + 4) * BAR, .closes = true, .tracks = 1 << BASS}),
        CHORDS_MODEL);
    const struct grid_chord *last = &plan.chords[plan.n - 1];
    assert_true(last->step == (n + 3) * BAR && last->root == 0 &&
                last->quality == CHORD_MINOR);
    assert_true(last[-1].step == (n + 3) * BAR - BAR / 2 && last[-1].root == 7);
    assert_true(plan.free_to == last[-1].step);
}

TEST(styles_have_sevenths)
{
    struct chord_plan_request q = {
        .from = 0, .to = 8 * BAR, .tracks = 1 << TUNE, .style = STYLE_JAZZ};
    hand_begin(&hand, 8);
    put_bars("C Am Dm G C F G C");
    assert_int_equal(make(q), CHORDS_OTHERS);
    assert_string_equal(bars_from(0, 6), "Cmaj7 Am7 Dm7 G7 Cmaj7 Fmaj7");
    q.style = STYLE_BLUES;
    make(q);
    assert_string_equal(bars_from(0, 1), "C7");
    q.style = STYLE_HYMN;
    make(q);
    assert_string_equal(bars_from(0, 4), "C Am Dm G");
    chord_plan_fini(&plan);
}
