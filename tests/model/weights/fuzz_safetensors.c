/* Whatever bytes are taken for a container, every tensor it then claims lies
 * within them and apart from the others, its configuration is read or refused, and so
 * is the model: every weight of one that is taken is finite. */
#include "model/weights/safetensors.h"
#include "tests/fuzz_replay.h"

#include <math.h>
#include <string.h>

/* Reads every byte a tensor claims: the sanitizers see one too many. */
static void touch(const struct tensor *t)
{
    const volatile uint8_t *at = t->data;
    for (size_t i = 0; i < t->n_bytes; i++)
        (void)at[i];
}

static void check_tensors(const struct safetensors *f, const uint8_t *bytes, size_t n)
{
    const uint8_t *end = bytes + 8;
    const struct tensor *t;
    for (size_t i = 0; (t = safetensors_at(f, i)); i++) {
        require((const uint8_t *)t->data >= end);
        end = (const uint8_t *)t->data + t->n_bytes;
        require(end <= bytes + n && t->n_dims >= 0 && t->n_dims <= 4);
        require(strlen(t->name) < sizeof t->name);
        require(safetensors_find(f, t->name) == t);
        touch(t);
    }
}

static void check_config(const struct safetensors *f)
{
    struct model_config c;
    char detail[16];
    const char *text = safetensors_metadata(f, "config");
    if (model_config_parse(&c, text, detail, sizeof detail))
        return;
    require(model_config_valid(&c));
    auto_free char *again = model_config_json(&c);
    require(again && !model_config_parse(&c, again, NULL, 0));
}

static bool is_finite(const float *x, size_t n)
{
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(x[i]) != 0;
    return finite;
}

static void check_weights(const struct model *m)
{
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(&m->config, &m->weights, &list, &n_floats);
    require(n);
    for (size_t i = 0; i < n; i++)
        require(is_finite(list[i].at, model_tensor_size(&list[i])));
    free(list);
}

static void check_model(const uint8_t *bytes, size_t n_bytes)
{
    struct model *m;
    char detail[96] = "";
    enum model_status st = model_parse(&m, bytes, n_bytes, detail, sizeof detail);
    require(st != MODEL_BAD_TENSOR || *detail);
    if (st)
        return;
    check_weights(m);
    model_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct safetensors *f;
    if (safetensors_open(&f, NULL, bytes, n_bytes, NULL, 0))
        return 0;
    check_tensors(f, bytes, n_bytes);
    check_config(f);
    safetensors_close(f);
    check_model(bytes, n_bytes);
    return 0;
}
