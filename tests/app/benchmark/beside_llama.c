/* Our decoder beside llama.cpp's, in turns and in one process: what PERFORMANCE.md's ratios
 * are. Not a test: `make beside-llama LLAMA=FOLDER`, with the folder of its shared
 * libraries (npm's @node-llama-cpp/linux-x64 has a build for each kind of processor).
 *
 * Both have models of the same shape with random weights. Each call of either begins with
 * a step that is not counted, after a rest in which the other's threads have gone to sleep;
 * llama.cpp runs on threads that stay from step to step (as llama-bench's do) and are gone
 * when it is our turn, as they would spin on; with and without flash attention, and the
 * faster counts. Its interface is that of release v0.5.0;
 * another one is noticed by its defaults, and refused. */
#include "app/benchmark/bench_race.h"
#include "midi/base/clock.h"
#include "model/decoder/decoder.h"
#include "tests/app/benchmark/random_gguf.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 16, TAKES = 8, SHARED = 512, N_CACHE = 4096, MOST_BATCH = 1024 };
enum { NO_FLASH, FLASH, N_ATTENTIONS };

/* -- llama.cpp's interface, as far as it is used -- */

struct llama_batch {
    int32_t n_tokens;
    int32_t *token;
    float *embd;
    int32_t *pos;
    int32_t *n_seq_id;
    int32_t **seq_id;
    int8_t *logits;
};

/* Handed over by value, on the stack: what is read is its beginning. */
struct llama_model_params {
    _Alignas(8) unsigned char bytes[512];
};

struct llama_context_params {
    uint32_t n_ctx, n_batch, n_ubatch, n_seq_max, n_rs_seq, n_outputs[2];
    int32_t n_threads, n_threads_batch;
    int32_t ctx_type, rope_scaling_type, pooling_type, attention_type, flash_attn_type;
    float rope[6];
    uint32_t yarn_orig_ctx;
    float defrag_thold;
    void *cb_eval, *cb_eval_user_data;
    int32_t type_k, type_v;
    void *abort_callback, *abort_callback_data;
    bool embeddings, offload_kqv, no_perf, op_offload, swa_full, kv_unified;
    unsigned char rest[512];
};

/* Its functions, by their names there: what each returns, its name, what it takes. */
#define FUNCTIONS(X)                                                                   \
    X(void, ggml_backend_load_all_from_path, (const char *))                           \
    X(void *, ggml_backend_reg_by_name, (const char *))                                \
    X(void *, ggml_backend_reg_get_proc_address, (void *reg, const char *name))        \
    X(void, ggml_threadpool_params_init, (void *params, int n_threads))                \
    X(void, llama_backend_init, (void))                                                \
    X(void, llama_log_set, (void (*)(int, const char *, void *), void *))              \
    X(struct llama_model_params, llama_model_default_params, (void))                   \
    X(struct llama_context_params, llama_context_default_params, (void))               \
    X(void *, llama_model_load_from_file, (const char *, struct llama_model_params))   \
    X(void *, llama_init_from_model, (void *model, struct llama_context_params))       \
    X(void, llama_attach_threadpool,                                                   \
      (void *context, void *pool, void *pool_of_batches))                              \
    X(void, llama_detach_threadpool, (void *context))                                  \
    X(void *, llama_get_memory, (void *context))                                       \
    X(void, llama_memory_clear, (void *memory, bool data))                             \
    X(bool, llama_memory_seq_rm, (void *memory, int32_t, int32_t from, int32_t to))    \
    X(void, llama_memory_seq_cp,                                                       \
      (void *memory, int32_t, int32_t, int32_t from, int32_t to))                      \
    X(struct llama_batch, llama_batch_init,                                            \
      (int32_t n, int32_t embd, int32_t n_seq_max))                                    \
    X(int32_t, llama_decode, (void *context, struct llama_batch))                      \
    X(float *, llama_get_logits_ith, (void *context, int32_t i))                       \
    X(void, llama_free, (void *context))                                               \
    X(void, llama_model_free, (void *model))

#define POINTER(type, name, arguments) type(*name) arguments;
static struct {
    FUNCTIONS(POINTER)
} theirs;

static void stop(const char *what)
{
    fprintf(stderr, "beside_llama: %s\n", what);
    exit(1);
}

