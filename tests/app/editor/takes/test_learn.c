/* `:learn` and `:model`: a model of one's own is made while the session goes on, chosen,
 * remembered and removed. The program that learns is the real one. */
#include "tests/check.h"

#include "app/editor/takes/machine.h"
#include "tests/app/kept.h"
#include "tests/midi/score_of.h"

#include <sys/wait.h>

/* Three tunes in a folder, and a model of random weights that has much to learn. */
FIXTURE(make_home)
{
    if (make_model(state) || mkdir(in_folder("my tunes"), 0700) ||
        setenv("XDG_DATA_HOME", in_folder("data"), 1) || chdir(folder))
        return -1;
    learn_program = getenv("CONTINUO_BIN");
    for (int i = 0; i < 3; i++)
        save_score(formatted("my tunes/%d.mid", i),
                   score_of("480 | voice: (60q 61 62 63 64 65 66)*17 60"));
    return learn_program ? 0 : -1;
}

static bool is_learning(struct session *s)
{
    return strstr(view_of(s)->work, "learning") != NULL;
}

DOES(wait, WAIT_FOR(s, !is_learning(s)))

WORD(loaded)
{
    struct generator_progress p = {0};
    WAIT_FOR(s, (generator_progress(s->generator, &p), p.loaded));
    session_tick(s);
}

static bool has_model(const char *name)
{
    return access(in_folder(formatted("data/continuo/models/%s.safetensors", name)),
                  F_OK) == 0;
}

static const char *in_use(struct session *s)
{
    static char path[4096];
    return model_in_use(s, path, sizeof path) ? file_base_name(path) : "";
}

static const char *remembered(void)
{
    static char path[4096];
    return file_base_name(paths_recall("model", path, sizeof path));
}

DOES(again, act_command_line(s, formatted("model %s", model)))

NUMBER_FACT(learning, is_learning(s))
NUMBER_FACT(tunes, has_model("my-tunes"))
NUMBER_FACT(soon, session_timeout_ms(s) < 500)
NUMBER_FACT(remembers, *remembered())
TEXT_FACT(used, in_use(s))

SCRIPT(a_folder_becomes_a_model, model_session) = {
    {":learn 4s my tunes\r", "learning; soon; no tunes", "~learning my-tunes"},
    {":q\r", "no quit; learning", "!being trained"},
    {":learn 1s my tunes\r", "learning", "!Ctrl-C"},
    {"‹put 0+1q 60›‹wait›", "no learning; tunes; n 1", "~:model my-tunes uses it"},
    {":learn 60s my tunes\r", "learning", "~my-tunes-2"}, /* the next name */
    {"‹C-c›‹wait›", "no learning"},
    {":learn 60s ./my tunes/..\r", "learning", "~learning continuo-test"},
    {"‹C-c›‹wait›", "no learning"},
    {":model my-tunes\r‹loaded›", "used my-tunes.safetensors; remembers",
     "~the model is now"},
    {":learn 1s nowhere\r", "no learning", "!no folder nowhere"},
    {":learn 99h\r", "no learning", "!how long"},
    {":model forget my-tunes\r", "tunes", "!for good"}, /* asked first */
    {":models\r", "mode PALETTE; input compose with "},
    {"my-t‹Delete›", "tunes; mode PALETTE"},
    {"‹Delete›", "no tunes; no remembers; mode NORMAL", "~is removed"},
    {":models\rtiny‹Delete›‹Delete›", "mode PALETTE; input compose with tiny"},
    {"‹Left›‹Delete›\033",
     "mode NORMAL; input compose with tin"}, /* of what is typed */
    {":model forget! my-tunes\r", "", "!no model of your own"},
    {":model my-tunes\r", "", "!no model my-tunes"},
    {":model forget! ../tiny\r", "", "!no model of your own"},
};

SCRIPT(a_piece_becomes_a_model, model_session) = {
    {":learn 1s\r", "no learning", "!no music"},
    {"‹put 0+1q 60›:learn 1s\r", "learning"},
    {"‹wait›", "", "~too few bars to measure progress"},
};

/* As many files as take a while to be read. */
WORD(make_many)
{
    assert_ok(mkdir(in_folder("many"), 0700));
    save_score(
        "many/0.mid",
        score_of(
            "480 | a: (60q 61 62 63 64 65 66)*571 | b: (72q 73 74 75 76 77 78)*571 | "
            "c: (84q 85 86 87 88 89 90)*571 | d: (96q 97 98 99)*1000"));
    for (int i = 1; i < 4500; i++)
        assert_ok(
            link(in_folder("many/0.mid"), in_folder(formatted("many/%d.mid", i))));
}

/* The program that learnt has ended soon, and before it had learnt anything. */
WORD(gone)
{
    const int64_t until = clock_whole_ms() + 20000; /* of a busy machine */
    while (waitpid(-1, NULL, WNOHANG) >= 0 && clock_whole_ms() < until)
        usleep(10000);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0);
}

SCRIPT(reading_is_ended, model_session) = {
    {"‹make_many›:learn 1h many\r‹pass 50›", "learning"},
    {"‹C-c›‹wait›‹gone›", "no learning", "!nothing was learnt"},
    {":learn 1h many\r‹pass 50›", "learning"},
    {":q!\r", "quit"},
    {"‹leave›‹gone›"},
};

/* The session ends meanwhile: so does what it began. */
SCRIPT(leaving_ends_it, model_session) = {
    {":learn 1h my tunes\r:q!\r", "quit"},
};

/* Takes are asked of the new model, and the inspector's thread ends before the old one goes. */
SCRIPT(a_model_is_changed_in_mid_work, model_session) = {
    {"‹loaded›‹put 0+1q 60, 1q+1q 64›I‹pass 50›", "mode INSPECT"},
    {"‹again›‹loaded›‹pass 50›", "mode INSPECT"},
    {"\033C‹again›‹loaded›", "no error"},
    {"X\033C‹made›", "takes 1..8; no error"},
};

SCRIPT(lines_are_completed, model_session) = {
    {":learn 5m my\t", "input learn 5m my tunes/"},
    {"0.m\t", "input learn 5m my tunes/0.mid"},
    {"‹C-u›learn my\t", "input learn my tunes/"},
    {"‹C-u›model forg\t", "input model forget "},
};

GROUP(make_home, remove_own_folder)
