/* Weights in eight bits: rows there and back, models written and opened, and every way
 * in which a file's integers and scales may be wrong. */
#include "model/kernels/bf16.h"
#include "tests/check.h"
#include "tests/model/draft.h"
#include "tests/model/random.h"
#include "tests/model/variants.h"

#include <float.h>

enum { N = 257 };

/* --- rows --- */

/* Every number is moved by half a step at most, the largest reaches the end, and
 * what is read is written again as it was, to the bit. */
static void assert_row(const float *row, size_t n)
{
    int8_t eight[N], again[N];
    float wide[N];
    int largest = 0;
    float scale = quantise_row(eight, row, n);
    quantise_widen_row(wide, eight, scale, n);
    for (size_t i = 0; i < n; i++) {
        largest = abs(eight[i]) > largest ? abs(eight[i]) : largest;
        assert_true(fabsf(wide[i] - row[i]) <= scale * 0.501f);
    }
    assert_int_equal(largest, QUANTISE_MAX);
    float scale_again = quantise_row(again, wide, n);
    assert_memory_equal(&scale, &scale_again, sizeof scale);
    assert_memory_equal(eight, again, n);
}

TEST(rows_come_back)
{
    float row[N];
    for (int exponent = -110; exponent <= 127; exponent++)
        for (size_t n = 1; n <= N; n += 64) {
            fill_random(row, n, ldexpf(1.0f, exponent));
            row[n - 1] = ldexpf(0.75f, exponent); /* n = 1 is not all zeros */
            assert_row(row, n);
        }
    row[0] = FLT_MAX;
    row[1] = -FLT_MAX;
    assert_row(row, 2);
}

TEST(rows_of_nothing_have_no_scale)
{
    const float nothing[3] = {0.0f, -0.0f, 0.0f}, little[3] = {1e-38f, -1e-37f, 1e-45f};
    int8_t eight[3] = {1, 2, 3};
    const int8_t zeros[3] = {0};
    assert_true(quantise_row(eight, nothing, 3) == 0.0f);
    assert_memory_equal(eight, zeros, 3);
    eight[1] = 7;
    assert_true(quantise_row(eight, little, 3) == 0.0f);
    assert_memory_equal(eight, zeros, 3);
}

static float bf16_of(float x)
{
    uint32_t bits = (uint32_t)bf16_round(x) << 16;
    memcpy(&x, &bits, sizeof x);
    return x;
}

TEST(bf16_is_the_nearest)
{
    assert_true(bf16_of(1.0f) == 1.0f);
    assert_true(bf16_of(-0x1.01p0f) == -1.0f);      /* a tie, to even */
    assert_true(bf16_of(0x1.03p0f) == 0x1.04p0f);   /* a tie, to even */
    assert_true(bf16_of(0x1.0101p0f) == 0x1.02p0f); /* past the tie */
    assert_true(bf16_of(FLT_MAX) == 0x1.fep127f);
    assert_true(bf16_of(-FLT_MAX) == -0x1.fep127f);
    assert_true(bf16_of(0.0f) == 0.0f);
    assert_true(bf16_of(-INFINITY) == -INFINITY);
    for (int i = 0; i < 4; i++) {
        static const uint32_t NANS[] = {0x7f800001, 0x7fffffff, 0xffc00000, 0xffff8000};
        float x;
        memcpy(&x, &NANS[i], sizeof x);
        assert_true(isnan(bf16_of(x)) && !signbit(bf16_of(x)) == !signbit(x));
    }
}

/* --- models --- */

static void save(const struct model *m, const char *to, enum tensor_type type,
                 struct quantise_error *error)
{
    auto_free char *config = model_config_json(&m->config);
    const struct metadata about[] = {{"config", config}, {"more", "kept"}};
    assert_ok(quantise_save(m, NULL, to, type, about, 2, error));
}

/* In eight bits what may be, and the rest as it was. */
static void assert_tensor(const struct model_tensor *t, const float *is,
                          const float *was)
{
    size_t rows = (size_t)t->shape[0], columns = (size_t)t->shape[1];
    auto_free int8_t *eight = calloc(columns, sizeof *eight);
    auto_free float *wide = calloc(columns, sizeof *wide);
    for (size_t row = 0; row < rows; row++, is += columns, was += columns) {
        if (quantise_may_be_int8(t))
            quantise_widen_row(wide, eight, quantise_row(eight, was, columns), columns);
        else
            memcpy(wide, was, columns * sizeof *wide);
        assert_memory_equal(is, wide, columns * sizeof *wide);
    }
}

