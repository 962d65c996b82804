/* The container: what is written is read back, and what lies about itself is
 * refused. Then models on top of it: in place, widened, copied, and the name of
 * whatever is wrong with one. */
#include "tests/model/draft.h"
#include "tests/model/variants.h"

/* --- the container --- */

/* A file of that header and 64 bytes of data. */
static const char *file_of(const char *header)
{
    const char *path = temp_path("header");
    const uint64_t n = strlen(header);
    FILE *f = fopen(path, "wb");
    assert_true(f && fwrite(&n, sizeof n, 1, f) == 1);
    fprintf(f, "%s%64s", header, "data");
    assert_int_equal(fclose(f), 0);
    return path;
}

#define ONE(dtype, shape, offsets)                                                     \
    "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
/* Two tensors of four bytes each, the first of which is called "a". */
#define TWO(name, offsets)                                                             \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"" name           \
    "\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" offsets "}}"

TEST(good_headers_are_read)
{
    static const char *const good[] = {
        "{}",
        "{}   ",
        "{\"__metadata__\":{\"config\":\"x\"}}",
        ONE("F32", "[4,4]", "[0,64]"),
        ONE("F32", "[]", "[60,64]"),
        ONE("F32", "[0,9]", "[0,0]"),
        ONE("I4", "[3]", "[0,2]"), /* unknown: listed, never read */
        TWO("b", "[4,8]"),
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        auto_safetensors *file = NULL;
        assert_ok(safetensors_open(&file, file_of(good[i]), NULL, 0, NULL, 0));
    }
}

/* And the tensor that lies is named. */
TEST(lying_headers_are_refused)
{
    static const struct {
        const char *header, *blamed;
    } BAD[] = {
        {"", ""},
        {"[]", ""},
        {"{", ""},
        {"{\"a\":3}", "a"},
        {"{\"a\":{}}", "a"},
        {ONE("F32", "[4,4]", "[0,65]"), "a"}, /* past the end */
        {ONE("U8", "[65]", "[0,65]"), "a"},
        {ONE("F32", "[4,4]", "[4,64]"), "a"},                  /* too few bytes */
        {ONE("F32", "[4]", "[0,64]"), "a"},                    /* too many */
        {ONE("F32", "[4,4]", "[64,0]"), "a"},                  /* backwards */
        {ONE("F32", "[-4,-4]", "[0,64]"), "a"},                /* negative */
        {ONE("F32", "[1.5]", "[0,6]"), "a"},                   /* not whole */
        {ONE("F32", "[4294967296,4294967296]", "[0,0]"), "a"}, /* 2^64 elements */
        {ONE("F32", "[4611686018427387904]", "[0,0]"), "a"}, /* 2^62, four bytes each */
        {ONE("F32", "[1e300]", "[0,0]"), "a"},
        {ONE("F32", "[1,1,1,1,16]", "[0,64]"), "a"}, /* more dimensions than we keep */
        {ONE("F32", "16", "[0,64]"), "a"},
        {ONE("F32", "[16]", "[0]"), "a"},
        {ONE("F32", "[16]", "[0,64,64]"), "a"},
        {ONE("F32", "[\"16\"]", "[0,64]"), "a"},
        {TWO("a", "[4,8]"), "a"}, /* one name twice */
        {TWO("b", "[3,7]"), "b"}, /* one byte twice */
        {"{\"\\u001b[2J\":{}}", "?[2J"},
        {"{\"a name much longer than there is room for it\":3}",
         "a name much longer than there is room f"},
        {"{\"\":{}}", ""},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct model *m = NULL;
        char detail[40];
        if (model_open(&m, file_of(BAD[i].header), detail, sizeof detail) !=
            MODEL_NOT_MODEL)
            fail_msg("accepted: %s", BAD[i].header);
        assert_string_equal(detail, BAD[i].blamed);
    }
}

TEST(deep_and_long_headers_are_refused)
{
    static char deep[3000];
    uint8_t claims[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, '{', '}'};
    struct safetensors *f = NULL;
    memset(deep, '[', sizeof deep - 1);
    assert_int_equal(safetensors_open(&f, file_of(deep), NULL, 0, NULL, 0),
                     MODEL_NOT_MODEL);
    assert_int_equal(safetensors_open(&f, NULL, claims, sizeof claims, NULL, 0),
                     MODEL_NOT_MODEL);
    for (size_t n = 0; n < 10; n++)
        assert_int_equal(safetensors_open(&f, NULL, claims, n, NULL, 0),
                         MODEL_NOT_MODEL);
}

