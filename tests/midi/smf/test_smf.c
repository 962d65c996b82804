/* Reading and writing MIDI files: each thing that real and broken files do, byte for
 * byte. */
#include "tests/check.h"
#include "tests/midi/edit/smf_bytes.h"

#include <time.h>

/* What files become, with a warning or as a part, and what the first warning says. {0}: they are
 * kept. */
enum { WHOLE, MENDED, PARTIAL };
static const struct {
    struct file is, becomes;
    int how;
    const char *says;
} FILES[] = {
    {FILE(HEADER(0, 1, 96), TRACK(0x80, 0x80, 0x80, 0x80, 5, 0xFF, 1, 0x80, 1, 'a',
                                  0x81, 0x80, 0x80, 0x00, END)),
     FILE(HEADER(0, 1, 96), TRACK(5, 0xFF, 1, 1, 'a', 0x81, 0x80, 0x80, 0x00, END))},
    /* A longer header, and format 2. */
    {FILE('M', 'T', 'h', 'd', 0, 0, 0, 8, 0, 2, 0, 1, 0, 96, 0xAB, 0xCD,
          TRACK(7, END))},
    /* Unknown chunks stay in their places. */
    {FILE(HEADER(1, 2, 96), 'X', 'F', 'I', 'H', 0, 0, 0, 2, 1, 0xFF, TRACK(0, END), 'n',
          'o', 'n', 'e', 0, 0, 0, 0, TRACK(0, END), 'l', 'a', 's', 't', 0, 0, 0, 1, 9)},
    {FILE(HEADER(1, 0, 96))}, /* no tracks: an empty piece */
    {FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0)), /* no end */
     FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END)), MENDED},
    /* A header that counts too many tracks, and too few. */
    {FILE(HEADER(1, 9, 96), TRACK(0, END), TRACK(1, END)),
     FILE(HEADER(1, 2, 96), TRACK(0, END), TRACK(1, END)), MENDED},
    {FILE(HEADER(1, 1, 96), TRACK(0, END), TRACK(1, END)),
     FILE(HEADER(1, 2, 96), TRACK(0, END), TRACK(1, END)), MENDED},
    {FILE('R', 'I', 'F', 'F', 57, 0, 0, 0, 'R', 'M', 'I', 'D', 'D', 'I', 'S', 'P', 3, 0,
          0, 0, 1, 2, 3, 0, 'd', 'a', 't', 'a', 26, 0, 0, 0, HEADER(0, 1, 96),
          TRACK(3, END), 'L', 'I', 'S', 'T', 1, 0, 0, 0, 1, 0),
     FILE(HEADER(0, 1, 96), TRACK(3, END)), PARTIAL},
    /* Junk at the end of the file, and of a track: padding, an event that is cut. */
    {FILE(HEADER(0, 1, 96), TRACK(3, END), 'j', 'u', 'n', 'k', ' ', 'i', 's', ' ', 'h',
          'e', 'r', 'e'),
     FILE(HEADER(0, 1, 96), TRACK(3, END)), PARTIAL},
    {FILE(HEADER(0, 1, 96), TRACK(0, END), 'x'), FILE(HEADER(0, 1, 96), TRACK(0, END)),
     PARTIAL, "1 byte(s) after the last"},
    {FILE(HEADER(0, 1, 96), TRACK(3, END, 0, 0, 0)),
     FILE(HEADER(0, 1, 96), TRACK(3, END)), PARTIAL, "3 byte(s) after the end"},
    {FILE(HEADER(0, 1, 96), TRACK(0, END, 0, 0x90, 60, 1, 0, 0xFF)),
     FILE(HEADER(0, 1, 96), TRACK(0, END)), PARTIAL, "6 byte(s) after the end"},
    /* Lengths that are too long, and none. */
    {FILE(HEADER(1, 2, 96), TRACK_SAYING(200, 3, END), TRACK(4, END)),
     FILE(HEADER(1, 2, 96), TRACK(3, END), TRACK(4, END)), PARTIAL},
    {FILE(HEADER(1, 2, 96), TRACK(3, END), TRACK_SAYING(0, 4, END)),
     FILE(HEADER(1, 2, 96), TRACK(3, END), TRACK(4, END))},
    /* An early end. What a second end mark precedes may go on with the status before it. */
    {FILE(HEADER(0, 1, 96),
          TRACK(0, END, 0, 0x90, 60, 1, 0, END, 5, 0x80, 60, 0, 0, END)),
     FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 1, 5, 0x80, 60, 0, 0, END)), MENDED},
    {FILE(HEADER(0, 1, 96), TRACK(0, END, 0, 0x90, 60, 1, 0, END, 5, 60, 0, 0, END)),
     FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 1, 5, 0x90, 60, 0, 0, END)), MENDED},
    /* Nonsense between the events. */
    {FILE(HEADER(0, 1, 96),
          TRACK(0, 1, 2, 3, 0x90, 60, 1, 1, 0xF2, 5, 6, 2, 0xF8, 3, 0x80, 60, 0, 4,
                0xF1, 0x7F, 5, 0xFE, 0, 0xFF, 0x2F, 0)),
     FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 1, 6, 0x80, 60, 0, 9, END)), PARTIAL},
};

