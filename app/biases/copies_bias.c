/* The rule of copies: see rules.h. */
#include "app/biases/rules.h"

#include <string.h>

/* A note that ends a copy of COPY notes costs COPIES nats, but not in bars that end phrases, whose
 * cadences are alike. Of sixteen draws of a reel 0.43 of the bars were given ones again, of eight of
 * another (ours) 0.47; then 0.02 and 0.17. From four notes on, or from three in the first bar, takes
 * lost their cadences. */
#define COPIES 6.0f
enum { COPY = 5, NEWEST = 128 /* onsets that are read */ };

struct onset {
    int64_t step;
    int pitch; /* the lowest */
};

/* Lists the newest onsets of the place's track before its step, from the last one back. Returns their
 * number. */
static int list_onsets(const struct place *at, struct onset list[NEWEST])
{
    int n = 0;
    for (size_t i = piece_note_at(at->p, at->step); i-- > 0 && n < NEWEST;) {
        const struct grid_note *note = &at->p->notes[i];
        if (note->track != at->track)
            continue;
        n += !n || list[n - 1].step != note->step; /* a chord is read downwards */
        list[n - 1] = (struct onset){note->step, note->pitch};
    }
    return n;
}

/* Returns the steps from the onset before number i to it. */
static int64_t wait_of(const struct onset *list, int i)
{
    return list[i].step - list[i + 1].step;
}

void copies_bias_apply(struct rules *r, const struct place *at)
{
    const struct copies_bias *c = &r->copies;
    const bool ends_phrase =
        piece_bar_at(at->p, at->bar) % PHRASE_BARS == PHRASE_BARS - 1;
    struct onset list[NEWEST];
    if (!c->to || at->track != c->track || (c->is_of_given && ends_phrase) ||
        !memchr(at->allowed + TOKEN_PITCH, 1, N_PITCHES) || note_here(at, NULL))
        return;
    const int n = list_onsets(at, list);
    for (int i = 0; i + 1 < n; i++) { /* onset i would come again here */
        int n_alike = 0;
        if (list[i].step >= c->to || wait_of(list, i) != at->step - list[0].step)
            continue;
        for (int k = i + 1; k + 1 < n && list[n_alike].pitch == list[k].pitch &&
                            wait_of(list, n_alike) == wait_of(list, k);
             k++)
            n_alike++;
        if (n_alike + 1 >= COPY && at->step - list[n_alike - 1].step >= c->may_copy)
            bias_pitch(at, -COPIES, list[i].pitch);
    }
}