static void assert_models(const struct model *is, const struct model *was)
{
    auto_free struct model_tensor *now = NULL, *then = NULL;
    size_t n_floats, n = model_tensors(&was->config, &was->weights, &then, &n_floats);
    assert_int_equal(model_tensors(&is->config, &is->weights, &now, &n_floats), n);
    for (size_t i = 0; i < n; i++)
        assert_tensor(&then[i], now[i].at, then[i].at);
}

static void assert_same_files(void)
{
    char command[160];
    int n =
        snprintf(command, sizeof command, "cmp %s %s", temp_path("a"), temp_path("b"));
    assert_in_range(n, 1, sizeof command - 1);
    assert_int_equal(system(command), 0);
}

static void assert_variant(const struct model_config *c)
{
    auto_model *was = random_model(c, 17);
    struct quantise_error error, again;
    save(was, temp_path("a"), TENSOR_I8, &error);
    auto_model *is = open_model(temp_path("a"));
    assert_models(is, was);
    assert_true(error.largest > 0 && error.largest < 0.02);
    assert_true(error.mean > 0 && error.mean <= error.largest);
    assert_true(error.n_rows > (size_t)c->vocab);

    save(is, temp_path("b"), TENSOR_I8, &again);
    assert_same_files();
    assert_true(again.largest == 0 && again.n_rows == error.n_rows);
}

TEST(every_variant_comes_back)
{
    for (int i = 0; i < N_VARIANTS; i++)
        assert_variant(&VARIANTS[i].config);
}

TEST(which_tensors_are_in_eight_bits)
{
    static const char *const names[] = {"token_embedding.weight", "head.weight",
                                        "layers.0.attn.qkv.weight",
                                        "layers.1.ff2.weight"};
    static const char *const not [] = {"position_embedding.weight", "norm.weight",
                                       "layers.0.ff1.bias", "layers.0.attn.time_key"};
    auto_model *m =
        random_model(&VARIANTS[7].config, 17); /* learned, time in buckets */
    struct quantise_error error;
    auto_safetensors *f = NULL;
    char scales[96];
    save(m, temp_path("a"), TENSOR_I8, &error);
    assert_ok(safetensors_open(&f, temp_path("a"), NULL, 0, NULL, 0));
    for (size_t i = 0; i < 4; i++) {
        const struct tensor *t = safetensors_find(f, names[i]);
        snprintf(scales, sizeof scales, "%s_scale", names[i]);
        assert_int_equal(t->type, TENSOR_I8);
        assert_int_equal(safetensors_find(f, scales)->shape[0], t->shape[0]);
        assert_int_not_equal(safetensors_find(f, not [i])->type, TENSOR_I8);
    }
}

/* What bf16 says exactly stays in it, beside matrices in eight bits. */
TEST(halves_stay_halves)
{
    auto_model *exact = random_model(&VARIANTS[7].config, 17);
    struct quantise_error error;
    auto_safetensors *f = NULL;
    save(exact, temp_path("a"), TENSOR_BF16, &error);
    assert_true(error.largest > 0 && error.largest < 0x1p-8);
    auto_model *was = open_model(temp_path("a"));
    save(was, temp_path("b"), TENSOR_BF16, &error);
    assert_same_files();
    assert_true(error.largest == 0);
    save(was, temp_path("b"), TENSOR_I8, &error);
    auto_model *is = open_model(temp_path("b"));
    assert_models(is, was);
    assert_string_equal(model_metadata(is, "more"), "kept");
    assert_ok(safetensors_open(&f, temp_path("b"), NULL, 0, NULL, 0));
    assert_int_equal(safetensors_find(f, "position_embedding.weight")->type,
                     TENSOR_BF16);
}

