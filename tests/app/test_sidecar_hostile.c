/* Takes in files that are damaged or made to hurt: read, or refused whole, said and
 * kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/sidecar.h"
#include "app/takes_pack.h"
#include "tests/app/waiting_takes.h"

#define TAKES                                                                          \
    "{\"continuo\": 1, \"steering\": {\"density\": 2}, \"takes\": {"                   \
    "\"ticks-per-quarter\": 480, \"letters\": 2, \"bars\": 2, \"shown\": \"B\","       \
    "\"from\": 1920, \"to\": 5760, \"tracks\": [[1, 0]],"                              \
    "\"settings\": {\"from\": 1920, \"to\": 5760, \"tracks\": \"1\"},"                 \
    "\"replaced\": [[0, 1920, 480, 60]], \"standing\": [[0, 0, 480, 60, 1]],"          \
    "\"ghosts\": [[0, 1920, 120, 64, 90, 0.5, false], [0, 2040, 120, 65, 90, 1, "      \
    "true]],"                                                                          \
    "\"takes\": [{\"letter\": \"A\", \"ghosts\": [1]},"                                \
    "{\"letter\": \"B\", \"model\": \"\\u001b[2J\", \"ghosts\": [2, 1]}]}}"

/* The first `what` becomes `instead`. */
static void put_changed(const char *name, const char *what, const char *instead)
{
    char text[2000];
    const char *at = strstr(TAKES, what);
    if (!at)
        fail_msg("there is no %s", what);
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - TAKES), TAKES, instead,
                     at + strlen(what));
    put(name, text, (size_t)n);
}

static void a_file_by_hand_is_read(void **state)
{
    struct session *s = *state;
    save_as(s, "hand.mid");
    put("hand.mid.continuo", TAKES, strlen(TAKES));
    open_again(s, "hand.mid");
    assert_false(s->message_is_error);
    assert_int_equal(s->takes.n, 2);
    assert_int_equal(s->takes.shown, 1);
    assert_int_equal(s->rewritten.n_there, 1);
    assert_int_equal(s->takes.list[0].n_waiting, 0);
    assert_int_equal(s->takes.list[1].n_waiting, 1);
    assert_null(strchr(s->takes.list[1].model_name, '\33'));
    assert_ids(s);
}

