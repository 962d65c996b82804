/* Lyrics go with the notes that they are sung on. */
#include "tests/check.h"
#include "midi/edit/lyrics.h"
#include "tests/midi/music.h"

static void sing(struct score *s, int chunk, int64_t tick, uint8_t type,
                 const char *text)
{
    uint8_t data[64];
    add_event(s, chunk, tick, ORDER_FIRST, data,
              event_meta_write(data, type, text, strlen(text)));
}

/* A voice and a piano of four quarters each. */
static struct score *song(void)
{
    return score_of("480 | piano ch1: C3*4 =1e (E3e r)*4 | voice ch0 #52: C5*4");
}

/* The ticks of a chunk's texts, or of its lyrics. */
static const char *ticks(const struct score *s, int chunk)
{
    static char text[256];
    size_t used = 0, n;
    text[0] = '\0';
    for (size_t i = 0; i < s->chunks[chunk].n_events; i++) {
        const struct event *e = &s->chunks[chunk].events[i];
        if (event_meta(e, META_LYRIC, &n) || event_meta(e, META_TEXT, &n))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld",
                                     used ? " " : "", (long long)e->tick);
    }
    return text;
}

static void move(struct score *s, struct note_move m)
{
    struct change *c = change_create("");
    assert_ok(change_move_lyrics(c, s, &m, 1));
    assert_ok(change_apply(c, s, true));
    change_destroy(c);
}

TEST(a_syllable_moves_with_its_note)
{
    auto_score *s = song();
    for (int i = 0; i < 4; i++)
        sing(s, 2, i * QUARTER + (i == 2 ? 10 : 0), META_LYRIC, "la");
    move(s, (struct note_move){1, QUARTER, QUARTER + 120});
    assert_string_equal(ticks(s, 2), "0 600 970 1440");
    move(s, (struct note_move){1, 2 * QUARTER, 2 * QUARTER - 100}); /* near enough */
    assert_string_equal(ticks(s, 2), "0 600 870 1440");
    move(s, (struct note_move){0, 0, 120}); /* the piano's */
    assert_string_equal(ticks(s, 2), "0 600 870 1440");
    move(s, (struct note_move){1, 3 * QUARTER, -1});
    assert_string_equal(ticks(s, 2), "0 600 870");
}

/* A chunk of words alone, as in karaoke: the voice sings them, whose notes are nearest. */
TEST(words_of_their_own_chunk)
{
    auto_score *s = song();
    assert_int_equal(score_add_track(s, "Words", 0, 0), 2);
    sing(s, 3, 0, META_TEXT, "@LENGL");
    for (int i = 0; i < 4; i++)
        sing(s, 3, i * QUARTER, META_TEXT, "la");
    score_put(s, 0, "=6q D3e");
    struct lyrics l;
    assert_true(lyrics_init(&l, s));
    assert_int_equal(l.of[3].singer, 0); /* of those with as many notes the first */
    assert_non_null(lyrics_at(&l, 0, QUARTER));
    assert_null(lyrics_at(&l, 0, 6 * QUARTER));
    assert_null(lyrics_at(&l, 1, QUARTER));
    lyrics_fini(&l);
    move(s, (struct note_move){0, QUARTER, QUARTER + 60});
    assert_string_equal(ticks(s, 3), "0 0 540 960 1440");
}

/* Of two notes at one tick one moves: the syllable stays with the other. */
TEST(a_chord_that_is_torn_keeps_its_syllable)
{
    auto_score *s = song();
    score_put(s, 1, "=1q E5");
    for (int i = 0; i < 4; i++)
        sing(s, 2, i * QUARTER, META_LYRIC, "la");
    move(s, (struct note_move){1, QUARTER, QUARTER + 120});
    assert_string_equal(ticks(s, 2), "0 480 960 1440");
}
