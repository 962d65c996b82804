/* Writes the safetensors container. A new file beside the target is written, synced and
 * then renamed over it. So a reader sees either the old file or the new one, never a
 * part. */
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

/* The header as text, from malloc. NULL: out of memory. */
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

/* Writes the whole file. Spaces after the header align the data. */
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

/* Finds the file that `path` leads to through a link: *target, from malloc, and in *old,
 * if *exists, its status. Refuses what a rename would replace and must not: a device, a
 * pipe, a folder or a write-protected file. */
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

/* Creates the new file with the permissions of the one that it replaces, and with its
 * owner if that is allowed. Until then nobody else may read it. */
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

/* Writes the file; header NULL: only creates the new file, and removes it. */
static enum model_status replace_file(const char *path, const char *header,
                                      const struct tensor *tensors, size_t n)
{
    struct stat old;
    bool exists = false;
    char *target = NULL, *beside = NULL;
    enum model_status st = find_target(&target, &old, &exists, path);
    if (!st && asprintf(&beside, "%s.%ld.partial", target, (long)getpid()) < 0) {
        beside = NULL;
        st = MODEL_NO_MEMORY;
    }
    FILE *f = st ? NULL : create_beside(beside, exists ? &old : NULL);
    if (!st && (!f || (header && !write_all(f, header, tensors, n))))
        st = MODEL_CANNOT_WRITE;
    int why = errno;
    if (f && fclose(f) && !st) {
        st = MODEL_CANNOT_WRITE;
        why = errno;
    }
    if (!st && header && rename(beside, target)) {
        st = MODEL_CANNOT_WRITE;
        why = errno;
    }
    if (beside && (st || !header))
        unlink(beside);
    free(beside);
    free(target);
    errno = why;
    return st;
}

enum model_status safetensors_save(const char *path, const struct tensor *tensors,
                                   size_t n, const struct metadata *metadata,
                                   size_t n_metadata)
{
    char *header = make_header(tensors, n, metadata, n_metadata);
    const enum model_status st =
        header ? replace_file(path, header, tensors, n) : MODEL_NO_MEMORY;
    cJSON_free(header);
    return st;
}

enum model_status safetensors_can_save(const char *path)
{
    return replace_file(path, NULL, NULL, 0);
}