TEST(what_is_saved_is_read)
{
    const float data[6] = {1, -2, 3.5f, 0, 1e-30f, 6};
    const uint8_t bytes[3] = {1, 2, 3};
    const struct tensor tensors[] = {
        {"odd", TENSOR_U8, 1, {3}, bytes, 3},
        {"even", TENSOR_F32, 2, {2, 3}, data, sizeof data},
    };
    const struct metadata about[] = {{"config", "{\"a\":\"b\\u00e9\"}"}, {"x", ""}};
    auto_safetensors *f = NULL;
    assert_ok(safetensors_save(temp_path("model"), tensors, 2, about, 2));
    assert_ok(safetensors_open(&f, temp_path("model"), NULL, 0, NULL, 0));
    assert_string_equal(safetensors_at(f, 1)->name, "even");
    assert_null(safetensors_at(f, 2));
    assert_string_equal(safetensors_at(f, 0)->name, "odd");
    assert_int_equal((uintptr_t)safetensors_at(f, 0)->data % 64, 0);
    assert_string_equal(safetensors_metadata(f, "config"), about[0].value);
    assert_string_equal(safetensors_metadata(f, "x"), "");
    assert_null(safetensors_metadata(f, "y"));
    const struct tensor *even = safetensors_find(f, "even");
    assert_int_equal(even->n_bytes, sizeof data);
    assert_int_equal(even->shape[1], 3);
    assert_ok(safetensors_read(f, even));
    assert_memory_equal(even->data, data, sizeof data);
    assert_null(safetensors_find(f, "neither"));
}

/* --- models --- */

static const struct model_config TINY = {SIZES(7, 5, 6, 2, 1, 9),
                                         .activation = ACTIVATION_GELU,
                                         .position = POSITION_LEARNED};

static struct draft draft(void)
{
    auto_model *m = random_model(&TINY, 11);
    return draft_of(m, TENSOR_F32);
}

TEST(a_model_is_opened_in_place)
{
    auto_model *was = random_model(&TINY, 11), *other = random_model(&TINY, 12);
    write_model(was, temp_path("model"), TENSOR_F32);
    auto_model *m = open_model(temp_path("model"));
    assert_true(model_config_equal(&m->config, &TINY));
    assert_null(model_metadata(m, "tokenizer"));
    assert_memory_equal(m->weights.token, was->weights.token, 7 * 6 * sizeof(float));
    assert_memory_equal(m->weights.head, was->weights.head, 7 * 6 * sizeof(float));
    assert_true(model_hash(m) == model_hash(was));
    assert_true(model_hash(m) != model_hash(other));
}

/* Floats that bf16 can say, of which every other tensor is in bf16 if asked. */
static void make_halves(struct draft *d, bool packs)
{
    for (size_t i = 0; i < d->n; i++) {
        struct tensor *t = &d->tensors[i];
        uint8_t *bytes = (uint8_t *)(uintptr_t)t->data;
        const bool is_half = packs && i % 2 == 0;
        for (size_t k = 0; k < t->n_bytes / 4; k++) {
            bytes[4 * k] = bytes[4 * k + 1] = 0;
            if (is_half)
                memcpy(bytes + 2 * k, bytes + 4 * k + 2, 2);
        }
        t->type = is_half ? TENSOR_BF16 : TENSOR_F32;
        t->n_bytes /= is_half ? 2 : 1;
    }
}

TEST(stray_and_half_tensors_are_copied)
{
    uint64_t hash[2];
    struct draft d = draft();
    draft_stray(&d);
    draft_end(&d, MODEL_OK, "");
    auto_model *was = random_model(&TINY, 11), *m = open_model(temp_path("spoilt"));
    assert_true(model_hash(m) == model_hash(was));
    for (int packs = 0; packs < 2; packs++) {
        d = draft();
        make_halves(&d, packs);
        draft_end(&d, MODEL_OK, "");
        auto_model *half = open_model(temp_path("spoilt"));
        hash[packs] = model_hash(half);
    }
    assert_true(hash[0] == hash[1] && hash[0] != model_hash(was));
}

TEST(bad_tensors_are_named)
{
    static const struct draft_fault FAULTS[] = {
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, 5, NAN},
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, 5, INFINITY},
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, 5, -INFINITY},
        {"norm.bias", 1, 3, TENSOR_F32},
        {"layers.0.ff1.weight", 1, 54, TENSOR_F32},
        {"head.weight", 2, 7, TENSOR_F16},
    };
    struct draft d;
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        d = draft();
        draft_end_with(&d, &FAULTS[i]);
    }
    d = draft();
    draft_find(&d, "norm.bias")->name[0] = 'N';
    draft_end(&d, MODEL_BAD_TENSOR, "norm.bias");
}

