/* Copied music, by letter and number, as in vim: a to z are the composer's (a capital
 * letter adds to what is there), 0 is what was copied last, 1 to 9 what was taken away,
 * the latest first, and `"` is whichever was filled last.
 *
 * A passage has lost its time and its tracks, but not how far apart things are, so it can
 * be put anywhere, in another file, and by another continuo. Plain data, one owner. */
#ifndef APP_REGISTERS_H
#define APP_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passage_note {
    int64_t offset,
        length; /* offset: from the passage's first grid line; may be less */
    int track;  /* how many after its first */
    int pitch, velocity, off_velocity;
};

struct passage {
    int ticks_per_quarter;      /* that all ticks of it count */
    int64_t span;               /* to where the next one would follow */
    struct passage_note *notes; /* by track, then by offset; the passage's own */
    size_t n;                   /* 0: empty */
};

/* Ticks, the furthest of anything in a passage: no sum or scaling of such overflows. */
#define PASSAGE_FURTHEST ((int64_t)1 << 44)
/* How many tracks it may be spread over. */
#define PASSAGE_TRACKS   256

/* Whether nothing of it is further off. */
bool passage_is_sane(const struct passage *p);
bool passage_copy(struct passage *to,
                  const struct passage *from); /* false: no memory */
void passage_fini(struct passage *p);
int passage_n_tracks(const struct passage *p);
/* A time of it in another division, to the nearest tick. What is further off than
 * anything in a passage is as if it were there. */
int64_t passage_ticks(const struct passage *p, int64_t ticks, int ticks_per_quarter);
/* Puts a copy of `more` after it, in its own division. false: no memory, or it would be
 * too long, and nothing changed. */
bool passage_append(struct passage *p, const struct passage *more);

enum { N_LETTERS = 26, N_NUMBERS = 10, N_REGISTERS = N_LETTERS + N_NUMBERS };

struct registers {
    struct passage at[N_REGISTERS]; /* a to z, 0 to 9 */
    int last;                       /* filled; what `"` names */
    bool changed;                   /* since they were read or written */
};

void registers_fini(struct registers *r);
/* By its name, in lower case; names[i]: its name. */
extern const char REGISTER_NAMES[N_REGISTERS + 1];
/* Whether there is one of that name: a letter, a digit or `"`. */
bool register_is_name(uint32_t name);
/* What is in it; NULL: there is none of that name. It may be empty. name 0 is `"`. */
const struct passage *registers_get(const struct registers *r, uint32_t name);
/* A copy of what was copied, or was taken away, goes in: by name, or where there is none
 * (0 or `"`) into 0 or 1. false: no memory, or too long, and nothing changed. */
bool registers_put(struct registers *r, uint32_t name, const struct passage *p,
                   bool taken_away);

#endif