static void find(void *place, void *const *libraries, const char *name)
{
    for (int i = 0; i < 3; i++) {
        void *symbol = dlsym(libraries[i], name);
        if (symbol) {
            memcpy(place, &symbol, sizeof symbol);
            return;
        }
    }
    stop(name);
}

/* The library whose file begins so: its version is in its name. */
static void *open_library(const char *folder, const char *prefix)
{
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s*", folder, prefix);
    if (glob(pattern, 0, NULL, &found))
        stop(pattern);
    void *library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        stop(dlerror());
    globfree(&found);
    return library;
}

static void quiet(int level, const char *text, void *data)
{
    (void)data;
    if (level == 4) /* errors */
        fputs(text, stderr);
}

static void load(const char *folder)
{
    void *libraries[] = {open_library(folder, "libggml-base."),
                         open_library(folder, "libggml."),
                         open_library(folder, "libllama.")};
#define FIND(type, name, arguments) find(&theirs.name, libraries, #name);
    FUNCTIONS(FIND)
#undef FIND
    theirs.llama_log_set(quiet, NULL);
    theirs.ggml_backend_load_all_from_path(folder);
    theirs.llama_backend_init();
    struct llama_context_params p = theirs.llama_context_default_params();
    if (p.n_ctx != 512 || p.n_threads != 4 || p.n_threads_batch != 4 ||
        p.flash_attn_type != -1 || p.type_k != 1 || !p.offload_kqv || p.kv_unified)
        stop("the interface of this llama.cpp is another one");
}

/* -- one of them ready to decode -- */

struct llama {
    void *model, *context, *pool; /* pool: attached in its turn */
    struct llama_batch batch;
};

/* As many that stay, of a pool that waits to be attached. */
static void *new_pool(int n_threads)
{
    _Alignas(16) unsigned char params[1024];
    void *(*create)(void *params);
    void *reg = theirs.ggml_backend_reg_by_name("CPU");
    void *symbol =
        reg ? theirs.ggml_backend_reg_get_proc_address(reg, "ggml_threadpool_new")
            : NULL;
    if (!symbol)
        stop("it has no threads of its own");
    memcpy(&create, &symbol, sizeof symbol);
    theirs.ggml_threadpool_params_init(params, n_threads);
    return create(params);
}

static struct llama open_llama(const char *path, int n_threads, bool flash)
{
    struct llama l = {
        .model = theirs.llama_model_load_from_file(path,
                                                   theirs.llama_model_default_params()),
        .pool = new_pool(n_threads),
        .batch = theirs.llama_batch_init(MOST_BATCH, 0, 1),
    };
    struct llama_context_params p = theirs.llama_context_default_params();
    p.n_ctx = N_CACHE;
    p.n_seq_max = TAKES;
    p.n_threads = p.n_threads_batch = n_threads;
    p.flash_attn_type = flash;
    p.kv_unified = true; /* the takes share what they go on from */
    l.context = l.model ? theirs.llama_init_from_model(l.model, p) : NULL;
    if (!l.context)
        stop("it cannot open the model");
    return l;
}

static void close_llama(struct llama *l)
{
    theirs.llama_free(l->context);
    theirs.llama_model_free(l->model);
}

/* -- the scenes, for either -- */

struct scene {
    const struct model_config *c;
    int context, n_takes; /* n_takes 0: it is read, not gone on from */
    /* One of the two: */
    struct decoder *reader, **takes;
    struct llama *llama;
};

static void rest(void)
{
    const struct timespec some = {.tv_nsec = 5 * 1000 * 1000};
    nanosleep(&some, NULL);
}

static void llama_add(struct llama_batch *b, int32_t token, int at, int take,
                      bool wanted)
{
    int i = b->n_tokens++;
    b->token[i] = token;
    b->pos[i] = at;
    b->n_seq_id[i] = 1;
    b->seq_id[i][0] = take;
    b->logits[i] = wanted;
}

