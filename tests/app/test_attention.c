/* continuo attention and continuo score, run as scripts would: every format is read back,
 * of score tokens and of four voices, and what makes no sense is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/head_names.h"
#include "app/inspection.h"
#include "midi/smf.h"
#include "tests/app/grid_data.h"
#include "tests/app/tiny_grid_model.h"
#include "tests/app/tiny_model.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <png.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { QUARTER = 96, N_VOICES = 4, N_STEPS = 16, N_NOTES = N_VOICES * N_STEPS };
enum { MAX_SAID = 1 << 20 };

static char *home;
static char said[MAX_SAID];

static const char *in_home(const char *name)
{
    static char path[4][1024];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", home, name);
    return path[next];
}

/* `arguments` is shell; the exit status. */
static int run(const char *arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && CONTINUO_HOME='%s' '%s' %s 2>&1",
             home, home, getenv("CONTINUO_BIN"), arguments);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    size_t n = fread(said, 1, sizeof said - 1, f);
    said[n] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_done(const char *arguments)
{
    int status = run(arguments);
    if (status != 0)
        fail_msg("%s: exit %d, said %s", arguments, status, said);
}

/* Four voices in quarters, four bars. */
static void save_music(const char *name, int n_steps)
{
    static const int BASE[N_VOICES] = {72, 64, 57, 48};
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int v = 0; v < N_VOICES; v++)
        assert_int_equal(score_add_track(s, "\033[2Jvoice", (uint8_t)v, 0), v);
    for (int i = 0; i < n_steps * N_VOICES; i++) {
        int step = i / N_VOICES, v = i % N_VOICES;
        struct note n = {.start = step * QUARTER,
                         .length = QUARTER,
                         .pitch = (uint8_t)(BASE[v] + (step * (v + 2)) % 5),
                         .velocity = 70,
                         .on_order = ORDER_LAST};
        assert_int_not_equal(score_add_note(s, v, n), 0);
    }
    assert_int_equal(smf_save(s, in_home(name)), MIDI_OK);
    score_destroy(s);
}

static int set_up(void **state)
{
    (void)state;
    home = temp_folder();
    if (!home || mkdir(in_home("models"), 0700) || mkdir(in_home("music"), 0700) ||
        mkdir(in_home("music/made"), 0700) || mkdir(in_home("music/made/train"), 0700))
        return 1;
    save_music("in.mid", N_STEPS);
    save_music("silent.mid", 0);
    save_music("music/made/train/one.mid", N_STEPS);
    save_music("music/made/train/two.mid", N_STEPS / 2);
    return grid_data_write(in_home("voices.json")) ||
           tiny_grid_train(in_home("voices.json"), in_home("models/grid.safetensors"),
                           false) ||
           tiny_grid_train(in_home("voices.json"), in_home("models/hears.safetensors"),
                           true) ||
           !tiny_model_save(in_home("models/continuo.safetensors"), 512, 5);
}

static int tear_down(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

static cJSON *read_json(const char *name)
{
    FILE *f = fopen(in_home(name), "rb");
    assert_non_null(f);
    size_t n = fread(said, 1, sizeof said - 1, f);
    said[n] = '\0';
    fclose(f);
    cJSON *j = cJSON_Parse(said);
    assert_non_null(j);
    return j;
}

static double sum_of(const cJSON *list)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        assert_true(cJSON_IsNumber(item));
        sum += item->valuedouble;
    }
    return sum;
}

/* How many rows there are, each of which sums to one. */
static int count_whole_rows(const cJSON *j)
{
    const cJSON *row, *rows = cJSON_GetObjectItem(j, "rows");
    const int n = cJSON_GetArraySize(cJSON_GetObjectItem(j, "notes"));
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *notes = cJSON_GetObjectItem(row, "notes");
        const cJSON *other = cJSON_GetObjectItem(row, "other");
        assert_int_equal(cJSON_GetArraySize(notes), n);
        assert_int_equal(cJSON_GetArraySize(other), INSPECTED_KINDS);
        assert_true(fabs(sum_of(notes) + sum_of(other) - 1) < 1e-4);
    }
    return cJSON_GetArraySize(rows);
}

static void test_json_rows_sum_to_one(void **state)
{
    (void)state;
    static const char *const OPTIONS[] = {"", "--layer 1 --head 2", "--head 1",
                                          "--layer 2 --head all"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "attention in.mid -o a.json %s",
                 OPTIONS[i]);
        assert_done(arguments);
        cJSON *j = read_json("a.json");
        assert_int_equal(count_whole_rows(j), N_NOTES);
        cJSON_Delete(j);
    }
}

