/* continuo attention and score, on models of score tokens and of four voices: figures in every
 * format are read back, pictures have something to see, scores add up, names of heads come with
 * their model, and what makes no sense is refused. */
#include "tests/check.h"
#include "app/inspection/inspection.h"
#include "tests/app/grid_data.h"
#include "tests/app/program_home.h"
#include "tests/midi/score_of.h"

#include <png.h>

enum { N_VOICES = 4, N_STEPS = 16, N_NOTES = N_VOICES * N_STEPS };

/* Four voices in quarters, four bars or fewer. */
static void save_music(const char *name, int n_steps)
{
#define VOICE "\033[2Jvoice: "
    auto_score *s = score_of("96 | " VOICE "(72q 74 76 73 75)*3 72 | " VOICE
                             "(64q 67 65 68 66)*3 64 | " VOICE
                             "(57q 61 60 59 58)*3 57 | " VOICE "48q*16");
    for (int t = 0; t < N_VOICES; t++)
        s->tracks[t].n_notes = (size_t)n_steps;
    assert_ok(smf_save(s, in_folder(name)));
}

static int set_up(void **state)
{
    if (make_own_folder(state) || mkdir(in_folder("models"), 0700) ||
        mkdir(in_folder("music"), 0700) || mkdir(in_folder("music/made"), 0700) ||
        mkdir(in_folder("music/made/train"), 0700))
        return 1;
    save_music("in.mid", N_STEPS);
    save_music("silent.mid", 0);
    save_music("music/made/train/one.mid", N_STEPS);
    save_music("music/made/train/two.mid", N_STEPS / 2);
    return grid_data_write(in_folder("voices.json")) ||
           tiny_grid_train(in_folder("voices.json"),
                           in_folder("models/grid.safetensors"), false) ||
           tiny_grid_train(in_folder("voices.json"),
                           in_folder("models/hears.safetensors"), true) ||
           !tiny_model_save(in_folder("models/continuo.safetensors"), 512, 5);
}

/* Of the items themselves, or of their field of that name. */
static double sum_of(const cJSON *list, const char *name)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        sum += number(item, name);
    }
    return sum;
}

/* How many rows there are, each of which sums to one. */
static int count_whole_rows(const cJSON *j)
{
    const cJSON *row, *rows = json_at(j, "rows");
    const int n = cJSON_GetArraySize(json_at(j, "notes"));
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *notes = json_at(row, "notes");
        const cJSON *other = json_at(row, "other");
        assert_int_equal(cJSON_GetArraySize(notes), n);
        assert_int_equal(cJSON_GetArraySize(other), INSPECTED_KINDS);
        assert_true(fabs(sum_of(notes, "") + sum_of(other, "") - 1) < 1e-4);
    }
    return cJSON_GetArraySize(rows);
}

TEST(test_json_rows_sum_to_one)
{
    static const char *const OPTIONS[] = {"", "--layer 1 --head 2", "--head 1",
                                          "--layer 2 --head all"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        assert_done(formatted("attention in.mid -o a.json %s", OPTIONS[i]));
        auto_json *j = read_json("a.json");
        assert_int_equal(count_whole_rows(j), N_NOTES);
    }
}

/* Adds up the weights of the lines of a.csv by the number that they begin with, which is
 * below `most`. */
static void sum_csv(const char *heading, double *sums, int most)
{
    char line[512];
    FILE *f = fopen(in_folder("a.csv"), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(strncmp(line, heading, strlen(heading)), 0);
    while (fgets(line, sizeof line, f)) {
        assert_in_range(atoi(line), 1, most - 1);
        sums[atoi(line)] += atof(strrchr(line, ',') + 1);
    }
    fclose(f);
}

/* Rows of single tokens, and that summed by note they are the rows of notes. */
TEST(test_tokens_by_themselves)
{
    const cJSON *row, *weight;
    assert_done("attention in.mid --note 30 --layer 1 --head 2 -o a.json");
    auto_json *of_notes = read_json("a.json");
    double wanted = number(of_notes, "rows.0.notes.20");
    assert_done("attention in.mid --tokens --note 30 --layer 1 --head 2 -o a.json");
    auto_json *j = read_json("a.json");
    const cJSON *tokens = json_at(j, "tokens");
    const cJSON *rows = json_at(j, "rows");
    const int n = cJSON_GetArraySize(tokens), n_rows = cJSON_GetArraySize(rows);
    double sum = 0;
    assert_in_range(n_rows, 2, 5);
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *weights = json_at(row, "weight"), *token = tokens->child;
        assert_int_equal(cJSON_GetArraySize(weights), n);
        assert_true(fabs(sum_of(weights, "") - 1) < 1e-4);
        cJSON_ArrayForEach(weight, weights)
        {
            const cJSON *note = json_at(token, "note");
            sum +=
                cJSON_IsNumber(note) && note->valueint == 20 ? weight->valuedouble : 0;
            token = token->next;
        }
    }
    assert_true(wanted > 0 && fabs(sum / n_rows - wanted) < 1e-5);
}

