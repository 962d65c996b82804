/* The real program, run as a script would: exit statuses, what it says, and
 * what it leaves behind. $CONTINUO_BIN names it; `make test` sets that. */
#include "tests/check.h"
#include "app/document/store.h"
#include "tests/app/cli/cli_home.h"

TOLD(test_every_verb_helps) = {
    {"--help", 0, "continuo continue"},
    {"completions verbs", 0, "continue\t|train\t"},
    {"$for v in $(\"$CONTINUO_BIN\" completions verbs | cut -f1); do "
     "\"$CONTINUO_BIN\" $v --help | grep \"usage: continuo $v\" || exit 1; done"},
};

/* Nor do libraries write about what is not there. */
TOLD(test_devices) = {{"devices", 0, "audio drivers|  file|-ALSA"}};

/* What is wrong names the option and its range. */
TOLD(test_wrong_usage_is_two) = {
    {"continue in.mid", 2},
    {"continue -o out.mid", 2, "continuo: an argument is missing: IN.mid"},
    {"continue in.mid -o out.mid --bars 0", 2,
     "continuo: --bars 0: must be a whole number from 1 to 256"},
    {"continue in.mid -o out.mid --bars 2.5", 2,
     "continuo: --bars 2.5: must be a whole number"},
    {"continue in.mid -o out.mid --bars many", 2},
    {"continue in.mid -o out.mid --temperature nan", 2, "must be a number from 0 to 5"},
    {"continue in.mid -o out.mid --top-p 0", 2},
    {"continue in.mid -o out.mid --seed -1", 2,
     "continuo: --seed -1: must be a whole number"},
    {"continue in.mid -o out.mid --style polka", 2, "polka: must be one of guess, any"},
    {"continue in.mid -o out.mid --precision f8", 2, "one of f32, bf16, int8"},
    {"continue in.mid extra.mid -o out.mid", 2, "extra.mid: is one argument too many"},
    {"continue in.mid -o out.mid --colour red", 2, "is not an option of this verb"},
    {"continue in.mid -o out.mid --what=3", 2,
     "continuo: --what=3: is not an option of this"},
    {"continue in.mid -o out.mid -xz", 2,
     "continuo: -x: is not an option of this verb"},
    {"continue in.mid -o out.mid --json=no", 2, "continuo: --json=no: takes no value"},
    {"continue in.mid -o out.mid --help=3", 2, "continuo: --help=3: takes no value"},
    {"continue in.mid -o out.mid --t 3", 2,
     "continuo: --t: may mean --takes, --temperature"},
    {"continue in.mid -o out.mid --t=3", 2,
     "continuo: --t=3: is not an option of this verb"},
    {"continue in.mid -o", 2,
     "continuo: -o: needs a value; see continuo continue --help"},
    {"copy in.mid -o out.mid --bars 2", 2,
     "continuo: --bars: is not an option of this verb"},
    {"render in.mid", 2},
    {"logits tiny", 2},
    {"logits tiny --tokens ''", 2},
    {"logits tiny --tokens '1 x'", 2},
    {"eval tiny", 2},
    {"eval tiny --data . --split best", 2},
    {"info", 2},
    {"copy in.mid", 2},
    {"quantise tiny", 2},
    {"quantise tiny -o out.safetensors --weights int4", 2},
    {"bench nothing", 2},
    {"bench decode twice", 2},
    {"no-verb", 2},
    {"contine", 2},
    {"contine in.mid -o out.mid --bars 4", 2,
     "contine: is neither a verb nor a file; perhaps continuo continue"},
    {"copy --help", 0, "usage: continuo copy|-bars"},
    {"info out.mid", 1}, /* for none was made */
};

TOLD(test_failures_name_the_file) = {
    {"copy no-such.mid -o out.mid", 1, "continuo: no-such.mid: "},
    {"copy models/tiny.safetensors -o out.mid", 1,
     "continuo: models/tiny.safetensors: is not a MIDI file"},
    {"copy in.mid -o no/such/out.mid", 1, "continuo: no/such/out.mid: "},
    {"copy in.mid -o ''", 2, "continuo: -o, the output, is missing"},
    {"copy '' -o out.mid", 2, "an argument is missing"},
    {"continue in.mid -o out.mid --model nowhere", 1, "continuo: nowhere: "},
    {"continue in.mid -o out.mid --model in.mid", 1, "continuo: in.mid: "},
    {"logits tiny --tokens '1 99999'", 1, "continuo: tiny: "},
    {"eval tiny --data models/no", 1, "continuo: models/no: "},
    {"render in.mid -o out.wav --soundfont in.mid", 1,
     "continuo: in.mid: is damaged or not a soundfont"},
    {"info out.mid", 1}, /* for none was made */
    {"info out.wav", 1},
};

