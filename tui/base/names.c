/* Pitches are spelled along the line of fifths. A signature covers seven neighbouring
 * fifths; chromatic notes come from the three below and the two above, as B flat and G
 * sharp do in D major. Instrument names are those of General MIDI level 1,
 * shortened. */
#include "tui/base/names.h"

#include "midi/score/general_midi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Letters in order of fifths from F; index 0 is F natural. */
static const char FIFTHS[] = "FCGDAEB";

const char *pitch_name(int pitch, int sharps, char buf[PITCH_NAME_BYTES])
{
    static const char *const SIGNS[] = {"♭♭", "♭", "", "♯", "♯♯"};
    /* Fifths above F, in the window of twelve around the key. */
    const int lowest = sharps - 3;
    int fifths = (pitch * 7 + 1) % 12;
    while (fifths < lowest)
        fifths += 12;
    while (fifths >= lowest + 12)
        fifths -= 12;
    int bent = fifths < -7 ? 0 : fifths < 0 ? 1 : fifths < 7 ? 2 : fifths < 14 ? 3 : 4;
    /* Called for every note on the roll, so without printf. */
    buf[0] = FIFTHS[(fifths + 14) % 7];
    strcpy(buf + 1, SIGNS[bent]);
    return buf;
}

/* C flat and B sharp take the octave number of their letter. */
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

const char *sign_words(const struct score *s, const struct timeline_event *g,
                       char buf[SIGN_WORDS_BYTES])
{
    switch (g->kind) {
    case TIMELINE_METER:
        snprintf(buf, SIGN_WORDS_BYTES, "%d/%d", g->numerator, g->denominator);
        break;
    case TIMELINE_TEMPO:
        snprintf(buf, SIGN_WORDS_BYTES, "♩=%.4g", g->bpm);
        break;
    case TIMELINE_KEY:
        snprintf(buf, SIGN_WORDS_BYTES, "%s", key_signature_name(g->sharps, g->minor));
        break;
    default:
        timeline_event_copy_text(s, g, buf, SIGN_WORDS_BYTES);
    }
    return buf;
}

const char *sign_kind_name(enum timeline_kind kind)
{
    static const char *const KINDS[TIMELINE_KINDS] = {
        "meter", "tempo", "key", "marker", "cue", "lyric", "chord"};
    return KINDS[kind];
}

struct control_word {
    struct control control;
    const char *name, *short_name;
};

/* Words are searched in this order: the most usual meaning comes first. */
static const struct control_word CONTROLS[] = {
    {{CONTROL_VELOCITY, 0}, "velocity", "vel"},
    {{CONTROL_CHANGE, CC_PEDAL}, "pedal", "ped"},
    {{CONTROL_CHANGE, CC_PEDAL}, "sustain", "ped"},
    {{CONTROL_BEND, 0}, "bend", "bend"},
    {{CONTROL_BEND, 0}, "pitch bend", "bend"},
    {{CONTROL_CHANGE, CC_MODULATION}, "modulation", "mod"},
    {{CONTROL_CHANGE, CC_VOLUME}, "volume", "vol"},
    {{CONTROL_CHANGE, CC_PAN}, "pan", "pan"},
    {{CONTROL_CHANGE, CC_EXPRESSION}, "expression", "expr"},
    {{CONTROL_PRESSURE, 0}, "pressure", "pres"},
    {{CONTROL_KEY_PRESSURE, 0}, "key pressure", "poly"},
    {{CONTROL_PROGRAM, 0}, "program", "prog"},
    {{CONTROL_CHANGE, 0}, "bank", "bank"},
    {{CONTROL_CHANGE, 2}, "breath", "brth"},
    {{CONTROL_CHANGE, 4}, "foot", "foot"},
    {{CONTROL_CHANGE, 5}, "portamento time", "port"},
    {{CONTROL_CHANGE, 8}, "balance", "bal"},
    {{CONTROL_CHANGE, 65}, "portamento", "port"},
    {{CONTROL_CHANGE, 66}, "sostenuto", "sost"},
    {{CONTROL_CHANGE, 67}, "soft pedal", "soft"},
    {{CONTROL_CHANGE, 71}, "resonance", "reso"},
    {{CONTROL_CHANGE, 72}, "release", "rel"},
    {{CONTROL_CHANGE, 73}, "attack", "att"},
    {{CONTROL_CHANGE, 74}, "brightness", "brgt"},
    {{CONTROL_CHANGE, 91}, "reverb", "rev"},
    {{CONTROL_CHANGE, 93}, "chorus", "chor"},
};
enum { N_CONTROLS = sizeof CONTROLS / sizeof CONTROLS[0] };

/* A control without a name has the name `unnamed` and its number. */
static const char *name_control(struct control k, bool is_short, const char *unnamed,
                                char buf[CONTROL_NAME_BYTES])
{
    snprintf(buf, CONTROL_NAME_BYTES, "%s%d", unnamed, k.number);
    for (size_t i = N_CONTROLS; i-- > 0;)
        if (control_equal(CONTROLS[i].control, k))
            strcpy(buf, is_short ? CONTROLS[i].short_name : CONTROLS[i].name);
    return buf;
}

const char *control_name(struct control k, char buf[CONTROL_NAME_BYTES])
{
    return name_control(k, false, "controller ", buf);
}

const char *control_short_name(struct control k, char buf[CONTROL_NAME_BYTES])
{
    return name_control(k, true, "c", buf);
}

const char *control_value_name(struct control k, int value,
                               char buf[CONTROL_NAME_BYTES])
{
    bool is_pan = k.kind == CONTROL_CHANGE && k.number == CC_PAN;
    if (is_pan && value == 64)
        snprintf(buf, CONTROL_NAME_BYTES, "mid");
    else if (is_pan)
        snprintf(buf, CONTROL_NAME_BYTES, "%c%d", value < 64 ? 'L' : 'R',
                 abs(value - 64));
    else if (k.kind == CONTROL_BEND)
        snprintf(buf, CONTROL_NAME_BYTES, value == BEND_CENTRE ? "%d" : "%+d",
                 value - BEND_CENTRE);
    else if (k.kind == CONTROL_PROGRAM)
        snprintf(buf, CONTROL_NAME_BYTES, "%d", value + 1);
    else if (control_is_switch(k) && (value == 0 || value == control_most(k)))
        snprintf(buf, CONTROL_NAME_BYTES, "%s", value ? "down" : "up");
    else
        snprintf(buf, CONTROL_NAME_BYTES, "%d", value);
    return buf;
}

bool control_find(const char *word, struct control *out)
{
    char *end;
    size_t n = strlen(word);
    long number = strtol(word, &end, 10);
    if (n > 0 && *end == '\0' && number >= 0 && number < 128) {
        *out = (struct control){CONTROL_CHANGE, (uint8_t)number};
        return true;
    }
    for (size_t i = 0; n > 0 && i < N_CONTROLS; i++)
        if (strncmp(CONTROLS[i].name, word, n) == 0) {
            *out = CONTROLS[i].control;
            return true;
        }
    return false;
}
