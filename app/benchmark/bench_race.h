/* Figures of speed and their limits. Runs take turns with reading as many bytes as each must
 * read, and with the peak of its arithmetic. */
#ifndef APP_BENCH_RACE_H
#define APP_BENCH_RACE_H

#include "app/benchmark/bench.h"
#include "model/weights/model.h"
#include "model/base/pool.h"

/* The peak arithmetic of this processor's threads: independent multiply-adds on registers and
 * nothing else. An operation is a multiplication or an addition, so a fused multiply-add is
 * two operations a lane. Main thread. */

enum peak {
    PEAK_PLAIN,  /* f32, C without intrinsics, in vectors of four */
    PEAK_AVX2,   /* f32, fused, eight lanes */
    PEAK_AVX512, /* f32, fused, sixteen lanes */
    PEAK_BF16,   /* vdpbf16ps: pairs of bf16, added up in f32 */
    PEAK_INT8,   /* vpdpbusd: fours of 8-bit whole numbers, added up in 32 bits */
    N_PEAKS,
};

const char *peak_name(enum peak p);
/* Whether this processor has the instructions; the others must not be run. */
bool peak_present(enum peak p);
/* p if it is present, else the widest f32, which does the work then. */
enum peak peak_or_f32(enum peak p);

/* Seconds for one operation while every thread of the pool works, measured over some
 * milliseconds. */
double peak_seconds(enum peak p, struct pool *pool);

/* How fast memory is read. Each thread of a pool reads its own part over and over, so a small
 * working set stays in the cache. */

struct bench_memory {
    char *at;
    size_t n_bytes;
};

/* Allocates the memory and writes it once, so that its pages exist. false: not enough. */
bool bench_memory_init(struct bench_memory *m, size_t n_bytes);
void bench_memory_fini(struct bench_memory *m);

/* Numbers to multiply, in [-0.5, 0.5); malloc'd, NULL: not enough memory. */
float *bench_numbers(size_t n);

/* Seconds to read the first n_bytes once with all threads, by the faster of two methods,
 * measured over some milliseconds of repetitions. n_bytes is at most the memory's. */
double bench_memory_read(const struct bench_memory *m, struct pool *pool,
                         size_t n_bytes);

/* -- limits -- */

/* The least time of a run: the longer of what its bytes take from memory and what its
 * multiply-adds take in the processor (the roofline of Williams, Waterman & Patterson
 * 2009). Only what must be read and computed counts, so no program quite reaches it. Pure
 * functions, any thread. */

/* How numbers are stored, and what multiplies them fastest: a row for each precision. */
struct precision_row {
    const char *name;
    struct model_precision precision;
    double weight_bytes, cache_bytes;  /* of a weight; of a number of a key or value */
    enum peak weight_peak, cache_peak; /* of products with either */
    bool in_prefill; /* has its own products there; int8 uses those of bf16 */
};
extern const struct precision_row PRECISIONS[];
extern const int N_PRECISIONS;

struct work {
    double bytes;
    double weight_products, cache_products; /* multiply-adds */
};

/* A step of `takes` takes after `context` tokens that all share: the weights and the
 * shared keys and values are read once for all, and the arithmetic is done for each.
 * Models without an encoder, here and below. */
struct work work_of_step(const struct model_config *c, const struct precision_row *p,
                         int context, int takes);
/* n tokens from an empty cache, with the logits of the last. */
struct work work_of_prefill(const struct model_config *c, const struct precision_row *p,
                            int n);
/* A step of AdamW over `batch` sequences of `length` tokens: the products forward and
 * twice as many backward; weights in f32 and both moments read and written. */
struct work work_of_training(const struct model_config *c, int batch, int length);

struct limit {
    double seconds;
    bool by_memory; /* else by arithmetic */
};

/* What was measured, in seconds: reading all bytes of the work, and one operation of
 * either kind of product; a multiply-add is two. */
struct rates {
    double bytes, weight_operation, cache_operation;
};
struct limit limit_of(const struct work *w, const struct rates *r);

/* -- figures -- */

struct figure {
    /* What is measured. Texts are borrowed. */
    const char *subject; /* "S" */
    const struct precision_row *precision;
    int context, n;   /* tokens before; takes, each of a token, or tokens of a run */
    struct work work; /* of one run */
    enum model_status (*run)(void *arg, double *seconds); /* as turn_runner has it */
    void *arg;

    /* What is found, for one run. */
    struct turn_spread seconds;
    struct limit limit;
};

enum { MOST_FIGURES = 16 };

/* Measures and reports n figures, at most MOST_FIGURES; the names are report_figure's. */
enum model_status bench_race(const struct bench *b, const char *part,
                             const char *n_name, struct figure *f, int n);

/* How `continuo bench` prints: tables of at most 100 columns, or JSON. Main thread. */

/* Prints the heading of a table; n names what the figures' n counts: "takes". Prints nothing
 * for JSON. */
void report_heading(const struct bench *b, const char *title, const char *n);
/* Prints a line, or adds an object to the array `part` of the JSON, with n by the name `n`. */
void report_figure(const struct bench *b, const char *part, const char *n,
                   const struct figure *f);

/* The array `part` of the JSON, made if it is missing; NULL if `json` is. */
struct cJSON *report_list(struct cJSON *json, const char *part);

/* Says what went wrong with `subject` and returns 1; 0 for MODEL_OK. */
int report_status(const char *subject, enum model_status st);

/* Prints what machine this is, or adds it to the JSON as "machine". */
void bench_about(const struct bench *b);

/* Whether OpenBLAS runs the kernels of a core without AVX-512 on a processor that has it. */
bool about_core_is_slow(const char *core, bool has_avx512);

/* The models that are measured: three shapes with random weights, which decode as fast as
 * trained ones, and the bundled one. Main thread. */

/* S, M, L and the bundled one (or that of --model). */
enum { SUBJECT_S, SUBJECT_M, SUBJECT_L, SUBJECT_FILE, N_SUBJECTS };

const char *subject_name(int i); /* "S", "M", "L", "bundled" */
/* Whether b requests it. */
bool subject_wanted(const struct bench *b, int i);
/* The shape of subject i, which is not the bundled one. */
struct model_config subject_shape(const struct bench *b, int i);

/* Opens the model; the caller closes it. Returns the exit status, after saying what went
 * wrong. */
int subject_open(struct model **m, const struct bench *b, int i,
                 struct model_precision p);

/* The i-th token to read (any that the model has) and its time. */
int32_t subject_token(const struct model_config *c, int i);
int32_t subject_time(int i);
/* The decoder reads n tokens in matrix form, from an empty cache; logits [vocab] of the
 * last, or NULL. */
struct decoder;
enum { SUBJECT_MOST_READ = 1900 };
enum model_status subject_read(struct decoder *d, const struct model_config *c, int n,
                               float *logits);

/* Calls run for every requested model at every precision (of prefill, or of single steps).
 * Returns the exit status. */
int subjects_each(const struct bench *b, bool prefill,
                  int (*run)(const struct bench *b, const struct model *m,
                             const char *name, const struct precision_row *p));

#endif