TEST(test_csv_rows_sum_to_one)
{
    static const char *const OPTIONS[] = {
        "--layer 2 --head 1", "--tokens", "--tokens --model grid",
        "--tokens --model hears --heard", "--tokens --model hears"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        double sums[1024] = {0};
        int n_rows = 0;
        assert_done(formatted("attention in.mid -o a.csv %s", OPTIONS[i]));
        sum_csv(i ? "token,token_name" : "query,query_bar", sums, 1024);
        for (int k = 0; k < 1024; k++)
            if (sums[k] > 0) {
                assert_true(fabs(sums[k] - 1) < 1e-4);
                n_rows++;
            }
        assert_true(n_rows >= N_NOTES);
    }
    assert_done("attention in.mid --tokens --layer 1 --head 1 --part time -o a.json");
    auto_json *j = read_json("a.json");
    assert_true(cJSON_IsNumber(json_at(j, "rows.0.time.0")));
    assert_true(cJSON_IsNull(json_at(j, "rows.0.time.1"))); /* it is not seen */
}

TEST(test_one_note_and_one_bar)
{
    assert_done("attention in.mid -o a.json --note 30");
    auto_json *j = read_json("a.json");
    assert_int_equal(count_whole_rows(j), 1);
    const cJSON *note =
        cJSON_GetArrayItem(json_at(j, "notes"), (int)number(j, "rows.0.note"));
    assert_int_equal((int)number(note, "number"), 30);
    assert_int_equal((int)number(note, "bar"), 2);
    assert_done("attention in.mid -o a.json --bar 3");
    auto_json *bar = read_json("a.json");
    assert_int_equal(count_whole_rows(bar), 4 * N_VOICES);
}

/* What a note is given by those before it is nothing, by later ones something. */
TEST(test_looked_at_by)
{
    assert_done("attention in.mid -o a.json --note 17 --by --layer 1 --head 1");
    auto_json *j = read_json("a.json");
    const cJSON *notes = json_at(j, "rows.0.notes");
    double after = 0;
    for (int i = 0; i < N_NOTES; i++) {
        double x = cJSON_GetArrayItem(notes, i)->valuedouble;
        if (i < 16)
            assert_true(x == 0);
        if (i > 16)
            after += x;
    }
    assert_true(after > 0);
}

TEST(test_models_of_four_voices)
{
    assert_done("attention in.mid --model grid -o a.json --layer 1 --head 2");
    auto_json *all = read_json("a.json");
    assert_true(count_whole_rows(all) > N_NOTES / 4);
    assert_done("attention in.mid --model hears --heard -o a.json");
    auto_json *j = read_json("a.json");
    assert_true(count_whole_rows(j) > N_NOTES / 4);
    const cJSON *weights = json_at(j, "rows.0.notes"), *note;
    int i = 0;
    double heard = 0;
    cJSON_ArrayForEach(note, json_at(j, "notes"))
    {
        double x = cJSON_GetArrayItem(weights, i++)->valuedouble;
        if (cJSON_IsTrue(json_at(note, "heard")))
            heard += x;
        else
            assert_true(x == 0); /* it looks at the melody alone */
    }
    assert_true(heard > 0);
    assert_done("score in.mid --model hears --alternatives 2");
    assert_done("score in.mid --model grid --json"); /* of more windows than one */
    auto_json *scores = cJSON_Parse(said);
    assert_int_equal(cJSON_GetArraySize(json_at(scores, "note_list")), N_NOTES);
    assert_true(fabs(sum_of(json_at(scores, "note_list"), "nats") -
                     number(scores, "nats")) < 1e-3);
}

TEST(test_threads_change_nothing)
{
    assert_done("attention in.mid -o one.json --threads 1");
    assert_done("attention in.mid -o two.json --threads 2");
    assert_true(same_bytes("one.json", "two.json"));
}

/* Also where the model and the music say what the range is. */
TOLD(test_nonsense_is_refused) = {
    {"attention in.mid", 2},
    {"attention -o a.png", 2},
    {"attention in.mid in.mid -o a.png", 2},
    {"attention in.mid -o a.gif", 2},
    {"attention in.mid -o a.png --tokens", 2},
    {"attention in.mid -o a.csv --tokens --by --note 3", 2},
    {"attention in.mid -o .png", 2},
    {"attention in.mid -o a.png --layer 3", 2,
     "continuo: --layer 3: must be a number from 1 to 2"},
    {"attention in.mid -o a.png --layer 0", 2, "continuo: --layer 0: must be"},
    {"attention in.mid -o a.png --layer 1e9", 2},
    {"attention in.mid -o a.png --head x", 2,
     "continuo: --head x: must be a number from 1 to 2"},
    {"attention in.mid -o a.png --note 65", 2,
     "continuo: --note 65: must be a number from 1 to 64"},
    {"attention in.mid -o a.png --note -1", 2},
    {"attention in.mid -o a.png --note 99999999999", 2},
    {"attention in.mid -o a.png --bar 5", 2,
     "continuo: --bar 5: must be a number from 1 to 4"},
    {"attention in.mid -o a.png --bar 1 --note 1", 2},
    {"attention in.mid -o a.png --by", 2},
    {"attention in.mid -o a.png --heard", 2},
    {"attention in.mid -o a.png --part value", 2,
     "continuo: --part value: must be one of weight, content"},
    {"attention in.mid -o a.png --part content", 2},
    {"attention in.mid -o a.png --shade grey", 2},
    {"attention in.mid -o a.png --data music", 2},
    {"score", 2},
    {"score in.mid --alternatives 17", 2},
};

