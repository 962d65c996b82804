/* Models of grid tokens measured: nats by voice against the score they are parts of,
 * the music they write against filling by hand, a melody that stands; and the verb,
 * with data that fits its model and data that does not. */
#include "tests/check.h"
#include "app/evaluation/eval_loss.h"
#include "app/evaluation/eval_music.h"
#include "app/dataset/grid_corpus.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "tests/app/grid_data.h"
#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"
#include "tests/app/run_words.h"
#include "tests/app/tiny_grid_model.h"

#include <math.h>

enum { CONTEXT_STEPS = MUSIC_CONTEXT_BARS * GRID_BAR, STEPS = 150, BARS = 3 };

/* Good until in_folder is asked for eight more. */
#define DATA        in_folder("four.json")
#define TOLD_MODEL  in_folder("told.safetensors")
#define HEARD_MODEL in_folder("heard.safetensors")
#define SCORE_MODEL in_folder("score.safetensors")

static struct grid_corpus *grids;
static struct corpus *music;

static int write_data(void)
{
    FILE *f = fopen(DATA, "w");
    if (!f)
        return 1;
    fputs("{", f);
    grid_data_split(f, "train", 3, STEPS);
    fputs(", ", f);
    grid_data_split(f, "valid", 2, STEPS);
    fputs("}\n", f);
    return fclose(f);
}

static int set_up(void **state)
{
    char fault[128];
    return make_own_folder(state) || write_data() ||
           tiny_grid_train(DATA, TOLD_MODEL, false) ||
           tiny_grid_train(DATA, HEARD_MODEL, true) ||
           !tiny_model_save(SCORE_MODEL, 64, 1) ||
           !grid_corpus_open(&grids, DATA, fault, sizeof fault) ||
           grid_music_corpus(&music, grids);
}

static int tear_down(void **state)
{
    corpus_close(music);
    grid_corpus_close(grids);
    return remove_own_folder(state);
}

static struct fixture {
    struct model *model;
    struct pool *pool;
    atomic_bool cancel;
    struct grid_score_request score;
    struct music_writer writer;
    struct music_request request;
} f;
static struct music made;

/* With a model, told or heard. */
static void begin(const char *path)
{
    f.model = bundled_model(path);
    f.pool = pool_create(1);
    f.score = (struct grid_score_request){.model = f.model,
                                          .pool = f.pool,
                                          .corpus = grids,
                                          .split = CORPUS_VALID,
                                          .cancel = &f.cancel};
    assert_true(metadata_grid_lesson(f.model, &f.score.lesson));
    assert_ok(grid_writer_open(&f.writer, &f.score));
    f.request = (struct music_request){.corpus = music,
                                       .split = CORPUS_VALID,
                                       .n_pieces = 2,
                                       .bars = BARS,
                                       .sampling = SAMPLING_DEFAULT,
                                       .writer = &f.writer};
}

FIXTURE(end)
{
    music_fini(&made);
    music_writer_close(&f.writer);
    pool_destroy(f.pool);
    model_close(f.model);
    f = (struct fixture){0};
    return 0;
}

#define GRID_TEST(name) TEST_IN(name, NULL, end)

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void check_loss(const char *path, int first, int n)
{
    struct eval_grid e;
    struct grid_score score;
    struct grid_baseline one, all;
    double nats = 0;
    int64_t n_cells = 0, expected;
    begin(path);
    assert_ok(eval_grid_measure(&e, &f.score, "data", "model"));
    assert_ok(grid_score_measure(&score, &f.score));
    for (int v = 0; v < GRID_VOICES; v++) {
        const struct eval_grid_row *r = &e.voices[v];
        bool is_told = v >= first && v < first + n;
        assert_int_equal(r->n_cells, is_told ? 2 * STEPS + 5 : 0);
        assert_int_equal(r->baseline.n_cells, r->n_cells);
        nats += r->nats;
        n_cells += r->n_cells;
    }
    assert_true(near(nats, grid_score_sum(&score, &expected)));
    assert_true(near(e.all.nats, nats));
    assert_int_equal(e.all.n_cells, n_cells);
    assert_int_equal(n_cells, expected);
    const struct grid_lesson lesson = f.score.lesson;
    const struct grid_form bass = {3, 1, lesson.told.hold};
    assert_ok(grid_corpus_baseline(grids, bass, CORPUS_VALID, &one));
    assert_ok(grid_corpus_baseline(grids, lesson.told, CORPUS_VALID, &all));
    assert_true(near(e.voices[3].baseline.voice, one.voice));
    assert_true(near(e.all.baseline.bigram, all.bigram));
}

