/* Weights in eight bits: rows there and back, models written and opened, and every way
 * in which a file's integers and scales may be wrong. */
#include "model/weights/quantise.h"
#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/model/random.h"
#include "tests/model/temp_file.h"
#include "tests/model/variants.h"

#include <float.h>

enum { N = 257 };

/* --- rows --- */

static int largest_of(const int8_t *row, size_t n)
{
    int largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = abs(row[i]) > largest ? abs(row[i]) : largest;
    return largest;
}

/* Every number is moved by half a step at most, the largest reaches the end, and
 * what is read is written again as it was, to the bit. */
static void assert_row(const float *row, size_t n)
{
    int8_t eight[N], again[N];
    float wide[N];
    float scale = quantise_row(eight, row, n);
    assert_int_equal(largest_of(eight, n), QUANTISE_MAX);
    quantise_widen_row(wide, eight, scale, n);
    for (size_t i = 0; i < n; i++)
        assert_true(fabsf(wide[i] - row[i]) <= scale * 0.501f);
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

TEST(the_scale_is_a_127th)
{
    const float row[4] = {0.5f, -2.54f, 0.029f, 0.0f};
    const int8_t wanted[4] = {25, -127, 1, 0};
    int8_t eight[4];
    float scale = quantise_row(eight, row, 4);
    assert_true(fabsf(scale - 0.02f) < 0.02f * 0x1p-17f);
    assert_memory_equal(eight, wanted, 4);
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
    uint32_t bits = (uint32_t)quantise_to_bf16(x) << 16;
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
}

/* --- models --- */

static struct model *random_model(const struct model_config *c)
{
    struct model *m = NULL;
    assert_ok(model_random(&m, c, 17));
    return m;
}

static void save(const struct model *m, const char *to, enum tensor_type type,
                 struct quantise_error *error)
{
    auto_free char *config = model_config_json(model_config(m));
    const struct metadata about[] = {{"config", config}, {"more", "kept"}};
    assert_ok(quantise_save(m, to, type, about, 2, error));
}

static struct model *open_model(const char *from)
{
    struct model *m = NULL;
    char detail[96];
    enum model_status st = model_open(&m, from, detail, sizeof detail);
    if (st)
        fail_msg("%s: %s", model_strerror(st), detail);
    return m;
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
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(model_config(was), &list, &n_floats);
    auto_free const float **at_is = calloc(n, sizeof *at_is),
                          **at_was = calloc(n, sizeof *at_is);
    model_list_each(model_weights(is), model_config(is), at_is);
    model_list_each(model_weights(was), model_config(was), at_was);
    for (size_t i = 0; i < n; i++)
        assert_tensor(&list[i], at_is[i], at_was[i]);
    free(list);
}

static uint8_t *read_all(const char *from, size_t *n)
{
    FILE *f = fopen(from, "rb");
    assert_non_null(f);
    uint8_t *bytes = malloc(1 << 20);
    *n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return bytes;
}

static void assert_same_files(void)
{
    size_t n_a, n_b;
    auto_free uint8_t *a = read_all(temp_path("a"), &n_a),
                      *b = read_all(temp_path("b"), &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(a, b, n_a);
}

static void assert_variant(const struct model_config *c)
{
    auto_model *was = random_model(c);
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
    struct model *m = random_model(&VARIANTS[7].config); /* learned, time in buckets */
    struct quantise_error error;
    auto_safetensors *f = NULL;
    char scales[96];
    save(m, temp_path("a"), TENSOR_I8, &error);
    assert_ok(safetensors_open(&f, temp_path("a"), NULL, 0));
    for (size_t i = 0; i < 4; i++) {
        const struct tensor *t = safetensors_find(f, names[i]);
        snprintf(scales, sizeof scales, "%s_scale", names[i]);
        assert_int_equal(t->type, TENSOR_I8);
        assert_int_equal(safetensors_find(f, scales)->shape[0], t->shape[0]);
        assert_int_not_equal(safetensors_find(f, not [i])->type, TENSOR_I8);
    }
    model_close(m);
}

/* What bf16 says exactly stays in it, beside matrices in eight bits. */
TEST(halves_stay_halves)
{
    struct model *was = random_model(&VARIANTS[7].config);
    struct quantise_error error;
    auto_safetensors *f = NULL;
    save(was, temp_path("a"), TENSOR_BF16, &error);
    assert_true(error.largest > 0 && error.largest < 0x1p-8);
    model_close(was);
    was = open_model(temp_path("a"));
    save(was, temp_path("b"), TENSOR_BF16, &error);
    assert_same_files();
    assert_true(error.largest == 0);
    save(was, temp_path("b"), TENSOR_I8, &error);
    auto_model *is = open_model(temp_path("b"));
    assert_models(is, was);
    assert_string_equal(model_metadata(is, "more"), "kept");
    assert_ok(safetensors_open(&f, temp_path("b"), NULL, 0));
    assert_int_equal(safetensors_find(f, "position_embedding.weight")->type,
                     TENSOR_BF16);
    model_close(was);
}

TEST(metadata_is_listed)
{
    struct model *m = random_model(&VARIANTS[0].config);
    struct quantise_error error;
    struct metadata *list;
    assert_int_equal(model_list_metadata(m, &list), 0);
    assert_null(list);
    save(m, temp_path("a"), TENSOR_I8, &error);
    model_close(m);
    m = open_model(temp_path("a"));
    assert_int_equal(model_list_metadata(m, &list), 2);
    assert_string_equal(list[0].key, "config");
    assert_string_equal(list[1].key, "more");
    assert_string_equal(list[1].value, "kept");
    free(list);
    assert_int_equal(quantise_save(m, "/nowhere/at/all", TENSOR_I8, NULL, 0, &error),
                     MODEL_CANNOT_WRITE);
    model_close(m);
}

/* --- files that are not to be trusted --- */

/* A good file's tensors in memory that may be spoilt, and written again. */
struct spoiler {
    struct safetensors *file;
    struct tensor tensors[64];
    size_t n;
};

static void spoiler_open(struct spoiler *s)
{
    auto_model *m = random_model(&VARIANTS[7].config);
    struct quantise_error error;
    save(m, temp_path("a"), TENSOR_I8, &error);
    assert_ok(safetensors_open(&s->file, temp_path("a"), NULL, 0));
    s->n = safetensors_count(s->file);
    assert_in_range(s->n, 1, 64);
    for (size_t i = 0; i < s->n; i++) {
        s->tensors[i] = *safetensors_at(s->file, i);
        assert_ok(safetensors_read(s->file, &s->tensors[i]));
        void *copy = malloc(s->tensors[i].n_bytes);
        memcpy(copy, s->tensors[i].data, s->tensors[i].n_bytes);
        s->tensors[i].data = copy;
    }
}

static struct tensor *spoiler_find(struct spoiler *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->tensors[i].name, name))
            return &s->tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static void *bytes_of(struct spoiler *s, const char *name)
{
    return (void *)(uintptr_t)spoiler_find(s, name)->data;
}

/* Writes, opens, forgets the spoilt one. NULL: all is well. */
static void spoiler_close(struct spoiler *s, const char *fault)
{
    auto_model *m = NULL;
    char detail[96];
    struct metadata about = {"config", safetensors_metadata(s->file, "config")};
    assert_ok(safetensors_save(temp_path("b"), s->tensors, s->n, &about, 1));
    assert_int_equal(model_open(&m, temp_path("b"), detail, sizeof detail),
                     fault ? MODEL_BAD_TENSOR : MODEL_OK);
    assert_string_equal(detail, fault ? fault : "");
    for (size_t i = 0; i < s->n; i++)
        free((void *)(uintptr_t)s->tensors[i].data);
    safetensors_close(s->file);
}

#define MATRIX "layers.1.ff1.weight"
#define SCALES MATRIX "_scale"

TEST(bad_scales_are_named)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1e-3f};
    struct spoiler s;
    spoiler_open(&s);
    spoiler_close(&s, NULL);
    for (int i = 0; i < 4; i++) {
        spoiler_open(&s);
        memcpy((float *)bytes_of(&s, SCALES) + 69, &bad[i],
               sizeof bad[i]); /* the last */
        spoiler_close(&s, SCALES);
    }
    spoiler_open(&s); /* a good scale, but not with its integers */
    *(float *)bytes_of(&s, SCALES) = FLT_MAX;
    spoiler_close(&s, MATRIX);
}

