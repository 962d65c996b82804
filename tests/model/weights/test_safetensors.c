/* The container: what is written is read back, and what lies about itself is
 * refused. Then models on top of it: in place, widened, copied, and the name of
 * whatever is wrong with one. */
#include "model/weights/safetensors.h"
#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/model/temp_file.h"
#include "tests/model/variants.h"

#include <errno.h>
#include <sys/stat.h>

/* --- the container --- */

/* Header text and 64 bytes of data; what parse says of it. */
static enum model_status parse_header(const char *header)
{
    static uint8_t bytes[4096];
    size_t n = strlen(header);
    struct safetensors *f = NULL;
    memset(bytes, 0, 8);
    bytes[0] = (uint8_t)n;
    bytes[1] = (uint8_t)(n >> 8);
    memcpy(bytes + 8, header, n);
    memset(bytes + 8 + n, 1, 64);
    enum model_status st = safetensors_parse(&f, bytes, 8 + n + 64, NULL, 0);
    safetensors_close(st ? NULL : f);
    return st;
}

#define ONE(dtype, shape, offsets)                                                     \
    "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

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
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
        "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_ok(parse_header(good[i]));
}

TEST(lying_headers_are_refused)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{",
        "{\"a\":3}",
        "{\"a\":{}}",
        ONE("F32", "[4,4]", "[0,65]"),                  /* past the end */
        ONE("F32", "[4,4]", "[4,64]"),                  /* too few bytes */
        ONE("F32", "[4]", "[0,64]"),                    /* too many */
        ONE("F32", "[4,4]", "[64,0]"),                  /* backwards */
        ONE("F32", "[-4,-4]", "[0,64]"),                /* negative */
        ONE("F32", "[1.5]", "[0,6]"),                   /* not whole */
        ONE("F32", "[4294967296,4294967296]", "[0,0]"), /* 2^64 elements */
        ONE("F32", "[4611686018427387904]", "[0,0]"),   /* 2^62, four bytes each */
        ONE("F32", "[1e300]", "[0,0]"),
        ONE("F32", "[1,1,1,1,16]", "[0,64]"), /* more dimensions than we keep */
        ONE("F32", "16", "[0,64]"),
        ONE("F32", "[16]", "[0]"),
        ONE("F32", "[16]", "[0,64,64]"),
        ONE("F32", "[\"16\"]", "[0,64]"),
        /* one name twice; one byte twice */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
        "\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
        "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[3,7]}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse_header(bad[i]) != MODEL_NOT_MODEL)
            fail_msg("accepted: %s", bad[i]);
}

/* What opening a model says of that header and some bytes. */
static const char *blamed(const char *header)
{
    static uint8_t bytes[2048];
    static char detail[40];
    struct model *m;
    uint64_t n = strlen(header);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &n, sizeof n);
    memcpy(bytes + 8, header, n);
    assert_int_equal(model_parse(&m, bytes, 8 + n + 64, detail, sizeof detail),
                     MODEL_NOT_MODEL);
    return detail;
}

TEST(the_tensor_that_lies_is_named)
{
    assert_string_equal(blamed(ONE("F32", "[4294967296,4294967296]", "[0,0]")), "a");
    assert_string_equal(blamed(ONE("F32", "[4611686018427387904]", "[0,0]")), "a");
    assert_string_equal(blamed(ONE("F32", "[4,4]", "[0,65]")), "a");
    assert_string_equal(
        blamed("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
               "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[3,7]}}"),
        "b");
    assert_string_equal(blamed("{\"\\u001b[2J\":{}}"), "?[2J");
    assert_string_equal(blamed("{\"a name much longer than there is room for it\":3}"),
                        "a name much longer than there is room f");
    assert_string_equal(blamed("{\"\":{}}"), "");
    assert_string_equal(blamed("{"), "");
}