GRID_TEST(voices_add_up_to_the_score)
{
    check_loss(TOLD_MODEL, 0, 4);
    end(state);
    check_loss(HEARD_MODEL, 1, 3);
}

GRID_TEST(a_split_without_pieces_is_refused)
{
    struct eval_grid e;
    begin(TOLD_MODEL);
    f.score.split = CORPUS_TEST;
    assert_int_equal(eval_grid_measure(&e, &f.score, "data", "model"), 1);
}

/* A voice keeps its number below one that is silent. */
TEST(grids_are_pieces)
{
    auto_grid g;
    auto_piece p;
    assert_ok(grid_init(&g, 40));
    for (int i = 0; i < 6; i++) {
        *grid_at(&g, 10 + i, 0) = (struct grid_cell){70, i == 0};
        *grid_at(&g, 30 + i, 3) = (struct grid_cell){40, i == 0 || i == 2};
    }
    assert_ok(grid_music_piece(&p, &g));
    assert_ok(piece_check(&p));
    assert_int_equal(p.n_bars, 3);
    assert_int_equal(p.n_notes, 3);
    assert_int_equal(p.notes[0].track, 0);
    assert_int_equal(p.notes[0].step, 10 * GRID_STEP);
    assert_int_equal(p.notes[0].length, 6 * GRID_STEP);
    assert_int_equal(p.notes[2].track, 3);
    assert_int_equal(p.notes[2].length, 4 * GRID_STEP);
    assert_int_equal(music->n_pieces[CORPUS_TRAIN], 3);
    assert_string_equal(music->pieces[CORPUS_TRAIN][2].path,
                        "piece 3 of train of four");
}

/* What the writer should have made, the long way: the notes of a filled copy that
 * begin in the bars. */
static void fill_by_hand(int piece, struct piece *out)
{
    const struct grid *from = &grids->pieces[CORPUS_VALID][piece];
    const struct grid_fill_request q = {.model = f.model,
                                        .pool = f.pool,
                                        .lesson = f.score.lesson,
                                        .from_step = CONTEXT_STEPS,
                                        .sampling = f.request.sampling};
    struct grid_fill_result result;
    auto_grid g;
    assert_ok(grid_init(&g, CONTEXT_STEPS + BARS * GRID_BAR));
    memcpy(g.cells, from->cells, (size_t)g.n_steps * GRID_VOICES * sizeof *g.cells);
    assert_ok(grid_fill(&g, &q, &result));
    grid_join_repeats(&g);
    assert_ok(grid_music_piece(out, &g));
}

static void check_bars(const struct music_sample *s)
{
    const struct piece *bars = &s->bars[MUSIC_GENERATED];
    auto_piece whole;
    assert_ok(piece_check(bars));
    assert_int_equal(bars->n_bars, BARS);
    fill_by_hand(0, &whole);
    const int first = CONTEXT_STEPS * GRID_STEP;
    size_t at = piece_note_at(&whole, first);
    assert_true(bars->n_notes > 0);
    assert_int_equal(bars->n_notes, whole.n_notes - at);
    for (size_t i = 0; i < bars->n_notes; i++) {
        assert_int_equal(bars->notes[i].step, whole.notes[at + i].step - first);
        assert_int_equal(bars->notes[i].length, whole.notes[at + i].length);
        assert_int_equal(bars->notes[i].pitch, whole.notes[at + i].pitch);
        assert_int_equal(bars->notes[i].track, whole.notes[at + i].track);
    }
}

/* Notes of a voice, and a sum that tells two voices apart. */
static size_t sum_voice(const struct piece *p, int track, int64_t *sum)
{
    size_t n = 0;
    *sum = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        if (p->notes[i].track == track) {
            n++;
            *sum = *sum * 31 + p->notes[i].step * 128 + p->notes[i].pitch;
            *sum %= INT64_C(1) << 40;
        }
    return n;
}

static bool same_voice(const struct music_sample *s, int track)
{
    int64_t a, b;
    return sum_voice(&s->bars[MUSIC_GENERATED], track, &a) ==
               sum_voice(&s->bars[MUSIC_HELD_OUT], track, &b) &&
           a == b;
}

GRID_TEST(four_voices_go_on_after_the_context)
{
    begin(TOLD_MODEL);
    assert_ok(music_generate(&made, &f.request));
    assert_int_equal(made.n_samples, 2);
    assert_int_equal(made.n_tokens, 2 * BARS * GRID_BAR * GRID_VOICES);
    assert_true(made.masked > 0);
    check_bars(&made.samples[0]);
    for (int v = 0; v < GRID_VOICES; v++)
        assert_false(same_voice(&made.samples[0], v));
}