/* The sum of the weights of a query's lines; its first column is a number. */
static void test_csv_sums_to_one(void **state)
{
    (void)state;
    double sums[N_NOTES + 1] = {0};
    char line[512];
    assert_done("attention in.mid -o a.csv --layer 2 --head 1");
    FILE *f = fopen(in_home("a.csv"), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(strncmp(line, "query,query_bar", 15), 0);
    while (fgets(line, sizeof line, f)) {
        int query = atoi(line);
        const char *last = strrchr(line, ',');
        assert_in_range(query, 1, N_NOTES);
        sums[query] += atof(last + 1);
    }
    fclose(f);
    for (int i = 1; i <= N_NOTES; i++)
        assert_true(fabs(sums[i] - 1) < 1e-4);
}

/* Rows of single tokens, and that summed by note they are the rows of notes. */
static void test_tokens_by_themselves(void **state)
{
    (void)state;
    const cJSON *row, *weight;
    assert_done("attention in.mid --note 30 --layer 1 --head 2 -o a.json");
    cJSON *j = read_json("a.json");
    const cJSON *by_note = cJSON_GetArrayItem(cJSON_GetObjectItem(j, "rows"), 0);
    double wanted =
        cJSON_GetArrayItem(cJSON_GetObjectItem(by_note, "notes"), 20)->valuedouble;
    cJSON_Delete(j);
    assert_done("attention in.mid --tokens --note 30 --layer 1 --head 2 -o a.json");
    j = read_json("a.json");
    const cJSON *tokens = cJSON_GetObjectItem(j, "tokens");
    const cJSON *rows = cJSON_GetObjectItem(j, "rows");
    const int n = cJSON_GetArraySize(tokens), n_rows = cJSON_GetArraySize(rows);
    double sum = 0;
    assert_in_range(n_rows, 2, 5);
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *weights = cJSON_GetObjectItem(row, "weight"),
                    *token = tokens->child;
        assert_int_equal(cJSON_GetArraySize(weights), n);
        assert_true(fabs(sum_of(weights) - 1) < 1e-4);
        cJSON_ArrayForEach(weight, weights)
        {
            const cJSON *note = cJSON_GetObjectItem(token, "note");
            sum +=
                cJSON_IsNumber(note) && note->valueint == 20 ? weight->valuedouble : 0;
            token = token->next;
        }
    }
    assert_true(wanted > 0 && fabs(sum / n_rows - wanted) < 1e-5);
    cJSON_Delete(j);
}

static void test_every_model_has_tokens(void **state)
{
    (void)state;
    static const char *const OPTIONS[] = {"", "--model grid", "--model hears --heard",
                                          "--model hears"};
    char line[512], arguments[128];
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        double sum = 0;
        int n_rows = 0, last = -1;
        snprintf(arguments, sizeof arguments, "attention in.mid --tokens -o a.csv %s",
                 OPTIONS[i]);
        assert_done(arguments);
        FILE *f = fopen(in_home("a.csv"), "r");
        assert_non_null(f);
        assert_non_null(fgets(line, sizeof line, f));
        while (fgets(line, sizeof line, f)) {
            n_rows += atoi(line) != last;
            last = atoi(line);
            sum += atof(strrchr(line, ',') + 1);
        }
        fclose(f);
        assert_true(n_rows > N_NOTES && fabs(sum - n_rows) < 1e-4 * n_rows);
    }
    assert_done("attention in.mid --tokens --layer 1 --head 1 --part time -o a.json");
    cJSON *j = read_json("a.json");
    const cJSON *rows = cJSON_GetObjectItem(j, "rows");
    const cJSON *first = cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "time");
    assert_true(cJSON_IsNumber(cJSON_GetArrayItem(first, 0)));
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(first, 1))); /* it is not seen */
    cJSON_Delete(j);
}

static void test_one_note_and_one_bar(void **state)
{
    (void)state;
    assert_done("attention in.mid -o a.json --note 30");
    cJSON *j = read_json("a.json");
    assert_int_equal(count_whole_rows(j), 1);
    int at = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(j, "rows"), 0),
                                 "note")
                 ->valueint;
    const cJSON *note = cJSON_GetArrayItem(cJSON_GetObjectItem(j, "notes"), at);
    assert_int_equal(cJSON_GetObjectItem(note, "number")->valueint, 30);
    assert_int_equal(cJSON_GetObjectItem(note, "bar")->valueint, 2);
    cJSON_Delete(j);
    assert_done("attention in.mid -o a.json --bar 3");
    j = read_json("a.json");
    assert_int_equal(count_whole_rows(j), 4 * N_VOICES);
    cJSON_Delete(j);
}

