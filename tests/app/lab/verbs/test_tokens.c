/* continuo tokens of four voices: the numbers are those that training draws and
 * measures on, and what cannot be written is refused before anything is. */
#include "tests/check.h"
#include "tests/app/grid_data.h"
#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"
#include "tests/app/run_words.h"

#include <endian.h>

enum { LENGTH = 50, SEED = 1, HEADER = 128 };

static struct corpus *corpus;

static int run(const char *words)
{
    return run_words(&VERB_TOKENS, STDERR_FILENO, words);
}

static void save_piece(const char *name, int piece)
{
    auto_score *s = grid_to_score(&corpus->pieces[CORPUS_TRAIN][piece].grid);
    assert_ok(smf_save(s, in_folder(name)));
}

/* The runs are from within the folder, so that lines are short. */
static int set_up(void **state)
{
    char fault[128];
    if (make_own_folder(state) || chdir(folder) || grid_data_write("music.json") ||
        !corpus_open_grid(&corpus, "music.json", fault, sizeof fault) ||
        mkdir("folder", 0700) || mkdir("folder/songs", 0700))
        return -1;
    save_piece("folder/songs/a.mid", 0);
    return 0;
}

static int tear_down(void **state)
{
    corpus_close(corpus);
    return chdir("/") || remove_own_folder(state);
}

/* Runs, and the numbers of w.npy, which has this shape. The caller frees them. */
static int16_t *numbers_of(const char *words, int rows, int windows)
{
    size_t n, wanted = (size_t)rows * (size_t)windows * LENGTH;
    if (run(formatted("--data music.json -o w.npy --length %d %s", LENGTH, words)))
        fail_msg("%s: %s", words, said);
    auto_free char *bytes = get_bytes("w.npy", &n);
    if (!strstr(bytes + 10, formatted("'shape': (%d, %d, %d)", rows, windows, LENGTH)))
        fail_msg("%s: is of %.100s", words, bytes + 10);
    assert_int_equal(n, HEADER + wanted * sizeof(int16_t));
    int16_t *numbers = calloc(wanted, sizeof *numbers);
    assert_non_null(numbers);
    memcpy(numbers, bytes + HEADER, wanted * sizeof *numbers);
    for (size_t i = 0; i < wanted; i++)
        numbers[i] = (int16_t)le16toh((uint16_t)numbers[i]);
    return numbers;
}

static void assert_row(const int16_t *got, const int32_t *wanted, int n,
                       int32_t padding)
{
    for (int i = 0; i < LENGTH; i++)
        assert_int_equal(got[i], i < n ? wanted[i] : padding);
}

/* Window i of the array is the row. */
static void assert_window(const int16_t *all, int windows, int i,
                          const struct row_room *r)
{
    const size_t plane = (size_t)windows * LENGTH;
    const int16_t *at = all + (size_t)i * LENGTH;
    assert_row(at, r->tokens, LENGTH, 0);
    assert_row(at + plane, r->targets, LENGTH, 0);
    assert_row(at + 2 * plane, r->times, LENGTH, 0);
    int n = corpus_source_length(corpus, LENGTH);
    if (!n)
        return;
    assert_true(n < LENGTH);
    assert_row(at + 3 * plane, r->sources, n, -1);
    assert_row(at + 4 * plane, r->source_times, n, 0);
}

static const struct {
    bool melody, hold;
    const char *words;
} LESSONS[] = {
    {false, false, ""},
    {false, true, "--hold"},
    {true, false, "--melody"},
    {true, true, "--hold --melody"},
};
enum { N_LESSONS = sizeof LESSONS / sizeof LESSONS[0] };

