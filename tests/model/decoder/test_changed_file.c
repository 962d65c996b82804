/* A model's file that changes while the model is open: cut short, written over, replaced,
 * deleted. The model goes on as it was opened, of whatever type its weights are, and costs
 * the memory that is stated. */

#include "model/decoder/decoder.h"
#include "model/base/pool.h"
#include "model/weights/quantise.h"
#include "model/weights/safetensors.h"
#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/model/temp_file.h"
#include "tests/model/variants.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>

static const char *path(void)
{
    return temp_path("model");
}

/* Of the model as it was saved, what the next token may be after a few. */
static void logits_of(const struct model *m, float *logits)
{
    auto_pool *pool = pool_create(1);
    struct decoder *d;
    int32_t ids[24], times[24];
    for (int i = 0; i < 24; i++) {
        ids[i] = i * 7 % model_config(m)->vocab;
        times[i] = i;
    }
    assert_non_null(pool);
    assert_ok(decoder_create(&d, m, pool));
    assert_ok(decoder_prefill(d, ids, times, 20, false, logits));
    for (int i = 20; i < 24; i++)
        assert_ok(decoder_step(d, ids[i], times[i], logits));
    decoder_destroy(d);
}

static void write_f32(const struct model_config *c, const struct metadata *about)
{
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(c, &list, &n_floats);
    auto_free float *block = calloc(n_floats, sizeof *block);
    auto_free struct tensor *tensors = calloc(n, sizeof *tensors);
    assert_true(n && block && tensors);
    model_init_block(block, c, 5);
    for (size_t i = 0; i < n; i++)
        tensors[i] = tensor_of(&list[i], TENSOR_F32, block + list[i].offset);
    assert_ok(safetensors_save(path(), tensors, n, about, 1));
    free(list);
}

static void write_model(const struct model_config *c, enum tensor_type type)
{
    struct model *m;
    struct quantise_error error;
    auto_free char *config = model_config_json(c);
    const struct metadata about = {"config", config};
    assert_non_null(config);
    if (type == TENSOR_F32) {
        write_f32(c, &about);
    } else {
        assert_ok(model_random(&m, c, 5));
        assert_ok(quantise_save(m, path(), type, &about, 1, &error));
        model_close(m);
    }
}

static void cut_short(void)
{
    assert_int_equal(truncate(path(), 100), 0);
}

static void write_over(void)
{
    struct stat s;
    int fd = open(path(), O_WRONLY);
    assert_true(fd >= 0 && !fstat(fd, &s));
    for (off_t at = 0; at < s.st_size; at += 16)
        assert_int_equal(pwrite(fd, "written over it!", 16, at), 16);
    close(fd);
}

static void delete (void)
{
    assert_int_equal(unlink(path()), 0);
}

/* The weights are packed only when they are first stepped with, long after opening. */
TEST(the_model_stays_as_it_was_opened)
{
    static void (*const CHANGES[])(void) = {cut_short, write_over, delete};
    static const enum tensor_type TYPES[] = {TENSOR_F32, TENSOR_BF16, TENSOR_I8};
    const struct model_config *c = &VARIANTS[0].config;
    auto_free float *is = calloc((size_t)c->vocab, sizeof *is),
                    *was = calloc((size_t)c->vocab, sizeof *was);
    for (int i = 0; i < 9; i++) {
        struct model *m;
        char detail[96];
        write_model(c, TYPES[i / 3]);
        assert_ok(model_open(&m, path(), detail, sizeof detail));
        logits_of(m, was);
        model_close(m);
        assert_ok(model_open(&m, path(), detail, sizeof detail));
        CHANGES[i % 3]();
        logits_of(m, is);
        assert_memory_equal(is, was, (size_t)c->vocab * sizeof *is);
        assert_string_equal(model_metadata(m, "config") ? "has" : "lost", "has");
        model_close(m);
    }
}

/* -- what it costs -- */

/* Memory of the process that is of no file. */
static size_t own_bytes(void)
{
    char line[256];
    size_t kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "RssAnon: %zu kB", &kilobytes);
    fclose(f);
    return kilobytes * 1024;
}

/* A file in f32 costs its size; one in fewer bits four bytes a weight, and its own bytes
 * only while it is opened. */
TEST(a_model_costs_four_bytes_a_weight)
{
    static const enum tensor_type TYPES[] = {TENSOR_F32, TENSOR_BF16, TENSOR_I8};
    const struct model_config c = {SIZES(300, 300, 256, 4, 4, 1024)};
#ifdef __SANITIZE_THREAD__
    skip(); /* its shadows of memory are memory, too */
#endif
    for (int i = 0; i < 3; i++) {
        struct model *m;
        char detail[96];
        write_model(&c, TYPES[i]);
        malloc_trim(0); /* what was freed costs nothing a second time */
        size_t before = own_bytes();
        assert_ok(model_open(&m, path(), detail, sizeof detail));
        size_t cost = own_bytes() - before, weights = 4 * model_n_parameters(m);
        print_message("%zu bytes of weights cost %zu\n", weights, cost);
        assert_in_range(cost, weights - 65536, weights + weights / 20 + (1 << 18));
        model_close(m);
    }
}
