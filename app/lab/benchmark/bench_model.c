/* The speed of models: three shapes with random weights, which decode as fast as trained ones, the
 * bundled model, or one that is named. */
#include "app/lab/benchmark/bench.h"

#include "app/base/draw.h"
#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "midi/base/clock.h"
#include "model/decoder/decoder.h"
#include "model/kernels/product.h"
#include "model/train/train.h"

#include <stdlib.h>
#include <string.h>

/* -- models -- */

static const struct {
    const char *name;
    int d_model, n_heads, n_layers, d_ff;
} SHAPES[] = {{"S", 256, 8, 6, 1024}, {"M", 512, 8, 8, 2048}, {"L", 768, 12, 12, 3072}};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

static const struct precision_row {
    const char *name;
    struct model_precision precision;
} PRECISIONS[] = {{"f32", {WEIGHTS_F32, CACHE_F32}},
                  {"bf16", {WEIGHTS_BF16, CACHE_INT8}},
                  {"int8", {WEIGHTS_INT8, CACHE_INT8}}};
enum { N_PRECISIONS = sizeof PRECISIONS / sizeof *PRECISIONS };

static int find_shape(const char *word)
{
    for (int i = 0; word && i < N_SHAPES; i++)
        if (!strcmp(word, SHAPES[i].name))
            return i;
    return -1;
}

bool bench_is_shape(const char *word)
{
    return find_shape(word) >= 0;
}

/* S, unless another is named. */
static struct model_config shape_of(const struct bench *b)
{
    const int i = at_least(find_shape(b->shape_name), 0);
    if (b->shape)
        return *b->shape;
    return (struct model_config){
        .vocab = 512,
        .context = 2048,
        .d_model = SHAPES[i].d_model,
        .n_heads = SHAPES[i].n_heads,
        .n_layers = SHAPES[i].n_layers,
        .d_ff = SHAPES[i].d_ff,
        .activation = ACTIVATION_GELU,
        .position = POSITION_LEARNED,
        .tied = true,
    };
}

static const char *name_of(const struct bench *b)
{
    return b->shape_name ? b->shape_name : b->model ? b->model : "bundled";
}

/* The caller closes it. Returns the exit status. A model is packed in one precision. */
static int open_model(struct model **m, const struct bench *b, struct model_precision p)
{
    const struct model_config c = shape_of(b);
    char path[4096] = "";
    *m = NULL;
    int status = b->shape_name ? bench_status(b->shape_name, model_random(m, &c, 1))
                               : verb_model_open(m, b->model, path, sizeof path);
    if (status || !*m)
        return 1;
    if ((*m)->config.n_encoder_layers) {
        model_close(*m);
        *m = NULL;
        return say_error(path, "has an encoder; only decoders are measured");
    }
    (*m)->precision = p;
    return 0;
}

/* The i-th token to read, any that the model has. Notes are usually three steps apart. */
static int32_t token_at(const struct model_config *c, int i)
{
    return (int32_t)((uint32_t)i * 2654435761u % (uint32_t)c->vocab);
}

enum { MOST_READ = 1900, STEPS_APART = 3 };

static enum model_status read_tokens(struct decoder *d, const struct model_config *c,
                                     int n, float *logits)
{
    int32_t tokens[MOST_READ], times[MOST_READ];
    for (int i = 0; i < n; i++) {
        tokens[i] = token_at(c, i);
        times[i] = STEPS_APART * i;
    }
    decoder_truncate(d, 0);
    return decoder_prefill(d, tokens, times, n, false, logits);
}

/* One line: n tokens each run, and the quartiles of the speed. The slowest quarter of the times is
 * the low one of the speeds. */
static cJSON *figure(const struct bench *b, const char *part, const char *numbers,
                     int n, const struct turn_spread *s)
{
    return json_add(
        cJSON_CreateObject(),
        "part %s model %s numbers %s tokens_per_second %.1f quartile_low %.1f "
        "quartile_high %.1f runs %d",
        part, name_of(b), numbers, n / s->median, n / s->high, n / s->low, s->n);
}