TEST(windows_are_those_drawn_and_all_that_are_held_out)
{
    enum { WINDOWS = 5 };
    for (int k = 0; k < N_LESSONS; k++) {
        const int rows = LESSONS[k].melody ? 5 : 3;
        corpus->lesson = grid_lesson_for(LESSONS[k].melody, LESSONS[k].hold);
        const int n = corpus_n_windows(corpus, CORPUS_VALID, 1, LENGTH);
        struct row_room room;
        struct corpus_sequence row = row_in(&room, LENGTH);
        auto_free int16_t *drawn = numbers_of(
            formatted("--split train --windows %d %s", WINDOWS, LESSONS[k].words), rows,
            WINDOWS);
        for (uint64_t i = 0; i < WINDOWS; i++) {
            assert_ok(corpus_draw(corpus, SEED, i, 0, &row));
            assert_window(drawn, WINDOWS, (int)i, &room);
        }
        auto_free int16_t *held = numbers_of(LESSONS[k].words, rows, n);
        assert_true(n > 2);
        for (int i = 0; i < n; i++) {
            assert_ok(corpus_window(corpus, CORPUS_VALID, CORPUS_PLAIN, i, n, &row));
            assert_window(held, n, i, &room);
        }
    }
}

/* Of two corpora, one is twice as large. */
TEST(corpora_are_drawn_by_the_power_of_their_size)
{
    assert_ok(system("mkdir -p two/a/train two/b/train"));
    save_piece("two/a/train/0.mid", 0);
    save_piece("two/b/train/1.mid", 1);
    save_piece("two/b/train/2.mid", 2);
    for (int power = 0; power < 2; power++)
        assert_ok(run(formatted("--data two -o %d.npy --split train --windows 40 "
                                "--length 32 --power %d",
                                power, power)));
    assert_int_not_equal(system("cmp -s 0.npy 1.npy"), 0);
}

TEST(fewer_windows_are_the_first)
{
    auto_free int16_t *one = numbers_of("--split test", 3, 1);
    assert_null(strstr(said, "the first"));
    auto_free int16_t *two = numbers_of("--windows 2", 3, 2);
    assert_non_null(strstr(said, "the first 2 windows; --windows "));
    assert_false(is_there("w.state.npy")); /* these tokens have none */
    assert_int_equal(one[0], GRID_BOS);
    assert_int_equal(two[0], GRID_BOS);
}

TEST(the_description_is_of_the_lesson)
{
    for (int k = 0; k < N_LESSONS; k++) {
        size_t n;
        struct grid_lesson l = grid_lesson_for(LESSONS[k].melody, LESSONS[k].hold);
        free(numbers_of(formatted("--split test %s", LESSONS[k].words),
                        l.heard.n ? 5 : 3, 1));
        auto_free char *text = get_bytes("w.json", &n),
                       *tokenizer = grid_tokenizer_json(&l);
        auto_json *j = cJSON_Parse(text), *wanted = cJSON_Parse(tokenizer);
        assert_true(cJSON_Compare(json_at(j, "tokenizer"), wanted, true));
        assert_int_equal((int)number(j, "vocab"), GRID_COUNT);
        assert_int_equal((int)number(j, "provenance.windows"), 1);
        assert_string_equal(string_at(j, "provenance.corpora.0"), "music");
    }
}

static void assert_refused(const char *words, const char *why)
{
    assert_int_equal(run(formatted("-o no.npy %s", words)), 1);
    if (!strstr(said, why))
        fail_msg("%s: said %s", words, said);
    assert_int_not_equal(access(in_folder("no.npy"), F_OK), 0);
    assert_int_not_equal(access(in_folder("no.json"), F_OK), 0);
}

TEST(what_does_not_fit_is_refused)
{
    const char *why = "continuo: folder: is not a file of four voices, which "
                      "--melody and --hold need\n";
    assert_refused("--data folder --melody", why);
    assert_refused("--data folder --hold", why);
    assert_refused("--data music.json --corpora songs", "continuo: music.json: is one");
    assert_refused("--data music.json --split best", "continuo: best: must be train");
    assert_refused("--data music.json --length 7", "continuo: --length: is too short");
    assert_refused("--data music.json --length 2 --melody --split train",
                   "continuo: --length: is too short");
    put_text("lone.json", "{\"train\": [[[60, 55, 50, 45]]]}");
    assert_refused("--data lone.json", "continuo: lone.json: holds no music of that");
    assert_refused("--data w.npy", "continuo: w.npy: is not JSON");
}

GROUP(set_up, tear_down)
