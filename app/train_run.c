/* The loop around the trainer: draw a batch, step, tell, and every few minutes
 * validate and save. One thread; the trainer's pool does the work.
 *
 * What a step learns is a function of the seed and the step's number alone, so
 * a resumed run goes on as if it had never stopped. With a budget of minutes
 * the end of the schedule is an estimate, renewed at every check from the
 * speed since the last and kept in the state. */
#include "app/train_run.h"

#include "app/corpus.h"
#include "app/metadata.h"
#include "app/train_report.h"
#include "app/validation.h"
#include "model/safetensors.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SPEED_STEPS = 20, MAX_FILE_NAME = 4096 };
static const double CHECK_SECONDS = 300.0;

struct run {
    const struct train_request *request;
    struct corpus *corpus;
    struct model *from;
    struct pool *pool;
    struct trainer *trainer;
    struct train_report report;
    struct train_options options; /* the trainer's, without the schedule's end */

    int32_t *tokens, *targets; /* [batch, length] */
    struct validation held_out;
    double valid, best; /* nats per token; 0 and infinity: not yet */

    double seconds_before; /* of training, in the runs resumed from */
    double started;        /* monotonic */
    double checked;        /* time and step of the last look at the speed */
    int64_t checked_step;
    double step_seconds; /* one step's, lately; 0: not known yet */
    char state_path[MAX_FILE_NAME];
};

static volatile sig_atomic_t stop_asked;

static void ask_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = ask_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int complain(const char *subject, const char *what)
{
    fprintf(stderr, "continuo: %s: %s\n", subject, what);
    return 1;
}

static void count_files(int n)
{
    if (n % 100 == 0)
        fprintf(stderr, "\rreading music: %d files", n);
}

static int open_corpus(struct run *r)
{
    const struct train_request *q = r->request;
    bool shown = r->report.terminal;
    enum midi_status st =
        corpus_open(&r->corpus, q->data, q->corpora, shown ? count_files : NULL);
    if (st == MIDI_EMPTY)
        return complain(q->data, "holds no MIDI files to train on");
    if (st)
        return complain(q->data,
                        st == MIDI_NO_FILE ? strerror(errno) : midi_strerror(st));
    for (int i = 0; i < r->corpus->n_groups; i++) {
        const struct corpus_group *g = &r->corpus->groups[i];
        if (g->n_pieces[CORPUS_TRAIN] + g->n_pieces[CORPUS_VALID])
            train_report_line(
                &r->report, "%s: %s, %d + %d pieces, %" PRId64 " + %" PRId64 " tokens",
                g->name, style_name(g->style), g->n_pieces[CORPUS_TRAIN],
                g->n_pieces[CORPUS_VALID], g->n_tokens[CORPUS_TRAIN],
                g->n_tokens[CORPUS_VALID]);
    }
    if (r->corpus->n_skipped)
        train_report_line(&r->report, "%d files could not be used, the first is %s",
                          r->corpus->n_skipped, r->corpus->skipped);
    return 0;
}

/* The configuration: of the model to start from, or as asked. */
static int choose_config(struct run *r, struct model_config *config)
{
    const char *from = r->request->from;
    char detail[128] = "";
    *config = r->request->config;
    if (!from)
        return 0;
    enum model_status st = model_open(&r->from, from, detail, sizeof detail);
    if (st) {
        fprintf(stderr, "continuo: %s: %s%s%s\n", from, model_strerror(st),
                *detail ? ": " : "", detail);
        return 1;
    }
    *config = *model_config(r->from);
    if (config->vocab != TOKEN_COUNT)
        return complain(from, "is not a model of the score tokenizer");
    return 0;
}

static int create_trainer(struct run *r)
{
    struct model_config config;
    if (choose_config(r, &config))
        return 1;
    r->options = r->request->options;
    if (!r->options.length)
        r->options.length = config.context;
    if (r->options.min_lr <= 0.0f)
        r->options.min_lr = r->options.lr / 20.0f;
    if (r->request->minutes > 0)
        r->options.max_steps = INT64_MAX / 2;
    r->pool = pool_create(r->request->threads);
    if (!r->pool)
        return complain("training", "no memory or threads for a pool");

    enum model_status st =
        trainer_create(&r->trainer, &config, &r->options, r->from, r->pool);
    if (st == MODEL_TOO_LONG)
        return complain("--length", "is longer than the model's context, or the batch "
                                    "is too large");
    return st ? complain("training", model_strerror(st)) : 0;
}

