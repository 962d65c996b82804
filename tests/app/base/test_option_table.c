/* Options from a table: every kind of value is stored at its place, and what is wrong is
 * said with the option's name and its range. */
#include "tests/check.h"
#include "tests/app/run_words.h"

enum { MINE = 1, OTHERS = 2 };

static struct taken {
    const char *output, *file;
    int count, choice;
    float real;
    bool flag, is_seeded;
    uint64_t seed;
} taken;

static const char *const WORDS[] = {"red", "green", NULL};

#define ROW(type, verbs, field)                                                        \
    .kind = OPTION_IS_##type, .set = verbs, .offset = offsetof(struct taken, field)

static const struct option_row ROWS[] = {
    {"output", "FILE", "where to", ROW(TEXT, MINE, output)},
    {"count", "N", "so many", ROW(COUNT, MINE, count), .low = 2, .high = 5},
    {"real", "X", "a share", ROW(REAL, MINE, real), .high = 1},
    {"colour", "C", "a colour", ROW(CHOICE, MINE, choice), .words = WORDS},
    {"flag", NULL, "a flag", ROW(FLAG, MINE, flag)},
    {"seed", "S", "a seed", ROW(SEED, MINE, seed),
     .given = offsetof(struct taken, is_seeded)},
    {"theirs", NULL, "of another verb", ROW(FLAG, OTHERS, flag)},
    {"help", NULL, "this", .kind = OPTION_IS_HELP},
};
static const struct option_table TABLE = {ROWS, sizeof ROWS / sizeof ROWS[0], NULL};

static int parse_words(int argc, char **argv);
static const struct verb VERB = {
    .name = "try", .arguments = "IN", .n_files = 1, .takes = MINE, .main = parse_words};

static int parse_words(int argc, char **argv)
{
    taken = (struct taken){0};
    return option_table_parse(&TABLE, &VERB, &taken, &taken.file, argc, argv);
}

static int parse(const char *line)
{
    return run_words(&VERB, STDERR_FILENO, line);
}

static void assert_refused(const char *line, const char *why)
{
    char wanted[200];
    snprintf(wanted, sizeof wanted, "continuo: %s; see continuo try --help\n", why);
    assert_int_equal(parse(line), 2);
    assert_string_equal(said, wanted);
}

TEST(values_are_stored_at_their_places)
{
    assert_int_equal(parse("in --count 5 --real 0.5 --colour green --flag -o out"), -1);
    assert_true(taken.count == 5 && taken.choice == 1 && taken.flag);
    assert_true(taken.real > 0.49f && taken.real < 0.51f);
    assert_true(taken.file && taken.output && !taken.is_seeded);
    assert_int_equal(parse("in --seed 18446744073709551615"), -1);
    assert_true(taken.is_seeded && taken.seed == UINT64_MAX);
}

TEST(what_is_wrong_names_the_option_and_its_range)
{
    assert_refused("in --count 6", "--count 6: must be a whole number from 2 to 5");
    assert_refused("in --count 2.5", "--count 2.5: must be a whole number from 2 to 5");
    assert_refused("in --real 2", "--real 2: must be a number from 0 to 1");
    assert_refused("in --colour blue", "--colour blue: must be one of red, green");
    assert_refused("in --seed -1", "--seed -1: must be a whole number");
    assert_refused("in --count", "--count: needs a value");
    assert_refused("in --theirs", "--theirs: is not an option of this verb");
    assert_refused("in -xz", "-x: is not an option of this verb");
    assert_refused("--help=3", "--help=3: takes no value");
    assert_refused("in --flag=no", "--flag=no: takes no value");
    assert_refused("in --what=3", "--what=3: is not an option of this verb");
    assert_refused("in --c 3", "--c: may mean --count, --colour");
    assert_refused("in --c=3", "--c=3: is not an option of this verb");
    assert_refused("--flag", "an argument is missing: IN");
    assert_refused("in more", "more: is one argument too many");
}

TEST(only_the_verbs_own_options_are_told)
{
    struct option_about o;
    int n = 0;
    while (option_table_about(&TABLE, &VERB, n, &o))
        assert_string_not_equal((n++, o.name), "theirs");
    assert_int_equal(n, 7);
    assert_string_equal(o.name, "help");
}
