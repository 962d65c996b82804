/* Writes the safetensors container: a file beside the target is synced, then renamed.
 * So a reader sees the old file or the new one, never a part of either. */
#include "model/weights/safetensors.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

static bool add_tensor(cJSON *header, const struct tensor *t, size_t from)
{
    cJSON *item = cJSON_AddObjectToObject(header, t->name);
    cJSON *shape, *offsets;
    if (!item || t->type >= TENSOR_OTHER ||
        !cJSON_AddStringToObject(item, "dtype", tensor_types[t->type].name))
        return false;
    shape = cJSON_AddArrayToObject(item, "shape");
    offsets = cJSON_AddArrayToObject(item, "data_offsets");
    for (int i = 0; i < t->n_dims; i++)
        if (!cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)t->shape[i])))
            return false;
    return cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)from)) &&
           cJSON_AddItemToArray(offsets,
                                cJSON_CreateNumber((double)(from + t->n_bytes)));
}

/* The header as text, malloc'd; NULL when out of memory. */
static char *make_header(const struct tensor *tensors, size_t n,
                         const struct metadata *metadata, size_t n_metadata)
{
    cJSON *header = cJSON_CreateObject();
    cJSON *all = n_metadata ? cJSON_AddObjectToObject(header, "__metadata__") : NULL;
    bool ok = header && (all || !n_metadata);
    size_t at = 0;
    for (size_t i = 0; ok && i < n_metadata; i++)
        ok = cJSON_AddStringToObject(all, metadata[i].key, metadata[i].value) != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        ok = add_tensor(header, &tensors[i], at);
        at += tensors[i].n_bytes;
    }
    char *text = ok ? cJSON_PrintUnformatted(header) : NULL;
    cJSON_Delete(header);
    return text;
}

/* Pads the header with spaces, so that the data is aligned. */
static bool write_all(FILE *f, const char *header, const struct tensor *tensors,
                      size_t n)
{
    size_t n_text = strlen(header);
    size_t n_header = (8 + n_text + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(n_header >> (8 * i));
    bool ok = fwrite(length, 1, 8, f) == 8 && fwrite(header, 1, n_text, f) == n_text;
    for (size_t i = n_text; ok && i < n_header; i++)
        ok = fputc(' ', f) != EOF;
    for (size_t i = 0; ok && i < n; i++)
        ok = fwrite(tensors[i].data, 1, tensors[i].n_bytes, f) == tensors[i].n_bytes;
    return ok && fflush(f) == 0 && fsync(fileno(f)) == 0;
}

/* The new file gets the permissions of the one it replaces, if there is one. */
static enum model_status write_beside(const char *path, const char *beside,
                                      const char *header, const struct tensor *tensors,
                                      size_t n)
{
    struct stat old;
    FILE *f = fopen(beside, "wbe");
    if (!f)
        return MODEL_CANNOT_WRITE;
    bool ok = stat(path, &old) || fchmod(fileno(f), old.st_mode & 07777) == 0;
    ok = ok && write_all(f, header, tensors, n);
    int why = errno;
    if (fclose(f) && ok) {
        ok = false;
        why = errno;
    }
    if (ok && rename(beside, path)) {
        ok = false;
        why = errno;
    }
    if (ok)
        return MODEL_OK;
    unlink(beside);
    errno = why;
    return MODEL_CANNOT_WRITE;
}

enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata)
{
    char *header = make_header(tensors, n, metadata, n_metadata);
    size_t n_beside = strlen(path) + 32;
    char *beside = malloc(n_beside);
    enum model_status st = MODEL_NO_MEMORY;
    if (header && beside) {
        snprintf(beside, n_beside, "%s.%ld.partial", path, (long)getpid());
        st = write_beside(path, beside, header, tensors, n);
    }
    cJSON_free(header);
    free(beside);
    return st;
}
