/* The safetensors container (https://github.com/huggingface/safetensors, "Format"): 8
 * bytes with the length of the header, little-endian; the header, which is JSON; and the
 * bytes of all tensors. Nothing in a file is executed or trusted: every size, offset and
 * shape is checked against the file's size before it is used. */
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
    const void *data; /* the address where safetensors_read puts it; aligned as in the
                       * file */
    size_t n_bytes;
};

/* For each type its name in a file, and the bytes of one number. */
extern const struct tensor_type_info {
    const char *name;
    size_t size;
} tensor_types[TENSOR_OTHER];

/* A file's tensor that stores one of a model's, with the given data, which stays the
 * caller's. */
struct tensor tensor_of(const struct model_tensor *as, enum tensor_type type,
                        const void *data);

struct safetensors;

/* Opens a file or, if path is NULL, the bytes of one, which stay the caller's, for tests
 * and fuzzing. Reads only the header. A tensor is invalid if its shape or offsets
 * overflow, if it lies past the end of the file, or if another tensor has its name or one
 * of its bytes. On MODEL_NOT_MODEL `fault`, unless NULL, receives the name of the invalid
 * tensor in printable ASCII, or "" if no tensor is at fault. */
enum model_status safetensors_open(struct safetensors **out, const char *path,
                                   const void *bytes, size_t n, char *fault,
                                   size_t n_fault);
/* Reads a tensor's bytes into our own memory, so that later changes of the file have no
 * effect. Call it before using the tensor's data. */
enum model_status safetensors_read(const struct safetensors *f, const struct tensor *t);
/* Ends reading and closes the file. Without keep_data no tensor's data may be used any
 * more. */
void safetensors_end_reading(struct safetensors *f, bool keep_data);
void safetensors_close(struct safetensors *f);

/* The tensor at position i, in the order of their data. NULL: there are no more. */
const struct tensor *safetensors_at(const struct safetensors *f, size_t i);
const struct tensor *safetensors_find(const struct safetensors *f, const char *name);
const char *safetensors_metadata(const struct safetensors *f, const char *key);

struct metadata {
    const char *key, *value;
};
/* Lists every key whose value is a string, in the file's order. *list is from malloc and
 * may be NULL; the file owns the strings. Returns their number: 0 if there are none, or
 * no memory. */
size_t safetensors_list_metadata(const struct safetensors *f, struct metadata **list);
/* Writes a new file beside the target, syncs it and renames it over the target: the
 * regular file that `path` leads to, if it exists. The data starts at a multiple of 64
 * bytes. */
enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata);
/* Tells whether such a file could be written now, for a caller who must know it before
 * hours of work. Leaves nothing behind. */
enum model_status safetensors_can_save(const char *path);

#endif