TOLD(test_escapes_never_arrive) = {
    {"info in.mid", 0, "high|-\033"},
    {"copy \"$(printf 'no\\033[2Jsuch')\" -o out.mid", 1, "-\033"},
    {"copy in.mid \"$(printf -- '--\\033[2J')\"", 2, "-\033"},
    {"accompany in.mid -o o.mid --with \"$(printf 'ba\\033[2Jss')\"", 2, "[2Jss|-\033"},
};

TOLD(test_nor_those_of_a_path) = {
    {"$export XDG_CONFIG_HOME=$(printf '/nowhere/\033[2J'); \"$CONTINUO_BIN\" --help; "
     "\"$CONTINUO_BIN\" config",
     0, "[2J/continuo/continuo.conf|-\033"},
};

TOLD(test_copy_changes_nothing) = {
    {"copy in.mid -o copied.mid >all; [ ! -s all ] && cmp in.mid copied.mid"},
};

TOLD(test_files_are_described) = {
    {"$printf 'MThd\\0\\0\\0\\6\\0\\0\\0\\1\\0\\140MTrk\\0\\0\\0\\022"
     "\\0\\377\\131\\2\\2\\0\\0\\220\\074\\100\\140\\200\\074\\0\\0\\377\\057\\0' "
     ">key.mid"},
    {"info key.mid", 0, "  keys: D major from bar 1\n"},
    {"info in.mid", 0, " 16 notes on 2 tracks, 2 bars"},
    {"info in.mid --json", 0,
     "\"notes\":\t16|\"bars\":\t2|\"track\":\t2|-\"track\":\t3"},
    {"info models/tiny.safetensors", 0, "2 layers of 32"},
    {"models", 0, "* |tiny.safetensors"},
};

/* A program that was moved away from its models. */
#define MOVED                                                                          \
    "$mkdir -p alone/so/deep && cp \"$CONTINUO_BIN\" alone/so/deep/; "                 \
    "CONTINUO_HOME=/nonexistent alone/so/deep/continuo "
TOLD(test_without_a_model_it_says_so) = {
    {MOVED "bench start", 1, "found"},
    {MOVED "bench decode", 1, "found"},
    {MOVED "bench takes", 1, "found"},
    {MOVED "bench frames", 1, "found"},
    {MOVED "continue in.mid -o out.mid", 1, "found"},
};

static void render(const char *arguments)
{
    auto_free char *font = realpath(getenv("CONTINUO_TEST_SOUNDFONT"), NULL);
    assert_non_null(font);
    assert_done(formatted("render %s --soundfont '%s'", arguments, font));
}

/* The second track is marked so. */
static void make_solo(const char *name)
{
    char why[STORE_WHY_BYTES];
    struct store *s;
    assert_ok(store_lock(&s, in_folder(name), why));
    assert_ok(store_open(s, true, why));
    assert_ok(store_exec(s, "INSERT INTO session VALUES(1, 'session', "
                            "'{\"marks\":[[1,\"1B5B324A68696768\",0,1,0,0,0]]}')"));
    store_close(s, false);
}

/* What is muted in the workstation is muted here, unless all is asked for. */
TEST(test_render_heeds_mutes)
{
    save_music("song.mid");
    render("song.mid -o whole.wav");
    assert_says("whole.wav: normalised, the peak is at -1 dB; use --gain ");
    make_solo("song.mid.continuo");
    render("song.mid -o low.wav");
    render("song.mid -o all.wav --all");
    assert_false(same_bytes("whole.wav", "low.wav"));
    assert_true(same_bytes("whole.wav", "all.wav"));
    put_text("song.mid.continuo", "{");
    render("song.mid -o whole2.wav");
    assert_says("continuo: song.mid: its store is not read: ");
    assert_true(same_bytes("whole.wav", "whole2.wav"));
}

/* The gain that was said makes the same file again; a greater one is too much. */
TEST(test_render_says_its_gain)
{
    save_music("song.mid");
    render("song.mid -o one.wav");
    double gain = strtod(strstr(said, "--gain ") + strlen("--gain "), NULL);
    render(formatted("song.mid -o two.wav --gain %g", gain));
    assert_says(formatted("two.wav: gain %g dB, the peak is at -1", gain));
    assert_true(same_bytes("one.wav", "two.wav"));
    render(formatted("song.mid -o loud.wav --gain %g", gain + 2));
    assert_says("continuo: loud.wav: warning: it is too loud and clipped at 0 dB");
}

GROUP(set_up, remove_own_folder)
