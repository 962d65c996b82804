/* Styles are heard from the notes: small pieces that a musician would name at once, and what limits
 * a guess. models/styles.py measures guesses on the corpora. */
#include "tests/check.h"
#include "app/decoding/styles.h"
#include "tests/midi/score_of.h"

#define BIT(style) (UINT64_C(1) << (style))
#define EVERY      (BIT(STYLE_COUNT) - 1)

static enum style guess(uint64_t styles, const char *music)
{
    auto_score *s = score_of("480 %s", music);
    struct piece p = {0};
    enum style style = STYLE_COUNT;
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    assert_ok(style_guess(&style, &p, styles));
    piece_fini(&p);
    return style;
}

#define SWING "| kit ch9: ([51 36]:480 [51 44]:320 51:160 51:480 [51 44]:320 51:160)*8 "

#define WALKING                                                                        \
    "| bass #32: (D2q E2 F2 F#2 G2 A2 B2 Db3 C3 B2 A2 G2 C2 E2 G2 A2)*2 "              \
    "| piano #0: ([F3 C4 E4]q. [F3 C4 E4]e rh [F3 B3 E4]q. [F3 B3 E4]e rh "            \
    "[E3 B3 D4]q. [E3 B3 D4]e rh [E3 B3 D4]w)*2 "

#define JIG                                                                            \
    "6/8 | fiddle #40: (D5e E5 F#5 A5 F#5 D5 B4 D5 E5 F#5q D5e E5 B4 D5 E5 F#5 A5 "    \
    "B5 A5 F#5 D5q.)*4"

TEST(styles_are_heard)
{
    static const struct {
        enum style style;
        const char *music;
    } CASES[] = {
        {STYLE_DRUMS, "| kit ch9: ([36 42]e 42 [38 42] 42 [36 42] 36 [38 42] 42)*8"},
        {STYLE_FOLK, JIG},
        {STYLE_CHORALE,
         "| soprano #19: (G4q A4 B4 C5 D5h C5q B4 A4 B4 A4 G4 F#4h G4h)*2 "
         "| alto #19: (D4q F#4 G4 G4 G4h G4q G4 F#4 G4 F#4 D4 D4h D4h)*2 "
         "| tenor #19: (B3q C4 D4 E4 D4h E4q D4 D4 D4 C4 B3 A3h B3h)*2 "
         "| bass #19: (G3q F#3 G3 E3 B2h C3q G3 D3 G2 D3 E3 D3h G2h)*2"},
        {STYLE_QUARTET,
         "| violin #40: (A5e G#5 A5 B5 C6q A5 E5h. rq F5e E5 F5 G5 A5q F5 E5h. rq)*2 "
         "| violin #40: (C5e B4 C5 D5 E5q C5 C5h. rq A4e A4 A4 A4 C5q A4 B4h. rq)*2 "
         "| viola #41: (E4e E4 E4 E4 A4q E4 A4h. rq D4e D4 D4 D4 F4q D4 G#4h. rq)*2 "
         "| cello #42: (A3e A3 A3 A3 A2q A3 A2h. rq D3e D3 D3 D3 D3q D3 E3h. rq)*2"},
        {STYLE_PIANO,
         "| right #0: (E5q C5 G5h F5e E5 D5 E5 F5q D5 E5 C5 G5h "
         "A5e G5 F5 E5 D5h)*4 | left #0: (C4e G4 E4 G4)*16 (B3e G4 F4 G4)*16"},
        {STYLE_SONG,
         "| voice #68: (G4q. A4e B4q D5 C5h B4q r A4q. B4e C5q E5 D5h. r)*2 "
         "| right #0: (rs G4 B4 D5 G4 B4 D5 B4 rs G4 B4 D5 G4 B4 D5 B4)*8 "
         "| left #0: (G2h D3h C3h G2h)*4"},
        {STYLE_JAZZ, SWING WALKING "| sax #65: (A4:320 C5:160 E5q rq F5:320 E5:160 "
                                   "D5:320 B4:160 A4q r r)*8"},
        {STYLE_BLUES,
         SWING "| bass #32: (A2q C#3 E3 F#3)*4 (D3 F#3 A3 C4)*2 (A2 C#3 E3 "
               "F#3)*2 E3 G#3 B3 D4 D3 F#3 A3 C4 A2 C#3 E3 F#3 E3 D3 C#3 B2 "
               "| guitar #27: ([C#4 G4 B4]h [C#4 G4 B4]:320 r:640)*4 ([C4 F#4 B4]h "
               "[C4 F#4 B4]:320 r:640)*2 ([C#4 G4 B4]h [C#4 G4 B4]:320 r:640)*2 "
               "[D4 G#4 B4]w [C4 F#4 B4]w [C#4 G4 B4]w [D4 G#4 B4]w"},
        {STYLE_LATIN,
         "| kit ch9: ([36 42 37]e 64 42 [36 63 37] [36 42] 64 [63 37] [36 42])*8 "
         "| bass #32: (D2q. A2e A2q. D2e G2q. D3e D3q. G2e C2q. G2e G2q. C2e C2q. G2e "
         "G2q. C2e)*2 | guitar #24: ([F3 A3 C4 E4]q [F3 A3 C4 E4]e rq "
         "[F3 A3 C4 E4]q [F3 A3 C4 E4]e)*8 | flute #73: (A4q. G4e rq F4 E4h. r)*4"},
        {STYLE_BAND, "| kit ch9: ([36 49]e 42 [38 42] 42 [36 42] [36 42] [38 42] 42)*8 "
                     "| bass #34: (E2e*8 E2e*8 G2e*8 A2e*8)*2 "
                     "| guitar #30: ([E3 B3]e*8 [E3 B3]e*8 [G3 D4]e*8 [A3 E4]e*8)*2 "
                     "| lead #29: (B4q D5e E5q G5e E5q rw B4q D5e E5q D5e B4q rw)*2"},
        {STYLE_ANY, "| piano: "},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(guess(EVERY, CASES[i].music), CASES[i].style);
}

/* Of several the likeliest; none that such players have not, or that is not asked about. */
TEST(guesses_keep_within_limits)
{
    static const struct {
        uint64_t styles;
        enum style style;
        const char *music;
    } CASES[] = {
        {BIT(STYLE_ANY) | BIT(STYLE_FOLK) | BIT(STYLE_PIANO), STYLE_FOLK, JIG},
        {BIT(STYLE_ANY) | BIT(STYLE_PIANO), STYLE_ANY, JIG},
        {BIT(STYLE_BAND) | BIT(STYLE_SONG), STYLE_BAND, SWING WALKING},
        {BIT(STYLE_QUARTET), STYLE_ANY, SWING WALKING},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(guess(CASES[i].styles, CASES[i].music), CASES[i].style);
}

GROUP(NULL, NULL)
