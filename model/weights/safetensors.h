/* The safetensors container: a JSON header and a flat run of tensor bytes.
 * https://github.com/huggingface/safetensors (format): 8 bytes of little-endian header
 * length, the header, the data. Nothing in it is executed or trusted: every size,
 * offset and shape is checked against the file before use. */
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
    const void *data; /* where it is once read; aligned as in the file */
    size_t n_bytes;
};

/* By enum tensor_type: its name in a file, and the bytes of a number. */
extern const struct tensor_type_info {
    const char *name;
    size_t size;
} tensor_types[TENSOR_OTHER];

/* The file's tensor for one of a model's, with this data, which is borrowed. */
struct tensor tensor_of(const struct model_tensor *as, enum tensor_type type,
                        const void *data);

struct safetensors;

/* Opens a file or, if path is NULL, its bytes, which stay the caller's, for tests and fuzzing.
 * Reads only the header. On MODEL_NOT_MODEL `fault` names the invalid tensor in
 * printable ASCII, or is "" if there is none. A tensor is invalid if its shape or
 * offsets overflow or lie past the end of the file, or if another has its name or its
 * bytes. fault NULL: no name. */
enum model_status safetensors_open(struct safetensors **out, const char *path,
                                   const void *bytes, size_t n, char *fault,
                                   size_t n_fault);
/* Reads a tensor's bytes into our own memory, so later changes of the file have no
 * effect. Call it before using the tensor's data. */
enum model_status safetensors_read(const struct safetensors *f, const struct tensor *t);
/* No more reading; without keep_data, no tensor's data may be used any more either. */
void safetensors_end_reading(struct safetensors *f, bool keep_data);
void safetensors_close(struct safetensors *f);

/* NULL: there are no more. */
const struct tensor *safetensors_at(const struct safetensors *f, size_t i);
const struct tensor *safetensors_find(const struct safetensors *f, const char *name);
const char *safetensors_metadata(const struct safetensors *f, const char *key);

struct metadata {
    const char *key, *value;
};
/* Every key whose value is a string, in order. *list is malloc'd and may be NULL; the
 * file owns the strings. Returns the number: 0 if there are none, or no memory. */
size_t safetensors_list_metadata(const struct safetensors *f, struct metadata **list);
/* Writes a file beside, syncs it and renames it over the regular file that `path` leads to,
 * if there is one. Data is aligned to 64 bytes. */
enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata);
/* Whether a file could be written so now, for who would know it before hours of work. Leaves
 * nothing behind. */
enum model_status safetensors_can_save(const char *path);

#endif
