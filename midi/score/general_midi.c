#include "midi/score/general_midi.h"

/* A row for each family of eight programs. */
static const char *const PROGRAMS[GM_PROGRAMS / 8][8] = {
    {"Acoustic Grand Piano", "Bright Acoustic Piano", "Electric Grand Piano",
     "Honky-tonk Piano", "Electric Piano 1", "Electric Piano 2", "Harpsichord",
     "Clavi"},
    {"Celesta", "Glockenspiel", "Music Box", "Vibraphone", "Marimba", "Xylophone",
     "Tubular Bells", "Dulcimer"},
    {"Drawbar Organ", "Percussive Organ", "Rock Organ", "Church Organ", "Reed Organ",
     "Accordion", "Harmonica", "Tango Accordion"},
    {"Acoustic Guitar (nylon)", "Acoustic Guitar (steel)", "Electric Guitar (jazz)",
     "Electric Guitar (clean)", "Electric Guitar (muted)", "Overdriven Guitar",
     "Distortion Guitar", "Guitar Harmonics"},
    {"Acoustic Bass", "Electric Bass (finger)", "Electric Bass (pick)", "Fretless Bass",
     "Slap Bass 1", "Slap Bass 2", "Synth Bass 1", "Synth Bass 2"},
    {"Violin", "Viola", "Cello", "Contrabass", "Tremolo Strings", "Pizzicato Strings",
     "Orchestral Harp", "Timpani"},
    {"String Ensemble 1", "String Ensemble 2", "Synth Strings 1", "Synth Strings 2",
     "Choir Aahs", "Voice Oohs", "Synth Voice", "Orchestra Hit"},
    {"Trumpet", "Trombone", "Tuba", "Muted Trumpet", "French Horn", "Brass Section",
     "Synth Brass 1", "Synth Brass 2"},
    {"Soprano Sax", "Alto Sax", "Tenor Sax", "Baritone Sax", "Oboe", "English Horn",
     "Bassoon", "Clarinet"},
    {"Piccolo", "Flute", "Recorder", "Pan Flute", "Blown Bottle", "Shakuhachi",
     "Whistle", "Ocarina"},
    {"Lead 1 (square)", "Lead 2 (sawtooth)", "Lead 3 (calliope)", "Lead 4 (chiff)",
     "Lead 5 (charang)", "Lead 6 (voice)", "Lead 7 (fifths)", "Lead 8 (bass + lead)"},
    {"Pad 1 (new age)", "Pad 2 (warm)", "Pad 3 (polysynth)", "Pad 4 (choir)",
     "Pad 5 (bowed)", "Pad 6 (metallic)", "Pad 7 (halo)", "Pad 8 (sweep)"},
    {"FX 1 (rain)", "FX 2 (soundtrack)", "FX 3 (crystal)", "FX 4 (atmosphere)",
     "FX 5 (brightness)", "FX 6 (goblins)", "FX 7 (echoes)", "FX 8 (sci-fi)"},
    {"Sitar", "Banjo", "Shamisen", "Koto", "Kalimba", "Bag pipe", "Fiddle", "Shanai"},
    {"Tinkle Bell", "Agogo", "Steel Drums", "Woodblock", "Taiko Drum", "Melodic Tom",
     "Synth Drum", "Reverse Cymbal"},
    {"Guitar Fret Noise", "Breath Noise", "Seashore", "Bird Tweet", "Telephone Ring",
     "Helicopter", "Applause", "Gunshot"},
};

enum { FIRST_DRUM = 35, N_DRUMS = 47 };

static const char *const DRUMS[][8] = {
    {"Acoustic Bass Drum", "Bass Drum 1", "Side Stick", "Acoustic Snare", "Hand Clap",
     "Electric Snare", "Low Floor Tom", "Closed Hi-Hat"},
    {"High Floor Tom", "Pedal Hi-Hat", "Low Tom", "Open Hi-Hat", "Low-Mid Tom",
     "Hi-Mid Tom", "Crash Cymbal 1", "High Tom"},
    {"Ride Cymbal 1", "Chinese Cymbal", "Ride Bell", "Tambourine", "Splash Cymbal",
     "Cowbell", "Crash Cymbal 2", "Vibraslap"},
    {"Ride Cymbal 2", "Hi Bongo", "Low Bongo", "Mute Hi Conga", "Open Hi Conga",
     "Low Conga", "High Timbale", "Low Timbale"},
    {"High Agogo", "Low Agogo", "Cabasa", "Maracas", "Short Whistle", "Long Whistle",
     "Short Guiro", "Long Guiro"},
    {"Claves", "Hi Wood Block", "Low Wood Block", "Mute Cuica", "Open Cuica",
     "Mute Triangle", "Open Triangle"},
};

static const struct {
    uint8_t program;
    const char *name;
} KITS[] = {
    {0, "Standard Kit"},    {8, "Room Kit"},       {16, "Power Kit"},
    {24, "Electronic Kit"}, {25, "Analog Kit"},    {32, "Jazz Kit"},
    {40, "Brush Kit"},      {48, "Orchestra Kit"}, {56, "SFX Kit"},
};
enum { N_KITS = sizeof KITS / sizeof KITS[0] };

const char *gm_program_name(int program)
{
    return program >= 0 && program < GM_PROGRAMS ? PROGRAMS[program / 8][program % 8]
                                                 : "";
}

const char *gm_kit_name(int program)
{
    for (int i = 0; i < N_KITS; i++)
        if (KITS[i].program == program)
            return KITS[i].name;
    return "";
}