static enum model_status llama_read(const struct scene *s)
{
    struct llama *l = s->llama;
    theirs.llama_memory_clear(theirs.llama_get_memory(l->context), false);
    for (int done = 0; done < s->context;) {
        l->batch.n_tokens = 0;
        for (; l->batch.n_tokens < MOST_BATCH && done < s->context; done++)
            llama_add(&l->batch, subject_token(s->c, done), done, 0,
                      done == s->context - 1);
        if (theirs.llama_decode(l->context, l->batch))
            stop("llama_decode failed");
    }
    return MODEL_OK;
}

/* float *: read, so that it has been reckoned. */
static volatile float seen;

static void llama_step(const struct scene *s, int at)
{
    struct llama *l = s->llama;
    l->batch.n_tokens = 0;
    for (int i = 0; i < s->n_takes; i++)
        llama_add(&l->batch, subject_token(s->c, at * TAKES + i), s->context + at, i,
                  true);
    if (theirs.llama_decode(l->context, l->batch))
        stop("llama_decode failed");
    for (int i = 0; i < s->n_takes; i++)
        seen = theirs.llama_get_logits_ith(l->context, i)[0];
}

/* All takes go on from the first's tokens, and none from what an earlier run added. */
static void llama_go_back(const struct scene *s)
{
    void *memory = theirs.llama_get_memory(s->llama->context);
    for (int i = 0; i < s->n_takes; i++)
        theirs.llama_memory_seq_rm(memory, i, i ? 0 : s->context, -1);
    for (int i = 1; i < s->n_takes && s->context; i++)
        theirs.llama_memory_seq_cp(memory, 0, i, 0, s->context);
}

/* A step without the pool pauses it, whose threads would spin on in our turn. */
static void let_threads_sleep(const struct scene *s)
{
    struct llama *l = s->llama;
    theirs.llama_detach_threadpool(l->context);
    l->batch.n_tokens = 0;
    llama_add(&l->batch, 0, s->context + (s->n_takes ? STEPS + 1 : 0), 0, true);
    if (theirs.llama_decode(l->context, l->batch))
        stop("llama_decode failed");
}

static enum model_status run_theirs(void *arg, double *seconds)
{
    const struct scene *s = arg;
    rest();
    theirs.llama_attach_threadpool(s->llama->context, s->llama->pool, s->llama->pool);
    if (s->n_takes) {
        llama_go_back(s);
        llama_step(s, 0);
    }
    double start = clock_now_seconds();
    if (!s->n_takes)
        llama_read(s);
    for (int i = 1; s->n_takes && i <= STEPS; i++)
        llama_step(s, i);
    *seconds = (clock_now_seconds() - start) / (s->n_takes ? STEPS : 1);
    let_threads_sleep(s);
    return MODEL_OK;
}

static enum model_status our_step(const struct scene *s, int at)
{
    static float logits[TAKES][512];
    float *all[TAKES];
    int32_t tokens[TAKES], times[TAKES];
    for (int i = 0; i < s->n_takes; i++) {
        all[i] = logits[i];
        tokens[i] = subject_token(s->c, at * TAKES + i);
        times[i] = subject_time(s->context + at);
    }
    return decoder_step_many(s->takes, s->n_takes, tokens, times, all);
}

static enum model_status run_ours(void *arg, double *seconds)
{
    static float logits[512];
    const struct scene *s = arg;
    enum model_status st = MODEL_OK;
    rest();
    for (int i = 0; !st && i < s->n_takes; i++)
        st = decoder_copy(s->takes[i], s->reader, s->context);
    if (!st && s->n_takes)
        st = our_step(s, 0);
    double start = clock_now_seconds();
    if (!st && !s->n_takes)
        st = subject_read(s->reader, s->c, s->context, logits);
    for (int i = 1; !st && s->n_takes && i <= STEPS; i++)
        st = our_step(s, i);
    *seconds = (clock_now_seconds() - start) / (s->n_takes ? STEPS : 1);
    return st;
}

/* -- a row of the table -- */

