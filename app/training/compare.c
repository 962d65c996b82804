/* Trains one variant after another. A variant's record is written last, so an interrupted
 * variant continues from its training state. */
#include "app/training/compare.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/dataset/grid_corpus.h"
#include "app/decoding/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- records -- */

enum { MAX_BYTES = 1 << 16 };

/* How a variant is trained, as JSON text: what makes two records comparable. malloc'd;
 * NULL: out of memory. */
static char *settings_json(const struct train_request *q, const char *data_name)
{
    const struct train_options *o = &q->options;
    char *config = model_config_json(&q->config);
    cJSON *j = json_add(cJSON_CreateObject(), "data %s", data_name);
    cJSON_AddItemToObject(j, "config", cJSON_Parse(config ? config : ""));
    json_add(j,
             "minutes %g steps %lld batch %d optimiser %s schedule %s cooldown %g "
             "adam_share %g learning_rate %g warmup %lld dropout %g weight_decay %g "
             "seed %g bf16_products %hhd bf16_weights %hhd",
             q->minutes, (long long)o->max_steps, o->batch,
             train_optimisers[o->optimiser], train_schedules[o->schedule], q->cooldown,
             (double)o->adam_share, (double)o->lr, (long long)o->warmup_steps,
             (double)o->dropout, (double)o->weight_decay, (double)o->seed, o->bf16,
             q->bf16);
    char *text = config ? cJSON_PrintUnformatted(j) : NULL;
    free(config);
    cJSON_Delete(j);
    return text;
}

static bool read_fields(struct compare_record *r, const cJSON *j)
{
    *r = (struct compare_record){.parameters = json_number(j, "parameters"),
                                 .steps = json_number(j, "steps"),
                                 .tokens_seen = json_number(j, "tokens_seen"),
                                 .minutes = json_number(j, "minutes"),
                                 .valid = json_number(j, "valid_nats"),
                                 .test = json_number(j, "test_nats")};
    return isfinite(r->parameters) && isfinite(r->steps) && isfinite(r->tokens_seen) &&
           isfinite(r->minutes) && isfinite(r->valid) &&
           (isfinite(r->test) || cJSON_IsNull(json_get(j, "test_nats")));
}

static bool same_settings(const cJSON *j, const char *settings)
{
    const cJSON *item = json_get(j, "settings");
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    bool same = text && !strcmp(text, settings);
    free(text);
    return same;
}

enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings)
{
    cJSON *j = json_read_file(path, MAX_BYTES, NULL);
    enum record_status st = RECORD_FINE;
    if (!j && errno == ENOENT)
        st = RECORD_NONE;
    else if (!j || !read_fields(r, j))
        st = RECORD_BROKEN;
    else if (!same_settings(j, settings))
        st = RECORD_OTHER;
    cJSON_Delete(j);
    return st;
}

bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings)
{
    cJSON *j = json_add(cJSON_CreateObject(),
                        "parameters %g steps %g tokens_seen %g minutes %g "
                        "valid_nats %g test_nats %g",
                        r->parameters, r->steps, r->tokens_seen, r->minutes, r->valid,
                        r->test);
    cJSON_AddItemToObject(j, "settings", cJSON_Parse(settings));
    bool ok = json_write_file(j, path);
    cJSON_Delete(j);
    return ok;
}

/* -- training and measuring -- */

/* The files of a variant, and how it is trained. */
struct job {
    struct compare *compare;
    struct compare_row *row;
    char model[COMPARE_PATH_BYTES], state[COMPARE_PATH_BYTES],
        record[COMPARE_PATH_BYTES], log[COMPARE_PATH_BYTES];
    struct train_request request;
    char *settings; /* JSON, owned */
};

bool compare_path(char path[COMPARE_PATH_BYTES], const struct train_settings *s,
                  const char *name, const char *ending)
{
    int n =
        snprintf(path, COMPARE_PATH_BYTES, "%s/%s.%s", s->request.out, name, ending);
    return n > 0 && n < COMPARE_PATH_BYTES;
}

static int prepare_job(struct job *job, struct compare *c, struct compare_row *row)
{
    const struct train_settings *s = c->settings;
    const char *name = row->variant->name;
    *job = (struct job){.compare = c, .row = row, .request = s->request};
    if (!compare_path(job->model, s, name, "safetensors") ||
        !compare_path(job->state, s, name, "state") ||
        !compare_path(job->record, s, name, "json") ||
        !compare_path(job->log, s, name, "log"))
        return say_error(s->request.out, "the name is too long");
    job->request.out = job->model;
    job->request.log = job->log;
    job->request.config = variant_config(row->variant, &s->request.config);
    job->request.config.vocab = GRID_COUNT;
    job->request.resume = access(job->state, F_OK) == 0;
    job->settings = settings_json(&job->request, c->corpus->name);
    return job->settings ? 0 : say_midi_error(s->request.out, MIDI_NO_MEMORY);
}

