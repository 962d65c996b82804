/* Excerpts of pieces, and a small corpus continued by a model of random
 * weights: what is compared with what, and that it comes out the same. */
#include "tests/check.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "app/evaluation/eval_music.h"
#include "tests/app/hand_piece.h"
#include "tests/app/json_at.h"
#include "tests/app/tiny_model.h"

#include <math.h>

enum { BARS = 10, N_HELD = 3 };

static struct hand_piece held[N_HELD], training, hand;

static bool same_notes(const struct piece *a, const struct piece *b)
{
    if (a->n_notes != b->n_notes)
        return false;
    for (size_t i = 0; i < a->n_notes; i++)
        if (grid_note_compare(&a->notes[i], &b->notes[i]))
            return false;
    return true;
}

TEST(test_cuts_bars)
{
    auto_piece cut;
    hand_begin(&hand, 3);
    hand_note(&hand, 0, 0, 200, 60);   /* before */
    hand_note(&hand, 0, 96, 24, 62);   /* in the bar */
    hand_note(&hand, 1, 100, 300, 40); /* and past it */
    hand_note(&hand, 2, 100, 24, 50);  /* on another track */
    hand_note(&hand, 0, 192, 24, 64);  /* after */
    assert_ok(excerpt_cut(&cut, &hand.piece, 1, 1, 3));
    assert_ok(piece_check(&cut));
    assert_int_equal(cut.n_notes, 2);
    assert_int_equal(cut.notes[0].step, 0);
    assert_int_equal(cut.notes[0].pitch, 62);
    assert_int_equal(cut.notes[1].step, 4);
    assert_int_equal(cut.notes[1].length, 92);
}

/* As a score and back; the second track is silent. */
TEST(test_scores_are_exact)
{
    auto_piece back;
    int tracks[TOKEN_MAX_TRACKS];
    hand_begin(&hand, 3);
    hand.meters[0] = (struct grid_meter){0, 3, 4};
    hand.meters[1] = (struct grid_meter){72, 6, 8};
    hand.piece.n_meters = 2;
    hand_note(&hand, 0, 5, 7, 60);
    hand_note(&hand, 2, 100, 44, 65);
    auto_score *s = excerpt_score(&hand.piece);
    assert_non_null(s);
    assert_ok(piece_from_score(&back, s, STYLE_ANY, tracks, 0));
    assert_int_equal(tracks[1], 2);
    assert_int_equal(back.n_meters, 2);
    assert_memory_equal(back.meters, hand.meters, sizeof hand.meters);
    assert_int_equal(back.n_notes, 2);
    assert_int_equal(back.notes[0].step, 5);
    assert_int_equal(back.notes[1].step, 100);
    assert_int_equal(back.notes[1].length, 44);
}

/* Quarters in four voices that walk about; each piece on its own scale. */
static void make_chorale(struct hand_piece *h, int n_bars, int key)
{
    static const int VOICES_AT[] = {67, 60, 52, 45};
    hand_begin(h, n_bars);
    for (int i = 0; i < 4 * n_bars; i++)
        for (int v = 0; v < 4; v++)
            hand_note(h, v, i * QUARTER, QUARTER,
                      VOICES_AT[v] + (i * (v + 2) + key) % 7);
    h->piece.style = STYLE_CHORALE;
}

/* Two corpora: the second has nothing long enough. */
static struct fixture {
    struct corpus_group groups[2];
    struct corpus_piece held[N_HELD], train[1];
    int32_t bars[N_HELD + 1][BARS + 1];
    char path[32];
    struct corpus corpus;
    struct model *model;
    struct pool *pool;
    atomic_bool cancel;
    struct music_writer writer;
    struct music_request request;
} f;
static struct music made;

static void take(struct corpus_piece *to, int i, const struct hand_piece *h, int group)
{
    *to = (struct corpus_piece){.piece = h->piece, .bars = f.bars[i], .group = group};
    piece_bar_starts(&h->piece, to->bars);
}

static void close_model(void)
{
    music_writer_close(&f.writer);
    pool_destroy(f.pool);
    model_close(f.model);
}

static void open_model(int n_threads)
{
    struct model_config c = tiny_config(512);
    close_model();
    f = (struct fixture){.groups = {{.name = "chorales", .style = STYLE_CHORALE},
                                    {.name = "scraps", .style = STYLE_ANY}},
                         .path = "chorales/a.mid"};
    make_chorale(&held[0], BARS, 0);
    make_chorale(&held[1], 7, 1); /* too short */
    make_chorale(&held[2], BARS - 1, 3);
    make_chorale(&training, BARS, 0);
    for (int i = 0; i < N_HELD; i++)
        take(&f.held[i], i, &held[i], i == 1);
    take(&f.train[0], N_HELD, &training, 0);
    f.train[0].path = f.path;
    f.corpus = (struct corpus){.groups = f.groups, .n_groups = 2};
    f.corpus.pieces[CORPUS_TRAIN] = f.train;
    f.corpus.pieces[CORPUS_VALID] = f.held;
    f.corpus.n_pieces[CORPUS_TRAIN] = 1;
    f.corpus.n_pieces[CORPUS_VALID] = N_HELD;
    assert_ok(model_random(&f.model, &c, 7));
    f.pool = pool_create(n_threads);
    f.request = (struct music_request){.corpus = &f.corpus,
                                       .split = CORPUS_VALID,
                                       .n_pieces = 5,
                                       .bars = BARS - MUSIC_CONTEXT_BARS,
                                       .sampling = SAMPLING_DEFAULT,
                                       .writer = &f.writer};
    assert_ok(music_writer_open(&f.writer, f.model, f.pool, &f.cancel));
}

