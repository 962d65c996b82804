/* Timeline events: read from any chunk, added, moved and removed, and undone byte
 * for byte. */
#include "tests/check.h"
#include "midi/base/array.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/music.h"

/* Two chunks with timeline events, numbered as in a file. */
static struct song make_events(void)
{
    struct score *s = score_of("480 | t: C4w");
    s->chunks[0].n_events = 0; /* drops the events of a new score */
    add_event(s, 0, 0, 1, "\xFF\x58\x04\x03\x02\x18\x08", 7); /* 3/4 */
    add_event(s, 0, 0, 2, "\xFF\x51\x03\x09\x27\xC0", 6);     /* 100 */
    add_event(s, 0, BAR, 3, "\xFF\x06\x05Verse", 8);
    add_event(s, 1, BAR, 4, "\xFF\x06\x02\x1B[", 5);  /* an escape sequence */
    add_event(s, 1, 0, 5, "\xFF\x59\x02\xFD\x01", 5); /* C minor */
    add_event(s, 1, 700, 6, "\xFF\x05\x02la", 5);
    add_event(s, 1, 800, 7, "\xFF\x07\x00", 3);
    add_event(s, 1, 900, 8, "\xFF\x51\x03\x00\x00\x00", 6); /* not a tempo */
    add_event(s, 1, 900, 9, "\xFF\x58\x01\x03", 4);         /* cut short */
    add_event(s, 1, 900, 10, "\xFF\x59\x02\x55\x00", 5);    /* not a key */
    assert_ok(score_update_timeline(s));
    struct song song = {s, history_create()};
    assert_non_null(song.h);
    return song;
}

static void put_text(struct score *s, int chunk, int64_t tick, uint8_t type,
                     const char *text, size_t n)
{
    uint8_t data[64];
    add_event(s, chunk, tick, 20 + (uint32_t)s->chunks[chunk].n_events, data,
              event_meta_write(data, type, text, n));
}

static const char *told(const struct score *s)
{
    static char text[65536];
    auto_events g;
    size_t n = 0;
    char words[200];
    assert_ok(timeline_events_collect(&g, s, ~0u));
    text[0] = '\0';
    for (size_t i = 0; i < g.n && n < sizeof text - 400; i++) {
        const struct timeline_event *x = &g.list[i];
        if (x->kind == TIMELINE_METER)
            snprintf(words, sizeof words, "%d/%d", x->numerator, x->denominator);
        else if (x->kind == TIMELINE_TEMPO)
            snprintf(words, sizeof words, "=%.4g", x->bpm);
        else if (x->kind == TIMELINE_KEY)
            snprintf(words, sizeof words, "%d%s", x->sharps, x->minor ? "m" : "");
        else
            timeline_event_copy_text(s, x, words, sizeof words);
        n += (size_t)snprintf(text + n, sizeof text - n, "%lld:%s ", (long long)x->tick,
                              words);
    }
    return text;
}

TEST(all_kinds_are_read)
{
    auto_song song = make_events();
    assert_string_equal(told(song.s),
                        "0:3/4 0:=100 0:-3m 700:la 800: 1920:Verse 1920:\x1B[ ");
    auto_events g;
    assert_ok(timeline_events_collect(
        &g, song.s, TIMELINE_BIT(TIMELINE_MARKER) | TIMELINE_BIT(TIMELINE_LYRIC)));
    assert_int_equal(g.n, 3);
    assert_int_equal(ARRAY_FIRST_AT(g.list, g.n, 701), 1);
    assert_int_equal(ARRAY_FIRST_AT(g.list, g.n, BAR), 1);
    assert_int_equal(ARRAY_FIRST_AT(g.list, g.n, BAR + 1), 3);
    char two[3];
    assert_string_equal(timeline_event_copy_text(song.s, &g.list[1], two, sizeof two),
                        "Ve");
}

static size_t count_events(const struct score *s)
{
    return s->chunks[0].n_events + s->chunks[1].n_events;
}

/* A text is one only as a whole, and where no words of karaoke are; what else is written there
 * stays. */