/* Calls run for the model at each precision. */
static int each_precision(const struct bench *b, int n,
                          enum model_status (*run)(const struct bench *b,
                                                   const struct model *m,
                                                   const char *numbers))
{
    int status = 0;
    for (int i = 0; i < n && !status; i++) {
        struct model *m = NULL;
        status = open_model(&m, b, PRECISIONS[i].precision);
        if (!status && m)
            status = bench_status(name_of(b), run(b, m, PRECISIONS[i].name));
        model_close(m);
    }
    return status;
}

/* -- one token at a time: takes after the same tokens, after few and after many -- */

enum { STEPS = 16, MOST_TAKES = 8 };
static const int CONTEXTS[] = {0, 1000, MOST_READ}, TAKES[] = {1, 4, MOST_TAKES},
                 SIZES[] = {1, 2, 4, MOST_TAKES};
enum { N_CONTEXTS = sizeof CONTEXTS / sizeof *CONTEXTS, MOST_SIZES = 4 };

struct stage {
    const struct model_config *c;
    struct decoder *reader, *takes[MOST_TAKES];
    float *logits[MOST_TAKES];
    int n_read; /* by the reader: what all share, as much as leaves room for the steps */
};

/* n takes after `context` tokens; and what all runs have used of the processors. */
struct scene {
    const struct stage *stage;
    int context, n;
    double cpu_seconds;
    int n_steps;
};

static enum model_status stage_init(struct stage *s, const struct bench *b,
                                    const struct model *m)
{
    const int room = m->config.context - STEPS - 1; /* one step is not counted */
    *s = (struct stage){.c = &m->config, .n_read = at_most(MOST_READ, room)};
    enum model_status st = decoder_create(&s->reader, m, b->pool);
    for (int i = 0; !st && i < MOST_TAKES; i++) {
        st = decoder_create(&s->takes[i], m, b->pool);
        s->logits[i] = calloc((size_t)s->c->vocab, sizeof **s->logits);
        if (!s->logits[i])
            st = MODEL_NO_MEMORY;
    }
    return st || s->n_read <= 0 ? st : read_tokens(s->reader, s->c, s->n_read, NULL);
}

static void stage_fini(struct stage *s)
{
    for (int i = 0; i < MOST_TAKES; i++) {
        decoder_destroy(s->takes[i]);
        free(s->logits[i]);
    }
    decoder_destroy(s->reader);
}

static enum model_status step(const struct scene *s, int at)
{
    int32_t tokens[MOST_TAKES], times[MOST_TAKES];
    for (int i = 0; i < s->n; i++) {
        tokens[i] = token_at(s->stage->c, at * MOST_TAKES + i);
        times[i] = STEPS_APART * (s->context + at);
    }
    return decoder_step_many(s->stage->takes, s->n, tokens, times, s->stage->logits);
}

/* Of one step, after one that wakes the threads and warms the caches. */
static enum model_status run_steps(void *arg, double *seconds)
{
    struct scene *s = arg;
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < s->n; i++)
        st = decoder_copy(s->stage->takes[i], s->stage->reader, s->context);
    if (!st)
        st = step(s, 0);
    const double start = clock_now_seconds(),
                 used = bench_cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 1; !st && i <= STEPS; i++)
        st = step(s, i);
    *seconds = (clock_now_seconds() - start) / STEPS;
    s->cpu_seconds += bench_cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    s->n_steps += STEPS;
    return st;
}

static enum model_status measure_steps(const struct bench *b, const struct model *m,
                                       const char *part, const char *numbers,
                                       const int *sizes, int n_sizes)
{
    struct stage s;
    enum model_status st = stage_init(&s, b, m);
    for (int i = 0; !st && i < N_CONTEXTS && CONTEXTS[i] <= s.n_read; i++) {
        struct scene scenes[MOST_SIZES];
        struct turn_runner r[MOST_SIZES];
        for (int k = 0; k < n_sizes; k++) {
            scenes[k] = (struct scene){&s, CONTEXTS[i], sizes[k], 0, 0};
            r[k] = (struct turn_runner){.run = run_steps, .arg = &scenes[k]};
        }
        st = turns_run(r, n_sizes, &b->budget);
        for (int k = 0; !st && k < n_sizes; k++)
            bench_print(b, json_add(figure(b, part, numbers, sizes[k], &r[k].spread),
                                    "context %d takes %d step_ms %.3f step_cpu_ms %.3f "
                                    "cost_of_one %.2f",
                                    CONTEXTS[i], sizes[k], 1e3 * r[k].spread.median,
                                    1e3 * scenes[k].cpu_seconds / scenes[k].n_steps,
                                    r[k].spread.median / r[0].spread.median));
    }
    stage_fini(&s);
    return st;
}

