/* What each program can sound. See general_midi.h. */
#include "midi/score/general_midi.h"

/* The lowest and the highest key, as it sounds; runs of programs that share them. */
static const struct {
    uint8_t first; /* up to the next one's */
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
