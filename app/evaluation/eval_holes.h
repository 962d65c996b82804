/* How well a model fills holes in held-out music: the loss of the original notes in nats,
 * given more or less of the music around, how its own notes compare with three fillings
 * that need no model, and whether it follows constraints.
 *
 * The same corpus, model, seed and settings give the same figures. The holes of a corpus do
 * not depend on the model, the seed or the other corpora. One thread. */
#ifndef APP_EVAL_HOLES_H
#define APP_EVAL_HOLES_H

#include "app/evaluation/eval_hole.h"

#include <cjson/cJSON.h>

struct eval_holes_request {
    const char *model_name; /* for error messages */
    const struct corpus *corpus;
    enum corpus_split split;
    int n_holes;                     /* in each corpus, as far as it has room */
    struct continuation_options how; /* to fill them; the seed counts up by the hole */
    const struct model *model;       /* that was trained to fill holes */
    struct pool *pool;
    const atomic_bool *cancel;
};

enum eval_hole_filling {
    FILLED_BY_MODEL,
    FILLED_FROM_BEFORE,
    FILLED_FROM_AFTER,
    FILLED_AT_RANDOM,
    EVAL_HOLE_FILLINGS,
};

/* One hole, or the sums over some. Nats are sums over tokens in either case. */
struct eval_hole_sums {
    int64_t n_holes, n_notes, n_tokens; /* tokens: of notes, bars, and the end */
    double note_nats[HOLE_VIEWS];       /* of the notes' tokens alone */
    double nats[HOLE_VIEWS];
    struct eval_hole_figures figures[EVAL_HOLE_FILLINGS];
};

struct eval_hole_result {
    int group;
    enum style style;
    struct eval_hole_kind kind;
    struct eval_hole_sums sums; /* of this hole */
};

struct eval_holes {
    struct eval_hole_result *results;
    size_t n_results;
    /* To constraints, in holes of four bars of one track. */
    struct eval_hole_answer *answers;
    size_t n_answers;
    int n_too_full;    /* holes too full for the model's context, which are left out */
    bool is_cancelled; /* the results are those made before */
};

/* Returns the exit status, after saying what went wrong. Call eval_holes_fini in every case. */
int eval_holes_measure(struct eval_holes *e, const struct eval_holes_request *q);
void eval_holes_fini(struct eval_holes *e);

enum eval_holes_by { HOLES_OF_ALL, HOLES_OF_CORPUS, HOLES_OF_STYLE, HOLES_OF_KIND };

/* The sums of the corpus, style or kind number `which`. Kinds of all tracks have the first
 * numbers, then those of one track; shorter ones are first. */
struct eval_hole_sums eval_holes_sum(const struct eval_holes *e, enum eval_holes_by by,
                                     int which);
/* By how many nats a note music on both sides helps more than before, over all holes; its
 * standard error (of a ratio of sums over holes: Cochran 1977, section 6.4; NAN for fewer than
 * two holes); and the number of holes in which it helps more. */
struct eval_hole_margin {
    double nats, error;
    int n_wins;
};
struct eval_hole_margin eval_holes_margin(const struct eval_holes *e);
enum { EVAL_HOLE_KINDS = 6 };
struct eval_hole_kind eval_hole_kind_at(int which);

/* The results by corpus, style and kind of hole: as JSON, and that as tables. */
cJSON *eval_holes_json(const struct eval_holes *e, const struct eval_holes_request *q);
void eval_holes_print(const cJSON *holes);

#endif
