/* Pitches are spelled along the line of fifths: a signature covers seven fifths
 * in a row, and chromatic notes come from the three below and the two above, as
 * B flat and G sharp do in D major. Instrument names follow General MIDI level 1,
 * shortened. */
#include "tui/names.h"

#include <stdio.h>

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
    snprintf(buf, PITCH_NAME_BYTES, "%c%s", FIFTHS[(fifths + 14) % 7], SIGNS[bent]);
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

static const char *const PROGRAMS[128] = {
    "Acoustic Grand",
    "Bright Acoustic",
    "Electric Grand",
    "Honky-Tonk",
    "Electric Piano 1",
    "Electric Piano 2",
    "Harpsichord",
    "Clavinet",
    "Celesta",
    "Glockenspiel",
    "Music Box",
    "Vibraphone",
    "Marimba",
    "Xylophone",
    "Tubular Bells",
    "Dulcimer",
    "Drawbar Organ",
    "Percussive Organ",
    "Rock Organ",
    "Church Organ",
    "Reed Organ",
    "Accordion",
    "Harmonica",
    "Tango Accordion",
    "Nylon Guitar",
    "Steel Guitar",
    "Jazz Guitar",
    "Clean Guitar",
    "Muted Guitar",
    "Overdriven Guitar",
    "Distortion Guitar",
    "Guitar Harmonics",
    "Acoustic Bass",
    "Finger Bass",
    "Pick Bass",
    "Fretless Bass",
    "Slap Bass 1",
    "Slap Bass 2",
    "Synth Bass 1",
    "Synth Bass 2",
    "Violin",
    "Viola",
    "Cello",
    "Contrabass",
    "Tremolo Strings",
    "Pizzicato Strings",
    "Orchestral Harp",
    "Timpani",
    "Strings 1",
    "Strings 2",
    "Synth Strings 1",
    "Synth Strings 2",
    "Choir Aahs",
    "Voice Oohs",
    "Synth Voice",
    "Orchestra Hit",
    "Trumpet",
    "Trombone",
    "Tuba",
    "Muted Trumpet",
    "French Horn",
    "Brass Section",
    "Synth Brass 1",
    "Synth Brass 2",
    "Soprano Sax",
    "Alto Sax",
    "Tenor Sax",
    "Baritone Sax",
    "Oboe",
    "English Horn",
    "Bassoon",
    "Clarinet",
    "Piccolo",
    "Flute",
    "Recorder",
    "Pan Flute",
    "Blown Bottle",
    "Shakuhachi",
    "Whistle",
    "Ocarina",
    "Square Lead",
    "Saw Lead",
    "Calliope Lead",
    "Chiff Lead",
    "Charang Lead",
    "Voice Lead",
    "Fifths Lead",
    "Bass and Lead",
    "New Age Pad",
    "Warm Pad",
    "Polysynth Pad",
    "Choir Pad",
    "Bowed Pad",
    "Metallic Pad",
    "Halo Pad",
    "Sweep Pad",
    "Rain",
    "Soundtrack",
    "Crystal",
    "Atmosphere",
    "Brightness",
    "Goblins",
    "Echoes",
    "Sci-Fi",
    "Sitar",
    "Banjo",
    "Shamisen",
    "Koto",
    "Kalimba",
    "Bagpipe",
    "Fiddle",
    "Shanai",
    "Tinkle Bell",
    "Agogo",
    "Steel Drums",
    "Woodblock",
    "Taiko Drum",
    "Melodic Tom",
    "Synth Drum",
    "Reverse Cymbal",
    "Fret Noise",
    "Breath Noise",
    "Seashore",
    "Bird Tweet",
    "Telephone Ring",
    "Helicopter",
    "Applause",
    "Gunshot",
};

const char *program_name(int channel, int program)
{
    if (channel == 9)
        return "Drums";
    return program >= 0 && program < 128 ? PROGRAMS[program] : "";
}
