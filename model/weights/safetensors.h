/* The safetensors container: a JSON header and a flat run of tensor bytes.
 * https://github.com/huggingface/safetensors (format): 8 bytes little-endian
 * header length, the header, the data. Nothing in it is executed and nothing
 * is believed: every size, offset and shape is checked against the file
 * before it is used. */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include "model/weights/model.h"

enum tensor_type {
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_F16,
    TENSOR_I8,
    TENSOR_U8,
    TENSOR_I64,
    TENSOR_OTHER
};

struct tensor {
    char name[96];
    enum tensor_type type;
    int n_dims;
    int64_t shape[4];
    const void *data; /* where it is once it is read; aligned as the file has it */
    size_t n_bytes;
};

struct safetensors;

/* Reads the header alone. */
enum model_status safetensors_open(struct safetensors **out, const char *path);
/* A tensor's bytes, into memory of our own: what becomes of the file afterwards changes
 * nothing. To be called before each is looked at. */
enum model_status safetensors_read(const struct safetensors *f, const struct tensor *t);
/* Nothing more is read; without keep_data, no data is looked at any more either. */
void safetensors_end_reading(struct safetensors *f, bool keep_data);
/* Over memory that stays the caller's, for tests and fuzzing. */
enum model_status safetensors_parse(struct safetensors **out, const void *bytes,
                                    size_t n);
/* The same. Of MODEL_NOT_MODEL `fault` says which tensor cannot be, in printable ASCII, or
 * "" where it is none: the file ends before the shape or the place that it claims, these
 * overflow, or another has its name or its bytes. fault NULL: nobody asks. */
enum model_status safetensors_open_or_blame(struct safetensors **out, const char *path,
                                            char *fault, size_t n_fault);
enum model_status safetensors_parse_or_blame(struct safetensors **out,
                                             const void *bytes, size_t n, char *fault,
                                             size_t n_fault);
void safetensors_close(struct safetensors *f);

size_t safetensors_count(const struct safetensors *f);
const struct tensor *safetensors_at(const struct safetensors *f, size_t i);
const struct tensor *safetensors_find(const struct safetensors *f, const char *name);
const char *safetensors_metadata(const struct safetensors *f, const char *key);

struct metadata {
    const char *key, *value;
};
/* Every key that has a string, in order. *list is malloc'd and may be NULL, the strings
 * are the file's. Returns how many: 0 when there are none, or no memory. */
size_t safetensors_list_metadata(const struct safetensors *f, struct metadata **list);
/* Writes beside, syncs, renames. Data is aligned to 64 bytes. */
enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata);

#endif