TEST(misshapen_scales_are_named)
{
    struct spoiler s;
    spoiler_open(&s);
    spoiler_find(&s, SCALES)->name[0] = 'L'; /* missing */
    spoiler_close(&s, SCALES);
    spoiler_open(&s);
    spoiler_find(&s, SCALES)->shape[0]--;
    spoiler_find(&s, SCALES)->n_bytes -= 4;
    spoiler_close(&s, SCALES);
    spoiler_open(&s);
    spoiler_find(&s, SCALES)->n_dims = 2;
    spoiler_find(&s, SCALES)->shape[1] = 1;
    spoiler_close(&s, SCALES);
    spoiler_open(&s);
    spoiler_find(&s, SCALES)->type = TENSOR_BF16;
    spoiler_find(&s, SCALES)->n_bytes /= 2;
    spoiler_close(&s, SCALES);
}

TEST(other_tensors_in_eight_bits_are_refused)
{
    static const char *const names[] = {"layers.0.ff1.bias", "norm.weight",
                                        "position_embedding.weight",
                                        "layers.0.attn.time_key"};
    struct spoiler s;
    for (int i = 0; i < 4; i++) {
        spoiler_open(&s);
        struct tensor *t = spoiler_find(&s, names[i]);
        t->n_bytes /= t->type == TENSOR_F32 ? 4 : 2;
        t->type = TENSOR_I8;
        spoiler_close(&s, names[i]);
    }
}

TEST(the_lowest_integer_is_what_it_says)
{
    struct spoiler s;
    struct model *m;
    float scale;
    spoiler_open(&s);
    memset(bytes_of(&s, MATRIX), 0x80, 1);
    scale = *(float *)bytes_of(&s, SCALES);
    spoiler_close(&s, NULL);
    m = open_model(temp_path("b"));
    assert_true(model_weights(m)->layers[1].ff1_w[0] == -128.0f * scale);
    model_close(m);
}

/* An odd tensor before the others pushes the scales off their boundaries. */
TEST(stray_scales_are_read)
{
    struct spoiler s;
    spoiler_open(&s);
    memmove(s.tensors + 1, s.tensors, s.n * sizeof *s.tensors);
    s.tensors[0] = (struct tensor){"extra", TENSOR_U8, 1, {1}, malloc(1), 1};
    *(uint8_t *)(uintptr_t)s.tensors[0].data = 1;
    s.n++;
    spoiler_close(&s, NULL);
    auto_model *was = open_model(temp_path("a")), *is = open_model(temp_path("b"));
    assert_true(model_hash(is) == model_hash(was));
}
