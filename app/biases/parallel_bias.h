/* Repeats a passage of the piece: the passage parallel to a gap; the opening, at the end of a long
 * take that closes, so that A B becomes A B A; and what the form of a long take says (form.h). For
 * a gap, the notes around it, in two bars on each side and in the tracks that play during it, are
 * compared with the notes around every passage as long. The passage with the most equal notes, if
 * they are half or more, is the parallel one. The notes of the passage become likelier. The bias is bounded, like the
 * cache of Grave, Joulin & Usunier, "Improving neural language models with a continuous cache"
 * (ICLR 2017). Pure functions, any thread. */
#ifndef APP_PARALLEL_BIAS_H
#define APP_PARALLEL_BIAS_H

#include "app/biases/place.h"

struct parallel_bias {
    bool is_gap;      /* it ends where the passage does */
    int64_t from, to; /* the steps that repeat the passage; to is 0: none do */
    int64_t by;       /* steps from there to the passage, negative: it is earlier */
    uint64_t tracks;  /* bit t: token track t */
    struct grid_note last; /* the newest note there; its step is before `from`: none */
};

/* For a gap [from, to) in these tracks. They have no notes there, but in the passage. */
struct parallel_bias parallel_bias_of(const struct piece *p, int64_t from, int64_t to,
                                      uint64_t tracks);
/* For the last bars of a take [from, to): those in which the piece's first ones, sixteen at most,
 * can return after eight and more others. */
struct parallel_bias parallel_bias_of_return(const struct piece *p, int64_t from,
                                             int64_t to);
/* Writes n bars, from this one on, like those `back` bars before; nothing if their meters differ. */
struct parallel_bias parallel_bias_repeat(const struct piece *p, int64_t bar,
                                          int64_t back, int64_t n);
/* Whether the beats there are to have the roots of the passage's; chords: of both, ascending; none:
 * they are. */
bool parallel_bias_fits(const struct parallel_bias *b, const struct grid_chord *chords,
                        size_t n);
/* Whether a passage of another place, with a key and rhythms of its own, is written at this
 * step. */
static inline bool parallel_bias_returns(const struct parallel_bias *b, int64_t step)
{
    return b->to && !b->is_gap && step >= b->from && step < b->to;
}
/* Remembers a note that was written. */
void parallel_bias_add(struct parallel_bias *b, const struct grid_note *n);
void parallel_bias_apply(const struct parallel_bias *b, const struct place *at);

#endif