TOLD(test_failures_say_why) = {
    {"attention silent.mid -o b.png", 1},
    {"attention no-such.mid -o b.png", 1},
    {"attention voices.json -o b.png", 1},
    {"attention in.mid -o no/such/b.png", 1},
    {"attention in.mid -o no/such/b.csv", 1},
    {"attention in.mid -o b.json --model nowhere", 1},
    {"attention in.mid -o b.json --model in.mid", 1},
    {"attention in.mid -o b.json --model hears --note 1", 1},
    {"score silent.mid", 1},
    {"score voices.json", 1},
    {"info b.json", 1}, /* for none was made */
};

/* A file is written whole or not at all, but a device at once. */
TEST(test_half_a_table_leaves_the_old_one)
{
    put_text("old.csv", "old");
    assert_ok(symlink("/dev/full", in_folder("full.csv")));
    check_told(&(struct told){"attention in.mid -o full.csv --bar 1", 1,
                              "continuo: full.csv: No space left on device"});
    assert_int_equal(run_shell("ulimit -f 1; CONTINUO_HOME=. $CONTINUO_BIN attention "
                               "in.mid -o old.csv --tokens 2>&1"),
                     1);
    assert_says("continuo: old.csv: File too large");
    assert_int_equal(run_shell("[ $(cat old.csv) = old ] && ! ls .continuo-*"), 0);
}

/* The picture is of some size, and has more than twenty colours. */
static void check_picture(const char *name)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint32_t colours[21];
    int n = 0;
    assert_int_not_equal(png_image_begin_read_from_file(&image, in_folder(name)), 0);
    image.format = PNG_FORMAT_RGBA;
    auto_free uint32_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        int k = 0;
        while (k < n && colours[k] != pixels[i])
            k++;
        if (k == n && k < 21)
            colours[n++] = pixels[i];
    }
    assert_in_range(image.width, 200, 4000);
    assert_in_range(image.height, 100, 4000);
    assert_int_equal(n, 21);
}

TEST(test_pictures)
{
    static const char *const OPTIONS[] = {
        "",
        "--layer 1 --head 2",
        "--layer 2",
        "--head all --shade rank",
        "--note 40",
        "--bar 2 --by --shade linear",
        "--model grid",
        "--model grid --layer 1 --head 1 --part time",
        "--model hears --heard --head 1",
        "--model hears --heard --note 30",
    };
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        assert_done(formatted("attention in.mid -o a.png %s", OPTIONS[i]));
        check_picture("a.png");
    }
}

TEST(test_score_adds_up)
{
    assert_done("score in.mid --json --alternatives 3");
    auto_json *j = cJSON_Parse(said);
    assert_non_null(j);
    const cJSON *notes = json_at(j, "note_list"), *note;
    double all = number(j, "nats");
    assert_int_equal(cJSON_GetArraySize(notes), N_NOTES);
    assert_true(fabs(sum_of(notes, "nats") - all) < 1e-3);
    assert_true(fabs(sum_of(json_at(j, "bars"), "nats") - all) < 1e-3);
    assert_true(fabs(sum_of(json_at(j, "tracks"), "nats") - all) < 1e-3);
    cJSON_ArrayForEach(note, notes)
    {
        const cJSON *list = json_at(note, "alternatives"), *one;
        int n_chosen = 0;
        assert_true(sum_of(list, "probability") < 1 + 1e-5);
        cJSON_ArrayForEach(one, list)
        {
            n_chosen += cJSON_IsTrue(json_at(one, "chosen"));
            if (cJSON_IsTrue(json_at(one, "chosen")))
                assert_true(fabs(-log(number(one, "probability")) -
                                 number(note, "of.pitch")) < 1e-3);
        }
        assert_int_equal(n_chosen, 1);
    }
    assert_done("score in.mid");
    assert_null(strchr(said, '\033'));
}

TEST(test_names_come_with_a_model)
{
    auto_model *m = NULL;
    char text[256];
    assert_ok(model_open(&m, in_folder("models/continuo.safetensors"), NULL, 0));
    snprintf(text, sizeof text,
             "{\"model\": {\"hash\": \"%016llx\", \"layers\": 2, \"heads\": 2}, "
             "\"heads\": [{\"layer\": 1, \"head\": 1, \"name\": \"bass\"}]}",
             (unsigned long long)model_hash(m));
    put_text("models/continuo.heads.json", text);
    assert_done("attention in.mid --layer 1 --head 1 -o a.json");
    auto_json *j = read_json("a.json");
    assert_string_equal(json_at(j, "name")->valuestring, "bass");
    assert_ok(remove(in_folder("models/continuo.heads.json")));
}

GROUP(set_up, remove_own_folder)