static void what_cannot_be_right_is_refused_whole(void **state)
{
    static const char *const CHANGES[][3] = {
        {"\"letters\": 2", "\"letters\": 27", "letters"},
        {"\"letters\": 2", "\"letters\": 1", "letters"},
        {"\"letters\": 2", "\"letters\": \"2\"", "letters"},
        {"\"letter\": \"B\"", "\"letter\": \"A\"", "letter"},
        {"\"letter\": \"B\"", "\"letter\": \"b\"", "letter"},
        {"\"letter\": \"B\"", "\"letter\": 66", "letter"},
        {"\"letter\": \"B\"", "\"letter\": \"BC\"", "letter"},
        {"\"bars\": 2", "\"bars\": 0", "bars"},
        {"\"bars\": 2", "\"bars\": 1.5", "bars"},
        {"\"shown\": \"B\"", "\"shown\": \"C\"", "shown"},
        {"\"shown\": \"B\"", "\"shown\": {}", "shown"},
        {"\"from\": 1920", "\"from\": -1", "from"},
        {"\"from\": 1920", "\"from\": 5761", "from"},
        {"\"to\": 5760", "\"to\": 1e300", "to"},
        {"\"to\": 5760", "\"to\": \"1152921504606846977\"", "to"},
        {"{\"from\": 1920", "{\"from\": 5760", "from"},
        {"\"tracks\": \"1\"", "\"tracks\": 1", "tracks"},
        {"\"tracks\": \"1\"", "\"lowest\": 128", "lowest"},
        {"\"tracks\": \"1\"", "\"lowest\": 60, \"highest\": 59", "lowest"},
        {"\"tracks\": \"1\"", "\"density-level\": 12", "density-level"},
        {"\"tracks\": \"1\"", "\"keep\": 3", "keep"},
        {"\"tracks\": \"1\"", "\"temperature\": -1e999", "temperature"},
        {"\"tracks\": \"1\"", "\"seed\": \"18446744073709551616\"", "seed"},
        {"[[1, 0]]", "[[1, 16]]", "tracks"},
        {"[[1, 0]]", "[[1]]", "tracks"},
        {"[[1, 0]]", "[]", "ghosts"},
        {"[[1, 0]]", "{}", "tracks"},
        {"[0, 1920, 480, 60]", "[1, 1920, 480, 60]", "replaced"},
        {"[0, 1920, 480, 60]", "[0, 1920, -480, 60]", "replaced"},
        {"[0, 1920, 480, 60]", "7", "replaced"},
        {"[0, 0, 480, 60, 1]", "[0, 0, 480, 60, 3]", "standing"},
        {"[0, 0, 480, 60, 1]", "[0, 0, 480, 60]", "standing"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 0, 64, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 120, 128, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 120, 64, 0,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[-1, 1920, 120, 64, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, \"x\", 120, 64, 90,", "ghosts"},
        {"0.5, false", "0.5, 0", "ghosts"},
        {"0.5, false", "2, false", "ghosts"},
        {"0.5, false", "0.5", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [0]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [3]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [1, 1]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": \"1\"", "ghosts"},
        {"\"model\": \"\\u001b[2J\"", "\"model\": []", "model"},
        {"\"model\": \"\\u001b[2J\"", "\"settings\": []", "settings"},
        {"\"model\": \"\\u001b[2J\"", "\"liking\": 2", "liking"},
        {"\"model\": \"\\u001b[2J\"", "\"done\": 1", "done"},
        {"\"model\": \"\\u001b[2J\"", "\"tokens\": 1e10", "tokens"},
        {"\"model\": \"\\u001b[2J\"", "\"given\": [-1]", "given"},
        {"\"model\": \"\\u001b[2J\"", "\"given\": [1e9]", "given"},
        {"\"model\": \"\\u001b[2J\"", "\"given\": {}", "given"},
        {"\"model\": \"\\u001b[2J\"", "\"muted\": [[0, 1], [0]]", "muted"},
        {"\"model\": \"\\u001b[2J\"", "\"muted\": [[-1, 0]]", "muted"},
        {"\"model\": \"\\u001b[2J\"", "\"muted\": [[0, 0, 0]]", "muted"},
        {"\"model\": \"\\u001b[2J\"", "\"muted\": 3", "muted"},
        {"\"model\": \"\\u001b[2J\"", "\"log-prob\": -1e999", "log-prob"},
        {"\"letters\": 2", "\"letters\": 2, \"played\": 3", "played"},
        {"\"letters\": 2", "\"letters\": 2, \"played\": {}", "played"},
        {"\"letters\": 2", "\"letters\": 2, \"played\": {\"to\": 9, \"events\": 1}",
         "played"},
        {"\"letters\": 2", "\"letters\": 2, \"played\": {\"to\": -1, \"events\": []}",
         "played"},
        {"\"letters\": 2", "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [7]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[1, 0, 176, 64, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, -1, 176, 64, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 144, 64, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 240, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 176, 123, 0]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 176, 64, 128]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 176, 64]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 208, 1, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0, 176, 1, 1, 1]]}",
         "played"},
        {"\"letters\": 2",
         "\"letters\": 2, \"played\": {\"to\": 9, \"events\": [[0, 0]]}", "played"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        struct sidecar side;
        char why[SIDECAR_WHY_BYTES] = "", wanted[SIDECAR_WHY_BYTES];
        put_changed("bad.mid.continuo", CHANGES[i][0], CHANGES[i][1]);
        enum sidecar_status st = sidecar_load(&side, in_folder("bad.mid"), why);
        snprintf(wanted, sizeof wanted, "of its takes, %s cannot be right",
                 CHANGES[i][2]);
        if (st != SIDECAR_FAILED || strcmp(why, wanted))
            fail_msg("%s: %s", CHANGES[i][1], why);
        assert_true(!side.takes.takes.n && side.steering.density == 0);
        sidecar_fini(&side);
    }
}

/* One more than there are letters. */
static void too_many_takes_are_refused(void **state)
{
    (void)state;
    char list[4000] = "\"takes\": [", why[SIDECAR_WHY_BYTES];
    for (int i = 0; i <= PROPOSALS_MAX; i++)
        sprintf(list + strlen(list), "{\"letter\": \"%c\"},", 'A' + i);
    put_changed("many.mid.continuo", "\"takes\": [", list);
    struct sidecar side;
    assert_int_equal(sidecar_load(&side, in_folder("many.mid"), why), SIDECAR_FAILED);
}

/* The file would not be read again: the rest is kept without them. */
static void too_large_takes_do_not_harm_the_rest(void **state)
{
    (void)state;
    enum { MANY = 150000 };
    char why[SIDECAR_WHY_BYTES];
    struct sidecar side;
    put("large.mid.continuo", TAKES, strlen(TAKES));
    assert_int_equal(sidecar_load(&side, in_folder("large.mid"), why), SIDECAR_OK);
    struct ghost *many = calloc(MANY, sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i < MANY; i++)
        many[i] = side.takes.ghosts[0];
    free(side.takes.ghosts);
    side.takes.ghosts = many;
    side.takes.n_ghosts = MANY;
    assert_int_equal(sidecar_save(&side, in_folder("large.mid"), why), SIDECAR_FAILED);
    assert_string_equal(why, "the takes that wait are too large for it");
    sidecar_fini(&side);
    assert_int_equal(sidecar_load(&side, in_folder("large.mid"), why), SIDECAR_OK);
    assert_true(side.steering.density == 2 && !side.takes.takes.n);
    sidecar_fini(&side);
}

static void a_refused_file_is_said_and_kept(void **state)
{
    struct session *s = *state;
    save_as(s, "hurt.mid");
    put_changed("hurt.mid.continuo", "[0, 0, 480, 60, 1]", "[]");
    open_again(s, "hurt.mid");
    assert_false(s->has_take);
    assert_string_equal(s->message, "opened, but not what is in hurt.mid.continuo: of "
                                    "its takes, standing cannot be right");
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
    act_command_line(s, "density 4");
    save_as(s, "hurt.mid");
    assert_true(exists("hurt.mid.continuo.bad"));
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* What a workstation does with what it was able to read. */
static void use(struct session *s, struct sidecar *side)
{
    int n_left_out;
    assert_true(takes_unpack(s, &side->takes, &n_left_out));
    if (!s->has_take)
        return;
    assert_ids(s);
    struct score *heard = session_heard(s);
    score_destroy(heard);
    struct view v;
    session_view(s, &v, 0);
    run(s, CMD_TAKE_NEXT);
    run(s, CMD_ACCEPT);
    run(s, CMD_UNDO);
    session_drop_take(s);
}

/* Bytes changed, cut out or doubled: it is read, or refused as a whole. */
static void mutations_do_no_harm(void **state)
{
    struct session *s = *state;
    char why[SIDECAR_WHY_BYTES];
    uint32_t seed = 7;
    size_t n, n_read = 0;
    ask(s);
    save_as(s, "m.mid");
    session_drop_take(s);
    char *good = get("m.mid.continuo", &n), *bad = malloc(2 * n);
    assert_non_null(bad);
    for (int i = 0; i < 800; i++) {
        size_t at = noise(&seed) % n, from = noise(&seed) % n, k = n;
        memcpy(bad, good, n);
        for (uint32_t times = noise(&seed) % 3 + 1; times; times--)
            bad[noise(&seed) % n] = "{}[]\",:0123456789eE-.\\\0x"[noise(&seed) % 24];
        if (i % 8 == 1) {
            memcpy(bad + at, good + from, n - from);
            k = at + n - from;
        }
        put("m.mid.continuo", bad, k);
        struct sidecar side;
        if (sidecar_load(&side, in_folder("m.mid"), why) == SIDECAR_OK) {
            n_read++;
            assert_int_equal(sidecar_save(&side, in_folder("m2.mid"), why), SIDECAR_OK);
            use(s, &side);
        } else {
            assert_int_equal(side.takes.takes.n, 0);
        }
        sidecar_fini(&side);
    }
    assert_true(n_read > 20 && n_read < 700);
    free(bad);
    free(good);
}

int main(void)
{
#define IN_SESSION(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        IN_SESSION(a_file_by_hand_is_read),
        cmocka_unit_test(what_cannot_be_right_is_refused_whole),
        cmocka_unit_test(too_many_takes_are_refused),
        cmocka_unit_test(too_large_takes_do_not_harm_the_rest),
        IN_SESSION(a_refused_file_is_said_and_kept),
        IN_SESSION(mutations_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