/* The configuration with one piece of its text replaced. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    size_t n = strlen(text) + strlen(new) + 1;
    char *made = malloc(n);
    assert_non_null(at);
    snprintf(made, n, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return made;
}

TEST(bad_configurations_are_named)
{
    static const struct {
        const char *old, *new, *fault;
    } cases[] = {
        {"\"pre\"", "\"both\"", "norm"},
        {"\"gelu\"", "\"swish\"", "activation"},
        {"\"activation\"", "\"act\\u001b\"", "act?"},
        {"\"learned\"", "3", "position"},
        {"\"version\":1", "\"version\":2", "version"},
        {"continuo-decoder", "other", "architecture"},
        {"\"vocab\":7,", "", "vocab"},
        {"\"vocab\":7,", "\"vocab\":7,\"vocab\":7,", "vocab"},
        {"\"vocab\":7,", "\"vocab\":7.5,", "vocab"},
        {"\"vocab\":7,", "\"vocab\":1e99,", "vocab"},
        {"\"d_model\":6", "\"d_model\":7", "sizes out of range"},
        {"\"n_layers\":1", "\"n_layers\":0", "sizes out of range"},
        {"\"tied\":false", "\"tied\":0", "tied"},
        {"\"relative\":\"none\"", "\"relative\":\"cousin\"", "relative"},
        {"\"relative\":\"none\"", "\"relative\":\"music\"", "sizes out of range"},
        {"\"reach\":0", "\"reach\":3", "sizes out of range"},
        {"\"reach\":0", "\"reach\":-1", "reach"},
        {"\"block\":0", "\"block\":63", "sizes out of range"},
        {"\"mixing\":\"attention\"", "\"mixing\":\"fourier\"", "sizes out of range"},
        {"\"time\":\"none\"", "\"time\":[]", "time"},
        {"}", "", "config"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draft d = draft();
        auto_free char *good = d.config;
        d.config = replaced(good, cases[i].old, cases[i].new);
        draft_end(&d, MODEL_BAD_CONFIG, cases[i].fault);
    }
    assert_ok(safetensors_save(temp_path("model"), NULL, 0, NULL, 0));
    struct model *m = NULL;
    assert_int_equal(model_open(&m, temp_path("model"), NULL, 0), MODEL_BAD_CONFIG);
    model_close(NULL);
}

static void assert_comes_back(const struct model_config *c)
{
    struct model_config back;
    auto_free char *text = model_config_json(c);
    assert_ok(model_config_parse(&back, text, NULL, 0));
    assert_true(model_config_equal(c, &back));
}

TEST(a_configuration_comes_back_from_its_text)
{
    assert_comes_back(&TINY);
    for (int i = 0; i < N_VARIANTS; i++)
        assert_comes_back(&VARIANTS[i].config);
}

/* Nothing in the file would bound what Fourier mixing allocates; it has no values. */
TEST(impossible_models_are_refused)
{
    static const struct {
        struct model_config config;
        bool is_valid;
    } CASES[] = {
        {{SIZES(2, 1, 2048, 1, 1, 1), .mixing = MIXING_FOURIER, .block = 1}, true},
        {{SIZES(2, 1, 2049, 1, 1, 1), .mixing = MIXING_FOURIER, .block = 1}, false},
        {{SIZES(2, 1, 2049, 1, 1, 1)}, true},
        {{SIZES(2, 1, 8, 1, 1, 1), .state = MODEL_STATE_ROWS}, true},
        {{SIZES(2, 1, 8, 1, 1, 1), .state = MODEL_STATE_ROWS + 1}, false},
        {{SIZES(2, 1, 8, 1, 1, 1), .state = -1}, false},
        {{VARIANT_SIZES, .mixing = MIXING_FOURIER, .block = 8}, true},
        {{VARIANT_SIZES, .mixing = MIXING_FOURIER, .block = 8, .values = true}, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(model_config_valid(&CASES[i].config), CASES[i].is_valid);
}

/* As files before there were variants have it. */
TEST(what_is_not_said_is_plain)
{
    struct model_config back;
    const char *text = "{\"vocab\":7,\"context\":5,\"d_model\":6,\"n_heads\":2,"
                       "\"n_layers\":1,\"d_ff\":9,\"activation\":\"relu\","
                       "\"position\":\"none\",\"tied\":true}";
    assert_ok(model_config_parse(&back, text, NULL, 0));
    const struct model_config plain = {SIZES(7, 5, 6, 2, 1, 9), .tied = true};
    assert_true(model_config_equal(&back, &plain));
}
