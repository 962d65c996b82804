/* The chords that are decided before notes: from other tracks, a tune, a form that repeats; what is
 * left to the model, and what is fixed there. */
#include "tests/check.h"
#include "app/biases/chord_form.h"
#include "app/biases/chord_plan.h"
#include "app/biases/chord_tune.h"
#include "midi/tokens/grid_chord.h"
#include "tests/app/hand_piece.h"

enum { BASS, CHORDS, TUNE, BAR = 4 * QUARTER };

static struct hand_piece h;
static struct chord_plan plan;

/* Bars of these chords, "C G7 Am", with a bass on a track of its own; returns how many. */
static int begin(const char *symbols)
{
    char text[256], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", symbols);
    hand_begin(&h, 20);
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest), n++) {
        struct chord chord;
        assert_true(chord_parse(w, 60, &chord));
        hand_note(&h, BASS, n * BAR, BAR, chord.pitches[0] - 24);
        for (int i = 0; i < chord.n; i++)
            hand_note(&h, CHORDS, n * BAR, BAR, chord.pitches[i]);
    }
    h.piece.n_bars = n;
    return n;
}

static enum chord_source make(struct chord_plan_request q)
{
    static const struct signature NONE;
    q.signature = q.signature ? q.signature : &NONE;
    chord_plan_fini(&plan);
    assert_ok(chord_plan_make(&plan, &h.piece, &q));
    return plan.source;
}

/* For the tune's track, up to that bar. */
static enum chord_source make_for_tune(int bars, enum style style)
{
    return make((struct chord_plan_request){
        .to = bars * BAR, .tracks = 1 << TUNE, .style = style});
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
    begin("C F G7 C C F G7 C");
    assert_int_equal(make((struct chord_plan_request){
                         .from = 2 * BAR, .to = 6 * BAR, .tracks = 1 << TUNE}),
                     CHORDS_OTHERS);
    assert_string_equal(bars_from(0, 8), "C F G7 C C F G7 C");
    assert_true(plan.free_from == plan.free_to);
}

/* Inversions of a keyboard say nothing of a bass that is missing. */
TEST(a_missing_bass_gets_roots)
{
    begin("C/E F/A G7/B C");
    make_for_tune(4, STYLE_ANY);
    assert_string_equal(bars_from(0, 4), "C/E F/A G7/B C");
    h.piece.families[TUNE] = 4;
    make_for_tune(4, STYLE_ANY);
    assert_string_equal(bars_from(0, 4), "C F G7 C");
}

/* The fifth sounds longer, but the chord begins with its root. */
TEST(a_bass_that_moves_names_no_inversion)
{
    static const int ROOTS[] = {0, 9, 5, 7};
    hand_begin(&h, 4);
    for (int bar = 0; bar < 4; bar++) {
        const int root = 36 + ROOTS[bar];
        hand_note(&h, BASS, bar * BAR, QUARTER, root);
        hand_note(&h, BASS, bar * BAR + QUARTER, 3 * QUARTER, root - 5);
        for (int i = 0; i < 3; i++)
            hand_note(&h, CHORDS, bar * BAR, BAR,
                      root + 24 + (i ? 4 : 0) + (i > 1 ? 3 : 0));
    }
    make((struct chord_plan_request){.to = 4 * BAR, .tracks = 1 << TUNE});
    assert_string_equal(bars_from(0, 4), "C A F G");
}

/* Nor do they name another root: the keys' thirds lie lowest in Ebmaj7, Cm7, Fm7, Bb7. */
TEST(a_missing_bass_names_no_root)
{
    static const int KEYS[4][5] = {{67, 70, 74, 75, 79},
                                   {63, 67, 70, 72, 75},
                                   {56, 60, 63, 65, 68},
                                   {62, 65, 68, 70, 74}};
    hand_begin(&h, 8);
    h.piece.families[TUNE] = 4;
    for (int bar = 0; bar < 8; bar++)
        for (int i = 0; i < 5; i++)
            hand_note(&h, CHORDS, bar * BAR, BAR, KEYS[bar % 4][i]);
    make((struct chord_plan_request){.to = 8 * BAR, .tracks = 1 << TUNE});
    assert_string_equal(bars_from(0, 4), "D#maj7 Cm7 Fm7 A#7");
}

