/* The soundfont's file changes while a player plays it: cut short, overwritten,
 * deleted. Playing goes on, with instruments not used before. One cut short anywhere
 * is refused, or used as far as it goes. */
#include "tests/check.h"
#include "tests/midi/transport/playing.h"
#include "tests/spoil_file.h"

static void copy_font(size_t most)
{
    static char bytes[1 << 16];
    FILE *from = fopen(own_soundfont(), "rb"), *to = fopen(temp_path("font"), "wb");
    assert_true(from && to);
    for (size_t n; most && (n = fread(bytes, 1, sizeof bytes, from)) > 0; most -= n) {
        n = n < most ? n : most;
        assert_int_equal(fwrite(bytes, 1, n, to), n);
    }
    fclose(from);
    fclose(to);
}

static size_t size_of(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (size_t)s.st_size;
}

/* An eighth of a second of organ, then of strings, which nothing has used yet. */
TEST(it_is_heard_on)
{
    for (int i = 0; i < SPOIL_KINDS; i++) {
        copy_font(SIZE_MAX);
        struct player *p =
            open_player(&(struct player_config){.soundfont = temp_path("font"),
                                                .driver = "file",
                                                .file_name = temp_path("played.wav")});
        assert_true(player_has_sound(p));
        player_set_score(p,
                         score_of("480 240bpm | organ #16: C4e | strings #48: r E4"));
        player_play(p, 0);
        sleep_ms(100);
        spoil_file(temp_path("font"), i);
        wait_until_stopped(p, 5000);
        assert_true(player_has_sound(p));
        auto_recording r = finish(p);
        double onsets[8];
        assert_int_equal(listen_onsets(&r, onsets, 8), 2);
        assert_true(listen_energy(&r, onsets[1] + 0.05, onsets[1] + 0.15) > 1e-6);
    }
}

/* The present soundfont stays if the other cannot be used. */
TEST(what_is_cut_short_does_no_harm)
{
    enum { N = 24 };
    auto_player *p = start_player("none");
    size_t whole = size_of(own_soundfont());
    int n_bad = 0;
    for (size_t i = 0; i < N; i++) {
        copy_font(i < 4 ? i * 7 : whole / N * i);
        assert_true(player_set_soundfont(p, temp_path("font")));
        enum font_status news = font_news(p);
        assert_int_not_equal(news, FONT_NO_CHANGE);
        n_bad += news == FONT_IS_BAD;
        assert_string_equal(player_soundfont(p),
                            news == FONT_IS_BAD ? own_soundfont() : temp_path("font"));
        if (news != FONT_IS_BAD) {
            assert_true(player_set_soundfont(p, own_soundfont()));
            assert_int_equal(font_news(p), FONT_IS_HEARD);
        }
    }
    print_message("%d of %d are refused\n", n_bad, N);
    assert_true(n_bad >= 4);
}
