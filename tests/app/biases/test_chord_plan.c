/* The chords that are decided before notes: from other tracks, a tune, a form that repeats; what is
 * left to the model, and what is fixed there. */
#include "tests/check.h"
#include "app/biases/chord_plan.h"
#include "midi/tokens/grid_chord.h"
#include "tests/app/hand_piece.h"

enum { BASS, CHORDS, TUNE, BAR = 4 * QUARTER };
enum { ON_BASS = 1 << BASS, ON_TUNE = 1 << TUNE, ON_BAND = 1 << BASS | 1 << CHORDS };

static struct hand_piece h;
static struct chord_plan plan;

/* Bars of these chords, "C G7 Am", with a bass on a track of its own. */
static void begin(const char *symbols)
{
    char text[256], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", symbols);
    hand_begin(&h, 0);
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest), n++) {
        struct chord chord;
        assert_true(chord_parse(w, 60, &chord));
        hand_note(&h, BASS, n * BAR, BAR, chord.pitches[0] - 24);
        for (int i = 0; i < chord.n; i++)
            hand_note(&h, CHORDS, n * BAR, BAR, chord.pitches[i]);
    }
    h.piece.n_bars = n;
}

/* Bars of a tune, each part for as many bars: "4|1q: 60 62|1b: 60". */
static void play(const char *tune)
{
    const int bars = atoi(tune);
    for (char part[256]; (tune = strchr(tune, '|')); h.piece.n_bars += bars) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(tune + 1, "|"), tune + 1);
        hand_play(&h, TUNE, h.piece.n_bars * BAR, (h.piece.n_bars + bars) * BAR, 0,
                  part);
        tune++;
    }
}

/* In bars. */
static enum chord_source make(struct chord_plan_request q)
{
    static const struct signature NONE;
    q.from *= BAR;
    q.to *= BAR;
    q.signature = q.signature ? q.signature : &NONE;
    chord_plan_fini(&plan);
    assert_ok(chord_plan_make(&plan, &h.piece, &q));
    return plan.source;
}

static int n_names(const char *names)
{
    int n = 1;
    while ((names = strchr(names + 1, ' ')))
        n++;
    return n;
}

/* The names of the chords in force at each bar from this one on. */
static void says(int bar, const char *names)
{
    char text[512] = "";
    for (const char *c = names; c; c = strchr(c + 1, ' '), bar++) {
        char name[CHORD_TEXT] = "-";
        for (size_t i = 0; i < plan.n && plan.chords[i].step <= bar * BAR; i++)
            grid_chord_name(&plan.chords[i], false, name);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                 c == names ? "" : " ", name);
    }
    assert_string_equal(text, names);
}

#define OF_C          "|1q: 72 76 79 76 74 77 74 71 79 77 74 71 72 76 72 72"
#define OF_F          "|1q: 65 69 72 69 70 74 70 65 72 70 67 64 65 69 65 65"
#define OF_E_FLAT     "|1q: 75 79 82 79 80 84 80 77 82 80 77 74 75 79 75 75"
#define OPEN          "1|1q: 60 64 67 64|1q: 65 69 67 65|1q: 64 67 65 64|1b: 67"
#define SECTION       "C G C F Dm C Am G7"
#define BLUES         "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7"
#define SONG          "C Am Dm G C F G C"

#define ROWS_OF(rows) (sizeof(rows) / sizeof *(rows))

/* In a style of sevenths they have some. Inversions of a keyboard say nothing of a bass that is
 * missing. */
TEST(chords_of_the_other_tracks)
{
    static const struct {
        const char *chords, *says;
        enum style style;
        int family;
    } ROWS[] = {
        {"C F G7 C C F G7 C", "C F G7 C C F G7 C"},
        {SONG, "Cmaj7 Am7 Dm7 G7 Cmaj7 Fmaj7", STYLE_JAZZ},
        {SONG, "C7", STYLE_BLUES},
        {SONG, "C Am Dm G", STYLE_HYMN},
        {"C/E F/A G7/B C", "C/E F/A G7/B C"},
        {"C/E F/A G7/B C", "C F G7 C", STYLE_ANY, 4},
    };
    for (size_t i = 0; i < ROWS_OF(ROWS); i++) {
        begin(ROWS[i].chords);
        h.piece.families[TUNE] = (uint8_t)ROWS[i].family;
        assert_int_equal(make((struct chord_plan_request){i ? 0 : 2, h.piece.n_bars,
                                                          ON_TUNE, ROWS[i].style}),
                         CHORDS_OTHERS);
        says(0, ROWS[i].says);
        assert_true(plan.free_from == plan.free_to);
    }
}