const char *gm_drum_name(int pitch)
{
    int i = pitch - FIRST_DRUM;
    return i >= 0 && i < N_DRUMS ? DRUMS[i / 8][i % 8] : "";
}

/* The lowest and the highest key that sounds, for runs of programs. */
static const struct {
    uint8_t first; /* the row applies from this program to the next row's */
    uint8_t low, high;
} RANGES[] = {
    {0, 21, 108},   /* Acoustic Grand Piano */
    {4, 28, 103},   /* Electric Piano 1 */
    {6, 29, 89},    /* Harpsichord */
    {7, 36, 96},    /* Clavi */
    {8, 60, 108},   /* Celesta */
    {9, 72, 108},   /* Glockenspiel */
    {10, 60, 96},   /* Music Box */
    {11, 53, 89},   /* Vibraphone */
    {12, 45, 96},   /* Marimba */
    {13, 65, 108},  /* Xylophone */
    {14, 60, 79},   /* Tubular Bells */
    {15, 48, 86},   /* Dulcimer */
    {16, 36, 96},   /* Drawbar Organ */
    {19, 21, 108},  /* Church Organ */
    {20, 36, 96},   /* Reed Organ */
    {21, 41, 93},   /* Accordion */
    {22, 48, 96},   /* Harmonica */
    {23, 41, 93},   /* Tango Accordion */
    {24, 38, 84},   /* Acoustic Guitar (nylon) */
    {26, 38, 88},   /* Electric Guitar (jazz) */
    {31, 40, 96},   /* Guitar Harmonics */
    {32, 24, 67},   /* Acoustic Bass */
    {33, 23, 67},   /* Electric Bass (finger) */
    {40, 55, 103},  /* Violin */
    {41, 48, 91},   /* Viola */
    {42, 36, 81},   /* Cello */
    {43, 24, 67},   /* Contrabass */
    {44, 24, 103},  /* Tremolo Strings */
    {46, 23, 104},  /* Orchestral Harp */
    {47, 36, 60},   /* Timpani */
    {48, 24, 103},  /* String Ensemble 1 */
    {52, 36, 84},   /* Choir Aahs */
    {56, 52, 86},   /* Trumpet */
    {57, 34, 77},   /* Trombone */
    {58, 26, 65},   /* Tuba */
    {59, 52, 86},   /* Muted Trumpet */
    {60, 34, 77},   /* French Horn */
    {61, 28, 96},   /* Brass Section */
    {64, 56, 90},   /* Soprano Sax */
    {65, 49, 83},   /* Alto Sax */
    {66, 44, 78},   /* Tenor Sax */
    {67, 36, 71},   /* Baritone Sax */
    {68, 58, 93},   /* Oboe */
    {69, 52, 84},   /* English Horn */
    {70, 34, 77},   /* Bassoon */
    {71, 50, 94},   /* Clarinet */
    {72, 74, 108},  /* Piccolo */
    {73, 59, 98},   /* Flute */
    {74, 53, 98},   /* Recorder */
    {75, 55, 96},   /* Pan Flute */
    {76, 48, 96},   /* Blown Bottle */
    {77, 50, 91},   /* Shakuhachi */
    {78, 60, 108},  /* Whistle */
    {79, 57, 91},   /* Ocarina */
    {80, 21, 108},  /* Lead 1 (square) */
    {88, 24, 108},  /* Pad 1 (new age) */
    {96, 21, 108},  /* FX 1 (rain) */
    {104, 48, 84},  /* Sitar */
    {105, 43, 84},  /* Banjo */
    {106, 45, 84},  /* Shamisen */
    {107, 45, 91},  /* Koto */
    {108, 48, 91},  /* Kalimba */
    {109, 43, 84},  /* Bag pipe */
    {110, 55, 103}, /* Fiddle */
    {111, 55, 86},  /* Shanai */
    {112, 60, 108}, /* Tinkle Bell */
    {113, 48, 84},  /* Agogo */
    {114, 48, 86},  /* Steel Drums */
    {115, 24, 96},  /* Woodblock */
    {120, 0, 127},  /* Guitar Fret Noise */
};

bool gm_program_range(int program, int *low, int *high)
{
    if (program < 0 || program >= GM_PROGRAMS)
        return false;
    size_t i = sizeof RANGES / sizeof RANGES[0] - 1;
    while (RANGES[i].first > program)
        i--;
    *low = RANGES[i].low;
    *high = RANGES[i].high;
    return true;
}

int gm_program_reaching(int program, int pitch)
{
    enum { MOST = 4 };
    static const uint8_t FAMILIES[][MOST] = {
        {40, 41, 42, 43},  /* violin, viola, cello, contrabass */
        {110, 41, 42, 43}, /* fiddle */
        {56, 60, 57, 58},  /* trumpet, horn, trombone, tuba */
        {72, 73, 71, 70},  /* piccolo, flute, clarinet, bassoon */
        {68, 69, 71, 70},  /* oboe, English horn, clarinet, bassoon */
        {74, 71, 70, 70},  /* recorder, clarinet, bassoon */
        {64, 65, 66, 67},  /* saxophones */
    };
    int low = 0, high = 0;
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        for (int k = 0; k < MOST; k++)
            if (FAMILIES[i][k] == program) {
                while (k + 1 < MOST && gm_program_range(FAMILIES[i][k], &low, &high) &&
                       low > pitch)
                    k++;
                return FAMILIES[i][k];
            }
    return program;
}
