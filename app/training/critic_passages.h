/* Passages to train the critic on. A piece is cut at a bar line; the original continuation is
 * paired with the model's. The folder, the model and the seed decide everything. One thread. */
#ifndef APP_CRITIC_PASSAGES_H
#define APP_CRITIC_PASSAGES_H

#include "app/dataset/corpus.h"
#include "app/critic/critic.h"

/* Learns the critic's weights from pairs of feature vectors: the first of the original
 * music, the second of the model's music. The first should have more merit (Bradley & Terry
 * 1952, on z and z z). Adam learns all pairs at once and stops when held-out pairs get no
 * better. Pure functions, any thread. */

struct critic_pair {
    float real[FEATURES_MOST], ours[FEATURES_MOST];
    int passage; /* pairs of one passage have the same real one */
};

struct critic_lesson {
    const struct critic_pair *learn, *apart; /* [n_learn] learnt, [n_apart] stop it */
    size_t n_learn, n_apart;
    double decay; /* of the squared weights, for each pair */
    int most_steps;
};

/* Returns the number of steps; 0: out of memory, or no pairs. */
int critic_learn(struct critic *c, const struct critic_lesson *lesson);

/* The share of pairs in which the critic prefers the real one, without faults. *nats, if
 * not NULL: its mean surprise. */
double critic_accuracy(const struct critic *c, const struct critic_pair *pairs,
                       size_t n, double *nats);

enum { PASSAGE_TAKES = 4 };

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
    int bars; /* in this many bars, 4 or 8 */
};
/* false: the piece is too short, or too empty there; there is nothing to free. */
bool critic_passage_cut(struct critic_passage *p, const struct score *s, uint64_t seed);
void critic_passage_fini(struct critic_passage *p);

/* The pairs of one passage, at most PASSAGE_TAKES; n 0: it could not be continued. */
struct passage_request {
    struct continuation *continuation;
    struct sampling sampling;
    bool wants_likelihood;
};
struct passage_pairs {
    struct critic_pair pairs[PASSAGE_TAKES];
    int n;
    double takes_log_prob[PASSAGE_TAKES]; /* the model's nats a token, */
    double
        log_prob; /* and of the original; NaN: not requested, or tokens cannot hold it */
};
void critic_passage_compare(struct passage_pairs *out, const struct critic_passage *p,
                            const struct passage_request *q);

#endif
