/* See rewrite.h. Only notes that begin in the hole are visited. */
#include "app/document/rewrite.h"

#include "midi/base/ids.h"
#include "midi/base/array.h"
#include "midi/score/notes.h"

#include <stdlib.h>

/* Returns whether a note is replaced. o->tracks 0: any track. of NULL: the present notes of the hole. */
static bool goes(const struct continuation_options *o, const struct rewritten *of,
                 int track, const struct note *n)
{
    const struct continuation_hole *h = &o->hole;
    bool stays = false;
    if (o->stays > 0.0f) { /* by random numbers that depend on the note alone */
        struct rng r;
        rng_seed(&r, o->stays_seed ^ ((uint64_t)n->start << 16 ^ (uint64_t)track << 8 ^
                                      (uint64_t)n->pitch));
        rng_next(&r);
        stays = rng_uniform(&r) < o->stays;
    }
    bool is_its = !o->tracks || (track < TOKEN_MAX_TRACKS && (o->tracks >> track & 1));
    return is_its && n->start >= h->from_tick && n->start < h->to_tick &&
           n->length <= h->to_tick - n->start && n->pitch >= h->pitch_lo &&
           n->pitch <= h->pitch_hi && !stays &&
           (!of || ids_find(of->asked, of->n_asked, n->id));
}

/* Lists the notes that are replaced, by tracks, and their ids, ascending; either may be NULL. Returns
 * their number. */
static size_t list(const struct score *s, const struct continuation_options *o,
                   const struct rewritten *of, struct continued_note *notes,
                   uint64_t *ids)
{
    size_t n = 0;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        for (size_t i = score_first_note_at(s, t, o->hole.from_tick);
             i < track->n_notes && track->notes[i].start < o->hole.to_tick; i++) {
            if (!goes(o, of, t, &track->notes[i]))
                continue;
            if (notes)
                notes[n] = (struct continued_note){.track = t, .note = track->notes[i]};
            if (ids)
                ids[n] = track->notes[i].id;
            n++;
        }
    }
    if (ids)
        ids_sort(ids, n);
    return n;
}

struct continued_note *rewrite_list(const struct score *s,
                                    const struct continuation_options *o,
                                    const struct rewritten *of, size_t *n)
{
    size_t room = list(s, o, of, NULL, NULL);
    struct continued_note *notes = calloc(room + 1, sizeof *notes);
    *n = notes ? list(s, o, of, notes, NULL) : 0;
    return notes;
}

bool rewritten_ask(struct rewritten *r, const struct score *s,
                   const struct continuation_options *o)
{
    uint64_t *ids = calloc(list(s, o, NULL, NULL, NULL) + 1, sizeof *ids);
    size_t n = ids ? list(s, o, NULL, NULL, ids) : 0;
    bool ok = rewritten_ask_again(r, ids, n, s, o) && ids;
    free(ids);
    return ok;
}

bool rewritten_ask_again(struct rewritten *r, const uint64_t *ids, size_t n,
                         const struct score *s, const struct continuation_options *o)
{
    rewritten_forget(r);
    r->asked = array_copy(ids, n, sizeof *ids);
    r->there = calloc(n + 1, sizeof *r->there);
    if (!r->asked || !r->there) {
        rewritten_forget(r);
        return false;
    }
    ids_sort(r->asked, n);
    r->n_asked = n;
    rewritten_update(r, s, o);
    return true;
}

void rewritten_update(struct rewritten *r, const struct score *s,
                      const struct continuation_options *o)
{
    r->n_there = r->n_asked ? list(s, o, r, NULL, r->there) : 0;
}

void rewritten_forget(struct rewritten *r)
{
    free(r->asked);
    free(r->there);
    *r = (struct rewritten){0};
}

/* Closes the gaps in one pass: taking notes out one at a time is slow in a long track. */
bool rewrite_take_out(struct score *s, const struct continuation_options *o,
                      const struct rewritten *of)
{
    if (of && !of->n_asked)
        return true;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        struct track *track = &s->tracks[t];
        size_t first = score_first_note_at(s, t, o->hole.from_tick);
        while (first < track->n_notes && !goes(o, of, t, &track->notes[first]))
            first++;
        if (first == track->n_notes)
            continue;
        struct note *notes = notes_own(track, 0);
        size_t kept = first;
        if (!notes)
            return false;
        for (size_t i = first; i < track->n_notes; i++)
            if (!goes(o, of, t, &notes[i]))
                notes[kept++] = notes[i];
        track->n_notes = kept;
    }
    return true;
}
