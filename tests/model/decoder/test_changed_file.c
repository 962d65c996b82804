/* A model's file that changes while the model is open: cut short, written over, replaced,
 * deleted. The model goes on as it was opened, of whatever type its weights are, and costs
 * the memory that is stated. */

#include "tests/model/draft.h"
#include "tests/model/variants.h"
#include "tests/spoil_file.h"

#include <malloc.h>

/* Of the model as it was saved, what the next token may be after a few. */
static void logits_of(const struct model *m, float *logits)
{
    auto_pool *pool = pool_create(1);
    auto_decoder *d = NULL;
    int32_t ids[24], times[24];
    for (int i = 0; i < 24; i++) {
        ids[i] = i * 7 % m->config.vocab;
        times[i] = i;
    }
    assert_non_null(pool);
    assert_ok(decoder_create(&d, m, pool));
    assert_ok(decoder_prefill(d, ids, times, 20, false, logits));
    for (int i = 20; i < 24; i++)
        assert_ok(decoder_step(d, ids[i], times[i], logits));
}

/* The weights are packed only when they are first stepped with, long after opening. */
TEST(the_model_stays_as_it_was_opened)
{
    static const enum tensor_type TYPES[] = {TENSOR_F32, TENSOR_BF16, TENSOR_I8};
    const struct model_config *c = &VARIANTS[0].config;
    const char *path = temp_path("model");
    auto_free float *is = calloc((size_t)c->vocab, sizeof *is),
                    *was = calloc((size_t)c->vocab, sizeof *was);
    for (int i = 0; i < 9; i++) {
        auto_model *m = random_model(c, 5);
        write_model(m, path, TYPES[i / 3]);
        auto_model *first = open_model(path), *again = open_model(path);
        logits_of(first, was);
        spoil_file(path, i % SPOIL_KINDS);
        logits_of(again, is);
        assert_memory_equal(is, was, (size_t)c->vocab * sizeof *is);
        assert_non_null(model_metadata(again, "config"));
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
        struct model *was = random_model(&c, 5);
        write_model(was, temp_path("model"), TYPES[i]);
        model_close(was);
        malloc_trim(0); /* what was freed costs nothing a second time */
        size_t before = own_bytes();
        auto_model *m = open_model(temp_path("model"));
        size_t cost = own_bytes() - before, weights = 4 * m->n_parameters;
        print_message("%zu bytes of weights cost %zu\n", weights, cost);
        assert_in_range(cost, weights - 65536, weights + weights / 20 + (1 << 18));
    }
}