static enum model_status score_split(const struct compare *c, const struct model *m,
                                     enum corpus_split split, double *nats)
{
    const struct grid_score_request request = {
        .model = m,
        .pool = c->pool,
        .corpus = c->corpus,
        .lesson = grid_lesson_for(false, false),
        .split = split,
    };
    struct grid_score score;
    int64_t n_cells;
    enum model_status st = grid_score_measure(&score, &request);
    double sum = grid_score_sum(&score, &n_cells);
    *nats = n_cells ? sum / (double)n_cells : NAN;
    return st;
}

static int measure(struct job *job)
{
    struct compare_record *r = &job->row->record;
    struct model *m = NULL;
    char detail[96] = "";
    enum model_status st = model_file_open(&m, job->model, detail, sizeof detail);
    if (!st) {
        r->parameters = (double)m->n_parameters;
        st = score_split(job->compare, m, CORPUS_VALID, &r->valid);
    }
    if (!st)
        st = score_split(job->compare, m, CORPUS_TEST, &r->test);
    model_close(m);
    return st ? say_model_error(job->model, st, detail) : 0;
}

static int train(struct job *job)
{
    const struct train_options *o = &job->request.options;
    struct compare_record *r = &job->row->record;
    struct train_result result;
    int status = train_run(&job->request, &result);
    if (status)
        return status;
    if (!result.is_finished)
        return say_error(job->request.out,
                         "is not finished; run compare again to continue it");
    r->steps = (double)result.steps;
    r->tokens_seen =
        r->steps * o->batch * (o->length ? o->length : job->request.config.context);
    r->minutes = result.seconds / 60.0;
    return measure(job);
}

static int finish(struct job *job)
{
    const struct compare_record *r = &job->row->record;
    if (!compare_record_write(r, job->record, job->settings))
        return say_error(job->record, strerror(errno));
    unlink(job->state); /* three times the model, and of no more use */
    fprintf(
        stderr,
        "%s: %.4f nats per note on the validation pieces, %.4f on the test pieces\n",
        job->row->variant->name, r->valid, r->test);
    return 0;
}

static int run_job(struct job *job)
{
    const struct compare *c = job->compare;
    const char *name = job->row->variant->name;
    switch (compare_record_read(&job->row->record, job->record, job->settings)) {
    case RECORD_FINE:
        return 0;
    case RECORD_OTHER:
        return say_error(
            job->record,
            "was trained with other options; use the same ones or another folder");
    case RECORD_BROKEN:
        return say_error(
            job->record,
            "is not a record of this program; remove it to train that variant again");
    case RECORD_NONE:
        break;
    }
    fprintf(stderr, "\nvariant %d of %d: %s, %s\n", (int)(job->row - c->rows) + 1,
            c->n_rows, name, job->row->variant->about);
    int status = train(job);
    return status ? status : finish(job);
}

static int open_corpus(struct compare *c)
{
    char fault[128];
    const char *data = c->settings->request.data;
    if (!grid_corpus_open(&c->corpus, data, fault, sizeof fault))
        return say_error(data, fault);
    if (!c->corpus->n_pieces[CORPUS_VALID])
        return say_error(data, "holds no pieces to validate on");
    c->pool = pool_create(c->settings->request.threads);
    return c->pool ? 0 : say_model_error("compare", MODEL_NO_THREAD, NULL);
}

/* Before any time is spent: every variant in these sizes, and every name. */
static int choose(struct compare *c)
{
    const struct train_settings *s = c->settings;
    const struct variant *chosen[N_VARIANTS];
    c->n_rows = variants_choose(s->variants, chosen);
    if (!c->n_rows) {
        say_error("--variants", "must be some of these, separated by commas:");
        for (int i = 0; i < N_VARIANTS; i++)
            fprintf(stderr, "  %s\n", VARIANTS[i].name);
        return 2;
    }
    for (int i = 0; i < c->n_rows; i++) {
        struct model_config config = variant_config(chosen[i], &s->request.config);
        const char *fault = model_shape_fault(&config);
        c->rows[i].variant = chosen[i];
        if (fault)
            return say_wrong(chosen[i]->name, fault);
    }
    return 0;
}

int compare_run(struct compare *c, const struct train_settings *s)
{
    *c = (struct compare){.settings = s};
    int status = choose(c);
    if (!status)
        status = open_corpus(c);
    if (!status)
        status = say_make_folder(s->request.out);
    for (int i = 0; !status && i < c->n_rows; i++) {
        struct job job;
        status = prepare_job(&job, c, &c->rows[i]);
        if (!status)
            status = run_job(&job);
        free(job.settings);
    }
    return status ? status : compare_speeds(c);
}

void compare_fini(struct compare *c)
{
    pool_destroy(c->pool);
    grid_corpus_close(c->corpus);
    *c = (struct compare){0};
}