static int allocate_batch(struct run *r)
{
    size_t n = (size_t)r->options.batch * (size_t)r->options.length;
    r->tokens = calloc(n, sizeof *r->tokens);
    r->targets = calloc(n, sizeof *r->targets);
    if (!r->tokens || !r->targets)
        return complain("training", model_strerror(MODEL_NO_MEMORY));
    return 0;
}

static int prepare_validation(struct run *r)
{
    const struct baseline *b = &r->held_out.baseline;
    enum midi_status st =
        validation_init(&r->held_out, r->corpus, r->options.batch, r->options.length);
    if (st)
        return complain(r->request->data, midi_strerror(st));
    if (r->held_out.n_windows)
        train_report_line(&r->report,
                          "validation: %d windows, %" PRId64 " notes; nats per token: "
                          "unigram %.4f, bigram %.4f",
                          r->held_out.n_windows, b->n_notes,
                          b->unigram / (double)b->n_tokens,
                          b->bigram / (double)b->n_tokens);
    return 0;
}

static double seconds_trained(const struct run *r)
{
    return r->seconds_before + monotonic_seconds() - r->started;
}

/* Our part of the state: the best validation and the seconds of training. */
static bool read_extra(struct run *r, const char *extra)
{
    static const char first[] = "best ", second[] = " seconds ";
    char *end;
    if (strncmp(extra, first, strlen(first)) != 0)
        return false;
    r->best = strtod(extra + strlen(first), &end);
    if (strncmp(end, second, strlen(second)) != 0)
        return false;
    r->seconds_before = strtod(end + strlen(second), &end);
    return !*end && r->seconds_before >= 0;
}

static int resume(struct run *r)
{
    char extra[128];
    if (!r->request->resume)
        return 0;
    enum model_status st =
        trainer_load_state(r->trainer, r->state_path, extra, sizeof extra);
    if (st == MODEL_NO_FILE)
        return complain(r->state_path, strerror(errno));
    if (st == MODEL_BAD_RESUME)
        return complain(r->state_path,
                        "belongs to a run with other options; give the same ones, or "
                        "leave out --resume to begin anew");
    if (st)
        return complain(r->state_path, model_strerror(st));
    if (!read_extra(r, extra))
        return complain(r->state_path, model_strerror(MODEL_BAD_RESUME));
    train_report_line(&r->report, "resumed at step %" PRId64,
                      trainer_steps(r->trainer));
    return 0;
}

static int save_state(struct run *r)
{
    char extra[128];
    snprintf(extra, sizeof extra, "best %a seconds %a", r->best, seconds_trained(r));
    enum model_status st = trainer_save_state(r->trainer, r->state_path, extra);
    return st ? complain(r->state_path, strerror(errno)) : 0;
}

static int save_model(struct run *r)
{
    struct provenance p = {
        .corpus = r->corpus,
        .licence = r->request->licence,
        .from = r->request->from,
        .steps = trainer_steps(r->trainer),
        .minutes = seconds_trained(r) / 60.0,
        .options = r->options,
        .n_windows = r->held_out.n_windows,
        .baseline = r->held_out.baseline,
        .nats = r->valid * (double)r->held_out.baseline.n_tokens,
    };
    char *config = model_config_json(trainer_config(r->trainer));
    char *tokenizer = tokenizer_json(), *provenance = provenance_json(&p);
    const struct metadata metadata[] = {
        {"config", config}, {"tokenizer", tokenizer}, {"provenance", provenance}};
    enum model_status st = MODEL_NO_MEMORY;

    if (config && tokenizer && provenance)
        st = (r->request->bf16 ? trainer_save_model_bf16 : trainer_save_model)(
            r->trainer, r->request->out, metadata, 3);
    free(config);
    free(tokenizer);
    free(provenance);
    if (st)
        return complain(r->request->out, st == MODEL_CANNOT_WRITE ? strerror(errno)
                                                                  : model_strerror(st));
    return 0;
}

static int validate(struct run *r)
{
    double nats;
    enum model_status st = validation_measure(&r->held_out, r->trainer, &nats);
    if (st)
        return complain("validation", model_strerror(st));
    r->valid = nats / (double)r->held_out.baseline.n_tokens;
    train_report_line(&r->report,
                      "valid at step %" PRId64 ": %.4f nats per token, %.4f per note",
                      trainer_steps(r->trainer), r->valid,
                      nats / (double)r->held_out.baseline.n_notes);
    return 0;
}

