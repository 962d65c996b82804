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
        length; /* offset: from the clipboard's first grid line; may be negative */
    int track;  /* counted from the clipboard's first */
    int pitch, velocity, off_velocity;
    /* The lyric of the note, as a meta event; n_lyric 0: none. */
    uint8_t n_lyric, lyric[CLIPBOARD_LYRIC];
};

/* A value of a controller, a bend or pressure; kind and number as in midi/edit/controllers.h. */
struct clipboard_point {
    int64_t offset; /* from 0, and before the span is over */
    int track, kind, number, value;
};

struct clipboard {
    int ticks_per_quarter; /* the division of all its ticks */
    int64_t span;          /* distance at which a second copy follows the first */
    struct clipboard_note *notes; /* by track, then by offset; owned */
    size_t n;                     /* 0: the clipboard is empty */
    /* Controllers of whole bars that were copied, by track, kind, number and offset; owned. */
    struct clipboard_point *points;
    size_t n_points;
    int at_track; /* the track that was active, counted from its first */
};

/* Ticks; the largest distance in a clipboard. Sums and scaling of these do not overflow. */
#define CLIPBOARD_FURTHEST ((int64_t)1 << 44)
/* The most tracks of a clipboard. */
#define CLIPBOARD_TRACKS   256

/* Returns whether all distances are within that, and all controllers and their values valid in MIDI. */
bool clipboard_is_sane(const struct clipboard *p);
/* Makes *to a copy. false: out of memory, and *to is empty. */
bool clipboard_copy(struct clipboard *to, const struct clipboard *from);
void clipboard_fini(struct clipboard *p);
int clipboard_n_tracks(const struct clipboard *p); /* from its first to its last */
/* Converts ticks of a clipboard to another division, to the nearest tick. Times further away than
 * CLIPBOARD_FURTHEST count as that. */
int64_t clipboard_ticks(const struct clipboard *p, int64_t ticks,
                        int ticks_per_quarter);

/* Adds to a clipboard, which has none yet, the controllers of n_tracks tracks from
 * first_track on in [from, to), without banks, programs and modes. false: out of memory. */
bool clipboard_take_controls(struct clipboard *p, const struct score *s,
                             int first_track, int n_tracks, int64_t from, int64_t to);
/* Adds the controllers to a change, `times` times in a row from `origin` on. Tracks that the score does
 * not have yet get none. */
enum midi_status clipboard_put_controls(const struct clipboard *p, struct change *c,
                                        const struct score *s, int first_track,
                                        int64_t origin, int times);

/* -- registers: copied music by letter and number, as in vim: a to z are the composer's (a
 * capital letter adds to what is there), 0 is the last copy, 1 to 9 hold removed music, the
 * latest first, and `"` is the one filled last -- */

enum { N_LETTERS = 26, N_NUMBERS = 10, N_REGISTERS = N_LETTERS + N_NUMBERS };

struct registers {
    struct clipboard at[N_REGISTERS]; /* a to z, 0 to 9 */
    int last;     /* index of the one filled last, which `"` names */
    bool changed; /* since the registers were read or written */
};

void registers_fini(struct registers *r);
/* The name of each register, in lower case. */
extern const char REGISTER_NAMES[N_REGISTERS + 1];
/* Returns the register of that name, which may be empty; name 0 is `"`. NULL: there is none. */
const struct clipboard *registers_get(const struct registers *r, uint32_t name);
/* Stores a copy of copied or removed music: in the named register or, without a name (0 or
 * `"`), in 0 or 1. false: out of memory, or too long; nothing changed. */
bool registers_put(struct registers *r, uint32_t name, const struct clipboard *p,
                   bool taken_away);

#endif
