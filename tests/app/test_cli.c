/* The real program, run as a script would: exit statuses, what it says, and
 * what it leaves behind. $CONTINUO_BIN names it; `make test` sets that. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/verbs.h"
#include "midi/smf.h"
#include "tests/app/tiny_model.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { QUARTER = 96, MAX_SAID = 1 << 18 };

static char *home;          /* a folder with models/tiny.safetensors */
static char said[MAX_SAID]; /* by the last run, on both outputs */

/* Runs the program in `home`; returns its exit status. `arguments` is shell. */
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

static void assert_says(const char *text)
{
    if (!strstr(said, text))
        fail_msg("never said \"%s\" but: %s", text, said);
}

static const char *in_home(const char *name)
{
    static char path[4][1024];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", home, name);
    return path[next];
}

static uint8_t *read_all(const char *name, size_t *n)
{
    FILE *f = fopen(in_home(name), "rb");
    if (!f)
        fail_msg("%s was not written", name);
    uint8_t *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    return bytes;
}

static bool same_bytes(const char *a, const char *b)
{
    size_t n_a, n_b;
    uint8_t *x = read_all(a, &n_a), *y = read_all(b, &n_b);
    bool same = n_a == n_b && n_a > 0 && !memcmp(x, y, n_a);
    free(x);
    free(y);
    return same;
}

static struct score *load(const char *name)
{
    struct score *s = NULL;
    assert_int_equal(smf_load(&s, in_home(name), NULL), MIDI_OK);
    return s;
}

/* Two bars of two voices; a name that would clear the screen. */
static void save_music(const char *name)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "\033[2Jhigh", 0, 0), 0);
    assert_int_equal(score_add_track(s, "low", 1, 32), 1);
    for (int i = 0; i < 16; i++) {
        struct note n = {.start = i / 2 * QUARTER,
                         .length = QUARTER,
                         .pitch = (uint8_t)(i % 2 ? 48 + i / 2 : 72 - i / 2),
                         .velocity = 70,
                         .on_order = ORDER_LAST};
        assert_int_not_equal(score_add_note(s, i % 2, n), 0);
    }
    assert_int_equal(smf_save(s, in_home(name)), MIDI_OK);
    score_destroy(s);
}

static int set_up(void **state)
{
    (void)state;
    home = temp_folder();
    if (!home || mkdir(in_home("models"), 0700))
        return 1;
    save_music("in.mid");
    save_music("models/example.mid");
    return !tiny_model_save(in_home("models/tiny.safetensors"), 256, 5);
}