/* What a note is given by those before it is nothing, by later ones something. */
static void test_looked_at_by(void **state)
{
    (void)state;
    assert_done("attention in.mid -o a.json --note 17 --by --layer 1 --head 1");
    cJSON *j = read_json("a.json");
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(j, "rows"), 0);
    const cJSON *notes = cJSON_GetObjectItem(row, "notes");
    double after = 0;
    for (int i = 0; i < N_NOTES; i++) {
        double x = cJSON_GetArrayItem(notes, i)->valuedouble;
        if (i < 16)
            assert_true(x == 0);
        if (i > 16)
            after += x;
    }
    assert_true(after > 0);
    cJSON_Delete(j);
}

static void test_models_of_four_voices(void **state)
{
    (void)state;
    assert_done("attention in.mid --model grid -o a.json --layer 1 --head 2");
    cJSON *j = read_json("a.json");
    assert_true(count_whole_rows(j) > N_NOTES / 4);
    cJSON_Delete(j);
    assert_done("attention in.mid --model hears --heard -o a.json");
    j = read_json("a.json");
    assert_true(count_whole_rows(j) > N_NOTES / 4);
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(j, "rows"), 0), *note;
    int i = 0;
    double heard = 0;
    cJSON_ArrayForEach(note, cJSON_GetObjectItem(j, "notes"))
    {
        double x =
            cJSON_GetArrayItem(cJSON_GetObjectItem(row, "notes"), i++)->valuedouble;
        if (cJSON_IsTrue(cJSON_GetObjectItem(note, "heard")))
            heard += x;
        else
            assert_true(x == 0); /* it looks at the melody alone */
    }
    assert_true(heard > 0);
    cJSON_Delete(j);
    assert_done("score in.mid --model hears --alternatives 2");
}

/* Width and height of a picture, and how many colours it has, counted up to a hundred. */
struct seen {
    int width, height, n_colours;
};

static struct seen look_at(const char *name)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint32_t colours[100];
    struct seen s = {0};
    assert_int_not_equal(png_image_begin_read_from_file(&image, in_home(name)), 0);
    image.format = PNG_FORMAT_RGBA;
    uint32_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        int k = 0;
        while (k < s.n_colours && colours[k] != pixels[i])
            k++;
        if (k == s.n_colours && k < 100)
            colours[s.n_colours++] = pixels[i];
    }
    s.width = (int)image.width;
    s.height = (int)image.height;
    free(pixels);
    return s;
}

static void test_pictures(void **state)
{
    (void)state;
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
        char arguments[128];
        snprintf(arguments, sizeof arguments, "attention in.mid -o a.png %s",
                 OPTIONS[i]);
        assert_done(arguments);
        struct seen s = look_at("a.png");
        assert_in_range(s.width, 200, 4000);
        assert_in_range(s.height, 100, 4000);
        assert_true(s.n_colours > 20);
    }
}

static void assert_same_files(const char *a, const char *b)
{
    char command[2200];
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", in_home(a), in_home(b));
    assert_int_equal(system(command), 0);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    assert_done("attention in.mid -o one.json --threads 1");
    assert_done("attention in.mid -o two.json --threads 2");
    assert_same_files("one.json", "two.json");
    assert_done("attention --survey --data music --split train --windows 2 "
                "-o one.json --threads 1");
    assert_done("attention --survey --data music --split train --windows 2 "
                "-o two.json --threads 2");
    assert_same_files("one.json", "two.json");
}

static double number(const cJSON *j, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(j, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static double sum_numbers(const cJSON *list, const char *name)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        sum += number(item, name);
    }
    return sum;
}

static void test_score_adds_up(void **state)
{
    (void)state;
    assert_done("score in.mid --json --alternatives 3");
    cJSON *j = cJSON_Parse(said);
    assert_non_null(j);
    const cJSON *notes = cJSON_GetObjectItem(j, "note_list"), *note;
    double all = number(j, "nats");
    assert_int_equal(cJSON_GetArraySize(notes), N_NOTES);
    assert_true(fabs(sum_numbers(notes, "nats") - all) < 1e-3);
    assert_true(fabs(sum_numbers(cJSON_GetObjectItem(j, "bars"), "nats") - all) < 1e-3);
    assert_true(fabs(sum_numbers(cJSON_GetObjectItem(j, "tracks"), "nats") - all) <
                1e-3);
    cJSON_ArrayForEach(note, notes)
    {
        const cJSON *list = cJSON_GetObjectItem(note, "alternatives"), *one;
        int n_chosen = 0;
        cJSON_ArrayForEach(one, list)
        {
            n_chosen += cJSON_IsTrue(cJSON_GetObjectItem(one, "chosen"));
            if (cJSON_IsTrue(cJSON_GetObjectItem(one, "chosen")))
                assert_true(fabs(-log(number(one, "probability")) -
                                 number(cJSON_GetObjectItem(note, "of"), "pitch")) <
                            1e-3);
        }
        assert_int_equal(n_chosen, 1);
    }
    cJSON_Delete(j);
    assert_done("score in.mid");
    assert_null(strchr(said, '\033'));
}

