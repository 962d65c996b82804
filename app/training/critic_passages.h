/* Passages to train the critic on. A piece is cut at a bar line; the original continuation is
 * paired with the model's. The folder, the model and the seed decide everything. One thread. */
#ifndef APP_CRITIC_PASSAGES_H
#define APP_CRITIC_PASSAGES_H

#include "app/dataset/corpus.h"
#include "app/critic/critic.h"

struct critic_pair {
    float real[FEATURES_MOST], ours[FEATURES_MOST];
    int group; /* pairs of one group follow each other, and have the same real one */
};

/* Learns the critic's weights from pairs of feature vectors, the first of the original music,
 * the second of the model's. Of a group, the original should have most merit, on z and z z
 * (Luce 1959): a take that is nearly chosen counts more than one that never would be. decay: of
 * the squared weights, for each group. Adam, all pairs at once, until it rests. A pure function,
 * any thread. false: out of memory, or no pairs. */
bool critic_learn(struct critic *c, const struct critic_pair *pairs, size_t n,
                  double decay);

/* The share of pairs in which the critic prefers the real one, without faults. *nats, if
 * not NULL: its mean surprise. */
double critic_accuracy(const struct critic *c, const struct critic_pair *pairs,
                       size_t n, double *nats);

enum { PASSAGE_TAKES = 8, PASSAGE_PARTS = 2 };

/* The MIDI files of DIR/<corpus>/<split>, one of each corpus in turn. The seed shuffles each
 * corpus. */
struct passage_files {
    char **paths;
    size_t n;
};
/* corpora: names with commas between; NULL: all. false: no memory, or no folder. */
bool passage_files_find(struct passage_files *f, const char *dir, const char *corpora,
                        enum corpus_split split, uint64_t seed);
void passage_files_free(struct passage_files *f);

struct critic_passage {
    struct score *heard;            /* the context: 8 to 16 bars, from tick 0 */
    struct continued_note *follows; /* the original notes after them, */
    size_t n_follows;
    int bars; /* in this many bars: 4, 8 or 16 */
};
/* false: the piece is too short, or too empty there; there is nothing to free. */
bool critic_passage_cut(struct critic_passage *p, const struct score *s, uint64_t seed);
void critic_passage_fini(struct critic_passage *p);

/* The pairs of one passage: of each take its parts (critic_part), with those of the original.
 * n 0: it could not be continued. */
struct passage_request {
    struct continuation *continuation;
    struct sampling sampling;
    bool wants_likelihood;
};
struct passage_pairs {
    struct critic_pair pairs[PASSAGE_TAKES * PASSAGE_PARTS];
    int n;
    double
        takes_log_prob[PASSAGE_TAKES * PASSAGE_PARTS]; /* the model's nats a token, */
    double
        log_prob; /* and of the original; NaN: not requested, or tokens cannot hold it */
};
void critic_passage_compare(struct passage_pairs *out, const struct critic_passage *p,
                            const struct passage_request *q);

#endif