static int tear_down(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

static void test_every_verb_helps(void **state)
{
    (void)state;
    for (int i = 0; i < n_verbs; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s --help", VERBS[i].name);
        assert_int_equal(run(arguments), 0);
        snprintf(arguments, sizeof arguments, "usage: continuo %s", VERBS[i].name);
        assert_says(arguments);
    }
    assert_int_equal(run("--help"), 0);
    assert_says("continuo continue");
}

static void test_wrong_usage_is_two(void **state)
{
    (void)state;
    static const char *const WRONG[] = {
        "continue in.mid",
        "continue -o out.mid",
        "continue in.mid -o out.mid --bars 0",
        "continue in.mid -o out.mid --bars many",
        "continue in.mid -o out.mid --temperature nan",
        "continue in.mid -o out.mid --top-p 0",
        "continue in.mid -o out.mid --seed -1",
        "continue in.mid -o out.mid --style polka",
        "continue in.mid extra.mid -o out.mid",
        "continue in.mid -o out.mid --colour red",
        "continue in.mid -o",
        "render in.mid",
        "logits tiny",
        "logits tiny --tokens ''",
        "logits tiny --tokens '1 x'",
        "eval tiny",
        "eval tiny --data . --split best",
        "info",
        "copy in.mid",
        "quantise tiny",
        "quantise tiny -o out.safetensors --weights int4",
        "demo",
        "bench nothing",
        "bench decode twice",
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        int status = run(WRONG[i]);
        if (status != 2)
            fail_msg("%s: exit %d, said %s", WRONG[i], status, said);
        assert_int_equal(strncmp(said, "continuo: ", 10), 0);
    }
    assert_int_not_equal(access(in_home("out.mid"), F_OK), 0);
}

static void test_failures_name_the_file(void **state)
{
    (void)state;
    assert_int_equal(run("copy no-such.mid -o out.mid"), 1);
    assert_says("continuo: no-such.mid: ");
    assert_int_equal(run("copy models/tiny.safetensors -o out.mid"), 1);
    assert_says("continuo: models/tiny.safetensors: is not a MIDI file");
    assert_int_equal(run("copy in.mid -o no/such/out.mid"), 1);
    assert_says("continuo: no/such/out.mid: ");
    assert_int_equal(run("continue in.mid -o out.mid --model nowhere"), 1);
    assert_says("continuo: nowhere: ");
    assert_int_equal(run("continue in.mid -o out.mid --model in.mid"), 1);
    assert_says("continuo: in.mid: ");
    assert_int_equal(run("logits tiny --tokens '1 99999'"), 1);
    assert_says("continuo: tiny: ");
    assert_int_equal(run("eval tiny --data models/no"), 1);
    assert_says("continuo: models/no: ");
    assert_int_equal(run("render in.mid -o out.wav --soundfont in.mid"), 1);
    assert_says("continuo: in.mid: ");
    assert_int_not_equal(access(in_home("out.mid"), F_OK), 0);
    assert_int_not_equal(access(in_home("out.wav"), F_OK), 0);
}

static void test_escapes_never_arrive(void **state)
{
    (void)state;
    assert_int_equal(run("info in.mid"), 0);
    assert_says("high");
    assert_null(strchr(said, '\033'));
    assert_int_equal(run("copy \"$(printf 'no\\033[2Jsuch')\" -o out.mid"), 1);
    assert_null(strchr(said, '\033'));
    assert_int_equal(run("copy in.mid \"$(printf -- '--\\033[2J')\""), 2);
    assert_null(strchr(said, '\033'));
}

static void test_copy_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(run("copy in.mid -o copied.mid"), 0);
    assert_string_equal(said, "");
    assert_true(same_bytes("in.mid", "copied.mid"));
}

static void test_threads_write_the_same_bytes(void **state)
{
    (void)state;
    assert_int_equal(run("continue in.mid -o one.mid --bars 4 --seed 7 --threads 1"),
                     0);
    assert_int_equal(run("continue in.mid -o two.mid --bars 4 --seed 7 --threads 2"),
                     0);
    assert_true(same_bytes("one.mid", "two.mid"));
    assert_int_equal(run("continue in.mid -o other.mid --bars 4 --seed 8"), 0);
    assert_false(same_bytes("one.mid", "other.mid"));
}

/* What is left without the notes after the end is what went in. */
static void test_output_begins_with_input(void **state)
{
    (void)state;
    assert_int_equal(run("continue in.mid -o out.mid --bars 2"), 0);
    struct score *in = load("in.mid"), *out = load("out.mid");
    int64_t end = score_end_tick(in), last = score_end_tick(out);
    size_t n_added = 0;
    for (size_t t = 0; t < out->n_tracks; t++)
        while (out->tracks[t].n_notes) {
            const struct note *n = &out->tracks[t].notes[out->tracks[t].n_notes - 1];
            if (n->start < end)
                break;
            n_added++;
            assert_true(score_remove_note(out, (int)t, n->id));
        }
    for (size_t i = 0; i < out->n_chunks; i++)
        out->chunks[i].end_tick = in->chunks[i].end_tick;
    assert_true(n_added > 0);
    assert_true(last <= end + 2 * 4 * QUARTER);
    assert_true(score_equal(in, out));
    score_destroy(in);
    score_destroy(out);
}

static bool holds(const struct track *t, const struct note *n)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start == n->start && t->notes[i].length == n->length &&
            t->notes[i].pitch == n->pitch && t->notes[i].velocity == n->velocity)
            return true;
    return false;
}