TEST(chords_are_texts)
{
    auto_song song = make_events();
    auto_events g, without_words;
    put_text(song.s, 0, 0, META_TEXT, "by A. Am", 8);
    put_text(song.s, 0, BAR, META_TEXT, "E", 1);
    put_text(song.s, 1, 0, META_TEXT, "G7/B", 4);
    put_text(song.s, 1, BAR, META_TEXT, "G\x1B[", 3);
    put_text(song.s, 1, BAR, META_TEXT, "m7", 2); /* of which root? */
    put_text(song.s, 1, BAR, META_TEXT, "A\0", 2);
    auto_written before = write_song(song.s);
    const size_t n = count_events(song.s);
    assert_ok(timeline_events_collect(&g, song.s, TIMELINE_BIT(TIMELINE_CHORD)));
    assert_int_equal(g.n, 2);
    DO(song, change_set_text(c, song.s, TIMELINE_CHORD, BAR, "C"));
    assert_int_equal(count_events(song.s), n);
    DO(song, change_set_text(c, song.s, TIMELINE_CHORD, BAR, ""));
    assert_int_equal(count_events(song.s), n - 1);
    REFUSED(change_set_text(c, song.s, TIMELINE_CHORD, 5, "m7"));
    undo_all(&song);
    assert_writes(song.s, before.at, before.n);
    put_text(song.s, 1, 0, META_TEXT, "@KAR\r", 5);
    assert_ok(
        timeline_events_collect(&without_words, song.s, TIMELINE_BIT(TIMELINE_CHORD)));
    assert_int_equal(without_words.n, 1);
    assert_int_equal(without_words.list[0].chunk, 0);
}

/* Escapes, zero bytes, broken UTF-8, and text longer than the buffer. */
TEST(hostile_texts)
{
    auto_song song = make_events();
    auto_events g;
    static const char zeros[3000];
    uint8_t data[3006];
    char text[64], *large = malloc(5001);
    assert_non_null(large);
    add_event(song.s, 0, 5, 1, "\xFF\x06\x04\x00\xC3\xFFz", 7);
    add_event(song.s, 0, 6, 2,
              "\xFF\x06\x7F"
              "abc",
              6); /* longer than the event */
    size_t n = event_meta_write(data, META_MARKER, zeros, 3000);
    struct event e = {.tick = 7, .n_data = (uint32_t)n, .data = data};
    assert_ok(chunk_insert_event(&song.s->chunks[0], &e));
    assert_ok(timeline_events_collect(&g, song.s, TIMELINE_BIT(TIMELINE_MARKER)));
    assert_int_equal(g.n, 4);
    assert_string_equal(timeline_event_copy_text(song.s, &g.list[0], text, sizeof text),
                        "");
    timeline_event_text(song.s, &g.list[0], &n);
    assert_int_equal(n, 4);
    timeline_event_copy_text(song.s, &g.list[1], text, sizeof text);
    assert_true(strlen(text) < sizeof text);
    memset(large, 'x', 5000);
    large[5000] = '\0';
    REFUSED(change_set_text(c, song.s, TIMELINE_MARKER, 0, large));
    REFUSED(change_set_text(c, song.s, TIMELINE_MARKER, -1, "x"));
    free(large);
}

/* A step each beat, at most 4096. */
TEST(a_ramp_has_an_end)
{
    static const struct {
        int64_t from, to;
        double bpm;
        enum midi_status status;
    } ROWS[] = {
        {0, 4096 * 480, 60, MIDI_OK}, {0, 4097 * 480, 60, MIDI_BAD_EDIT},
        {5, 5, 60, MIDI_BAD_EDIT},    {0, INT64_MAX / 16, 60, MIDI_BAD_EDIT},
        {0, 5, NAN, MIDI_BAD_EDIT},
    };
    auto_score *s = score_of("480 | t:");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        auto_change *c = change_create("ramp");
        assert_int_equal(
            change_ramp_tempo(c, s, ROWS[i].from, ROWS[i].to, 90, ROWS[i].bpm),
            ROWS[i].status);
    }
}
