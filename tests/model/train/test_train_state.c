/* A training state from somebody else: what is no number, or cannot be, is refused with
 * the tensor's name, and the trainer goes on as it was. */

#include "tests/check.h"
#include "tests/temp_file.h"
#include "tests/model/train/training.h"

enum { AT = 70, MOST_BYTES = 1 << 18 }; /* AT: in the second tensor */

/* A trainer, and its state as bytes. */
struct saved {
    struct school school;
    struct trainer *trainer;
    const char *path;
    uint8_t bytes[MOST_BYTES];
    size_t n;
};

static void read_file(struct saved *d)
{
    FILE *f = fopen(d->path, "rb");
    assert_non_null(f);
    d->n = fread(d->bytes, 1, sizeof d->bytes, f);
    assert_in_range(d->n, 1000, sizeof d->bytes - 1);
    fclose(f);
}

static void write_file(const struct saved *d, const uint8_t *bytes)
{
    FILE *f = fopen(d->path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, d->n, f), d->n);
    fclose(f);
}

static int begin(void **state)
{
    static struct saved d;
    const struct model_config c = tiny();
    const struct train_options o = options_for(SHORT_BATCH, SHORT_LENGTH);
    d.school = school_begin(&c, &o, 1);
    d.trainer = d.school.trainer;
    d.path = temp_path("state");
    assert_ok(trainer_save_state(d.trainer, d.path, "here"));
    read_file(&d);
    *state = &d;
    return 0;
}

static int end(void **state)
{
    struct saved *d = *state;
    school_end(&d->school);
    return 0;
}

static enum model_status load(struct saved *d)
{
    char extra[32];
    return trainer_load_state(d->trainer, d->path, extra, sizeof extra);
}

/* Float `at` of that tensor is this in the file. */
static void spoil(struct saved *d, const char *tensor, size_t at, float value)
{
    static uint8_t copy[MOST_BYTES];
    auto_safetensors *f = NULL;
    memcpy(copy, d->bytes, d->n);
    assert_ok(safetensors_open(&f, NULL, copy, d->n, NULL, 0));
    const struct tensor *t = safetensors_find(f, tensor);
    size_t from = (size_t)((const uint8_t *)t->data - copy) + at * sizeof value;
    memcpy(copy + from, &value, sizeof value);
    write_file(d, copy);
}

TEST_IN(what_is_no_number_is_named, begin, end)
{
    struct saved *d = *state;
    static const char *const TENSORS[] = {"weights", "moment1", "moment2"};
    static const float BAD[] = {NAN, INFINITY, -INFINITY};
    const struct model_tensor *list = d->school.tensors;
    const size_t n_floats = d->school.n_floats, n = d->school.n_tensors;
    assert_in_range(AT, list[1].offset, list[2].offset - 1);
    assert_true(n > 3);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 3; i++) {
            char wanted[200];
            snprintf(wanted, sizeof wanted, "%s of %s", TENSORS[t], list[1].name);
            spoil(d, TENSORS[t], AT, BAD[i]);
            assert_int_equal(load(d), MODEL_BAD_TENSOR);
            assert_string_equal(trainer_fault(d->trainer), wanted);
            spoil(d, TENSORS[t], n_floats - 1, BAD[i]);
            assert_int_equal(load(d), MODEL_BAD_TENSOR);
            assert_non_null(strstr(trainer_fault(d->trainer), list[n - 1].name));
        }
}

TEST_IN(a_mean_square_is_not_negative, begin, end)
{
    struct saved *d = *state;
    spoil(d, "moment2", 0, -1e-9f);
    assert_int_equal(load(d), MODEL_BAD_TENSOR);
    assert_int_equal(strncmp(trainer_fault(d->trainer), "moment2 of ", 11), 0);
    spoil(d, "moment1", 0, -1e-9f);
    assert_ok(load(d));
    assert_string_equal(trainer_fault(d->trainer), "");
}

TEST_IN(nothing_changes_then, begin, end)
{
    struct saved *d = *state;
    static float before[4096];
    const size_t n_floats = d->school.n_floats;
    assert_in_range(n_floats, 1, 4096);
    memcpy(before, trainer_block(d->trainer), n_floats * sizeof *before);
    trainer_block(d->trainer)[0] = before[0] = 0.25f; /* otherwise than in the file */
    spoil(d, "moment2", n_floats - 1, NAN);
    assert_int_equal(load(d), MODEL_BAD_TENSOR);
    assert_memory_equal(before, trainer_block(d->trainer), n_floats * sizeof *before);
}

/* How many there were. */
TEST_IN(steps_that_cannot_be_counted_are_refused, begin, end)
{
    struct saved *d = *state;
    struct metadata about[5];
    auto_safetensors *f = NULL;
    auto_free struct metadata *list = NULL;
    assert_ok(safetensors_open(&f, NULL, d->bytes, d->n, NULL, 0));
    size_t n = safetensors_list_metadata(f, &list);
    assert_int_equal(n, 5);
    static const char *const BAD[] = {"9223372036854775807", "-1", "", "1e3", "0x10"};
    for (int i = 0; i < 5; i++) {
        for (size_t m = 0; m < n; m++) {
            about[m] = list[m];
            if (!strcmp(list[m].key, "steps"))
                about[m].value = BAD[i];
        }
        const struct tensor all[] = {*safetensors_find(f, "weights"),
                                     *safetensors_find(f, "moment1"),
                                     *safetensors_find(f, "moment2")};
        assert_ok(safetensors_save(d->path, all, 3, about, n));
        assert_int_equal(load(d), MODEL_BAD_RESUME);
    }
}
