/* Chords are found in our own music, in any key, beat and meter; and for any notes
 * the result is a canonical list. */
#include "midi/score/notes.h"
#include "midi/tokens/chord_guess.h"
#include "tests/midi/random_piece.h"
#include "tests/midi/score_of.h"

enum { N_RANDOM = 500 };

/* As "step:root.quality/bass " each. Takes the score. */
static const char *chords_of(struct score *s)
{
    static char text[256];
    auto_piece p;
    text[0] = '\0';
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    score_destroy(s);
    assert_ok(chord_guess(&p));
    assert_ok(piece_check(&p));
    for (size_t i = 0, n = 0; i < p.n_chords && n < sizeof text - 60; i++) {
        const struct grid_chord *c = &p.chords[i];
        n += (size_t)sprintf(text + n, "%d:%d.%d/%d ", (int)c->step, c->root,
                             c->quality, c->bass);
    }
    return text;
}

/* Of these, in this order. */
static const char *told(const char *format, ...)
{
    static char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return text;
}

/* Our own phrase: tonic, subdominant over its third, dominant seventh, tonic; and in each bar
 * a note that is in none of them. */
#define PHRASE                                                                         \
    "24 | a: [48 64 67 72]w [45 65 72 77] [43 65 71 74] [48 64 67 72]"                 \
    " =1q1e 75e =5q1e 75 =9q1e 75 =13q1e 75"

TEST(it_finds_a_cadence_in_any_key)
{
    for (int up = 0; up < 12; up++) {
        struct score *s = score_of(PHRASE);
        struct note *n = notes_own(&s->tracks[0], 1);
        for (size_t i = 0; i < s->tracks[0].n_notes; i++)
            n[i].pitch = (uint8_t)(n[i].pitch + up);
        const int subdominant = (5 + up) % 12, dominant = (7 + up) % 12;
        assert_string_equal(chords_of(s),
                            told("0:%d.%d/%d 96:%d.%d/%d 192:%d.%d/%d 288:%d.%d/%d ",
                                 up, CHORD_MAJOR, up, subdominant, CHORD_MAJOR,
                                 (9 + up) % 12, dominant, CHORD_DOMINANT7, dominant, up,
                                 CHORD_MAJOR, up));
    }
}

/* Loud drums on other pitches. */
TEST(drums_are_left_out)
{
    assert_string_equal(chords_of(score_of(PHRASE " | ch9: (37e@127 42)*16")),
                        told("0:0.%d/0 96:5.%d/9 192:7.%d/7 288:0.%d/0 ", CHORD_MAJOR,
                             CHORD_MAJOR, CHORD_DOMINANT7, CHORD_MAJOR));
}

/* Six eighths are two beats. */
TEST(it_counts_dotted_beats)
{
    const char *found =
        chords_of(score_of("24 6/8 | a: ([45 60 64 69]e*3 [40 56 64 71]e*3)*4"));
    char wanted[256] = "";
    for (int i = 0; i < 8; i++)
        sprintf(wanted + strlen(wanted), "%d:%d.%d/%d ", 36 * i, i % 2 ? 4 : 9,
                i % 2 ? CHORD_MAJOR : CHORD_MINOR, i % 2 ? 4 : 9);
    assert_string_equal(found, wanted);
}

/* A single line, broken chords: C, then D7, then G. */
TEST(it_hears_a_single_line)
{
    assert_string_equal(
        chords_of(score_of("24 | a: 60e 64 67 64 72 67 64 60 62 66 69 72 69 66 62 66 "
                           "67 71 74 71 67 71 74 67")),
        told("0:0.%d/0 96:2.%d/2 192:7.%d/7 ", CHORD_MAJOR, CHORD_DOMINANT7,
             CHORD_MAJOR));
}

TEST(silence_has_no_chord)
{
    assert_string_equal(chords_of(score_of("24 | a:")), "");
    assert_string_equal(
        chords_of(score_of("24 | a: =1w [48 64 67 72]w =11w [48 64 67 72]")),
        told("96:0.%d/0 192:%d.0/%d 1056:0.%d/0 ", CHORD_MAJOR, CHORD_NO_ROOT,
             CHORD_NO_ROOT, CHORD_MAJOR));
}

TEST(any_piece_is_taken)
{
    uint64_t r = 8;
    size_t n = 0;
    for (int i = 0; i < N_RANDOM; i++) {
        auto_piece p = random_piece(&r);
        assert_ok(chord_guess(&p));
        assert_ok(piece_check(&p));
        n += p.n_chords;
    }
    assert_true(n > N_RANDOM);
}

/* Two notes of it suffice, if it is the key's: E and G of a tune in C. */
TEST(the_first_chord_is_of_the_key)
{
    const char *found =
        chords_of(score_of("24 | a: (67 64 67 64 67*4 65 69 65 69 67 72 67 72)*2"));
    assert_memory_equal(found, told("0:0.%d/0 ", CHORD_MAJOR), 8);
}
