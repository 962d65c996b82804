/* Lyrics go with the notes that they are sung on, also if they are a little beside them, and only
 * with those. Moved by keys, copied and removed: tests/app/editor/edit/test_goes_along.c. */
#include "tests/check.h"
#include "midi/edit/lyrics.h"
#include "tests/midi/music.h"

enum { PIANO, VOICE, WORDS };

static const struct {
    const char
        *words; /* ticks of the voice's lyrics, or of a chunk of texts of their own */
    bool is_karaoke;
    struct note_move move;
    const char *after;
} MOVED[] = {
    {"0 480 970 1440 ", false, {VOICE, 480, 600}, "0 600 970 1440 "},
    {"0 480 970 1440 ", false, {VOICE, 960, 860}, "0 480 870 1440 "}, /* near enough */
    {"0 480 970 1440 ", false, {VOICE, 1440, -1}, "0 480 970 "},
    {"0 480 970 1440 ", false, {PIANO, 0, 120}, "0 480 970 1440 "},
    {"0 480 1920 ",
     false,
     {VOICE, 1920, 2040},
     "0 480 1920 "}, /* one note of a chord */
    /* Of two tracks with as many notes at the words, the first sings them. */
    {"0 0 480 960 1440 ", true, {PIANO, 480, 540}, "0 0 540 960 1440 "},
    {"0 0 480 960 1440 ", true, {VOICE, 480, 540}, "0 0 480 960 1440 "},
};

static void sing(struct score *s, int chunk, const char *at)
{
    const bool is_karaoke = chunk == 1 + WORDS;
    const char *text = is_karaoke ? "@LENGL" : "la";
    for (char *end; *at; at = end + 1, text = "la") {
        const int64_t tick = strtoll(at, &end, 10);
        uint8_t data[64];
        add_event(s, chunk, tick, ORDER_FIRST, data,
                  event_meta_write(data, is_karaoke ? META_TEXT : META_LYRIC, text,
                                   strlen(text)));
    }
}

static void assert_sung(const struct chunk *c, const char *wanted)
{
    char text[256] = "";
    for (size_t i = 0, n; i < c->n_events; i++)
        if (event_meta(&c->events[i], META_LYRIC, &n) ||
            event_meta(&c->events[i], META_TEXT, &n))
            sprintf(text + strlen(text), "%lld ", (long long)c->events[i].tick);
    assert_string_equal(text, wanted);
}

TEST(lyrics_go_with_their_notes)
{
    for (size_t i = 0; i < sizeof MOVED / sizeof *MOVED; i++) {
        auto_score *s = score_of("480 | piano ch1: C3*4 =1e (E3e r)*4 | "
                                 "voice ch0 #52: C5*4 [C5 E5] | words:");
        auto_change *c = change_create("");
        const int words = 1 + (MOVED[i].is_karaoke ? WORDS : VOICE);
        sing(s, words, MOVED[i].words);
        assert_ok(change_move_lyrics(c, s, &MOVED[i].move, 1));
        assert_ok(change_apply(c, s, true));
        assert_sung(&s->chunks[words], MOVED[i].after);
    }
}