static void test_survey(void **state)
{
    (void)state;
    struct head_names names;
    assert_done("attention --survey --data music --split train --windows 2 -o s.json");
    assert_non_null(strstr(said, "| 2.2 |"));
    assert_true(head_names_read(&names, in_home("s.json")));
    assert_int_equal(names.n_layers, 2);
    assert_int_equal(names.n_heads, 2);
    assert_true(*head_names_of(&names, 1, 1));
    assert_string_equal(head_names_of(&names, 2, 0), "");
    head_names_fini(&names);
    cJSON *j = read_json("s.json"), *head;
    cJSON_ArrayForEach(head, cJSON_GetObjectItem(j, "heads"))
    {
        double parts = 0;
        const cJSON *part, *lost = cJSON_GetObjectItem(head, "lost_when_muted");
        cJSON_ArrayForEach(part, cJSON_GetObjectItem(head, "parts"))
        {
            parts += part->valuedouble;
        }
        assert_true(fabs(parts - 1) < 2e-3); /* of four digits each */
        assert_int_equal(number(cJSON_GetObjectItem(lost, "all"), "windows"), 2);
    }
    cJSON_Delete(j);
    assert_done("attention --survey --data voices.json --model hears -o h.json");
}

static void test_names_come_with_a_model(void **state)
{
    (void)state;
    assert_done("attention --survey --data music --split train --windows 1 "
                "-o models/continuo.heads.json");
    assert_done("attention in.mid --layer 1 --head 1 -o a.json");
    cJSON *j = read_json("a.json");
    assert_true(*cJSON_GetObjectItem(j, "name")->valuestring);
    cJSON_Delete(j);
    assert_int_equal(remove(in_home("models/continuo.heads.json")), 0);
}

static void test_nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {
        "attention in.mid",
        "attention -o a.png",
        "attention in.mid in.mid -o a.png",
        "attention in.mid -o a.gif",
        "attention in.mid -o a.png --tokens",
        "attention in.mid -o a.csv --tokens --by --note 3",
        "attention in.mid -o .png",
        "attention in.mid -o a.png --layer 3",
        "attention in.mid -o a.png --layer 0",
        "attention in.mid -o a.png --layer 1e9",
        "attention in.mid -o a.png --head x",
        "attention in.mid -o a.png --note 65",
        "attention in.mid -o a.png --note -1",
        "attention in.mid -o a.png --note 99999999999",
        "attention in.mid -o a.png --bar 5",
        "attention in.mid -o a.png --bar 1 --note 1",
        "attention in.mid -o a.png --by",
        "attention in.mid -o a.png --heard",
        "attention in.mid -o a.png --part value",
        "attention in.mid -o a.png --part content",
        "attention in.mid -o a.png --shade grey",
        "attention in.mid -o a.png --data music",
        "attention --survey -o a.json",
        "attention in.mid --survey --data music -o a.json",
        "attention --survey --data music --split best -o a.json",
        "score",
        "score in.mid --alternatives 17",
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        int status = run(WRONG[i]);
        if (status != 2)
            fail_msg("%s: exit %d, said %s", WRONG[i], status, said);
    }
}

static void test_failures_say_why(void **state)
{
    (void)state;
    static const char *const FAIL[] = {
        "attention silent.mid -o b.png",
        "attention no-such.mid -o b.png",
        "attention voices.json -o b.png",
        "attention in.mid -o no/such/b.png",
        "attention in.mid -o no/such/b.csv",
        "attention in.mid -o b.json --model nowhere",
        "attention in.mid -o b.json --model in.mid",
        "attention in.mid -o b.json --model hears --note 1",
        "attention --survey --data nowhere -o b.json",
        "attention --survey --data in.mid -o b.json",
        "attention --survey --data music --split test -o b.json",
        "score silent.mid",
        "score voices.json",
    };
    for (size_t i = 0; i < sizeof FAIL / sizeof FAIL[0]; i++) {
        int status = run(FAIL[i]);
        if (status != 1 || strncmp(said, "continuo: ", 10) != 0)
            fail_msg("%s: exit %d, said %s", FAIL[i], status, said);
    }
    assert_int_not_equal(access(in_home("b.png"), F_OK), 0);
    assert_int_not_equal(access(in_home("b.json"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_rows_sum_to_one),
        cmocka_unit_test(test_csv_sums_to_one),
        cmocka_unit_test(test_tokens_by_themselves),
        cmocka_unit_test(test_every_model_has_tokens),
        cmocka_unit_test(test_one_note_and_one_bar),
        cmocka_unit_test(test_looked_at_by),
        cmocka_unit_test(test_models_of_four_voices),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_score_adds_up),
        cmocka_unit_test(test_survey),
        cmocka_unit_test(test_names_come_with_a_model),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_failures_say_why),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