TEST(files_are_kept_or_mended)
{
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const struct file is = FILES[i].is,
                          want = FILES[i].becomes.n ? FILES[i].becomes : is;
        struct smf_report report;
        auto_score *s = read_bytes(is.at, is.n, &report);
        assert_int_equal(report.n_warnings > 0, FILES[i].how != WHOLE);
        assert_int_equal(report.is_partial, FILES[i].how == PARTIAL);
        if (FILES[i].says)
            assert_non_null(strstr(report.warnings[0], FILES[i].says));
        assert_writes(s, want.at, want.n);
    }
}

/* What tracks of a file are read as, each "NAME chCHANNEL #PROGRAM FAMILY: start+length:pitch/off
 * velocity ...". They are written as they were. */
#define NAME(n, ...) 0xFF, 3, n, __VA_ARGS__
#define BASS                                                                           \
    TRACK(0, NAME(4, 'B', 'a', 's', 's'), 0, 0x90, 40, 1, 9, 0x80, 40, 0, 0, END)
static const struct {
    struct file is;
    const char *tracks;
    int n_warnings;
} READ[] = {
    /* Events keep their order; the end of a note may be an on without strength. */
    {FILE(HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0xFF, 0x58, 4, 3, 2, 24, 8, 0, END),
          TRACK(0, 0xB0, 7, 100, 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xE0, 0, 64, 0, 0x90,
                64, 70, 0, 0xD0, 9, 96, 0x80, 64, 33, 0, 0xA0, 60, 1, 0, 0x90, 60, 0, 0,
                0x90, 60, 1, 5, 0x80, 60, 0, 4, END)),
     " ch0 #5 0: 0+96:60/0 by on 0+96:64/33 96+5:60/0"},
    /* What begins first ends first. */
    {FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 1, 10, 0x90, 60, 2, 10, 0x80, 60, 3, 10,
                                  0x80, 60, 4, 0, END)),
     " ch0 #0 0: 0+20:60/3 10+20:60/4"},
    /* What hangs ends with its track. */
    {FILE(HEADER(0, 1, 96), TRACK(5, 0x90, 60, 1, 5, 0xB0, 64, 0, 0x81, 0, END)),
     " ch0 #0 0: 5+133:60/0 hangs", 1},
    /* Notes without length. */
    {FILE(HEADER(0, 1, 96), TRACK(5, 0x90, 60, 1, 0, 0x90, 60, 0, 0, 0x90, 60, 2, 0,
                                  0x80, 60, 7, 0, END)),
     " ch0 #0 0: 5+0:60/0 by on 5+0:60/7"},
    /* A chunk's channels are tracks. */
    {FILE(HEADER(0, 1, 96),
          TRACK(0, NAME(4, 'b', 'o', 't', 'h'), 0, 0xC3, 40, 0, 0x93, 60, 1, 0, 0x90,
                50, 1, 9, 0x80, 50, 0, 0, 0x83, 60, 0, 0, 0xC0, 1, 0, END)),
     " ch0 #1 0: 0+9:50/0 |  ch3 #40 5: 0+9:60/0"},
    /* A program may be in another chunk; a track may have no notes yet. */
    {FILE(HEADER(1, 3, 96), TRACK(0, 0xC2, 12, 0, END),
          TRACK(0, NAME(1, 'v'), 0, 0x92, 60, 1, 0, 0x82, 60, 0, 0, END),
          TRACK(0, NAME(1, 'e'), 0, 0xC5, 7, 0, END)),
     "v ch2 #12 1: 0+0:60/0 | e ch5 #7 0:"},
    /* Without programs models read what the name says, and what sounds is the piano; the flute
     * says piano. */
    {FILE(HEADER(1, 2, 96), BASS,
          TRACK(0, NAME(5, 'F', 'l', 'u', 't', 'e'), 0, 0xC1, 0, 0, 0x91, 60, 1, 9,
                0x81, 60, 0, 0, END)),
     "Bass ch0 #0 4: 0+9:40/0 | Flute ch1 #0 0: 0+9:60/0"},
    /* A bass beside a tenor sings. */
    {FILE(HEADER(1, 2, 96), BASS,
          TRACK(0, NAME(5, 'T', 'e', 'n', 'o', 'r'), 0, 0x91, 60, 1, 9, 0x81, 60, 0, 0,
                END)),
     "Bass ch0 #0 0: 0+9:40/0 | Tenor ch1 #0 0: 0+9:60/0"},
    /* Impossible data bytes make no notes. */
    {FILE(HEADER(0, 1, 96),
          TRACK(0, 0x90, 0x85, 1, 0, 0xB0, 7, 0xC8, 0, 0x80, 60, 0x90, 0, END)),
     "", 1},
};

