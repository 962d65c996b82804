/* Few pieces, one MIDI file, and a file of excerpts as training data. */
#include "tests/check.h"

#include "tests/app/lab/dataset/corpus_folder.h"

static struct corpus *open_in(const char *name)
{
    struct corpus *c = NULL;
    assert_ok(corpus_open(&c, in_folder(name), NULL, NULL));
    return c;
}

static int64_t n_bars(const struct corpus *c, enum corpus_split split)
{
    int64_t n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++)
        n += c->pieces[split][i].piece.n_bars;
    return n;
}

TEST(the_last_bars_of_one_piece_are_held_back)
{
    make_piece("one.mid", 40, 60);
    auto_corpus *c = open_in("one.mid");
    assert_int_equal(n_bars(c, CORPUS_TRAIN), 30);
    assert_int_equal(n_bars(c, CORPUS_VALID), 10);
    assert_true(c->pieces[CORPUS_TRAIN][0].goes_on);
    assert_false(c->pieces[CORPUS_VALID][0].goes_on);
    assert_int_equal(c->groups[0].n_notes[CORPUS_TRAIN], 240);
    assert_int_equal(c->groups[0].n_notes[CORPUS_VALID], 80);
    assert_int_equal(c->groups[0].n_pieces[CORPUS_TRAIN], 1);
}

TEST(nothing_is_held_back_of_a_few_bars)
{
    make_piece("short.mid", 8, 60);
    auto_corpus *c = open_in("short.mid");
    assert_int_equal(n_bars(c, CORPUS_TRAIN), 8);
    assert_int_equal(c->n_pieces[CORPUS_VALID], 0);
}

/* Whatever split the hash of their names would give them. */
TEST(any_number_of_pieces_has_both_splits)
{
    assert_ok(mkdir(in_folder("many"), 0700));
    for (int n = 1; n <= 24; n++) {
        make_piece(formatted("many/piece %d.mid", n), 16, 60);
        auto_corpus *c = open_in("many");
        assert_true(c->n_pieces[CORPUS_TRAIN] > 0 && c->n_pieces[CORPUS_VALID] > 0);
        assert_int_equal(n_bars(c, CORPUS_TRAIN) + n_bars(c, CORPUS_VALID), 16 * n);
        int64_t counted = 0;
        for (int i = 0; i < TOKEN_COUNT * TOKEN_COUNT; i++)
            counted += c->bigrams[i];
        for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
            counted -= c->pieces[CORPUS_TRAIN][i].n_tokens - 1;
        assert_int_equal(counted, 0);
    }
}

/* An excerpt that goes on does not teach that music ends there. */
TEST(an_ending_is_learnt_of_what_ends_only)
{
    make_piece("long.mid", 60, 60);
    auto_corpus *c = open_in("long.mid");
    int32_t tokens[LENGTH], targets[LENGTH];
    for (int step = 0; step < 200; step++) {
        draw_row(c, (struct corpus_shares){0.5, 0.5}, step, 0, tokens, targets);
        for (int i = 0; i < LENGTH; i++)
            assert_true(tokens[i] != TOKEN_EOS && tokens[i] != TOKEN_CLOSE);
    }
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
    assert_ok(file_read(in_folder("y.excerpts"), &bytes, &n));
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
