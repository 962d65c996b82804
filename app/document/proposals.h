/* The waiting takes: the proposals for one request, made together or one after another. Each
 * has all that is needed to make it again.
 *
 * A ghost has an id of the score it is meant for (struct score, next_id), so that it is the
 * same note wherever it goes: accepted, undone, or kept in other takes. A ghost in the
 * score no longer waits; if that is undone, it waits again.
 *
 * Plain data of the ui thread; zero-initialise. What adds takes or notes returns false
 * without memory. */
#ifndef APP_PROPOSALS_H
#define APP_PROPOSALS_H

#include "app/generation/generator.h"
#include "midi/record/record.h"
#include "tui/view/view.h"

enum { PROPOSALS_MAX = 26 /* each has a letter */, PROPOSAL_MUTED = 64 };

struct proposal {
    char letter;          /* from 'A' on, as in the store; see proposal_number */
    struct ghost *ghosts; /* owned; by time, waiting ghosts before accepted ones */
    size_t n_waiting, n_ghosts, cap_ghosts;
    size_t n_came; /* notes from the machine, without those kept from another take */

    struct continuation_options options;         /* of this take alone, with its seed */
    struct attention_head muted[PROPOSAL_MUTED]; /* heads that were muted for it */
    size_t n_muted;
    /* Owned, [n_tokens]: its tokens in their order, for the inspector (app/inspection/inspection.h).
     * NULL: none came, or the take was played. */
    int32_t *tokens;
    size_t n_tokens;
    char model_name[64];
    uint64_t model_hash;
    enum style style; /* asked for or guessed */
    struct continuation_stats stats;
    int liking; /* 1: more like this one, -1: less, 0: neither */
    int rank;   /* 1: the best; those without notes come last */
    int slot;   /* index in the running request; -1: no more notes come */

    /* A take that user and model play together (app/editor/perform/answer.h). Pedals, bends and
     * pressure that the user played; they wait, sound, are accepted and are stored with the
     * notes. What is still down at tick played_to goes up there. */
    bool is_played;
    struct recorded_event *gestures; /* owned, [n_gestures] */
    size_t n_gestures;
    int64_t played_to;
};

/* A take that is requested after a part of another was accepted is written around that
 * part: those notes are also ghosts of the new take, as accepted ones. */
struct proposals {
    struct proposal list[PROPOSALS_MAX];
    int n;
    int n_letters; /* letters given to takes of this request, also to those rejected since */
    int shown; /* index; -1: the original */
    /* Has only ghosts: those that were accepted from takes that were rejected since. */
    struct proposal gone;
};

/* Returns the number of a take on the screen, 1 to 26; up to 8 it is also the key that shows it. */
static inline int proposal_number(char letter)
{
    return letter - 'A' + 1;
}

/* Returns whether user and model are playing into the first take. */
static inline bool proposals_are_played(const struct proposals *p)
{
    return p->n && p->list[0].is_played && p->list[0].slot >= 0;
}

/* Adds the gestures of a take at ticks [from, to) to a change of the score. */
void proposal_add_gestures(const struct proposal *t, struct change *c,
                           const struct score *s, int64_t from, int64_t to);

/* Returns the shown take. NULL: the original is shown, or there are no takes. */
const struct proposal *proposals_shown(const struct proposals *p);
int proposals_find(const struct proposals *p, char letter); /* -1: there is none */
/* Returns the best take that has waiting notes; -1: none has. */
int proposals_best(const struct proposals *p);
int proposals_n_kept(const struct proposal *t);
bool proposals_any_at_work(const struct proposals *p);

/* Adds o->n_takes requested takes, with seeds from o's on; there must be letters for them.
 * Each gets the kept ghosts of the shown take and all accepted ones; the first is shown
 * next. false: none was added. */
bool proposals_begin(struct proposals *p, const struct continuation_options *o);
/* Adds a note of the running request, with its id. A note of a rejected take is dropped. */
bool proposals_add_note(struct proposals *p, const struct continued_note *n,
                        uint64_t id);
bool proposals_add_ghost(struct proposals *p, int index, const struct ghost *g);
/* Takes the progress of the running takes. */
void proposals_watch(struct proposals *p, const struct generator_progress *now);
/* Ends the running request. If it was stopped, empty takes are removed and their letters
 * are free again. */
void proposals_end(struct proposals *p, bool was_stopped);

/* Replaces the listed takes by the chosen ones of these when the request ends with a choice among
 * more takes than were shown (generator_take_choice). Takes that the user touched stay (liked,
 * kept, accepted in part, or at index `heard`, -1: none), and so do those that the choice
 * has too. Ids continue from *next_id. false: some takes lack notes. */
bool proposals_choose(struct proposals *p, const struct take *takes, int n, int heard,
                      uint64_t *next_id);

/* Appends a take that waited before. Takes *t with all it owns; its ghosts, in any order,
 * have ids of the score and are not accepted (but see follow). There must be room for it. */
void proposals_add(struct proposals *p, const struct proposal *t);

/* Removes a take. If it was shown, the best of the others is. */
void proposals_remove(struct proposals *p, int index);
void proposals_clear(struct proposals *p); /* frees all takes */

/* Lists the ids of accepted ghosts that are not of the take `index` (-1: of any take), ascending.
 * The caller frees the list. NULL: out of memory. */
uint64_t *proposals_accepted(const struct proposals *p, int index, size_t *n);

/* Sets whether this ghost, in all its takes, is kept in new takes. */
void proposals_keep(struct proposals *p, uint64_t id, bool is_kept);
/* Finds which ghosts are in the score; call after any edit. */
void proposals_follow(struct proposals *p, const struct score *s);

#endif
