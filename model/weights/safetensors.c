/* Reads the safetensors container; safetensors_write.c writes it.
 *
 * cJSON gives the header's numbers as doubles. A number that is not a whole number below
 * 2^53 is refused, and every sum and product is checked for overflow. */
#include "model/weights/safetensors.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_NORESERVE /* FreeBSD reserves nothing */
#define MAP_NORESERVE 0
#endif

enum { MAX_HEADER = 16 << 20, MAX_TENSORS = 1 << 16 };

struct safetensors {
    const uint8_t *bytes; /* [n_bytes] the whole file; only what was read is valid */
    size_t n_bytes;
    uint8_t *own; /* the same address, if the memory is ours; else NULL */
    int fd;       /* negative: nothing to read from */
    cJSON *header;
    struct tensor *tensors; /* in the order of their data */
    size_t n_tensors;
    char *fault; /* [n_fault] the caller's; receives the name of an invalid tensor */
    size_t n_fault;
};

const struct tensor_type_info tensor_types[TENSOR_OTHER] = {
    [TENSOR_F32] = {"F32", 4}, [TENSOR_F64] = {"F64", 8}, [TENSOR_BF16] = {"BF16", 2},
    [TENSOR_F16] = {"F16", 2}, [TENSOR_I8] = {"I8", 1},   [TENSOR_U8] = {"U8", 1},
    [TENSOR_I64] = {"I64", 8},
};

struct tensor tensor_of(const struct model_tensor *as, enum tensor_type type,
                        const void *data)
{
    struct tensor t = {.type = type, .n_dims = as->n_dims, .data = data};
    t.n_bytes = model_tensor_size(as) * tensor_types[type].size;
    snprintf(t.name, sizeof t.name, "%s", as->name);
    memcpy(t.shape, as->shape, sizeof as->shape);
    return t;
}

static bool whole(const cJSON *item, size_t *out)
{
    if (!cJSON_IsNumber(item) ||
        !(item->valuedouble >= 0 && item->valuedouble < 0x1p53))
        return false;
    *out = (size_t)item->valuedouble;
    return (double)*out == item->valuedouble;
}

static bool read_shape(struct tensor *t, const cJSON *shape, size_t *n_elements)
{
    const cJSON *item;
    *n_elements = 1;
    if (!cJSON_IsArray(shape))
        return false;
    cJSON_ArrayForEach(item, shape)
    {
        size_t n;
        if (t->n_dims == 4 || !whole(item, &n) || n > INT64_MAX)
            return false;
        if (__builtin_mul_overflow(*n_elements, n, n_elements))
            return false;
        t->shape[t->n_dims++] = (int64_t)n;
    }
    return true;
}

/* Reads one tensor's entry of the header. A tensor of an unknown type can be listed but
 * not read, so only its extent is checked. */
static bool read_tensor(struct tensor *t, const cJSON *item, const uint8_t *data,
                        size_t n_data)
{
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(item, "data_offsets");
    const char *name =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dtype"));
    size_t from, to, n_elements, n_wanted;
    if (!name || strlen(item->string) >= sizeof t->name ||
        cJSON_GetArraySize(offsets) != 2 ||
        !whole(cJSON_GetArrayItem(offsets, 0), &from) ||
        !whole(cJSON_GetArrayItem(offsets, 1), &to) || from > to || to > n_data ||
        !read_shape(t, cJSON_GetObjectItemCaseSensitive(item, "shape"), &n_elements))
        return false;
    int type = 0;
    while (type < TENSOR_OTHER && strcmp(tensor_types[type].name, name) != 0)
        type++;
    t->type = (enum tensor_type)type;
    if (t->type != TENSOR_OTHER &&
        (__builtin_mul_overflow(n_elements, tensor_types[t->type].size, &n_wanted) ||
         n_wanted != to - from))
        return false;
    strcpy(t->name, item->string);
    t->data = data + from;
    t->n_bytes = to - from;
    return true;
}

/* Gives the caller the name of the tensor at fault, with `?` for what is not printable
 * ASCII. */
static enum model_status blame(const struct safetensors *f, const char *name)
{
    for (size_t i = 0; name[i] && i + 1 < f->n_fault; i++) {
        f->fault[i] = (char)(name[i] < ' ' || name[i] > '~' ? '?' : name[i]);
        f->fault[i + 1] = '\0';
    }
    return MODEL_NOT_MODEL;
}

