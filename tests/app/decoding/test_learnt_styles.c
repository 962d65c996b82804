/* Only styles that the model has learnt are offered: in the panel, on the typed line, on the
 * command line, and by the guess. The models are tiny and random, and say what they were
 * trained on. */
#include "tests/check.h"
#include "app/base/values.h"
#include "tests/app/kept.h"
#include "tests/midi/score_of.h"
#include "app/decoding/styles.h"
#include "app/editor/takes/machine.h"

#define BIT(style) (UINT64_C(1) << (style))

enum { EVERY = (1 << STYLE_COUNT) - 1 };

static const char *save(const char *provenance)
{
    const char *path = in_folder("taught.safetensors");
    assert_true(tiny_model_save_from(path, 512, TOKEN_COUNT, 1, provenance));
    return path;
}

#define TAUGHT                                                                         \
    "{\"corpora\":[{\"name\":\"a\",\"style\":\"folk\"},"                               \
    "{\"name\":\"b\",\"style\":\"song\"},{\"name\":\"c\",\"style\":\"folk\"}]}"

TEST(what_it_was_trained_on_is_learnt)
{
    static const struct {
        const char *provenance;
        uint64_t styles;
    } CASES[] = {
        {TAUGHT, BIT(STYLE_ANY) | BIT(STYLE_FOLK) | BIT(STYLE_SONG)},
        {"{\"corpora\":[{\"style\":\"any\"},{\"style\":\"piano\"}]}",
         BIT(STYLE_ANY) | BIT(STYLE_PIANO)},
        {"{\"corpora\":[{\"style\":\"piano\"},{\"style\":\"a later one\"}]}",
         BIT(STYLE_ANY) | BIT(STYLE_PIANO)},
        {NULL, EVERY}, /* it does not say, */
        {"{}", EVERY},
        {"{\"corpora\":[]}", EVERY},
        {"{\"corpora\":[{\"style\":\"any\"}]}", EVERY},
        {"{\"corpora\":{\"style\":7}}", EVERY}, /* or says nonsense */
        {"{\"corpora\":[1,null,\"piano\",{\"style\":[\"piano\"]}]}", EVERY},
        {"[[[[", EVERY},
        {"", EVERY},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_true(learnt_styles_of_file(save(CASES[i].provenance)) ==
                    CASES[i].styles);
    assert_true(learnt_styles_of_file("no such file") == EVERY);
}

static int taught(void **state)
{
    struct generator_progress p = {0};
    if (model_session(state))
        return -1;
    struct session *s = *state;
    generator_destroy(s->generator);
    s->generator = generator_create(save(TAUGHT), PRECISION_DEFAULT, 1, -1);
    assert_non_null(s->generator);
    for (int i = 0; i < MOST_NAPS && !p.loaded; i++, nap())
        generator_progress(s->generator, &p);
    assert_true(p.loaded && p.styles);
    return 0;
}

static const char *style_of(int style)
{
    return style == CONTINUATION_STYLE_GUESS ? "guess" : style_name((enum style)style);
}

TEXT_FACT(style, style_of(s->steering.style))
TEXT_FACT(set, style_of(s->preferences.settings.steering.style))

/* The panel, at its line of styles. */
WORD(panel)
{
    keys(s, "P");
    for (s->view.lists[LIST_STEER].point = 0;
         !steer_is_style(steer_row(s->view.lists[LIST_STEER].point));)
        s->view.lists[LIST_STEER].point++;
}

SCRIPT(the_panel_goes_by_what_is_learnt, taught) = {
    {":style guess\r‹panel›l", "style any"},
    {"l", "style song"},
    {"l", "style folk"},
    {"l", "style folk"},
    {"h", "style song"},
    {"hhhhhhhhh", "style guess"},
};

SCRIPT(the_line_says_what_is_learnt, taught) = {
    {":style folk\r", "style folk"},
    {":style chorale\r", "style folk; error",
     "style must be one of guess, any, song, folk; it is folk"},
    {":style guess\r", "style guess"},
};

WORD(chorale)
{
    s->steering.style = STYLE_CHORALE;
    session_tick(s);
}

/* :set as :style; and what a configuration, or a model before, has left. */
SCRIPT(settings_are_held_to_what_is_learnt, taught) = {
    {":set style folk\r", "style folk; set folk"},
    {":set style chorale\r", "error; set folk",
     "style is one of guess, any, song, folk"},
    {"‹chorale›", "style guess",
     "the model does not know the style chorale: it guesses"},
};

/* Music without notes is what its instruments are for. */
TEST(instruments_suggest_a_style)
{
    static const struct {
        const char *tracks;
        enum style style;
    } CASES[] = {
        {"", STYLE_PIANO},
        {"| piano: | piano:", STYLE_PIANO},
        {"| kit ch9:", STYLE_DRUMS},
        {"| flute #73: | piano: | kit ch9:", STYLE_BAND},
        {"| violin #40: | violin #40: | cello #42:", STYLE_QUARTET},
        {"| flute #73: | piano:", STYLE_ANY},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        auto_score *s = score_of("480 %s", CASES[i].tracks);
        assert_int_equal(learnt_style_for(EVERY, s), CASES[i].style);
        assert_int_equal(learnt_style_for(BIT(STYLE_ANY) | BIT(STYLE_FOLK), s),
                         STYLE_ANY);
    }
}

/* Styles are guessed among those whose music such tracks play. */
TEST(players_narrow_the_guess)
{
    enum { PIANO = 1, GUITAR = 1 << 3, STRINGS = 1 << 5, KIT = 1 << FAMILY_DRUMS };
    static const struct {
        int n_tracks, families;
        uint64_t is, is_not;
    } CASES[] = {
        {1, STRINGS, BIT(STYLE_FOLK), BIT(STYLE_PIANO) | BIT(STYLE_DRUMS)},
        {2, PIANO, BIT(STYLE_PIANO), BIT(STYLE_QUARTET) | BIT(STYLE_BAND)},
        {4, STRINGS, BIT(STYLE_QUARTET), BIT(STYLE_CHORALE) | BIT(STYLE_PIANO)},
        {4, PIANO, BIT(STYLE_CHORALE) | BIT(STYLE_HYMN), BIT(STYLE_FOLK)},
        {3, PIANO | GUITAR | KIT, BIT(STYLE_BAND), BIT(STYLE_DRUMS) | BIT(STYLE_SONG)},
        {1, KIT, BIT(STYLE_DRUMS), BIT(STYLE_FOLK) | BIT(STYLE_BAND)},
        {0, 0, 0, EVERY & ~BIT(STYLE_ANY)},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint64_t styles =
            styles_for_players(CASES[i].n_tracks, (uint64_t)CASES[i].families);
        assert_true(styles & BIT(STYLE_ANY));
        assert_true((styles & CASES[i].is) == CASES[i].is);
        assert_false(styles & CASES[i].is_not);
    }
}

/* It says what is wrong, and that is the file or the style. */
#define CONTINUE                                                                       \
    "sh $CONTINUO_BIN continue none.mid -o out.mid --model $PWD/taught.safetensors "   \
    "--style "
SCRIPT(the_command_line_takes_what_is_learnt, taught) = {
    {"‹" CONTINUE "folk 2>&1 | grep none.mid:›"},
    {"‹" CONTINUE "guess 2>&1 | grep none.mid:›"},
    {"‹" CONTINUE "any 2>&1 | grep none.mid:›"},
    {"‹" CONTINUE "chorale 2>&1 | grep 'one of guess, any, song, folk'›"},
};

GROUP(make_model, remove_own_folder)
