/* What controllers are called, by their MIDI 1.0 numbers. */
#include "tui/view/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named {
    struct control control;
    const char *name, *short_name;
};

/* In the order in which a word is looked up: what is most often meant comes first. */
static const struct named NAMES[] = {
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
enum { N_NAMES = sizeof NAMES / sizeof NAMES[0] };

static const struct named *find(struct control k)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (control_equal(NAMES[i].control, k))
            return &NAMES[i];
    return NULL;
}

const char *control_name(struct control k, char buf[CONTROL_NAME_BYTES])
{
    const struct named *named = find(k);
    if (named)
        snprintf(buf, CONTROL_NAME_BYTES, "%s", named->name);
    else
        snprintf(buf, CONTROL_NAME_BYTES, "controller %d", k.number);
    return buf;
}

const char *control_short_name(struct control k, char buf[CONTROL_NAME_BYTES])
{
    const struct named *named = find(k);
    if (named)
        snprintf(buf, CONTROL_NAME_BYTES, "%s", named->short_name);
    else
        snprintf(buf, CONTROL_NAME_BYTES, "c%d", k.number);
    return buf;
}

/* "L12", "mid", "R63". */
static const char *pan_name(int value, char buf[CONTROL_NAME_BYTES])
{
    int off = value - 64;
    if (off == 0)
        snprintf(buf, CONTROL_NAME_BYTES, "mid");
    else
        snprintf(buf, CONTROL_NAME_BYTES, "%c%d", off < 0 ? 'L' : 'R', abs(off));
    return buf;
}

const char *control_value_name(struct control k, int value,
                               char buf[CONTROL_NAME_BYTES])
{
    if (k.kind == CONTROL_CHANGE && k.number == CC_PAN)
        return pan_name(value, buf);
    if (k.kind == CONTROL_BEND)
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
    for (size_t i = 0; n > 0 && i < N_NAMES; i++)
        if (strncmp(NAMES[i].name, word, n) == 0) {
            *out = NAMES[i].control;
            return true;
        }
    return false;
}