/* As many bars as there are: the last one is cut where the piece ends. */
GRID_TEST(nothing_is_written_past_the_piece)
{
    begin(TOLD_MODEL);
    f.request.bars = 100;
    f.request.n_pieces = 1;
    assert_ok(music_generate(&made, &f.request));
    const struct piece *bars = &made.samples[0].bars[MUSIC_GENERATED];
    assert_int_equal(bars->n_bars, (STEPS + GRID_BAR - 1) / GRID_BAR - 4);
    assert_int_equal(made.n_tokens, (STEPS - CONTEXT_STEPS) * GRID_VOICES);
    for (size_t i = 0; i < bars->n_notes; i++)
        assert_true(bars->notes[i].step + bars->notes[i].length <=
                    (STEPS - CONTEXT_STEPS) * GRID_STEP);
}

GRID_TEST(a_melody_that_is_heard_stands)
{
    begin(HEARD_MODEL);
    assert_ok(music_generate(&made, &f.request));
    assert_int_equal(made.n_samples, 2);
    assert_int_equal(made.n_tokens, 2 * BARS * GRID_BAR * 3);
    check_bars(&made.samples[0]);
    for (size_t i = 0; i < 2; i++) {
        assert_true(same_voice(&made.samples[i], 0));
        for (int v = 1; v < GRID_VOICES; v++)
            assert_false(same_voice(&made.samples[i], v));
    }
}

/* The held-out melody is in the training pieces too, note for note. */
GRID_TEST(a_given_melody_is_not_counted)
{
    struct music_sums sums;
    int64_t unused;
    begin(HEARD_MODEL);
    f.request.n_pieces = 1;
    assert_ok(music_generate(&made, &f.request));
    const struct music_sample *s = &made.samples[0];
    const size_t n_melody = sum_voice(&s->bars[MUSIC_HELD_OUT], 0, &unused);
    const size_t n_notes = s->bars[MUSIC_GENERATED].n_notes;

    assert_true(music_find_copies(&made, &f.request));
    assert_true(s->copied[MUSIC_GENERATED].n_notes < (int)n_melody);
    assert_true(s->copied[MUSIC_HELD_OUT].n_notes < (int)n_melody);
    assert_true(music_sum(&sums, &made, &f.request, MUSIC_ALL));
    assert_int_equal(sums.statistics[MUSIC_GENERATED].n_notes, n_notes - n_melody);
    assert_true(sums.voices[MUSIC_GENERATED].n_chords > 0);

    f.writer.tracks = UINT64_MAX;
    assert_true(music_find_copies(&made, &f.request));
    assert_int_equal(s->copied[MUSIC_GENERATED].n_notes, n_melody);
    assert_int_equal(s->copied[MUSIC_GENERATED].track, 0);
}

GRID_TEST(asked_to_stop_it_stops)
{
    begin(TOLD_MODEL);
    f.cancel = true;
    assert_ok(music_generate(&made, &f.request));
    assert_true(made.is_cancelled);
    assert_int_equal(made.n_samples, 0);
}

static int run_verb(int fd, const char *model, const char *from)
{
    return run_words(&VERB_EVAL, fd,
                     formatted("%s --data %s --music 1 --bars 2 --threads 1 "
                               "--windows 1 --json",
                               model, from));
}

TEST(the_verb_says_it_in_json)
{
    assert_int_equal(run_verb(STDOUT_FILENO, HEARD_MODEL, DATA), 0);
    auto_json *j = cJSON_Parse(said);
    double sum = 0;
    assert_int_equal(cJSON_GetArraySize(json_at(j, "voices")), 3);
    for (int i = 0; i < 3; i++)
        sum += number(cJSON_GetArrayItem(json_at(j, "voices"), i), "nats_per_cell") / 3;
    assert_string_equal(string_at(j, "voices.0.voice"), "alto");
    assert_true(near(number(j, "all.nats_per_cell"), sum));
    assert_int_equal((int)number(j, "all.cells"), 3 * (2 * STEPS + 5));
    assert_true(number(j, "all.own_voice_nats_per_cell") > 0);
    assert_int_equal((int)number(j, "music.all.pieces"), 1);
    assert_true(number(j, "music.all.generated.notes") > 0);
}

TEST(data_of_other_tokens_is_refused)
{
    assert_int_equal(run_verb(STDERR_FILENO, SCORE_MODEL, DATA), 1);
    assert_non_null(strstr(said, "four.json: is a file"));
    assert_non_null(strstr(said, "a folder of MIDI files"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, folder), 1);
    assert_non_null(strstr(said, folder));
    assert_non_null(strstr(said, "a JSON file"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, "no-such"), 1);
    assert_non_null(strstr(said, "no-such: No such file"));
}

GROUP(set_up, tear_down)