TEST(the_mean_of_two_models_is_written)
{
    auto_model *a = random_model(&VARIANTS[7].config, 17);
    auto_model *b = random_model(&VARIANTS[7].config, 18);
    auto_free char *config = model_config_json(&a->config);
    const struct metadata about[] = {{"config", config}};
    auto_free struct model_tensor *of_a = NULL, *of_b = NULL, *of_mean = NULL;
    struct quantise_error error;
    size_t n_floats;
    assert_ok(quantise_save(a, b, temp_path("a"), TENSOR_BF16, about, 1, &error));
    auto_model *mean = open_model(temp_path("a"));
    const size_t n = model_tensors(&a->config, &a->weights, &of_a, &n_floats);
    model_tensors(&b->config, &b->weights, &of_b, &n_floats);
    model_tensors(&mean->config, &mean->weights, &of_mean, &n_floats);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < model_tensor_size(&of_a[i]); k++)
            assert_true(of_mean[i].at[k] ==
                        bf16_of(of_a[i].at[k] / 2 + of_b[i].at[k] / 2));
}

TEST(metadata_is_listed)
{
    auto_model *was = random_model(&VARIANTS[0].config, 17);
    struct quantise_error error;
    auto_free struct metadata *list = NULL;
    assert_int_equal(model_list_metadata(was, &list), 0);
    assert_null(list);
    save(was, temp_path("a"), TENSOR_I8, &error);
    auto_model *m = open_model(temp_path("a"));
    assert_int_equal(model_list_metadata(m, &list), 2);
    assert_string_equal(list[0].key, "config");
    assert_string_equal(list[1].key, "more");
    assert_string_equal(list[1].value, "kept");
    assert_int_equal(
        quantise_save(m, NULL, "/nowhere/at/all", TENSOR_I8, NULL, 0, &error),
        MODEL_CANNOT_WRITE);
}

/* --- files that are not to be trusted --- */

static struct draft draft(void)
{
    auto_model *m = random_model(&VARIANTS[7].config, 17);
    return draft_of(m, TENSOR_I8);
}

#define MATRIX "layers.1.ff1.weight"
#define SCALES MATRIX "_scale"

/* The last scale of seventy is no good, or the first is, but not with its integers; scales are
 * misshapen; other tensors are in eight bits; and scales are missing. */
TEST(bad_scales_are_named)
{
    enum { ROWS = 70, WIDTH = 36 };
    static const struct draft_fault FAULTS[] = {
        {SCALES, 1, ROWS, TENSOR_F32, ROWS - 1, NAN},
        {SCALES, 1, ROWS, TENSOR_F32, ROWS - 1, INFINITY},
        {SCALES, 1, ROWS, TENSOR_F32, ROWS - 1, -INFINITY},
        {SCALES, 1, ROWS, TENSOR_F32, ROWS - 1, -1e-3f},
        {SCALES, 1, ROWS, TENSOR_F32, 0, FLT_MAX, MATRIX},
        {SCALES, 1, ROWS - 1, TENSOR_F32},
        {SCALES, 2, ROWS, TENSOR_F32},
        {SCALES, 1, ROWS, TENSOR_BF16},
        {"layers.0.ff1.bias", 1, ROWS, TENSOR_I8},
        {"norm.weight", 1, WIDTH, TENSOR_I8},
        {"position_embedding.weight", 2, 300, TENSOR_I8},
        {"layers.0.attn.time_key", 2, MODEL_TIME_BUCKETS, TENSOR_I8},
    };
    struct draft d = draft();
    draft_end(&d, MODEL_OK, "");
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        d = draft();
        draft_end_with(&d, &FAULTS[i]);
    }
    d = draft();
    draft_find(&d, SCALES)->name[0] = 'L';
    draft_end(&d, MODEL_BAD_TENSOR, SCALES);
}

TEST(the_lowest_integer_is_what_it_says)
{
    struct draft s = draft();
    memset(draft_bytes(&s, MATRIX), 0x80, 1);
    float scale = *(float *)draft_bytes(&s, SCALES);
    draft_end(&s, MODEL_OK, "");
    auto_model *m = open_model(temp_path("spoilt"));
    assert_true(m->weights.layers[1].ff1_w[0] == -128.0f * scale);
}

TEST(stray_scales_are_read)
{
    struct draft s = draft();
    draft_stray(&s);
    draft_end(&s, MODEL_OK, "");
    auto_model *was = open_model(temp_path("draft")),
               *is = open_model(temp_path("spoilt"));
    assert_true(model_hash(is) == model_hash(was));
}