TEST(deep_and_long_headers_are_refused)
{
    static char deep[3000];
    uint8_t claims[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, '{', '}'};
    struct safetensors *f = NULL;
    memset(deep, '[', sizeof deep - 1);
    assert_int_equal(parse_header(deep), MODEL_NOT_MODEL);
    assert_int_equal(safetensors_parse(&f, claims, sizeof claims, NULL, 0),
                     MODEL_NOT_MODEL);
    for (size_t n = 0; n < 10; n++)
        assert_int_equal(safetensors_parse(&f, claims, n, NULL, 0), MODEL_NOT_MODEL);
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
    assert_ok(safetensors_open(&f, temp_path("model"), NULL, 0));
    assert_int_equal(safetensors_count(f), 2);
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

TEST(a_private_file_stays_private)
{
    struct stat now;
    assert_ok(safetensors_save(temp_path("model"), NULL, 0, NULL, 0));
    assert_int_equal(chmod(temp_path("model"), 0600), 0);
    assert_ok(safetensors_save(temp_path("model"), NULL, 0, NULL, 0));
    assert_int_equal(stat(temp_path("model"), &now), 0);
    assert_int_equal(now.st_mode & 07777, 0600);
}

TEST(files_that_cannot_be)
{
    struct safetensors *f = NULL;
    assert_int_equal(safetensors_open(&f, "/nowhere/at/all", NULL, 0), MODEL_NO_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(safetensors_open(&f, "/tmp", NULL, 0), MODEL_NOT_MODEL);
    assert_int_equal(safetensors_open(&f, "/dev/null", NULL, 0), MODEL_NOT_MODEL);
    assert_int_equal(safetensors_save("/nowhere/at/all", NULL, 0, NULL, 0),
                     MODEL_CANNOT_WRITE);
    assert_int_equal(errno, ENOENT);
    safetensors_close(NULL);
}

/* --- models --- */

static const struct model_config TINY = {SIZES(7, 5, 6, 2, 1, 9),
                                         .activation = ACTIVATION_GELU,
                                         .position = POSITION_LEARNED};
enum { MAX_TENSORS = 32, MAX_FLOATS = 1024 };

/* A model's file in the making: spoil a part, then save. */
struct draft {
    struct tensor tensors[MAX_TENSORS + 1];
    size_t n;
    float floats[MAX_FLOATS];
    uint16_t halves[MAX_FLOATS];
    char *config;
};

static void start(struct draft *d)
{
    struct model_tensor *list;
    size_t n_floats;
    memset(d, 0, sizeof *d);
    d->n = model_tensors(&TINY, &list, &n_floats);
    assert_in_range(d->n, 1, MAX_TENSORS);
    assert_in_range(n_floats, 1, MAX_FLOATS);
    model_init_block(d->floats, &TINY, 11);
    for (size_t i = 0; i < d->n; i++)
        d->tensors[i] = tensor_of(&list[i], TENSOR_F32, d->floats + list[i].offset);
    free(list);
    d->config = model_config_json(&TINY);
}

static struct tensor *find(struct draft *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->tensors[i].name, name))
            return &d->tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

/* What model_open says of the draft; *m is open when all is well. */
static enum model_status save_and_open(struct draft *d, struct model **m, char *detail)
{
    const struct metadata about = {"config", d->config};
    assert_ok(safetensors_save(temp_path("model"), d->tensors, d->n, &about, 1));
    free(d->config);
    d->config = NULL;
    return model_open(m, temp_path("model"), detail, 64);
}

static void assert_weights(const struct model *m, const float *floats)
{
    const float *head = model_weights(m)->head, *token = model_weights(m)->token;
    size_t n = (size_t)TINY.vocab * (size_t)TINY.d_model;
    assert_memory_equal(token, floats, n * sizeof *token);
    assert_memory_equal(head, floats + model_n_parameters(m) - n, n * sizeof *head);
}

TEST(a_model_is_opened_in_place)
{
    static struct draft d;
    struct model *m = NULL, *twin = NULL;
    char detail[64];
    start(&d);
    assert_ok(save_and_open(&d, &m, detail));
    assert_string_equal(detail, "");
    assert_int_equal(model_config(m)->d_ff, TINY.d_ff);
    assert_int_equal(model_config(m)->activation, ACTIVATION_GELU);
    assert_null(model_metadata(m, "tokenizer"));
    assert_weights(m, d.floats);

    assert_ok(model_random(&twin, &TINY, 11));
    assert_true(model_hash(m) == model_hash(twin));
    model_close(twin);
    assert_ok(model_random(&twin, &TINY, 12));
    assert_true(model_hash(m) != model_hash(twin));
    model_close(twin);
    model_close(m);
}

/* An odd tensor before the others pushes them off their boundaries. */
TEST(stray_and_half_tensors_are_copied)
{
    static struct draft d;
    static const uint8_t odd = 1;
    struct model *m = NULL;
    char detail[64];
    start(&d);
    memmove(d.tensors + 1, d.tensors, d.n * sizeof *d.tensors);
    d.tensors[0] = (struct tensor){"extra", TENSOR_U8, 1, {1}, &odd, 1};
    d.n++;
    assert_ok(save_and_open(&d, &m, detail));
    assert_weights(m, d.floats);
    model_close(m);

    start(&d);
    for (size_t i = 0; i < MAX_FLOATS; i++) { /* floats that bf16 can say */
        uint32_t bits;
        memcpy(&bits, &d.floats[i], sizeof bits);
        d.halves[i] = (uint16_t)(bits >> 16);
        bits &= 0xffff0000u;
        memcpy(&d.floats[i], &bits, sizeof bits);
    }
    for (size_t i = 0; i < d.n; i += 2) { /* every other tensor */
        d.tensors[i].data = d.halves + ((const float *)d.tensors[i].data - d.floats);
        d.tensors[i].type = TENSOR_BF16;
        d.tensors[i].n_bytes /= 2;
    }
    assert_ok(save_and_open(&d, &m, detail));
    assert_weights(m, d.floats);
    model_close(m);
}

static void assert_fault(struct draft *d, enum model_status wanted, const char *name)
{
    struct model *m = NULL;
    char detail[64] = "";
    assert_int_equal(save_and_open(d, &m, detail), wanted);
    assert_string_equal(detail, name);
}

/* What is wrong with a tensor of the draft: its shape, its type, or a number in it. */
TEST(bad_tensors_are_named)
{
    static const struct {
        const char *tensor;
        int n_dims, rows;
        enum tensor_type type;
        float number;
    } CASES[] = {
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, NAN},
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, INFINITY},
        {"layers.0.ff2.weight", 2, 6, TENSOR_F32, -INFINITY},
        {"norm.bias", 1, 3, TENSOR_F32, 0},
        {"layers.0.ff1.weight", 1, 54, TENSOR_F32, 0},
        {"head.weight", 2, 7, TENSOR_F16, 0},
    };
    static struct draft d;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        start(&d);
        struct tensor *t = find(&d, CASES[i].tensor);
        if (CASES[i].number != 0)
            ((float *)(uintptr_t)t->data)[5] = CASES[i].number;
        t->n_dims = CASES[i].n_dims;
        t->shape[0] = CASES[i].rows;
        t->type = CASES[i].type;
        t->n_bytes = (size_t)(t->shape[0] * (t->n_dims > 1 ? t->shape[1] : 1)) *
                     tensor_types[t->type].size;
        assert_fault(&d, MODEL_BAD_TENSOR, CASES[i].tensor);
    }
    start(&d);
    find(&d, "norm.bias")->name[0] = 'N';
    assert_fault(&d, MODEL_BAD_TENSOR, "norm.bias");
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
    static struct draft d;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start(&d);
        auto_free char *good = d.config;
        d.config = replaced(good, cases[i].old, cases[i].new);
        assert_fault(&d, MODEL_BAD_CONFIG, cases[i].fault);
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

/* Nothing in the file would bound what Fourier mixing allocates. */
TEST(wide_fourier_models_are_refused)
{
    struct model_config c = {SIZES(2, 1, 2048, 1, 1, 1), .mixing = MIXING_FOURIER,
                             .block = 1};
    assert_true(model_config_valid(&c));
    c.d_model = 2049;
    assert_false(model_config_valid(&c));
    c.mixing = MIXING_ATTENTION;
    c.block = 0;
    assert_true(model_config_valid(&c));
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