static enum model_status measure_decode(const struct bench *b, const struct model *m,
                                        const char *numbers)
{
    return measure_steps(b, m, "decode", numbers, TAKES, sizeof TAKES / sizeof *TAKES);
}

static enum model_status measure_takes(const struct bench *b, const struct model *m,
                                       const char *numbers)
{
    return measure_steps(b, m, "takes", numbers, SIZES, MOST_SIZES);
}

int bench_decode(const struct bench *b)
{
    return each_precision(b, N_PRECISIONS, measure_decode);
}

int bench_takes(const struct bench *b)
{
    return each_precision(b, 1, measure_takes);
}

/* -- prefill: reading the context, all tokens at once, before the first new one -- */

static const int LENGTHS[] = {512, 1024};
enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };

struct reading {
    const struct model_config *c;
    struct decoder *d;
    float *logits;
    int n;
};

static enum model_status run_reading(void *arg, double *seconds)
{
    const struct reading *r = arg;
    double start = clock_now_seconds();
    enum model_status st = read_tokens(r->d, r->c, r->n, r->logits);
    *seconds = clock_now_seconds() - start;
    return st;
}

static enum model_status measure_reading(const struct bench *b, const struct model *m,
                                         const char *numbers)
{
    struct reading r = {.c = &m->config}, readings[N_LENGTHS];
    struct turn_runner runners[N_LENGTHS];
    int n = 0;
    enum model_status st = decoder_create(&r.d, m, b->pool);
    r.logits = calloc((size_t)r.c->vocab, sizeof *r.logits);
    if (!st && !r.logits)
        st = MODEL_NO_MEMORY;
    for (; n < N_LENGTHS && LENGTHS[n] <= r.c->context; n++) {
        readings[n] = r;
        readings[n].n = LENGTHS[n];
        runners[n] = (struct turn_runner){.run = run_reading, .arg = &readings[n]};
    }
    if (!st && n)
        st = turns_run(runners, n, &b->budget);
    for (int i = 0; !st && i < n; i++)
        bench_print(
            b, json_add(figure(b, "prefill", numbers, LENGTHS[i], &runners[i].spread),
                        "tokens %d", LENGTHS[i]));
    free(r.logits);
    decoder_destroy(r.d);
    return st;
}

/* int8 uses the products of bf16 there. */
int bench_prefill(const struct bench *b)
{
    return each_precision(b, 2, measure_reading);
}

/* -- from the start to the first token: the work of a new process before it can write a note. The
 * file is already in the system's cache -- */

enum { TOTAL, OPEN, CREATE, STEP, N_PARTS };

/* One start gives a sample to each part: that of TOTAL comes first and runs it. */
struct start {
    const struct bench *b;
    struct model_precision precision;
    double seconds[N_PARTS];
};

static enum model_status first_token(struct start *s, const struct model *m)
{
    struct decoder *d = NULL;
    struct pool *pool = pool_create(pool_n_threads(s->b->pool));
    float *logits = calloc((size_t)m->config.vocab, sizeof *logits);
    enum model_status st =
        pool && logits ? decoder_create(&d, m, pool) : MODEL_NO_MEMORY;
    s->seconds[CREATE] = clock_now_seconds();
    if (!st)
        st = decoder_step(d, token_at(&m->config, 1), 0, logits);
    s->seconds[STEP] = clock_now_seconds();
    decoder_destroy(d);
    pool_destroy(pool);
    free(logits);
    return st;
}