static bool in_hole(const struct note *n)
{
    return n->start >= QUARTER && n->start + n->length <= 4 * QUARTER && n->pitch >= 60;
}

/* Beats 2 to 4 of the first bar, from C4 up, on the first track. */
static void test_inpaint_changes_only_the_hole(void **state)
{
    (void)state;
    const char *hole = "--from 1:2 --to 2 --pitch C4-127 --tracks 1 --min-notes 2 "
                       "--density 1 --register 70 --note-length 0.5 --voices 1";
    char arguments[512];
    for (int threads = 1; threads <= 2; threads++) {
        snprintf(arguments, sizeof arguments,
                 "inpaint in.mid -o hole%d.mid --model tiny %s --threads %d", threads,
                 hole, threads);
        assert_int_equal(run(arguments), 0);
    }
    assert_true(same_bytes("hole1.mid", "hole2.mid"));
    struct score *in = load("in.mid"), *out = load("hole1.mid");
    assert_int_equal(in->n_tracks, out->n_tracks);
    size_t n_new = 0, n_gone = 0;
    for (int t = 0; t < 2; t++) {
        for (size_t i = 0; i < in->tracks[t].n_notes; i++) {
            const struct note *n = &in->tracks[t].notes[i];
            n_gone += t == 0 && in_hole(n);
            assert_true((t == 0 && in_hole(n)) || holds(&out->tracks[t], n));
        }
        for (size_t i = 0; i < out->tracks[t].n_notes; i++) {
            const struct note *n = &out->tracks[t].notes[i];
            bool is_new = !holds(&in->tracks[t], n);
            assert_true(!is_new || (t == 0 && in_hole(n)));
            n_new += is_new;
        }
    }
    assert_true(n_new >= 1 && n_gone == 3);
    size_t n_written = 0; /* in the hole, as the verb says */
    assert_int_equal(sscanf(strstr(said, ".mid: "), ".mid: %zu", &n_written), 1);
    assert_int_equal(out->tracks[0].n_notes,
                     in->tracks[0].n_notes - n_gone + n_written);
    score_destroy(in);
    score_destroy(out);
}

static void test_holes_are_said_rightly(void **state)
{
    (void)state;
    assert_int_equal(run("inpaint in.mid -o x.mid --to 2"), 2);
    assert_says("--from");
    assert_int_equal(run("inpaint in.mid -o x.mid --from 2 --to 2"), 2);
    assert_int_equal(run("inpaint in.mid -o x.mid --from 0 --to 2"), 2);
    assert_int_equal(run("inpaint in.mid -o x.mid --from 1 --to 2 --pitch H4"), 2);
    assert_int_equal(run("inpaint in.mid -o x.mid --from 1 --to 2 --pitch 70-60"), 2);
    assert_int_equal(run("inpaint in.mid -o x.mid --from 1 --to 2 --tracks 1,"), 2);
    assert_int_equal(
        run("inpaint in.mid -o x.mid --model tiny --from 1 --to 2 --tracks 9"), 1);
    assert_says("in.mid: there is no room");
}

/* Before the music, and beside it: what there was is there, later or not. */
static void test_room_is_made(void **state)
{
    (void)state;
    assert_int_equal(run("inpaint in.mid -o front.mid --model tiny --lead-in 2"), 0);
    assert_int_equal(
        run("inpaint in.mid -o wide.mid --model tiny --from 1 --to 2 --new-tracks 2"),
        0);
    struct score *in = load("in.mid"), *front = load("front.mid"),
                 *wide = load("wide.mid");
    assert_int_equal(wide->n_tracks, in->n_tracks + 2);
    for (size_t t = 0; t < in->n_tracks; t++) {
        assert_int_equal(wide->tracks[t].n_notes, in->tracks[t].n_notes);
        for (size_t i = 0; i < in->tracks[t].n_notes; i++) {
            struct note n = in->tracks[t].notes[i];
            assert_true(holds(&wide->tracks[t], &n));
            n.start += 2 * 4 * QUARTER;
            assert_true(holds(&front->tracks[t], &n));
        }
    }
    score_destroy(in);
    score_destroy(front);
    score_destroy(wide);
    assert_int_equal(run("inpaint in.mid -o x.mid --lead-in 1 --from 2"), 2);
}

