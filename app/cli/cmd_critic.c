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

enum { MOST_APART = 5, SHARE_MEASURED = 4 };

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
        pair.passage = to->n_passages;
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

/* Passages whose number is a multiple of MOST_APART come last; how many pairs before. */
static size_t put_apart(struct lesson_pairs *p)
{
    struct critic_pair *apart = calloc(p->n + 1, sizeof *apart);
    size_t n = 0, n_apart = 0;
    for (size_t i = 0; apart && i < p->n; i++) {
        if (p->pairs[i].passage % MOST_APART == 0)
            apart[n_apart++] = p->pairs[i];
        else
            p->pairs[n++] = p->pairs[i];
    }
    if (apart && n_apart)
        memcpy(p->pairs + n, apart, n_apart * sizeof *apart);
    free(apart);
    return n;
}

struct outcome {
    int steps;
    double learnt, apart, held_out, nats, likelihood;
};

static bool learn(struct critic *c, struct lesson_pairs *p, struct outcome *out)
{
    const size_t n = put_apart(p);
    struct critic_lesson lesson = {.learn = p->pairs,
                                   .n_learn = n,
                                   .apart = p->pairs + n,
                                   .n_apart = p->n - n,
                                   .decay = 0.01,
                                   .most_steps = 4000};
    out->steps = n ? critic_learn(c, &lesson) : 0;
    out->learnt = critic_accuracy(c, p->pairs, n, NULL);
    out->apart = critic_accuracy(c, p->pairs + n, p->n - n, NULL);
    return out->steps > 0;
}

static cJSON *make_card(const struct options *o, const struct engine *e,
                        const struct lesson_pairs *learnt,
                        const struct lesson_pairs *measured, const struct outcome *x)
{
    return json_add(cJSON_CreateObject(),
                    "model %016llx corpora %s passages %d pairs %zu "
                    "held_out_passages %d held_out_pairs %zu steps %d "
                    "accuracy_learnt %.3f accuracy_apart %.3f accuracy_held_out %.3f "
                    "nats_held_out %.3f accuracy_of_likelihood %.3f judged_pairs %g",
                    (unsigned long long)model_hash(e->model),
                    o->corpora ? o->corpora : "all", learnt->n_passages, learnt->n,
                    measured->n_passages, measured->n, x->steps, x->learnt, x->apart,
                    x->held_out, x->nats, x->likelihood, measured->n_judged);
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
    if (!learn(&c, learnt, &x))
        return say_error(o->data, "holds too few pieces to train on");
    x.held_out = critic_accuracy(&c, measured->pairs, measured->n, &x.nats);
    x.likelihood = measured->n_judged ? measured->n_likelier / measured->n_judged : 0;
    cJSON *card = make_card(o, e, learnt, measured, &x);
    ok = critic_write(&c, card, o->output);
    if (ok)
        report_print(
            card,
            "trained on {passages:d} passages, {pairs:d} pairs, in {steps:d} steps\n"
            "prefers the real music in {accuracy_learnt:.3f} of the training pairs, "
            "{accuracy_apart:.3f} of the validation pairs\n"
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
        "bar line after 8 to 16 bars. The model writes four takes of the next 4 or 8\n"
        "bars. A logistic regression on features of the notes learns to tell the real\n"
        "bars from the takes. It stops when it no longer improves on a fifth of the\n"
        "pieces, which it is not trained on. Then it is measured on DIR/CORPUS/valid,\n"
        "compared with likelihood alone, and written with these figures.",
    .takes = OPTION_CORPORA | OPTION_PASSAGES | OPTION_OUTPUT | OPTION_MODEL |
             OPTION_SAMPLING | OPTION_THREADS | OPTION_PRECISION,
    .needs = OPTION_CORPORA | OPTION_OUTPUT,
};