struct pair {
    struct decoder *reader, *takes[TAKES];
    struct llama llama[N_ATTENTIONS];
    const struct model_config *c;
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void compare(struct pair *p, const char *what, int context, int n_takes)
{
    const struct turn_budget budget = {.seconds = 1.5, .rounds = 9};
    struct scene ours = {p->c, context, n_takes, p->reader, p->takes, NULL}, his[2];
    struct turn_runner r[3] = {{.run = run_ours, .arg = &ours}};
    for (int i = 0; i < N_ATTENTIONS; i++) {
        his[i] = (struct scene){p->c, context, n_takes, NULL, NULL, &p->llama[i]};
        r[1 + i] = (struct turn_runner){.run = run_theirs, .arg = &his[i]};
        if (n_takes)
            llama_read(&his[i]);
    }
    if ((n_takes && context && subject_read(p->reader, p->c, context, NULL)) ||
        turns_run(r, 3, &budget))
        stop("ours failed");
    double tokens = n_takes ? n_takes : context;
    double best = smaller(r[1].spread.median, r[2].spread.median);
    printf("%-28s %8.0f %8.0f %8.0f   %5.2f\n", what, tokens / r[0].spread.median,
           tokens / r[1].spread.median, tokens / r[2].spread.median,
           best / r[0].spread.median);
    fflush(stdout);
}

static void open_pair(struct pair *p, const struct model *m, struct pool *pool,
                      const char *path)
{
    p->c = &m->config;
    bool failed = decoder_create(&p->reader, m, pool) != MODEL_OK;
    for (int i = 0; i < TAKES; i++)
        failed |= decoder_create(&p->takes[i], m, pool) != MODEL_OK;
    if (failed)
        stop("no memory");
    for (int i = 0; i < N_ATTENTIONS; i++)
        p->llama[i] = open_llama(path, pool_n_threads(pool), i == FLASH);
}

static void close_pair(struct pair *p)
{
    for (int i = 0; i < N_ATTENTIONS; i++)
        close_llama(&p->llama[i]);
    for (int i = 0; i < TAKES; i++)
        decoder_destroy(p->takes[i]);
    decoder_destroy(p->reader);
}

static void compare_all(struct pair *p, const char *shape, const char *precision,
                        int n_threads)
{
    char what[64];
#define ROW(text, context, n_takes)                                                    \
    snprintf(what, sizeof what, "%s %s %d: %s", shape, precision, n_threads, text);    \
    compare(p, what, context, n_takes)
    ROW("context 1", 1, 1);
    ROW("context 1900", SUBJECT_MOST_READ, 1);
    if (n_threads == 1)
        return;
    ROW("1 take on 512", SHARED, 1);
    ROW("8 takes on 512", SHARED, TAKES);
    ROW("prefill 512", SHARED, 0);
    ROW("prefill 1024", 2 * SHARED, 0);
#undef ROW
}

static void compare_shape(int subject, int precision, int n_threads)
{
    char path[64];
    const struct bench b = {.only = NULL};
    const struct precision_row *row = &PRECISIONS[precision];
    enum gguf_type type = row->weight_bytes < 2   ? GGUF_Q8_0
                          : row->weight_bytes < 4 ? GGUF_BF16
                                                  : GGUF_F32;
    struct model_config c = subject_shape(&b, subject);
    struct model *m;
    struct pair p;
    struct pool *pool = pool_create(n_threads);
    snprintf(path, sizeof path, "/tmp/beside-llama-%d.gguf", (int)getpid());
    if (!pool || subject_open(&m, &b, subject, row->precision) ||
        !random_gguf_write(path, &c, type))
        stop("no model");
    open_pair(&p, m, pool, path);
    unlink(path);
    compare_all(&p, subject_name(subject), row->name, n_threads);
    close_pair(&p);
    model_close(m);
    pool_destroy(pool);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        stop("FOLDER [SHAPES [PRECISIONS [THREADS]]], as in: FOLDER SM int8,bf16 12");
    const char *shapes = argc > 2 ? argv[2] : "SM";
    const char *precisions = argc > 3 ? argv[3] : "bf16,int8";
    const char *threads = argc > 4 ? argv[4] : "21";
    load(argv[1]);
    printf("%-28s %8s %8s %8s   %s\n", "tokens a second", "ours", "llama", "flash",
           "ratio to the faster");
    for (int i = 0; i < SUBJECT_FILE; i++)
        for (int k = 0; k < N_PRECISIONS; k++)
            for (const char *n = threads; *n; n++)
                if (strchr(shapes, *subject_name(i)) &&
                    strstr(precisions, PRECISIONS[k].name))
                    compare_shape(i, k, *n - '0');
    return 0;
}
