/* continuo critic: trains the critic, which tells real music from the model's and so ranks
 * takes. */
#include "app/cli/verbs.h"

#include "app/training/critic_passages.h"
#include "app/base/report.h"
#include "app/base/say.h"
#include "app/generation/take.h"
#include "app/base/json_fields.h"
#include "midi/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE_MEASURED = 4 };

/* Chosen by the surprise of held-out pairs. */
#define DECAY 0.05

/* Pairs of a split, in the order of their passages. */
struct lesson_pairs {
    struct critic_pair *pairs;
    size_t n, cap;
    int n_passages;
    double n_likelier, n_judged; /* of pairs: what follows is likelier than the take */
};

static bool add_pairs(struct lesson_pairs *to, const struct passage_pairs *from)
{
    for (int i = 0; i < from->n; i++) {
        struct critic_pair pair = from->pairs[i];
        pair.group += to->n_passages * PASSAGE_PARTS;
        if (!array_add(&to->pairs, &to->n, &to->cap, &pair, sizeof pair))
            return false;
        to->n_judged += !isnan(from->log_prob);
        to->n_likelier += from->log_prob > from->takes_log_prob[i];
    }
    to->n_passages++;
    return true;
}

static bool add_piece(struct lesson_pairs *to, const char *path,
                      struct passage_request *q, uint64_t seed)
{
    struct score *s;
    struct critic_passage p;
    struct passage_pairs pairs = {.n = 0};
    if (smf_load(&s, path, NULL))
        return true;
    q->sampling.seed = seed;
    if (critic_passage_cut(&p, s, seed)) {
        critic_passage_compare(&pairs, &p, q);
        critic_passage_fini(&p);
    }
    score_destroy(s);
    return !pairs.n || add_pairs(to, &pairs);
}

/* Until there are this many, or no more pieces. Each has its own seed. */
static bool gather(struct lesson_pairs *to, const struct options *o,
                   struct passage_request *q, enum corpus_split split, int n)
{
    struct passage_files files;
    const uint64_t seed = o->continuation.sampling.seed;
    bool ok = passage_files_find(&files, o->data, o->corpora, split, seed);
    for (size_t i = 0; ok && i < files.n && to->n_passages < n; i++) {
        say_progress(split == CORPUS_TRAIN ? "learning: passage" : "measuring: passage",
                     to->n_passages, n);
        ok = add_piece(to, files.paths[i], q, seed * 1000003 + i);
    }
    say_progress("", n, n);
    passage_files_free(&files);
    return ok;
}

struct outcome {
    double learnt, held_out, nats, likelihood;
};

static cJSON *make_card(const struct options *o, const struct engine *e,
                        const struct lesson_pairs *learnt,
                        const struct lesson_pairs *measured, const struct outcome *x)
{
    return json_add(cJSON_CreateObject(),
                    "model %016llx corpora %s passages %d pairs %zu "
                    "held_out_passages %d held_out_pairs %zu "
                    "accuracy_learnt %.3f accuracy_held_out %.3f "
                    "nats_held_out %.3f accuracy_of_likelihood %.3f judged_pairs %g",
                    (unsigned long long)model_hash(e->model),
                    o->corpora ? o->corpora : "all", learnt->n_passages, learnt->n,
                    measured->n_passages, measured->n, x->learnt, x->held_out, x->nats,
                    x->likelihood, measured->n_judged);
}

static int make(const struct options *o, struct engine *e, struct lesson_pairs *learnt,
                struct lesson_pairs *measured)
{
    struct critic c;
    struct outcome x = {0};
    struct passage_request q = {.continuation = e->continuation,
                                .sampling = o->continuation.sampling};
    bool ok = gather(learnt, o, &q, CORPUS_TRAIN, o->passages);
    q.wants_likelihood = true;
    ok = ok && gather(measured, o, &q, CORPUS_VALID, o->passages / SHARE_MEASURED);
    if (!ok)
        return say_midi_error(o->data, MIDI_NO_FILE);
    if (!critic_learn(&c, learnt->pairs, learnt->n, DECAY))
        return say_error(o->data, "holds too few pieces to train on");
    x.learnt = critic_accuracy(&c, learnt->pairs, learnt->n, NULL);
    x.held_out = critic_accuracy(&c, measured->pairs, measured->n, &x.nats);
    x.likelihood = measured->n_judged ? measured->n_likelier / measured->n_judged : 0;
    cJSON *card = make_card(o, e, learnt, measured, &x);
    ok = critic_write(&c, card, o->output);
    if (ok)
        report_print(
            card,
            "trained on {passages:d} passages, {pairs:d} pairs\n"
            "prefers the real music in {accuracy_learnt:.3f} of these pairs\n"
            "held out: {accuracy_held_out:.3f} of {held_out_pairs:d} pairs of "
            "{held_out_passages:d} passages, {nats_held_out:.3f} nats (chance 0.693)\n"
            "likelihood alone: {accuracy_of_likelihood:.3f} of {judged_pairs:d} "
            "pairs\n");
    cJSON_Delete(card);
    return ok ? 0 : say_error(o->output, "could not be written");
}

static int cmd_critic(struct options *o)
{
    struct engine e;
    struct lesson_pairs learnt = {0}, measured = {0};
    if (!engine_open(&e, o->model, o->precision, o->threads))
        return 1;
    int status = make(o, &e, &learnt, &measured);
    free(learnt.pairs);
    free(measured.pairs);
    engine_close(&e);
    return status;
}

const struct verb VERB_CRITIC = {
    .name = "critic",
    .summary = "train the critic that ranks takes",
    .run = cmd_critic,
    .arguments = "--data DIR -o critic.json [options]",
    .about =
        "Trains the critic that ranks takes. Pieces of DIR/CORPUS/train are cut at a\n"
        "bar line after 8 to 16 bars. The model writes eight takes of the next 4, 8\n"
        "or 16 bars. A logistic regression on features of the notes learns to tell\n"
        "the real bars from the takes. Then it is measured on DIR/CORPUS/valid,\n"
        "compared with likelihood alone, and written with these figures.",
    .takes = OPTION_CORPORA | OPTION_PASSAGES | OPTION_OUTPUT | OPTION_MODEL |
             OPTION_SAMPLING | OPTION_THREADS | OPTION_PRECISION,
    .needs = OPTION_CORPORA | OPTION_OUTPUT,
};