static enum model_status run_start(void *arg, double *seconds)
{
    struct start *s = arg;
    double begun = clock_now_seconds();
    struct model *m = NULL;
    if (open_model(&m, s->b, s->precision) || !m)
        return MODEL_NO_FILE;
    s->seconds[OPEN] = clock_now_seconds();
    enum model_status st = first_token(s, m);
    model_close(m);
    *seconds = s->seconds[STEP] - begun;
    for (int i = STEP; i > OPEN; i--)
        s->seconds[i] -= s->seconds[i - 1];
    s->seconds[OPEN] -= begun;
    return st;
}

static enum model_status take_part(void *arg, double *seconds)
{
    *seconds = *(const double *)arg;
    return MODEL_OK;
}

int bench_start(const struct bench *b)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < N_PRECISIONS; i++) {
        struct start s = {.b = b, .precision = PRECISIONS[i].precision};
        struct turn_runner r[N_PARTS] = {[TOTAL] = {.run = run_start, .arg = &s}};
        for (int k = OPEN; k < N_PARTS; k++)
            r[k] = (struct turn_runner){.run = take_part, .arg = &s.seconds[k]};
        st = turns_run(r, N_PARTS, &b->budget);
        if (!st)
            bench_print(
                b,
                json_add(cJSON_CreateObject(),
                         "part %s model %s numbers %s total_ms %.2f open_ms %.2f "
                         "create_ms %.2f first_token_ms %.2f",
                         "start", name_of(b), PRECISIONS[i].name,
                         1e3 * r[TOTAL].spread.median, 1e3 * r[OPEN].spread.median,
                         1e3 * r[CREATE].spread.median, 1e3 * r[STEP].spread.median));
    }
    return st == MODEL_NO_FILE ? 1 : bench_status(name_of(b), st); /* it was printed */
}

/* -- a training step: forward, backward and AdamW over 8 sequences -- */

enum { BATCH = 8, LENGTH = 512, N_TOKENS = BATCH * LENGTH };

struct lesson {
    struct trainer *trainer;
    struct train_batch batch;
};

static enum model_status run_lesson(void *arg, double *seconds)
{
    const struct lesson *l = arg;
    float loss;
    double start = clock_now_seconds();
    enum model_status st = trainer_step(l->trainer, &l->batch, &loss);
    *seconds = clock_now_seconds() - start;
    return st;
}

/* bf16 only where it is faster: the trainer would take f32 instead. */
static enum model_status measure_lessons(const struct bench *b, int32_t *tokens)
{
    const struct model_config c = shape_of(b);
    const int n = product_best(true) != product_best(false) ? 2 : 1;
    struct lesson lessons[2] = {0};
    struct turn_runner r[2];
    enum model_status st = MODEL_OK;
    for (int i = 0; i <= N_TOKENS; i++)
        tokens[i] = token_at(&c, i);
    for (int i = 0; !st && i < n; i++) {
        const struct train_options o = {.batch = BATCH,
                                        .length = LENGTH,
                                        .max_steps = 1 << 20,
                                        .lr = 1e-4f,
                                        .beta1 = 0.9f,
                                        .beta2 = 0.95f,
                                        .eps = 1e-8f,
                                        .weight_decay = 0.1f,
                                        .clip = 1,
                                        .seed = 1,
                                        .bf16 = i == 1};
        lessons[i].batch =
            (struct train_batch){.tokens = tokens, .targets = tokens + 1};
        r[i] = (struct turn_runner){.run = run_lesson, .arg = &lessons[i]};
        st = trainer_create(&lessons[i].trainer, &c, &o, NULL, b->pool);
    }
    if (!st)
        st = turns_run(r, n, &b->budget);
    for (int i = 0; i < n; i++) {
        if (!st)
            bench_print(b, json_add(figure(b, "train", PRECISIONS[i].name, N_TOKENS,
                                           &r[i].spread),
                                    "tokens %d", N_TOKENS));
        trainer_destroy(lessons[i].trainer);
    }
    return st;
}

int bench_train(const struct bench *b)
{
    struct bench of = *b;
    int32_t *tokens = calloc((size_t)N_TOKENS + 1, sizeof *tokens);
    of.shape_name = b->shape_name ? b->shape_name : SHAPES[0].name;
    enum model_status st = tokens ? measure_lessons(&of, tokens) : MODEL_NO_MEMORY;
    free(tokens);
    return bench_status("bench train", st);
}
