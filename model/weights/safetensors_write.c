/* Writes the safetensors container: a file beside the target is synced, then renamed.
 * So a reader sees the old file or the new one, never a part of either. */
#include "model/weights/safetensors.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
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

/* What `path` leads to, malloc'd, and in *old, if *exists, what is there. A rename would
 * replace a link, a device, a pipe or a write-protected file, too. */
static enum model_status find_target(char **target, struct stat *old, bool *exists,
                                     const char *path)
{
    struct stat link;
    *target = lstat(path, &link) == 0 && S_ISLNK(link.st_mode) ? realpath(path, NULL)
                                                               : strdup(path);
    if (!*target)
        return MODEL_CANNOT_WRITE;
    *exists = stat(*target, old) == 0;
    if (*exists && !S_ISREG(old->st_mode))
        return MODEL_NOT_REGULAR;
    return *exists && access(*target, W_OK) ? MODEL_CANNOT_WRITE : MODEL_OK;
}

/* The new file gets the permissions of the one it replaces, and its owner where that is
 * allowed; nobody else may read it before. */
static FILE *create_beside(const char *beside, const struct stat *old)
{
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                  old ? 0600 : 0666);
    int ignored = old && fd >= 0 ? fchown(fd, old->st_uid, old->st_gid) : 0;
    (void)ignored;
    FILE *f =
        fd >= 0 && !(old && fchmod(fd, old->st_mode & 07777)) ? fdopen(fd, "wb") : NULL;
    if (!f && fd >= 0)
        close(fd);
    return f;
}

/* The path of that file, malloc'd; NULL: out of memory. */
static char *name_beside(const char *target)
{
    char *beside;
    return asprintf(&beside, "%s.%ld.partial", target, (long)getpid()) < 0 ? NULL
                                                                           : beside;
}

static enum model_status write_beside(const char *target, const struct stat *old,
                                      const char *header, const struct tensor *tensors,
                                      size_t n)
{
    char *beside = name_beside(target);
    if (!beside)
        return MODEL_NO_MEMORY;
    FILE *f = create_beside(beside, old);
    bool ok = f && write_all(f, header, tensors, n);
    int why = errno;
    if (f && fclose(f) && ok) {
        ok = false;
        why = errno;
    }
    if (ok && rename(beside, target)) {
        ok = false;
        why = errno;
    }
    if (!ok)
        unlink(beside);
    free(beside);
    errno = why;
    return ok ? MODEL_OK : MODEL_CANNOT_WRITE;
}

enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata)
{
    struct stat old;
    bool exists = false;
    char *target = NULL, *header = make_header(tensors, n, metadata, n_metadata);
    enum model_status st =
        header ? find_target(&target, &old, &exists, path) : MODEL_NO_MEMORY;
    if (!st)
        st = write_beside(target, exists ? &old : NULL, header, tensors, n);
    cJSON_free(header);
    free(target);
    return st;
}

enum model_status safetensors_can_save(const char *path)
{
    struct stat old;
    bool exists = false;
    char *target = NULL, *beside = NULL;
    enum model_status st = find_target(&target, &old, &exists, path);
    if (!st && !(beside = name_beside(target)))
        st = MODEL_NO_MEMORY;
    FILE *f = st ? NULL : create_beside(beside, exists ? &old : NULL);
    if (!st && !f)
        st = MODEL_CANNOT_WRITE;
    const int why = errno;
    if (f) {
        fclose(f);
        unlink(beside);
    }
    free(beside);
    free(target);
    errno = why;
    return st;
}