/* In F major for eight bars, then in C major, which has B
 * natural; E flat amid C major: I IV V I; on G, held, after C F E D: on the dominant. */
TEST(a_tune_is_harmonised_in_its_keys)
{
    static const struct signature C_MAJOR = {0xab5, 0};
    static const struct {
        const char *tune;
        int bar;
        const char *says;
    } ROWS[] = {
        {"4" OF_F OF_F OF_C OF_C, 0, "F A# C7 F"},
        {"4" OF_F OF_F OF_C OF_C, 12, "C G7 G7 C"},
        {"4" OF_C OF_C OF_E_FLAT OF_C, 8, "D# Fm A#7 D# C"},
        {OPEN, 0, "C F C G"},
    };
    for (size_t i = 0; i < ROWS_OF(ROWS); i++) {
        begin("");
        play(ROWS[i].tune);
        assert_int_equal(make((struct chord_plan_request){
                             0, h.piece.n_bars, ON_BASS,
                             .signature = h.piece.n_bars == 4 ? &C_MAJOR : NULL}),
                         CHORDS_TUNE);
        says(ROWS[i].bar, ROWS[i].says);
    }
}

/* Of three beats, on the last before the end. */
TEST(a_cadence_has_room_for_its_dominant)
{
    static const struct signature C_MAJOR = {0xab5, 0};
    const int bar = 3 * QUARTER;
    begin("");
    h.meters[0] = (struct grid_meter){0, 3, 4};
    hand_play(&h, TUNE, 0, 3 * bar, 0, "1q: 60 64 67 69 65 69 67 64 62");
    hand_play(&h, TUNE, 3 * bar, 4 * bar, 0, "3q: 60");
    h.piece.n_bars = 4;
    chord_plan_fini(&plan);
    assert_ok(chord_plan_make(
        &plan, &h.piece,
        &(struct chord_plan_request){0, 4 * bar, ON_BASS, .signature = &C_MAJOR}));
    const struct grid_chord *c = &plan.chords[plan.n - 2];
    assert_int_equal(c->root, 7);
    assert_int_equal(c->step, 2 * bar + 2 * QUARTER);
    assert_int_equal(c[1].root, 0);
}

/* A loop, from its beginning and from its middle; a verse of two phrases, whole; a blues of eight
 * bars, of twelve, and from the middle of the second chorus, with a quick change; a section that
 * has not returned, in half of the takes, whose answer closes; a dominant, also of D minor, is
 * resolved, and the rest left to the model. */
TEST(a_form_goes_on)
{
    const enum chord_source FORM = CHORDS_FORM, MODEL = CHORDS_MODEL;
    const struct {
        const char *chords, *says;
        enum chord_source source;
        bool returns;
    } ROWS[] = {
        {"Am F C G Am F C G", "Am F C G Am F", FORM},
        {"Am F C G Am F C G Am F", "C G Am F", FORM},
        {"G D Em C G D Am D", "G D Em C G D Am D", FORM},
        {"A7 D7 A7 A7 D7 D7 A7 A7", "E7 D7 A7 E7 A7 D7 A7 A7", FORM},
        {BLUES, BLUES, FORM},
        {BLUES " C7 C7 C7 C7 F7 F7", "C7 C7 G7 F7 C7 G7", FORM},
        {SECTION, "C G C F Dm C Am C", FORM, true},
        {SECTION, "C C C C C C C C", MODEL},
        {"C F Dm G C G7", "C C C C", MODEL},
        {"C F G C Am A7", "Dm", MODEL},
    };
    for (size_t i = 0; i < ROWS_OF(ROWS); i++) {
        begin(ROWS[i].chords);
        const int n = h.piece.n_bars, to = n + n_names(ROWS[i].says);
        h.piece.families[TUNE] = i < 3 ? FAMILY_DRUMS : 0;
        assert_int_equal(make((struct chord_plan_request){n, to, ON_BAND,
                                                          .returns = ROWS[i].returns}),
                         ROWS[i].source);
        says(n, ROWS[i].says);
        if (plan.source == CHORDS_MODEL)
            assert_true(plan.free_from == n * BAR && plan.free_to == to * BAR &&
                        plan.unit == BAR && plan.rate > 0.7f);
        else
            assert_true(plan.free_from == plan.free_to);
    }
}