static int by_place(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    if (x->data != y->data)
        return (const char *)x->data < (const char *)y->data ? -1 : 1;
    return x->n_bytes < y->n_bytes ? -1 : x->n_bytes > y->n_bytes;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

/* Refuses two tensors that have the same name or share a byte. Leaves them sorted by
 * address. */
static enum model_status keep_apart(struct safetensors *f)
{
    struct tensor *t = f->tensors;
    qsort(t, f->n_tensors, sizeof *t, by_name);
    for (size_t i = 1; i < f->n_tensors; i++)
        if (!strcmp(t[i - 1].name, t[i].name))
            return blame(f, t[i].name);
    qsort(t, f->n_tensors, sizeof *t, by_place);
    for (size_t i = 1; i < f->n_tensors; i++)
        if ((const char *)t[i - 1].data + t[i - 1].n_bytes > (const char *)t[i].data)
            return blame(f, t[i].name);
    return MODEL_OK;
}

static enum model_status read_tensors(struct safetensors *f, const uint8_t *data,
                                      size_t n_data)
{
    int n = cJSON_GetArraySize(f->header);
    const cJSON *item;
    if (n > MAX_TENSORS)
        return MODEL_NOT_MODEL;
    f->tensors = calloc((size_t)n + 1, sizeof *f->tensors);
    if (!f->tensors)
        return MODEL_NO_MEMORY;
    cJSON_ArrayForEach(item, f->header)
    {
        if (!strcmp(item->string, "__metadata__"))
            continue;
        if (!read_tensor(&f->tensors[f->n_tensors++], item, data, n_data))
            return blame(f, item->string);
    }
    return keep_apart(f);
}

/* The length of the header, from the first 8 bytes. */
static enum model_status header_size(const struct safetensors *f, size_t *n)
{
    uint64_t n_header = 0;
    if (f->n_bytes < 8)
        return MODEL_NOT_MODEL;
    for (int i = 7; i >= 0; i--)
        n_header = n_header << 8 | f->bytes[i];
    if (n_header > MAX_HEADER || n_header > f->n_bytes - 8)
        return MODEL_NOT_MODEL;
    *n = (size_t)n_header;
    return MODEL_OK;
}

/* Opens the file and reserves memory of its size. The file is not mapped: if another program
 * cut a mapped file short, reading it would raise SIGBUS; if it wrote over the file, the data
 * would change. O_NONBLOCK: opening a pipe by mistake must not wait for a writer. */
static enum model_status open_file(struct safetensors *f, const char *path)
{
    struct stat s;
    f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->fd < 0 || fstat(f->fd, &s))
        return MODEL_NO_FILE;
    if (!S_ISREG(s.st_mode) || s.st_size < 8)
        return MODEL_NOT_MODEL;
    /* Pages of this memory are only used once something is read into them. */
    f->n_bytes = (size_t)s.st_size;
    void *own = mmap(NULL, f->n_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (own == MAP_FAILED)
        return MODEL_NO_MEMORY;
    f->bytes = f->own = own;
    return MODEL_OK;
}

/* Reads n bytes of the file, which lie within the size that it had when it was opened.
 * The bytes of a caller need no reading. */
static enum model_status read_bytes(const struct safetensors *f, size_t from, size_t n)
{
    while (n && f->fd >= 0) {
        ssize_t here = pread(f->fd, f->own + from, n, (off_t)from);
        if (here < 0 && errno == EINTR)
            continue;
        if (here <= 0)
            return here < 0 ? MODEL_NO_FILE : MODEL_NOT_MODEL; /* has been cut short */
        from += (size_t)here;
        n -= (size_t)here;
    }
    return MODEL_OK;
}

static enum model_status read_header(struct safetensors *f)
{
    size_t n_header;
    enum model_status st = read_bytes(f, 0, 8);
    if (!st)
        st = header_size(f, &n_header);
    if (!st)
        st = read_bytes(f, 8, n_header);
    if (st)
        return st;
    f->header = cJSON_ParseWithLength((const char *)f->bytes + 8, n_header);
    if (!cJSON_IsObject(f->header))
        return MODEL_NOT_MODEL;
    return read_tensors(f, f->bytes + 8 + n_header, f->n_bytes - 8 - n_header);
}

enum model_status safetensors_open(struct safetensors **out, const char *path,
                                   const void *bytes, size_t n, char *fault,
                                   size_t n_fault)
{
    struct safetensors *f = calloc(1, sizeof *f);
    if (!f)
        return MODEL_NO_MEMORY;
    *f = (struct safetensors){.bytes = bytes,
                              .n_bytes = n,
                              .fd = -1,
                              .fault = fault,
                              .n_fault = fault ? n_fault : 0};
    if (f->n_fault)
        *fault = '\0';
    enum model_status st = path ? open_file(f, path) : MODEL_OK;
    if (!st)
        st = read_header(f);
    f->n_fault = 0;
    if (st) {
        int why = errno;
        safetensors_close(f);
        errno = why;
        return st;
    }
    *out = f;
    return MODEL_OK;
}

enum model_status safetensors_read(const struct safetensors *f, const struct tensor *t)
{
    return read_bytes(f, (size_t)((const uint8_t *)t->data - f->bytes), t->n_bytes);
}

void safetensors_end_reading(struct safetensors *f, bool keep_data)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    if (f->own && !keep_data) {
        munmap(f->own, f->n_bytes);
        f->own = NULL;
    }
}

void safetensors_close(struct safetensors *f)
{
    if (!f)
        return;
    safetensors_end_reading(f, false);
    cJSON_Delete(f->header);
    free(f->tensors);
    free(f);
}

const struct tensor *safetensors_at(const struct safetensors *f, size_t i)
{
    return i < f->n_tensors ? &f->tensors[i] : NULL;
}

const struct tensor *safetensors_find(const struct safetensors *f, const char *name)
{
    for (size_t i = 0; i < f->n_tensors; i++)
        if (!strcmp(f->tensors[i].name, name))
            return &f->tensors[i];
    return NULL;
}

const char *safetensors_metadata(const struct safetensors *f, const char *key)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(f->header, "__metadata__");
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(all, key));
}

size_t safetensors_list_metadata(const struct safetensors *f, struct metadata **list)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(f->header, "__metadata__"),
                *item;
    int most = cJSON_IsObject(all) ? cJSON_GetArraySize(all) : 0;
    size_t n = 0;
    *list = most > 0 ? calloc((size_t)most, sizeof **list) : NULL;
    if (!*list)
        return 0;
    cJSON_ArrayForEach(item, all)
    {
        if (cJSON_IsString(item))
            (*list)[n++] = (struct metadata){item->string, item->valuestring};
    }
    return n;
}
