/* What training data is beyond the windows that trainers draw (test_windows.sh): what is held out is the
 * same each time, and measured only where nobody gives it; how often each corpus is drawn; and files of
 * excerpts. */
#include "tests/check.h"
#include "tests/app/lab/dataset/corpus_folder.h"

/* Of a held-out hole only what fills it is measured. */
TEST(held_out_holes_are_fixed)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    int n_measured = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++)
            assert_ok(
                fixed_row(c, CORPUS_VALID, CORPUS_HOLE, i, 4, tokens[k], targets[k]));
        assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
        assert_memory_equal(targets[0], targets[1], sizeof targets[0]);
        bool is_filling = false;
        for (int j = 0; j < LENGTH; j++) {
            is_filling = is_filling || tokens[0][j] == TOKEN_FILL;
            assert_true(is_filling || targets[0][j] < 0);
            n_measured += targets[0][j] >= 0;
        }
    }
    assert_true(n_measured > 0);
}

static int count_kind(const int32_t *ids, enum token kind)
{
    int n = 0;
    for (int i = 0; i < LENGTH; i++)
        n += ids[i] >= 0 && token_kind(ids[i]) == kind;
    return n;
}

/* The same notes are measured over given chords as without, in a piece that fits. */
TEST(given_chords_are_not_measured)
{
    auto_corpus *c = open_all("unsplit");
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    assert_ok(fixed_row(c, CORPUS_VALID, CORPUS_PLAIN, 0, 4, tokens[0], targets[0]));
    assert_ok(fixed_row(c, CORPUS_VALID, CORPUS_CHORDS, 0, 4, tokens[1], targets[1]));
    assert_int_equal(count_kind(tokens[0], TOKEN_CHORD), 0);
    assert_true(count_kind(tokens[1], TOKEN_CHORD) > 0);
    assert_int_equal(count_kind(targets[1], TOKEN_CHORD), 0);
    for (int kind = TOKEN_EOS; kind < TOKEN_COUNT; kind++)
        assert_int_equal(count_kind(targets[0], (enum token)kind),
                         count_kind(targets[1], (enum token)kind));
}

/* The measure takes the tracks in turn, all of their notes, over all bars, and counts only
 * those. */
TEST(a_missing_part_is_measured)
{
    auto_corpus *c = open_all("bach-chorales");
    int32_t tokens[LENGTH], targets[LENGTH];
    const struct corpus_sequence row = sequence_in(LENGTH, tokens, targets);
    uint64_t tracks = 0;
    for (int i = 0; i < 2; i++) {
        assert_ok(corpus_window(c, CORPUS_VALID, CORPUS_MISSING, i, 2, &row));
        size_t n = 0;
        int n_pitches = 0;
        while (tokens[n] != TOKEN_PAD && tokens[n] != TOKEN_FILL_END)
            n_pitches += token_kind(targets[n++]) == TOKEN_PITCH;
        int32_t ids[LENGTH + 1];
        memcpy(ids, tokens, n * sizeof *ids);
        ids[n] = TOKEN_FILL_END;
        auto_fill f;
        assert_ok(fill_decode(&f, ids, n + 1));
        assert_int_equal(f.inside.n_notes, n_pitches);
        assert_int_equal(f.inside.n_notes, f.around.n_notes);
        assert_int_equal(targets[n - 1], TOKEN_FILL_END);
        assert_int_equal(piece_tracks(&f.inside), f.request.tracks);
        tracks |= f.request.tracks;
    }
    assert_int_equal(tracks, 3);
}

/* Share of the draws that the pieces of a corpus have. */
static double drawn_share(const struct corpus *c, const char *name)
{
    const double *cumulative = c->lengths[0].cumulative;
    double share = 0;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        if (&c->groups[c->pieces[CORPUS_TRAIN][i].group] == group(c, name))
            share += cumulative[i] - (i ? cumulative[i - 1] : 0);
    return share;
}

TEST(corpora_are_drawn_by_a_power)
{
    auto_corpus *c = open_all(NULL);
    double a = (double)group(c, "bach-chorales")->n_tokens[CORPUS_TRAIN];
    double b = (double)group(c, "unsplit")->n_tokens[CORPUS_TRAIN];
    for (int i = 0; i <= 4; i++) {
        double power = i / 4.0;
        assert_ok(corpus_mix(c, &(struct corpus_mixture){.power = power}));
        assert_true(fabs(drawn_share(c, "bach-chorales") / drawn_share(c, "unsplit") -
                         pow(a / b, power)) < 1e-6);
    }
}

/* A part has its share whatever its size; the first part that names a corpus counts; one without
 * music leaves its share to the others. */