/* More than a request can name: nothing else is written on in their stead. */
static void test_too_many_tracks_are_refused(void **state)
{
    (void)state;
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < 63; t++)
        assert_int_equal(score_add_track(s, "one of many", 0, 0), t);
    score_add_note(s, 0, (struct note){.length = QUARTER, .pitch = 60, .velocity = 80});
    assert_int_equal(smf_save(s, in_home("many.mid")), MIDI_OK);
    score_destroy(s);
    const char *one = "inpaint many.mid -o x.mid --model tiny --from 1 --to 2 "
                      "--new-tracks 1",
               *two = "inpaint many.mid -o y.mid --model tiny --from 1 --to 2 "
                      "--new-tracks 2";
    assert_int_equal(run(one), 0);
    assert_int_equal(run(two), 1);
    assert_says("many.mid: would have more than 64 tracks");
    assert_int_not_equal(access(in_home("y.mid"), F_OK), 0);
}

static void test_takes_are_numbered(void **state)
{
    (void)state;
    assert_int_equal(run("continue in.mid -o take.mid --takes 3 --seed 4 --bars 1"), 0);
    assert_int_equal(run("continue in.mid -o lone.mid --seed 6 --bars 1"), 0);
    assert_false(same_bytes("take-1.mid", "take-2.mid"));
    assert_true(same_bytes("take-3.mid", "lone.mid"));
    assert_int_not_equal(access(in_home("take.mid"), F_OK), 0);
}

static double number(const cJSON *j, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void test_json_accounts_for_each_note(void **state)
{
    (void)state;
    assert_int_equal(run("continue in.mid -o out.mid --bars 2 --json"), 0);
    cJSON *j = cJSON_Parse(said);
    assert_non_null(j);
    assert_true(cJSON_IsString(cJSON_GetObjectItem(j, "model_hash")));
    cJSON *takes = cJSON_GetObjectItem(j, "takes");
    assert_int_equal(cJSON_GetArraySize(takes), 1);
    cJSON *take = cJSON_GetArrayItem(takes, 0),
          *notes = cJSON_GetObjectItem(take, "notes");
    struct score *in = load("in.mid"), *out = load("out.mid");
    assert_int_equal(cJSON_GetArraySize(notes), score_n_notes(out) - score_n_notes(in));
    double log_prob = 0;
    const cJSON *note;
    cJSON_ArrayForEach(note, notes)
    {
        assert_true(number(note, "start") >= number(take, "from_tick"));
        assert_true(number(note, "start") + number(note, "length") <=
                    number(take, "to_tick"));
        log_prob += number(note, "log_prob");
    }
    assert_true(log_prob < 0 && log_prob >= number(take, "log_prob") - 0.01);
    score_destroy(in);
    score_destroy(out);
    cJSON_Delete(j);
    assert_int_equal(run("continue in.mid -o two.mid --bars 1 --takes 2 --json"), 0);
    j = cJSON_Parse(said);
    assert_true(number(cJSON_GetObjectItem(j, "settings"), "takes") == 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "takes")), 2);
    cJSON_Delete(j);
}

static void test_an_empty_file_gets_a_track(void **state)
{
    (void)state;
    struct score *empty = score_create(QUARTER);
    assert_int_equal(smf_save(empty, in_home("empty.mid")), MIDI_OK);
    score_destroy(empty);
    assert_int_equal(run("continue empty.mid -o begun.mid --bars 2"), 0);
    struct score *s = load("begun.mid");
    assert_int_equal(s->n_tracks, 1);
    assert_true(score_n_notes(s) > 0);
    score_destroy(s);
}

