/* Pitches are spelled along the line of fifths: a signature covers seven fifths
 * in a row, and chromatic notes come from the three below and the two above, as
 * B flat and G sharp do in D major. Instrument names follow General MIDI level 1,
 * shortened. */
#include "tui/base/names.h"

#include "midi/score/general_midi.h"

#include <stdio.h>
#include <string.h>

/* Letters in order of fifths from F; index 0 is F natural. */
static const char FIFTHS[] = "FCGDAEB";

/* Fifths above F of a pitch class, in the window of twelve around the key. */
static int fifths_of(int pitch, int sharps)
{
    int lowest = sharps - 3;
    int fifths = (pitch * 7 + 1) % 12;
    while (fifths < lowest)
        fifths += 12;
    while (fifths >= lowest + 12)
        fifths -= 12;
    return fifths;
}

const char *pitch_name(int pitch, int sharps, char buf[PITCH_NAME_BYTES])
{
    static const char *const SIGNS[] = {"♭♭", "♭", "", "♯", "♯♯"};
    int fifths = fifths_of(pitch, sharps);
    int bent = fifths < -7 ? 0 : fifths < 0 ? 1 : fifths < 7 ? 2 : fifths < 14 ? 3 : 4;
    /* Every note on the roll asks: no printf. */
    buf[0] = FIFTHS[(fifths + 14) % 7];
    strcpy(buf + 1, SIGNS[bent]);
    return buf;
}

/* C flat and B sharp belong to the octave their letter is in. */
const char *pitch_name_octave(int pitch, int sharps, char buf[PITCH_NAME_BYTES])
{
    char name[PITCH_NAME_BYTES];
    pitch_name(pitch, sharps, name);
    int octave = pitch / 12 - 1;
    if (name[0] == 'C' && pitch % 12 > 9)
        octave++;
    if (name[0] == 'B' && pitch % 12 < 2)
        octave--;
    snprintf(buf, PITCH_NAME_BYTES, "%.8s%d", name, octave);
    return buf;
}

bool pitch_is_black(int pitch)
{
    return 0x54A >> (pitch % 12) & 1; /* bits 1 3 6 8 10 */
}

const char *key_signature_name(int sharps, bool minor)
{
    static const char *const MAJOR[] = {
        "C♭ major", "G♭ major", "D♭ major", "A♭ major", "E♭ major",
        "B♭ major", "F major",  "C major",  "G major",  "D major",
        "A major",  "E major",  "B major",  "F♯ major", "C♯ major",
    };
    static const char *const MINOR[] = {
        "A♭ minor", "E♭ minor", "B♭ minor", "F minor",  "C minor",
        "G minor",  "D minor",  "A minor",  "E minor",  "B minor",
        "F♯ minor", "C♯ minor", "G♯ minor", "D♯ minor", "A♯ minor",
    };
    if (sharps < -7 || sharps > 7)
        return "";
    return (minor ? MINOR : MAJOR)[sharps + 7];
}

const char *program_name(int channel, int program)
{
    if (channel != GM_DRUM_CHANNEL)
        return gm_program_name(program);
    return program > 0 && *gm_kit_name(program) ? gm_kit_name(program) : "Drums";
}
