/* Copied music. It has no absolute time and no tracks, only distances, so it can be pasted
 * anywhere, in another file, and by another run. Plain data, one owner; pure functions. */
#ifndef APP_CLIPBOARD_H
#define APP_CLIPBOARD_H

#include "midi/edit/edit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLIPBOARD_LYRIC = 94 }; /* bytes of a lyric that is copied, as the meta event */

struct clipboard_note {
    int64_t offset,
        length; /* offset: from the clipboard's first grid line; may be less */
    int track;  /* how many after its first */
    int pitch, velocity, off_velocity;
    /* What is sung on it; n_lyric 0: nothing. */
    uint8_t n_lyric, lyric[CLIPBOARD_LYRIC];
};

/* A controller, a bend or pressure: what kind of, and which (midi/edit/controllers.h). */
struct clipboard_point {
    int64_t offset; /* from 0, and before the span is over */
    int track, kind, number, value;
};

struct clipboard {
    int ticks_per_quarter;        /* that all ticks of it count */
    int64_t span;                 /* to where the next one would follow */
    struct clipboard_note *notes; /* by track, then by offset; the clipboard's own */
    size_t n;                     /* 0: it is empty */
    /* Of whole bars that were copied. By track, kind and number, then by offset. */
    struct clipboard_point *points;
    size_t n_points;
    int at_track; /* how many after its first the active one was */
};

/* Ticks; the largest distance in a clipboard. Sums and scaling of these do not overflow. */
#define CLIPBOARD_FURTHEST ((int64_t)1 << 44)
/* How many tracks it may be spread over. */
#define CLIPBOARD_TRACKS   256

/* Whether nothing of it is further off, and all of it is what MIDI has. */
bool clipboard_is_sane(const struct clipboard *p);
void clipboard_fini(struct clipboard *p);
int clipboard_n_tracks(const struct clipboard *p); /* from its first to its last */
/* A time of it in another division, to the nearest tick. What is further off than
 * anything in a clipboard is as if it were there. */
int64_t clipboard_ticks(const struct clipboard *p, int64_t ticks,
                        int ticks_per_quarter);

/* Adds to a clipboard, which has none yet, the controllers of n_tracks tracks from
 * first_track on in [from, to), without banks, programs and modes. false: out of memory. */
bool clipboard_take_controls(struct clipboard *p, const struct score *s,
                             int first_track, int n_tracks, int64_t from, int64_t to);
/* So often in a row from `origin` on; on tracks that the score does not have yet, none
 * are put. */
enum midi_status clipboard_put_controls(const struct clipboard *p, struct change *c,
                                        const struct score *s, int first_track,
                                        int64_t origin, int times);

/* -- registers: copied music by letter and number, as in vim: a to z are the composer's (a
 * capital letter adds to what is there), 0 is the last copy, 1 to 9 hold removed music, the
 * latest first, and `"` is the one filled last -- */

enum { N_LETTERS = 26, N_NUMBERS = 10, N_REGISTERS = N_LETTERS + N_NUMBERS };

struct registers {
    struct clipboard at[N_REGISTERS]; /* a to z, 0 to 9 */
    int last;                         /* filled; what `"` names */
    bool changed;                     /* since they were read or written */
};

void registers_fini(struct registers *r);
/* By its name, in lower case; names[i]: its name. */
extern const char REGISTER_NAMES[N_REGISTERS + 1];
/* What is in it; NULL: there is none of that name. It may be empty. name 0 is `"`. */
const struct clipboard *registers_get(const struct registers *r, uint32_t name);
/* Stores a copy of copied or removed music: in the named register or, without a name (0 or
 * `"`), in 0 or 1. false: out of memory, or too long; nothing changed. */
bool registers_put(struct registers *r, uint32_t name, const struct clipboard *p,
                   bool taken_away);

#endif