static const char *told_tracks(const struct score *s)
{
    static char text[512];
    text[0] = '\0';
    for (const struct track *t = s->tracks; t < s->tracks + s->n_tracks; t++) {
        sprintf(text + strlen(text), "%s%s ch%d #%d %d:", *text ? " | " : "", t->name,
                t->channel, t->program, piece_family(t));
        for (const struct note *n = t->notes; n < t->notes + t->n_notes; n++)
            sprintf(text + strlen(text), " %lld+%lld:%d/%d%s", (long long)n->start,
                    (long long)n->length, n->pitch, n->off_velocity,
                    n->flags == NOTE_HANGING     ? " hangs"
                    : n->flags == NOTE_END_BY_ON ? " by on"
                                                 : "");
    }
    return text;
}

TEST(tracks_are_found)
{
    for (size_t i = 0; i < sizeof READ / sizeof *READ; i++) {
        struct smf_report report;
        auto_score *s = read_bytes(READ[i].is.at, READ[i].is.n, &report);
        assert_int_equal(report.n_warnings, READ[i].n_warnings);
        assert_string_equal(told_tracks(s), READ[i].tracks);
        assert_writes(s, READ[i].is.at, READ[i].is.n);
    }
}

static bool reads_as_drums(uint8_t controller, uint8_t value)
{
    const uint8_t song[] = {HEADER(0, 1, 96),
                            TRACK(0, 0xB2, controller, value, 0, 0xC2, 8, 0, 0x92, 38,
                                  1, 9, 0x82, 38, 0, 0, 0xB2, 0, 0, 0, END)};
    auto_score *s = read_bytes(song, sizeof song, NULL);
    const struct track *t = &s->tracks[0];
    assert_int_equal(s->n_tracks, 1);
    assert_int_equal(t->channel, 2);
    assert_int_equal(piece_family(t), track_is_drums(t) ? FAMILY_DRUMS : 1);
    return track_is_drums(t);
}

/* General MIDI 2's, XG's; a variation of melodic sounds, and no bank. */
TEST(a_bank_of_kits_is_drums_on_any_channel)
{
    assert_true(reads_as_drums(CC_BANK, 120));
    assert_true(reads_as_drums(CC_BANK, 127));
    assert_false(reads_as_drums(CC_BANK, 121));
    assert_false(reads_as_drums(CC_BANK_LOW, 120));
    assert_false(reads_as_drums(CC_VOLUME, 127));
}

TEST(keeps_time_by_smpte)
{
    BYTES(SONG, HEADER(0, 1, 0xE728), TRACK(0, 0xFF, 0x51, 3, 0, 0, 9, 0, END));
    struct score *s = read_bytes(SONG, sizeof SONG, NULL);
    WRITES(s, SONG);
    assert_int_equal(s->ticks_per_quarter, 500); /* 25 frames of 40 ticks */
    assert_float_equal(timeline_seconds(&s->timeline, 1000), 1.0, 1e-9);
    score_destroy(s);

    BYTES(DROP, HEADER(0, 1, 0xE350), TRACK(0, END));
    s = read_bytes(DROP, sizeof DROP, NULL);
    assert_float_equal(timeline_seconds(&s->timeline, 30 * 80), 1.001, 1e-9);
    score_destroy(s);
}

