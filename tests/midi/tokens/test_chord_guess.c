/* Chords are found in our own music, in any key, beat and meter; and for any notes
 * the result is a canonical list. */
#include "midi/score/notes.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"
#include "tests/midi/random_piece.h"
#include "tests/midi/score_of.h"

enum { N_RANDOM = 500 };

/* As "step:chord " each, moved down by `up` semitones. Takes the score. */
static const char *chords_below(struct score *s, int up)
{
    static char text[256];
    auto_piece p;
    char name[CHORD_TEXT];
    text[0] = '\0';
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    score_destroy(s);
    assert_ok(chord_guess(&p));
    assert_ok(piece_check(&p));
    for (size_t i = 0, n = 0; i < p.n_chords && n < sizeof text - 60; i++) {
        struct grid_chord c = p.chords[i];
        if (c.root < 12) {
            c.root = (uint8_t)((c.root + 12 - up) % 12);
            c.bass = (uint8_t)((c.bass + 12 - up) % 12);
        }
        n += (size_t)sprintf(text + n, "%d:%s ", (int)c.step,
                             grid_chord_name(&c, false, name));
    }
    return text;
}

static const char *chords_of(const char *music)
{
    return chords_below(score_of("%s", music), 0);
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
        assert_string_equal(chords_below(s, up), "0:C 96:F/A 192:G7 288:C ");
    }
}

TEST(it_finds_what_is_heard)
{
    static const char *const HEARD[][2] = {
        /* Loud drums on other pitches. */
        {PHRASE " | ch9: (37e@127 42)*16", "0:C 96:F/A 192:G7 288:C "},
        /* Six eighths are two beats. */
        {"24 6/8 | a: ([45 60 64 69]e*3 [40 56 64 71]e*3)*4",
         "0:Am 36:E 72:Am 108:E 144:Am 180:E 216:Am 252:E "},
        /* A single line of broken chords. */
        {"24 | a: 60e 64 67 64 72 67 64 60 62 66 69 72 69 66 62 66 67 71 74 71 67 71 "
         "74 67",
         "0:C 96:D7 192:G "},
        {"24 | a:", ""},
        {"24 | a: =1w [48 64 67 72]w =11w [48 64 67 72]", "96:C 192:N.C. 1056:C "},
    };
    for (size_t i = 0; i < sizeof HEARD / sizeof *HEARD; i++)
        assert_string_equal(chords_of(HEARD[i][0]), HEARD[i][1]);
    /* Two notes of it suffice, if it is the key's: E and G of a tune in C. */
    assert_memory_equal(
        chords_of("24 | a: (67 64 67 64 67*4 65 69 65 69 67 72 67 72)*2"), "0:C ", 4);
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
