/* Passages to learn the critic from: a piece is broken off at a bar line, and what follows
 * stands beside what the model would write there. Everything follows from the folder, the
 * model and the seed. One thread. */
#ifndef APP_CRITIC_PASSAGES_H
#define APP_CRITIC_PASSAGES_H

#include "app/dataset/corpus.h"
#include "app/training/critic_learn.h"

enum { PASSAGE_TAKES = 4 };

/* The MIDI files of DIR/<corpus>/<split>, each corpus's in an order that the seed shuffles,
 * one of each corpus in turn. */
struct passage_files {
    char **paths;
    size_t n;
};
/* corpora: names with commas between; NULL: all. false: no memory, or no folder. */
bool passage_files_find(struct passage_files *f, const char *dir, const char *corpora,
                        enum corpus_split split, uint64_t seed);
void passage_files_free(struct passage_files *f);

struct critic_passage {
    struct score *heard;            /* 8 to 16 bars, from tick 0 */
    struct continued_note *follows; /* what is written after them, */
    size_t n_follows;
    int bars; /* in so many, 4 or 8 */
};
/* false: the piece is too short, or too empty there; there is nothing to free. */
bool critic_passage_cut(struct critic_passage *p, const struct score *s, uint64_t seed);
void critic_passage_fini(struct critic_passage *p);

/* Its pairs, PASSAGE_TAKES of them, and how many; 0: it could not be gone on from. */
struct passage_request {
    struct continuation *continuation;
    struct sampling sampling;
    bool wants_likelihood;
};
struct passage_pairs {
    struct critic_pair pairs[PASSAGE_TAKES];
    int n;
    double takes_log_prob[PASSAGE_TAKES]; /* the model's nats a token, */
    double log_prob; /* of what follows, too; NaN: not wanted, or it cannot say it */
};
void critic_passage_compare(struct passage_pairs *out, const struct critic_passage *p,
                            const struct passage_request *q);

#endif