TEST(refuses_what_is_not_midi)
{
    struct score *s;
    BYTES(TEXT, 'M', 'T', 'h', 'e');
    BYTES(SHORT_HEAD, 'M', 'T', 'h', 'd', 0, 0, 0, 2, 0, 1, 0, 1, 0, 96, TRACK(0, END));
    BYTES(LONG_HEAD, 'M', 'T', 'h', 'd', 0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 1, 0, 96);
    BYTES(CUT, HEADER(1, 2, 96));
    assert_int_equal(smf_read(&s, TEXT, 0, NULL), MIDI_NOT_MIDI);
    assert_int_equal(smf_read(&s, TEXT, sizeof TEXT, NULL), MIDI_NOT_MIDI);
    assert_int_equal(smf_read(&s, SHORT_HEAD, sizeof SHORT_HEAD, NULL), MIDI_EMPTY);
    assert_int_equal(smf_read(&s, LONG_HEAD, sizeof LONG_HEAD, NULL), MIDI_EMPTY);
    assert_int_equal(smf_read(&s, CUT, sizeof CUT, NULL), MIDI_EMPTY);
}

TEST(reads_a_cut_file_as_far_as_it_goes)
{
    BYTES(SONG, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 1, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0x91, 60, 1, 9, 0x81, 60, 0, 0, 0xF0, 3, 1, 2, 0xF7, 0, 0xFF, 1, 2,
                'h', 'i', 0, 0xC1, 7, 0, END));
    size_t last = 0;
    for (size_t n = 0; n <= sizeof SONG; n++) {
        uint8_t *exact = malloc(n + 1); /* a sanitizer sees one byte too far */
        struct score *s;
        struct smf_report report;
        memcpy(exact, SONG, n);
        auto_free uint8_t *tight = realloc(exact, n ? n : 1);
        if (smf_read(&s, tight, n, &report) == MIDI_OK) {
            assert_int_equal(report.n_warnings == 0, n == sizeof SONG);
            assert_true(score_n_notes(s) >= last);
            last = score_n_notes(s);
            score_destroy(s);
        }
    }
    assert_int_equal(last, 2);
}

TEST(reports_only_a_handful)
{
    BYTES(SONG, 'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 7, 0, 9, 0, 0,
          TRACK(0, 1, 0x90, 60, 1, 0, 0x90, 60, 200, 0, 0xF8, END, 0, 0, 0, 0, 0),
          TRACK_SAYING(90, 0, 0x90, 3));
    struct smf_report report;
    score_destroy(read_bytes(SONG, sizeof SONG, &report));
    assert_true(report.n_warnings >= 6);
    for (int i = 0; i < report.n_warnings && i < 8; i++) {
        assert_true(strlen(report.warnings[i]) > 10);
        for (const char *c = report.warnings[i]; *c; c++)
            assert_in_range(*c, 0x20, 0x7E);
    }
}

/* As many tracks as the header can count. Quadratic work took half a minute; the bound is
 * generous for sanitizers. */
TEST(many_tracks_are_quick)
{
    enum { N = UINT16_MAX };
    BYTES(HEAD, 'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 1, 0xFF, 0xFF, 0, 96);
    BYTES(ONE, TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));
    size_t n = sizeof HEAD + N * sizeof ONE, n_out;
    auto_free uint8_t *song = malloc(n);
    memcpy(song, HEAD, sizeof HEAD);
    for (size_t i = 0; i < N; i++)
        memcpy(song + sizeof HEAD + i * sizeof ONE, ONE, sizeof ONE);
    clock_t start = clock();
    auto_score *s = read_bytes(song, n, NULL);
    auto_free uint8_t *out = NULL;
    assert_ok(smf_write(s, &out, &n_out));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%.3f s\n", seconds);
    assert_true(seconds < 5);
    assert_int_equal(n_out, n);
    assert_memory_equal(out, song, n);
}