static void test_logits_are_rows_of_json(void **state)
{
    (void)state;
    assert_int_equal(run("logits tiny --tokens '1 4 3'"), 0);
    char *line = strtok(said, "\n");
    int n_lines = 0;
    for (; line; line = strtok(NULL, "\n"), n_lines++) {
        cJSON *row = cJSON_Parse(line);
        assert_int_equal(cJSON_GetArraySize(row), TOKEN_COUNT);
        assert_true(isfinite(cJSON_GetArrayItem(row, 7)->valuedouble));
        cJSON_Delete(row);
    }
    assert_int_equal(n_lines, 3);
}

static void test_info_and_models(void **state)
{
    (void)state;
    assert_int_equal(run("info in.mid --json"), 0);
    cJSON *j = cJSON_Parse(said);
    assert_int_equal((int)number(j, "notes"), 16);
    assert_int_equal((int)number(j, "bars"), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "tracks")), 2);
    cJSON_Delete(j);
    assert_int_equal(run("info models/tiny.safetensors"), 0);
    assert_says("2 layers of 32");
    assert_int_equal(run("models"), 0);
    assert_says("* ");
    assert_says("tiny.safetensors");
}

static void test_quantise_writes_a_smaller_model(void **state)
{
    (void)state;
    const char *tiny = "models/tiny.safetensors";
    assert_int_equal(run("quantise tiny -o eight.safetensors"), 0);
    assert_says("largest error of a row ");
    size_t n_tiny, n_eight;
    free(read_all(tiny, &n_tiny));
    free(read_all("eight.safetensors", &n_eight));
    assert_true(n_eight < n_tiny);
    assert_int_equal(run("info tiny --json"), 1);
    assert_int_equal(run("info models/tiny.safetensors"), 0);
    char hash[17] = "";
    assert_int_equal(sscanf(strstr(said, "hash "), "hash %16s", hash), 1);
    assert_int_equal(run("info eight.safetensors --json"), 0);
    assert_says(hash);
    assert_says("\"int8\"");
    assert_int_equal(run("logits eight.safetensors --tokens '1 4 3'"), 0);

    /* What was read is written again, but for the provenance. */
    assert_int_equal(run("quantise eight.safetensors -o again.safetensors"), 0);
    assert_says("largest error of a row 0 ");
    assert_int_equal(run("quantise eight.safetensors -o half.safetensors "
                         "--weights bf16"),
                     0);
    assert_int_equal(run("info half.safetensors --json"), 0);
    assert_says("\"bf16\"");
}

static void test_quantise_spares_its_input(void **state)
{
    (void)state;
    size_t n, n_after;
    uint8_t *bytes = read_all("models/tiny.safetensors", &n);
    assert_int_equal(run("quantise tiny -o models/../models/tiny.safetensors"), 1);
    assert_says("continuo: models/../models/tiny.safetensors: ");
    assert_int_equal(symlink("models/tiny.safetensors", in_home("link")), 0);
    assert_int_equal(run("quantise tiny -o link"), 1);
    uint8_t *after = read_all("models/tiny.safetensors", &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(bytes, after, n);
    free(bytes);
    free(after);
    assert_int_equal(run("quantise in.mid -o out.safetensors"), 1);
    assert_says("continuo: in.mid: ");
    assert_int_equal(run("quantise tiny -o no/such/out.safetensors"), 1);
    assert_says("continuo: no/such/out.safetensors: ");
}

static void copy_music(const char *folder)
{
    char name[64];
    snprintf(name, sizeof name, "data/%s", folder);
    assert_int_equal(mkdir(in_home(name), 0700), 0);
    snprintf(name, sizeof name, "data/%s/a.mid", folder);
    save_music(name);
}

static void test_eval_beside_baselines(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_home("data"), 0700), 0);
    copy_music("songs");
    copy_music("songs/train");
    copy_music("songs/valid");
    assert_int_equal(run("eval tiny --data data --windows 1 --json"), 0);
    cJSON *j = cJSON_Parse(said), *all = cJSON_GetObjectItem(j, "all");
    assert_int_equal((int)number(all, "notes"), 16);
    double model = number(all, "nats_per_token");
    double unigram = number(all, "unigram_nats_per_token");
    double bigram = number(all, "bigram_nats_per_token");
    /* Random weights know nothing; the baselines have seen this very piece. */
    assert_true(fabs(model - log(TOKEN_COUNT)) < 1.0);
    assert_true(unigram < model && bigram < unigram);
    /* Two bars have no middle for a hole. */
    assert_int_equal((int)number(cJSON_GetObjectItem(j, "holes"), "holes"), 0);
    cJSON_Delete(j);
    assert_int_equal(run("eval tiny --data data --windows 1 --json --holes 0"), 0);
    j = cJSON_Parse(said);
    assert_null(cJSON_GetObjectItem(j, "holes"));
    cJSON_Delete(j);
}