TEST(parts_of_a_mixture_have_their_share)
{
    auto_corpus *c = open_all(NULL);
    struct corpus_mixture m = {.power = 0.5};
    put_text("parts", "# a remark\n\n0.2 none-*\n0.2 bach-* other\n0.5 b*  # later\n");
    assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 0);
    assert_int_equal(m.n_parts, 3);
    assert_ok(corpus_mix(c, &m));
    /* 0.2 and, of no part, 0.1 */
    assert_true(fabs(drawn_share(c, "bach-chorales") - 2.0 / 3) < 1e-9);
    put_text("parts", "1 none-*\n");
    assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 0);
    assert_ok(corpus_mix(c, &m)); /* all for music that is not there */
    assert_true(drawn_share(c, "bach-chorales") > 0.1);
    const char *const wrong[] = {"0.1 a\nshare b\n", "0.1 a\n0.2\n", "0.1 a\n-0.1 b\n",
                                 "0.6 a\n0.5 b\n", "0.1 a\nnan b\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_text("parts", wrong[i]);
        assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 2);
    }
    assert_int_equal(mixture_read_parts(&m, in_folder("nothing")), -1);
}

/* Forty bars of one piece take more than 300 tokens, all else less: so half of that piece is
 * drawn in rows of 600, and nothing else. */
TEST(dense_music_is_drawn_in_long_rows)
{
    auto_corpus *c = open_all(NULL);
    int n_long = 0;
    assert_ok(corpus_mix(c, &(struct corpus_mixture){.power = 1,
                                                     .longest = 2 * LENGTH,
                                                     .shortest = LENGTH}));
    assert_int_equal(c->n_lengths, 2);
    const struct corpus_length *all = c->lengths;
    double seen[2] = {0}, share[2] = {all[0].share, 1 - all[0].share};
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        for (int k = 0; k < 2; k++) {
            const double *to = all[k].cumulative;
            const bool is_dense = c->pieces[CORPUS_TRAIN][i].piece.n_bars == 40;
            seen[k] += is_dense ? share[k] * (to[i] - (i ? to[i - 1] : 0)) : 0;
            assert_true(is_dense || k || to[i] - (i ? to[i - 1] : 0) < 1e-12);
        }
    assert_true(seen[0] > 0.1 && fabs(seen[0] - seen[1]) < 1e-9);
    for (uint64_t step = 0; step < 1000; step++) {
        const int length = corpus_row_length(c, 1, step);
        assert_true(length == LENGTH || length == 2 * LENGTH);
        n_long += length > LENGTH;
    }
    assert_in_range(n_long, 1000 * share[0] - 50, 1000 * share[0] + 50);
}

/* -- excerpts -- */

TEST(excerpts_are_read_as_they_were_written)
{
    write_excerpts("x.excerpts", "bach-chorales,unsplit", 40);
    auto_corpus *c = NULL;
    assert_ok(corpus_excerpts_open(&c, in_folder("x.excerpts")));
    assert_int_equal(c->n_groups, 2);
    for (int i = 0; i < c->n_groups; i++) {
        assert_int_equal(c->groups[i].n_pieces[CORPUS_TRAIN], 14);
        assert_int_equal(c->groups[i].n_pieces[CORPUS_VALID], 2);
    }
    assert_int_equal(group(c, "bach-chorales")->style, STYLE_CHORALE);
    const struct corpus_piece *p = corpus_nth_piece(c, CORPUS_TRAIN, 0, 0);
    assert_true(p->goes_on && p->piece.style == STYLE_CHORALE);
    assert_int_equal(p->piece.notes[0].pitch, 60);
    assert_int_equal(p->piece.notes[0].length, STEPS_PER_QUARTER);
    assert_true(p->piece.n_chords > 0);
}

/* Each byte in turn is another one: the file is refused or is some other music. */
TEST(damaged_excerpts_are_refused_or_music)
{
    uint8_t *bytes;
    size_t n;
    write_excerpts("y.excerpts", "bach-chorales,unsplit", 40);
    assert_ok(file_read(in_folder("y.excerpts"), FILE_MAX_BYTES, &bytes, &n));
    int n_refused = 0;
    for (size_t i = 0; i < n; i += 1 + n / 400) {
        auto_corpus *c = NULL;
        bytes[i] ^= 0x41;
        assert_ok(file_write(in_folder("z.excerpts"), NULL, bytes, n));
        bytes[i] ^= 0x41;
        n_refused += corpus_excerpts_open(&c, in_folder("z.excerpts")) != MIDI_OK;
    }
    assert_true(n_refused > 100);
    for (size_t cut = 0; cut < n; cut += 1 + n / 50) {
        struct corpus *c = NULL;
        assert_ok(file_write(in_folder("z.excerpts"), NULL, bytes, cut));
        assert_true(corpus_excerpts_open(&c, in_folder("z.excerpts")) != MIDI_OK);
    }
    free(bytes);
}

GROUP(make_corpora, remove_own_folder)
