/* A model's file with something wrong in it: its header is read, changed and written
 * again, with the bytes of its tensors behind it. Include cmocka.h before it. */
#ifndef TESTS_APP_SPOILT_MODEL_H
#define TESTS_APP_SPOILT_MODEL_H

#include "tests/app/own_folder.h"

struct spoilt_model {
    cJSON *header;
    uint8_t *file, *data; /* data: within it */
    size_t n;
};

/* Of a file in the tests' folder. */
static inline struct spoilt_model spoilt_read(const char *name)
{
    struct spoilt_model m;
    uint64_t n_header;
    m.file = get_bytes(name, &m.n);
    assert_non_null(m.file);
    memcpy(&n_header, m.file, sizeof n_header);
    assert_in_range(n_header, 2, m.n - sizeof n_header);
    m.header = cJSON_ParseWithLength((char *)m.file + sizeof n_header, n_header);
    assert_non_null(m.header);
    m.data = m.file + sizeof n_header + n_header;
    m.n -= sizeof n_header + n_header;
    return m;
}

static inline void spoilt_write(struct spoilt_model *m, const char *name)
{
    auto_free char *text = cJSON_PrintUnformatted(m->header);
    uint64_t n = strlen(text);
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(&n, sizeof n, 1, f), 1);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fwrite(m->data, 1, m->n, f), m->n);
    fclose(f);
    cJSON_Delete(m->header);
    free(m->file);
}

static inline cJSON *spoilt_tensor(const struct spoilt_model *m, const char *name)
{
    cJSON *tensor = cJSON_GetObjectItemCaseSensitive(m->header, name);
    assert_non_null(tensor);
    return tensor;
}

/* Its third number, of f32. */
static inline void spoilt_weight(struct spoilt_model *m, const char *tensor,
                                 float value)
{
    cJSON *offsets = cJSON_GetObjectItem(spoilt_tensor(m, tensor), "data_offsets");
    size_t at = (size_t)cJSON_GetArrayItem(offsets, 0)->valuedouble + 2 * sizeof value;
    assert_in_range(at, 0, m->n - sizeof value);
    memcpy(m->data + at, &value, sizeof value);
}

static inline void spoilt_shape(struct spoilt_model *m, const char *tensor, double rows,
                                double columns)
{
    const double shape[] = {rows, columns};
    cJSON_ReplaceItemInObject(spoilt_tensor(m, tensor), "shape",
                              cJSON_CreateDoubleArray(shape, 2));
}

/* JSON that is a string in the header; to be changed, and put there again. */
static inline cJSON *spoilt_metadata(const struct spoilt_model *m, const char *key)
{
    cJSON *all = cJSON_GetObjectItem(m->header, "__metadata__");
    cJSON *json = cJSON_Parse(cJSON_GetStringValue(cJSON_GetObjectItem(all, key)));
    assert_non_null(json);
    return json;
}

static inline void spoilt_put_metadata(struct spoilt_model *m, const char *key,
                                       cJSON *json)
{
    cJSON *all = cJSON_GetObjectItem(m->header, "__metadata__");
    char *text = cJSON_PrintUnformatted(json);
    assert_true(cJSON_ReplaceItemInObject(all, key, cJSON_CreateString(text)));
    free(text);
    cJSON_Delete(json);
}

#endif