FIXTURE(set_up)
{
    open_model(1);
    return 0;
}

FIXTURE(tear_down)
{
    music_fini(&made);
    close_model();
    f = (struct fixture){0};
    return 0;
}

#define MUSIC_TEST(name) TEST_IN(name, set_up, tear_down)

MUSIC_TEST(test_samples_of_a_corpus)
{
    assert_ok(music_generate(&made, &f.request));
    assert_int_equal(made.n_samples, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct music_sample *s = &made.samples[i];
        auto_piece rest;
        assert_true(s->is_in_voices);
        assert_memory_equal(s->tracks, ((const uint8_t[]){0, 1, 2, 3}), VOICES);
        assert_ok(piece_window(&rest, &f.held[2 * i].piece, 4, BARS));
        assert_true(same_notes(&s->bars[MUSIC_HELD_OUT], &rest));
        for (int k = 0; k < MUSIC_KINDS; k++) {
            assert_ok(piece_check(&s->bars[k]));
            assert_int_equal(s->bars[k].n_bars, 6 - i); /* the second is shorter */
            assert_true(s->bars[k].n_notes > 0);
        }
        assert_false(same_notes(&s->bars[MUSIC_GENERATED], &rest));
    }
    assert_true(made.n_tokens > 0 && made.masked >= 0);
}

MUSIC_TEST(test_the_seed_decides)
{
    static const int THREADS[] = {1, 3, 1};
    struct music m[3];
    for (int i = 0; i < 3; i++) {
        open_model(THREADS[i]);
        f.request.sampling.seed = i == 2 ? 8 : 7;
        assert_ok(music_generate(&m[i], &f.request));
    }
    const struct piece *first = &m[0].samples[1].bars[MUSIC_GENERATED];
    assert_true(same_notes(first, &m[1].samples[1].bars[MUSIC_GENERATED]));
    assert_false(same_notes(first, &m[2].samples[1].bars[MUSIC_GENERATED]));
    for (int i = 0; i < 3; i++)
        music_fini(&m[i]);
}

MUSIC_TEST(test_cancels)
{
    f.cancel = true;
    assert_ok(music_generate(&made, &f.request));
    assert_true(made.is_cancelled);
    assert_int_equal(made.n_samples, 0);
    assert_true(music_find_copies(&made, &f.request));
}

/* The first piece is the training piece; the second is another. */
MUSIC_TEST(test_figures)
{
    struct music_sums s;
    double held_out[MUSIC_FIGURES], trained[MUSIC_FIGURES], written[MUSIC_FIGURES];
    f.request.n_pieces = 1;
    assert_ok(music_generate(&made, &f.request));
    assert_true(music_find_copies(&made, &f.request));
    assert_true(music_sum(&s, &made, &f.request, 0));
    music_figures(held_out, &s, MUSIC_HELD_OUT);
    music_figures(trained, &s, MUSIC_TRAINING);
    music_figures(written, &s, MUSIC_GENERATED);
    assert_true(fabs(held_out[FIGURE_DENSITY] - 4) < 1e-9);
    assert_true(fabs(held_out[FIGURE_POLYPHONY] - 4) < 1e-9);
    assert_true(fabs(held_out[FIGURE_GROOVE] - 1) < 1e-9);
    assert_true(isnan(held_out[FIGURE_PITCH_CLASSES]));
    assert_true(trained[FIGURE_PITCH_CLASSES] < 1e-9);
    assert_true(trained[FIGURE_INTERVALS_JS] < 1e-9);
    assert_true(written[FIGURE_DURATIONS] > 0.1);
    assert_int_equal((int)held_out[FIGURE_LONGEST_COPY], 4 * 6);
    assert_true(written[FIGURE_LONGEST_COPY] < 4 * 6);
    assert_true(isnan(trained[FIGURE_LONGEST_COPY]));
    assert_true(held_out[FIGURE_FIFTHS] >= 0);
    assert_int_equal(s.voices[MUSIC_TRAINING].n_chords, 4 * BARS); /* all there is */
    assert_int_equal(s.voices[MUSIC_HELD_OUT].n_chords, 4 * (2 * BARS - 1));
    assert_int_equal(s.longest[MUSIC_HELD_OUT].source, 0);
    assert_true(music_sum(&s, &made, &f.request, 1));
    assert_int_equal(s.n_samples, 0);
    assert_int_equal(s.voices[MUSIC_HELD_OUT].n_chords, 0); /* not compared */
}

MUSIC_TEST(test_json)
{
    assert_ok(music_generate(&made, &f.request));
    assert_true(music_find_copies(&made, &f.request));
    auto_json *j = music_json(&made, &f.request);
    assert_int_equal(cJSON_GetArraySize(json_at(j, "corpora")), 1);
    const cJSON *held_out = json_at(j, "corpora.0.held_out");
    assert_int_equal((int)number(j, "corpora.0.pieces"), 2);
    assert_int_equal((int)number(held_out, "longest_copied_run"), 24);
    assert_string_equal(string_at(held_out, "longest_copied_from.file"),
                        "chorales/a.mid");
    assert_in_range((int)number(held_out, "longest_copied_from.last_bar"), 6, BARS);
    assert_true(cJSON_IsNull(json_at(held_out, "pitch_class_distance")));
}
