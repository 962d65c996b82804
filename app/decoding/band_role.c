/* See band_role.h. */
#include "app/decoding/band_role.h"

static const struct role {
    int low, high;  /* pitches; 0: any */
    double density; /* notes in a quarter; 0: any */
    double length;  /* of a note, steps; 0: any */
    int voices;     /* 0: any */
} ROLES[] = {
    [BAND_TUNE] = {55, 84, 1.3, 0, 1},  [BAND_SOLO] = {45, 84, 2, 0, 0},
    [BAND_BASS] = {28, 52, 0.7, 24, 1}, [BAND_CHORDS] = {48, 76, 2, 36, 3},
    [BAND_LINE] = {48, 79, 0.7, 0, 1},  [BAND_DRUMS] = {0},
    [BAND_FIGURE] = {0, 0, 2, 0, 2},
};

enum band_role band_role_of(int program, bool is_drums)
{
    static const struct {
        uint8_t last; /* program */
        uint8_t role;
    } BY_PROGRAM[] = {
        {31, BAND_CHORDS}, /* keyboards and guitars */
        {39, BAND_BASS},    {42, BAND_LINE},   {43, BAND_BASS}, /* contrabass */
        {55, BAND_CHORDS},                     /* harp, strings and choirs */
        {57, BAND_LINE},    {58, BAND_BASS},   /* tuba */
        {60, BAND_LINE},    {63, BAND_CHORDS}, /* brass sections */
        {87, BAND_LINE},                       /* reeds, pipes, leads */
        {127, BAND_CHORDS},
    };
    int i = 0;
    while (BY_PROGRAM[i].last < (program & 127))
        i++;
    return is_drums ? BAND_DRUMS : (enum band_role)BY_PROGRAM[i].role;
}

bool band_role_is_first(enum band_role role)
{
    return role == BAND_TUNE || role == BAND_SOLO;
}

bool band_role_range(enum band_role role, int *low, int *high)
{
    *low = ROLES[role].low;
    *high = ROLES[role].high;
    return *high > 0;
}

bool band_role_is_line(enum band_role role)
{
    return ROLES[role].voices == 1;
}

void band_role_ask(enum band_role role, struct fill_request *r)
{
    const struct role *is = &ROLES[role];
    if (r->density == FILL_ANY && is->density > 0)
        r->density = fill_density_level(is->density);
    if (r->length == FILL_ANY && is->length > 0)
        r->length = fill_length_level(is->length);
    band_role_ask_voices(role, r);
}

void band_role_ask_voices(enum band_role role, struct fill_request *r)
{
    if (r->polyphony == FILL_ANY && ROLES[role].voices)
        r->polyphony = ROLES[role].voices - 1;
}