TEST(nothing_is_planned_for_drums_or_a_line)
{
    begin("");
    hand_play(&h, TUNE, 0, 3 * BAR, 0, "1q: 60 62 64 65 67 65 64 62 60 62 64 65");
    assert_int_equal(go_on(3, 4), CHORDS_NONE);
    begin("C F G7 C");
    h.piece.families[BASS] = FAMILY_DRUMS;
    assert_int_equal(
        make((struct chord_plan_request){.to = 4 * BAR, .tracks = 1 << BASS}),
        CHORDS_NONE);
    assert_true(!plan.n && !plan.chords);
}

/* F major for eight bars, then C major, which has B natural. */
TEST(a_tune_is_harmonised_in_its_keys)
{
    hand_begin(&h, 16);
    hand_play(&h, TUNE, 0, 8 * BAR, 0,
              "1q: 65 69 72 69 70 74 70 65 72 70 67 64 65 69 65 65");
    hand_play(&h, TUNE, 8 * BAR, 16 * BAR, 0,
              "1q: 72 76 79 76 74 77 74 71 79 77 74 71 72 76 72 72");
    assert_int_equal(
        make((struct chord_plan_request){.to = 16 * BAR, .tracks = 1 << BASS}),
        CHORDS_TUNE);
    assert_string_equal(bars_from(0, 4), "F A# C7 F");
    const char *then = bars_from(12, 4);
    assert_true(strstr(then, "G") && !strcmp(then + strlen(then) - 2, " C"));
}

/* Four bars in E flat amid C major: I IV V I. */
TEST(a_key_may_be_left_for_four_bars)
{
    hand_begin(&h, 16);
    hand_play(&h, TUNE, 0, 16 * BAR, 0,
              "1q: 72 76 79 76 74 77 74 71 79 77 74 71 72 76 72 72");
    h.piece.n_notes = 32; /* of its 64 */
    hand_play(&h, TUNE, 8 * BAR, 12 * BAR, 0,
              "1q: 75 79 82 79 80 84 80 77 82 80 77 74 75 79 75 75");
    hand_play(&h, TUNE, 12 * BAR, 16 * BAR, 0,
              "1q: 72 76 79 76 74 77 74 71 79 77 74 71 72 76 72 72");
    make((struct chord_plan_request){.to = 16 * BAR, .tracks = 1 << BASS});
    assert_string_equal(bars_from(8, 4), "D# Fm A#7 D#");
    assert_string_equal(bars_from(12, 1), "C");
}

/* G, C and D7 before G in the halves of bars of six eighths. */
TEST(six_eighths_have_two_chords)
{
    enum { SIX = 3 * QUARTER };
    hand_begin(&h, 4);
    h.meters[0] = (struct grid_meter){0, 6, 8};
    hand_play(
        &h, TUNE, 0, 4 * SIX, 0,
        "1e: 67 71 74 71 74 67 72 76 79 76 72 76 71 74 67 72 66 69 67 71 74 67 71 67");
    make((struct chord_plan_request){.to = 4 * SIX, .tracks = 1 << BASS});
    int n_dominants = 0;
    for (size_t i = 0; i < plan.n; i++)
        n_dominants +=
            plan.chords[i].root == 2 && plan.chords[i].step == 2 * SIX + SIX / 2;
    assert_int_equal(n_dominants, 1);
}

/* It ends on G, held, after C F E D: on the dominant. */
TEST(a_tune_may_end_open)
{
    const struct signature c_major = signature_of(0, false);
    hand_begin(&h, 4);
    hand_play(&h, TUNE, 0, 3 * BAR, 0, "1q: 60 64 67 64 65 69 67 65 64 67 65 64");
    hand_note(&h, TUNE, 3 * BAR, BAR, 67);
    assert_int_equal(make((struct chord_plan_request){
                         .to = 4 * BAR, .tracks = 1 << BASS, .signature = &c_major}),
                     CHORDS_TUNE);
    assert_true(!strncmp(bars_from(0, 1), "C", 1) && !strncmp(bars_from(3, 1), "G", 1));
}

/* A loop, from its beginning and from its middle; a verse of two phrases, whole; a blues of eight
 * bars, of twelve, and from the middle of the second chorus, with a quick change. */
