/* The form of a take, decided before its notes by what the piece does and by chance. A take of more
 * than eight bars has sections of eight bars, each of two phrases. A section begins like the piece's
 * opening, if the piece before ends open, on another chord than its tonic, or if the section before
 * was new; else it is new, or begins like the take's own new one. Second phrases may begin like the
 * first. A piece whose last phrase repeats the one before, in its tune and on all tracks, drums
 * too, is a loop: layers rest for a phrase, and all come back with the opening. Pure functions, any
 * thread. */
#ifndef APP_FORM_H
#define APP_FORM_H

#include "app/base/draw.h"
#include "app/biases/analysis.h"
#include "app/biases/parallel_bias.h"

enum { FORM_PHRASES = 32, SECTION_BARS = 2 * PHRASE_BARS };

struct form {
    int64_t bar; /* the take's first */
    int n;       /* phrases; 0: the take has no form */
    struct form_phrase {
        int16_t back,
            n; /* it begins like the bars so far back, for n bars; n is 0: new */
        uint64_t rests; /* bit t: track t */
    } phrases[FORM_PHRASES];
};

/* Of a take [from, to), steps, whose piece has this tune and bass, tracks, or -1. */
struct form form_of(const struct piece *p, int64_t from, int64_t to, int tune, int bass,
                    struct rng *rng);
/* Whether the given bars end on another chord, or a tune alone on another note, than the tonic of
 * their first section. */
bool form_is_open(const struct piece *p, int64_t from);
/* Whether the last given phrase of these tracks is the one before it. */
bool form_repeats(const struct piece *p, uint64_t tracks, int64_t from);
/* Of a take of one section, without drums: after an open end it begins like the opening, for two
 * bars. */
struct form form_of_answer(const struct piece *p, int64_t from);
/* Of a tune that begins a score without notes: its phrases are A A B A, and all but B begin like the
 * first, for two bars. */
struct form form_of_nothing(const struct piece *p, int64_t from, int64_t to);
/* What returns in the phrase that begins at this step; to is 0: nothing does. */
struct parallel_bias form_return(const struct form *f, const struct piece *p,
                                 int64_t step);
/* The tracks that rest in the bar that begins at this step. */
uint64_t form_rests(const struct form *f, const struct piece *p, int64_t bar);

#endif