/* The fifth sounds longer, but the chord begins with its root. Nor does a missing bass name
 * another root: the keys' thirds lie lowest in Ebmaj7, Cm7, Fm7, Bb7. */
TEST(a_bass_that_moves_names_no_inversion_and_a_missing_one_no_root)
{
    hand_begin(&h, 4);
    hand_play(&h, BASS, 0, 4 * BAR, 0, "1b/1q: 36 45 41 43");
    hand_play(&h, BASS, QUARTER, 4 * BAR, -5, "1b/3q: 36 45 41 43");
    hand_play(&h, CHORDS, 0, 4 * BAR, 24, "1b: 36+40+43 45+49+52 41+45+48 43+47+50");
    make((struct chord_plan_request){.to = 4, .tracks = ON_TUNE});
    says(0, "C A F G");
    hand_begin(&h, 8);
    h.piece.families[TUNE] = 4;
    hand_play(&h, CHORDS, 0, 8 * BAR, 0,
              "1b: 67+70+74+75+79 63+67+70+72+75 56+60+63+65+68 62+65+68+70+74");
    make((struct chord_plan_request){.to = 8, .tracks = ON_TUNE});
    says(0, "D#maj7 Cm7 Fm7 A#7");
}

TEST(nothing_is_planned_for_drums_or_a_line)
{
    begin("");
    play("3|1q: 60 62 64 65 67 65 64 62 60 62 64 65");
    assert_int_equal(make((struct chord_plan_request){3, 7, ON_BAND}), CHORDS_NONE);
    begin("C F G7 C");
    h.piece.families[BASS] = FAMILY_DRUMS;
    assert_int_equal(make((struct chord_plan_request){.to = 4, .tracks = ON_BASS}),
                     CHORDS_NONE);
    assert_true(!plan.n && !plan.chords);
}

/* Sixteen bars from nothing end in their key; other seeds have other changes; jazz has sevenths. */
TEST(a_score_without_notes_has_phrases)
{
    static const struct {
        int sharps;
        bool is_minor;
        enum style style;
        uint64_t seed;
        int bars;
        const char *chords;
    } CASES[] = {
        {0, true, STYLE_BAND, 0, 16, "Am F C G Am F C G Dm G C F Am F G Am"},
        {0, true, STYLE_BAND, 6, 8, "Am C F G Am C G Am"},
        {0, true, STYLE_BAND, 1, 8, "Am G F G Am G Dm Am"},
        {1, false, STYLE_BAND, 0, 6, "G D Em C G D"},
        {1, false, STYLE_JAZZ, 0, 4, "Gmaj7 Cmaj7 D7 Gmaj7"},
        {0, false, STYLE_BLUES, 0, 13, "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7 C7"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const struct signature s = signature_of(CASES[i].sharps, CASES[i].is_minor);
        const struct chord_plan_request q = {
            .to = CASES[i].bars * BAR, .style = CASES[i].style, .signature = &s};
        begin("");
        chord_plan_fini(&plan);
        assert_ok(chord_plan_of_nothing(&plan, &h.piece, &q, CASES[i].seed));
        says(0, CASES[i].chords);
    }
    chord_plan_fini(&plan);
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
    make((struct chord_plan_request){.to = 3, .tracks = ON_BASS});
    int n_dominants = 0;
    for (size_t i = 0; i < plan.n; i++)
        n_dominants +=
            plan.chords[i].root == 2 && plan.chords[i].step == 2 * SIX + SIX / 2;
    assert_int_equal(n_dominants, 1);
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
    says(12, "C7 F7 C7 C7 F7 F#dim7 C7 A7 Dm7 G7 C7 G7");
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

TEST(a_close_is_planned)
{
    begin("Cm G7 Cm Fm G7 Cm");
    assert_int_equal(make((struct chord_plan_request){6, 10, ON_BASS, .closes = true}),
                     CHORDS_MODEL);
    const struct grid_chord *last = &plan.chords[plan.n - 1];
    assert_true(last->step == 9 * BAR && last->root == 0 &&
                last->quality == CHORD_MINOR);
    assert_true(last[-1].step == 9 * BAR - BAR / 2 && last[-1].root == 7);
    assert_true(plan.free_to == last[-1].step);
    chord_plan_fini(&plan);
}