TEST(a_form_goes_on)
{
    static const char *const FORMS[][2] = {
        {"Am F C G Am F C G", "Am F C G Am F"},
        {"Am F C G Am F C G Am F", "C G Am F"},
        {"G D Em C G D Am D", "G D Em C G D Am D"},
        {"A7 D7 A7 A7 D7 D7 A7 A7", "E7 D7 A7 E7 A7 D7 A7 A7"},
        {"C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7", "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7"},
        {"C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7 C7 C7 C7 C7 F7 F7", "C7 C7 G7 F7 C7 G7"},
    };
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        const int n = begin(FORMS[i][0]);
        int bars = 1;
        for (const char *c = FORMS[i][1]; *c; c++)
            bars += *c == ' ';
        h.piece.families[TUNE] = i < 3 ? FAMILY_DRUMS : 0;
        assert_int_equal(go_on(n, bars), CHORDS_FORM);
        assert_string_equal(bars_from(n, bars), FORMS[i][1]);
        assert_true(i > 2 || plan.free_from == plan.free_to);
    }
}

/* A symbol for each bar. */
static size_t list_chords(struct grid_chord *out, const char *symbols)
{
    char text[256], *rest = NULL;
    size_t n = 0;
    snprintf(text, sizeof text, "%s", symbols);
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest), n++) {
        out[n].step = (int32_t)n * BAR;
        assert_true(grid_chord_read(w, &out[n]));
    }
    return n;
}

/* A diminished chord stands for the dominant a third below, and for its own inversions. */
TEST(a_blues_is_known_without_its_roots)
{
    struct grid_chord heard[12];
    bool is_section;
    hand_begin(&h, 12);
    size_t n = list_chords(heard, "C/G Adim C7 C7 Adim Cdim7 C7 A7 F G7 C7 Bm7b5");
    assert_true(chord_form_is_blues(&h.piece, heard, n, 12 * BAR));
    chord_plan_fini(&plan);
    assert_ok(chord_form(&plan.chords, &plan.n, &h.piece, heard, n, 12 * BAR, 24 * BAR,
                         &is_section));
    assert_string_equal(bars_from(12, 12), "C7 F7 C7 C7 F7 F#dim7 C7 A7 Dm7 G7 C7 G7");
    n = list_chords(heard, "C Am F G C Am F G C Am F G");
    assert_false(chord_form_is_blues(&h.piece, heard, n, 12 * BAR));
}

TEST(a_blues_is_heard)
{
    static const char *const SONGS[] = {"C7 F7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7",
                                        "C Am F G C Am F G C Am F G"};
    for (int is_song = 0; is_song < 2; is_song++) {
        bool is_blues = is_song;
        begin(SONGS[is_song]);
        assert_ok(chord_plan_hear_blues(&is_blues, &h.piece));
        assert_int_equal(is_blues, !is_song);
    }
    bool is_blues = true;
    hand_begin(&h, 12);
    assert_ok(chord_plan_hear_blues(&is_blues, &h.piece));
    assert_false(is_blues);
}

/* Of a section that has not returned, in half of the takes; its answer closes. */
TEST(a_section_may_return)
{
    struct chord_plan_request q = {
        .from = 8 * BAR, .to = 16 * BAR, .tracks = 1 << BASS | 1 << CHORDS};
    begin("C G C F Dm C Am G7");
    assert_int_equal(make(q), CHORDS_MODEL);
    q.returns = true;
    assert_int_equal(make(q), CHORDS_FORM);
    assert_string_equal(bars_from(8, 8), "C G C F Dm C Am C");
}

TEST(a_dominant_is_resolved_and_the_rest_left_to_the_model)
{
    const int n = begin("C F Dm G C G7");
    assert_int_equal(go_on(n, 4), CHORDS_MODEL);
    assert_string_equal(bars_from(n, 4), "C C C C");
    assert_true(plan.free_from == n * BAR && plan.free_to == (n + 4) * BAR);
    assert_int_equal(plan.unit, BAR);
    assert_true(plan.rate > 0.8f);
    begin("C F G C Am A7"); /* of D minor */
    assert_int_equal(go_on(n, 4), CHORDS_MODEL);
    assert_string_equal(bars_from(n, 1), "Dm");
}

TEST(a_close_is_planned)
{
    const int n = begin("Cm G7 Cm Fm G7 Cm");
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
    begin("C Am Dm G C F G C");
    assert_int_equal(make_for_tune(8, STYLE_JAZZ), CHORDS_OTHERS);
    assert_string_equal(bars_from(0, 6), "Cmaj7 Am7 Dm7 G7 Cmaj7 Fmaj7");
    make_for_tune(8, STYLE_BLUES);
    assert_string_equal(bars_from(0, 1), "C7");
    make_for_tune(8, STYLE_HYMN);
    assert_string_equal(bars_from(0, 4), "C Am Dm G");
    chord_plan_fini(&plan);
}