/* From the time the last steps took to the number that the rest allows. */
static void renew_schedule(struct run *r)
{
    double now = monotonic_seconds();
    int64_t step = trainer_steps(r->trainer);
    if (step == r->checked_step)
        return;
    r->step_seconds = (now - r->checked) / (double)(step - r->checked_step);
    r->checked = now;
    r->checked_step = step;
    if (r->request->minutes <= 0)
        return;
    double left = r->request->minutes * 60.0 - seconds_trained(r);
    trainer_set_end(r->trainer,
                    step + (left > 0 ? (int64_t)(left / r->step_seconds) : 0));
}

/* Validates, keeps the best model, and leaves a state to resume from. A run
 * with nothing held out keeps its latest. */
static int check(struct run *r)
{
    bool held_out = r->held_out.n_windows > 0;
    int status = held_out ? validate(r) : 0;
    if (!status && (!held_out || r->valid < r->best)) {
        r->best = r->valid;
        status = save_model(r);
    }
    renew_schedule(r);
    return status ? status : save_state(r);
}

static bool is_over(const struct run *r)
{
    return trainer_steps(r->trainer) >= trainer_options(r->trainer)->max_steps;
}

static void report_step(struct run *r, float loss)
{
    int64_t step = trainer_steps(r->trainer);
    int64_t end = trainer_options(r->trainer)->max_steps;
    int64_t since = step - r->checked_step;
    double pace =
        since ? (monotonic_seconds() - r->checked) / (double)since : r->step_seconds;
    bool known = r->request->minutes <= 0 || r->step_seconds > 0;
    struct train_progress p = {
        .step = step,
        .max_steps = known ? end : 0,
        .loss = loss,
        .rate = trainer_learning_rate(r->trainer),
        .norm = trainer_gradient_norm(r->trainer),
        .valid = r->valid,
        .tokens_per_second = r->options.batch * r->options.length / pace,
        .seconds_left = known ? (double)(end - step) * pace : -1.0,
    };
    train_report_step(&r->report, &p);
}

static int step(struct run *r)
{
    size_t row = (size_t)r->options.length;
    uint64_t number = (uint64_t)trainer_steps(r->trainer);
    float loss;
    for (int i = 0; i < r->options.batch; i++) {
        enum midi_status st =
            corpus_draw(r->corpus, r->options.seed, number, i, r->options.length,
                        r->tokens + (size_t)i * row, r->targets + (size_t)i * row);
        if (st)
            return complain(r->request->data, midi_strerror(st));
    }
    enum model_status st = trainer_step(r->trainer, r->tokens, r->targets, &loss);
    if (st)
        return complain("training", model_strerror(st));
    report_step(r, loss);
    return 0;
}

static int train(struct run *r)
{
    int64_t first = trainer_steps(r->trainer);
    double last_check = monotonic_seconds();
    int status = 0;

    r->started = r->checked = last_check;
    r->checked_step = first;
    while (!status && !stop_asked && !is_over(r)) {
        status = step(r);
        if (!status && trainer_steps(r->trainer) == first + SPEED_STEPS)
            renew_schedule(r);
        if (!status && !is_over(r) &&
            monotonic_seconds() - last_check > CHECK_SECONDS) {
            status = check(r);
            last_check = monotonic_seconds();
        }
    }
    if (status)
        return status;
    if (!stop_asked)
        return check(r);
    train_report_line(&r->report,
                      "stopped at step %" PRId64 "; --resume goes on from %s",
                      trainer_steps(r->trainer), r->state_path);
    return save_state(r);
}

static int prepare(struct run *r)
{
    const struct train_request *q = r->request;
    size_t n = strlen(q->out), n_suffix = strlen(".safetensors");
    if (n > n_suffix && !strcmp(q->out + n - n_suffix, ".safetensors"))
        n -= n_suffix;
    if (n + sizeof ".state" > sizeof r->state_path)
        return complain(q->out, "is too long a name");
    snprintf(r->state_path, sizeof r->state_path, "%.*s.state", (int)n, q->out);

    if (!train_report_open(&r->report, q->log))
        return complain(q->log, strerror(errno));
    int status = open_corpus(r);
    if (!status)
        status = create_trainer(r);
    if (!status)
        status = allocate_batch(r);
    if (!status)
        status = prepare_validation(r);
    return status ? status : resume(r);
}

static void release(struct run *r)
{
    train_report_close(&r->report);
    validation_fini(&r->held_out);
    free(r->targets);
    free(r->tokens);
    trainer_destroy(r->trainer);
    pool_destroy(r->pool);
    model_close(r->from);
    corpus_close(r->corpus);
}

int train_run(const struct train_request *request)
{
    struct run r = {.request = request, .best = INFINITY};
    catch_signals();
    int status = prepare(&r);
    if (!status)
        status = train(&r);
    release(&r);
    return status;
}