/* Nats a token on the bundled example, of which no model has heard. */
static double example_loss(const char *model)
{
    char line[1024];
    snprintf(line, sizeof line,
             "eval '%s' --data unheard --windows 1 --music 0 --holes 0 --json", model);
    assert_int_equal(run(line), 0);
    cJSON *j = cJSON_Parse(said);
    double nats = number(cJSON_GetObjectItem(j, "all"), "nats_per_token");
    cJSON_Delete(j);
    return nats;
}

static void test_eight_bits_cost_little(void **state)
{
    (void)state;
    const char *ours = getenv("CONTINUO_HOME");
    char model[512], line[1024];
    snprintf(model, sizeof model, "%s/models/continuo.safetensors", ours ? ours : "");
    if (access(model, R_OK))
        skip();
    snprintf(line, sizeof line,
             "cd '%s' && mkdir -p unheard/train unheard/valid && "
             "tee unheard/train/a.mid unheard/valid/a.mid <'%s/models/example.mid' "
             ">/dev/null",
             home, ours);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "quantise '%s' -o bundled.safetensors", model);
    assert_int_equal(run(line), 0);
    double was = example_loss(model), is = example_loss("bundled.safetensors");
    assert_true(was < 3.0);
    assert_true(is != was && fabs(is / was - 1.0) < 0.005);
}

/* Of the data that the test before this one has left. */
static void test_tokens_are_an_array(void **state)
{
    (void)state;
    const char *tokens = "tokens --data data --windows 3 --length 32 -o";
    char line[256];
    size_t n;
    snprintf(line, sizeof line, "%s w.txt", tokens);
    assert_int_equal(run(line), 1);
    assert_says("must end in .npy");
    snprintf(line, sizeof line, "%s w.npy", tokens);
    assert_int_equal(run(line), 0);
    uint8_t *bytes = read_all("w.npy", &n);
    assert_int_equal(n, 128 + 3 * 3 * 32 * 2);
    assert_non_null(strstr((char *)bytes + 10, "'shape': (3, 3, 32)"));
    assert_int_equal(bytes[128] | bytes[129] << 8, TOKEN_BOS);
    const uint8_t *targets = bytes + 128 + 3 * 32 * 2;
    for (int i = 0; i < 8; i++) /* the next token */
        assert_memory_equal(targets + 2 * i, bytes + 128 + 2 * (i + 1), 2);
    free(bytes);
    bytes = read_all("w.json", &n);
    cJSON *j = cJSON_ParseWithLength((char *)bytes, n);
    assert_int_equal((int)number(j, "vocab"), TOKEN_COUNT);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(j, "tokenizer"), "kinds"));
    cJSON_Delete(j);
    free(bytes);
}

static bool has_sound(const uint8_t *wav, size_t n)
{
    for (size_t i = 44; i + 1 < n; i += 2)
        if (abs((int16_t)(wav[i] | wav[i + 1] << 8)) > 300)
            return true;
    return false;
}

static void test_bench_weighs_takes(void **state)
{
    (void)state;
    assert_int_equal(run("bench takes --model tiny --threads 1 --json"), 0);
    assert_says("\"takes\":\t8");
    assert_says("\"cost_of_one\"");
}

