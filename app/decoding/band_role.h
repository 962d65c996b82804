/* The role of an instrument in a band: its register, its number of voices and its density,
 * unless other values are requested. Pure functions. */
#ifndef APP_BAND_ROLE_H
#define APP_BAND_ROLE_H

#include "midi/tokens/fill.h"

/* In the best order of filling: drums written after others play fewer hits together and
 * keep their groove less. */
enum band_role {
    BAND_NONE,
    BAND_TUNE, /* of a band that begins an empty score: a line; */
    BAND_SOLO, /* or all but bass and drums */
    BAND_DRUMS,
    BAND_BASS,
    BAND_CHORDS,
    BAND_LINE,   /* one note at a time, above the bass */
    BAND_FIGURE, /* no band's: a keyboard or guitar that has the bass, too */
};

enum band_role band_role_of(int program, bool is_drums);
/* A tune or a solo, which the others hear. */
bool band_role_is_first(enum band_role role);
/* Its register, inclusive; false: it has none. */
bool band_role_range(enum band_role role, int *low, int *high);
bool band_role_is_line(enum band_role role);
/* Sets the controls that are any; or that of voices alone. */
void band_role_ask(enum band_role role, struct fill_request *r);
void band_role_ask_voices(enum band_role role, struct fill_request *r);

#endif