/* A program that was moved away from its models. */
static void test_without_a_model_it_says_so(void **state)
{
    static const char *const WORDS[] = {"bench start", "bench bundled", "bench takes",
                                        "bench frames", "continue in.mid -o out.mid"};
    (void)state;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "--help && mkdir -p alone/so/deep && cp \"$CONTINUO_BIN\" "
                 "alone/so/deep/ && "
                 "CONTINUO_HOME=/nonexistent alone/so/deep/continuo %s",
                 WORDS[i]);
        assert_int_equal(run(arguments), 1);
        assert_says("found");
    }
}

static void test_demo_leaves_three_files(void **state)
{
    (void)state;
    const char *soundfont = getenv("CONTINUO_TEST_SOUNDFONT");
    char arguments[1024];
    if (!soundfont || access(soundfont, R_OK))
        skip();
    snprintf(arguments, sizeof arguments, "demo -o made --bars 1 --soundfont '%s'",
             soundfont);
    assert_int_equal(run(arguments), 0);
    assert_says("wrote made/demo.mid");
    size_t n;
    uint8_t *wav = read_all("made/demo.wav", &n);
    assert_memory_equal(wav, "RIFF", 4);
    assert_true(has_sound(wav, n));
    free(wav);
    uint8_t *png = read_all("made/demo.png", &n);
    assert_memory_equal(png, "\x89PNG", 4);
    assert_true(n > 1000);
    free(png);
    score_destroy(load("made/demo.mid"));
}

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(in_home(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void render(const char *arguments)
{
    char line[8192], *font = realpath(getenv("CONTINUO_TEST_SOUNDFONT"), NULL);
    assert_non_null(font);
    snprintf(line, sizeof line, "render %s --soundfont '%s'", arguments, font);
    free(font);
    assert_int_equal(run(line), 0);
}

/* What is muted in the workstation is muted here, unless all is asked for. */
static void test_render_heeds_mutes(void **state)
{
    (void)state;
    save_music("song.mid");
    render("song.mid -o whole.wav");
    write_text("song.mid.continuo",
               "{\"continuo\": 1, \"tracks\": {\"list\": "
               "[{\"index\": 1, \"name\": \"low\", \"solo\": true}]}}");
    render("song.mid -o low.wav");
    render("song.mid -o all.wav --all");
    assert_false(same_bytes("whole.wav", "low.wav"));
    assert_true(same_bytes("whole.wav", "all.wav"));
    write_text("song.mid.continuo", "{");
    render("song.mid -o whole2.wav");
    assert_says("continuo: song.mid: what is kept beside it is not read: ");
    assert_true(same_bytes("whole.wav", "whole2.wav"));
}

int main(void)
{
    if (!getenv("CONTINUO_BIN")) {
        puts("CONTINUO_BIN is not set: nothing to test");
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_verb_helps),
        cmocka_unit_test(test_wrong_usage_is_two),
        cmocka_unit_test(test_failures_name_the_file),
        cmocka_unit_test(test_escapes_never_arrive),
        cmocka_unit_test(test_copy_changes_nothing),
        cmocka_unit_test(test_threads_write_the_same_bytes),
        cmocka_unit_test(test_output_begins_with_input),
        cmocka_unit_test(test_inpaint_changes_only_the_hole),
        cmocka_unit_test(test_holes_are_said_rightly),
        cmocka_unit_test(test_room_is_made),
        cmocka_unit_test(test_too_many_tracks_are_refused),
        cmocka_unit_test(test_takes_are_numbered),
        cmocka_unit_test(test_render_heeds_mutes),
        cmocka_unit_test(test_json_accounts_for_each_note),
        cmocka_unit_test(test_an_empty_file_gets_a_track),
        cmocka_unit_test(test_logits_are_rows_of_json),
        cmocka_unit_test(test_info_and_models),
        cmocka_unit_test(test_quantise_writes_a_smaller_model),
        cmocka_unit_test(test_quantise_spares_its_input),
        cmocka_unit_test(test_eval_beside_baselines),
        cmocka_unit_test(test_eight_bits_cost_little),
        cmocka_unit_test(test_tokens_are_an_array),
        cmocka_unit_test(test_bench_weighs_takes),
        cmocka_unit_test(test_without_a_model_it_says_so),
        cmocka_unit_test(test_demo_leaves_three_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
