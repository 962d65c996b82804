/* What is left on a disk whose power is cut after some of what was written to a folder:
 * files have content, as it is now and as it was when last synced, and the folder has
 * names, as they are now and as they were when it was. A cut leaves of each what it likes.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_CUT_DISK_H
#define TESTS_APP_CUT_DISK_H

#include "tests/app/document/fault_shim.h"
#include "tests/app/kept.h"

#include <dirent.h>

enum { CUT_FILES = 64, CUT_NAMES = 64 };

struct cut_content {
    uint8_t *bytes;
    size_t n;
};

struct cut_file {
    uint64_t inode;
    struct cut_content now, synced;
};

struct cut_name {
    char name[120];
    int file; /* index; -1: a name that is free */
};

struct cut_disk {
    struct cut_file files[CUT_FILES];
    int n_files;
    struct cut_name now[CUT_NAMES], synced[CUT_NAMES];
};

/* How it is left. */
struct cut {
    const char *name;
    enum { CUT_AS_WRITTEN, CUT_AS_SYNCED, CUT_ZEROED, CUT_EITHER } content;
    bool old_names;
    bool is_torn;  /* of the last write only half was done */
    uint64_t seed; /* of EITHER */
};

static inline void content_resize(struct cut_content *c, size_t n)
{
    uint8_t *grown = realloc(c->bytes, n + 1);
    assert_non_null(grown);
    if (n > c->n)
        memset(grown + c->n, 0, n - c->n);
    c->bytes = grown;
    c->n = n;
}

static inline void content_put(struct cut_content *c, size_t at, const uint8_t *bytes,
                               size_t n)
{
    if (at + n > c->n)
        content_resize(c, at + n);
    if (n)
        memcpy(c->bytes + at, bytes, n);
}

static inline void content_copy(struct cut_content *to, const struct cut_content *from)
{
    content_resize(to, from->n);
    content_put(to, 0, from->bytes, from->n);
}

/* The newest of that number, for numbers are used again; NULL: none is known. */
static inline struct cut_file *disk_file(struct cut_disk *d, uint64_t inode)
{
    for (int i = d->n_files - 1; i >= 0; i--)
        if (d->files[i].inode == inode)
            return &d->files[i];
    return NULL;
}

static inline struct cut_name *disk_name(struct cut_name *names, const char *name)
{
    struct cut_name *is_free = NULL;
    for (int i = 0; i < CUT_NAMES; i++) {
        if (names[i].file >= 0 && !strcmp(names[i].name, name))
            return &names[i];
        if (names[i].file < 0 && !is_free)
            is_free = &names[i];
    }
    assert_non_null(is_free);
    return is_free;
}

static inline void disk_name_is(struct cut_name *names, const char *name, int file)
{
    struct cut_name *n = disk_name(names, name);
    snprintf(n->name, sizeof n->name, "%.119s", name);
    n->file = file;
}

static inline int disk_create(struct cut_disk *d, const char *name, uint64_t inode)
{
    assert_true(d->n_files < CUT_FILES);
    d->files[d->n_files] = (struct cut_file){.inode = inode};
    content_resize(&d->files[d->n_files].now, 0);
    content_resize(&d->files[d->n_files].synced, 0);
    disk_name_is(d->now, name, d->n_files);
    return d->n_files++;
}

static inline void disk_rename(struct cut_disk *d, const char *from, const char *to)
{
    int file = disk_name(d->now, from)->file;
    disk_name(d->now, from)->file = -1;
    disk_name_is(d->now, to, file);
}

static inline void disk_do(struct cut_disk *d, const struct op *o)
{
    struct cut_file *f = disk_file(d, o->inode);
    if (o->kind == OP_CREATE)
        disk_create(d, o->name, o->inode);
    else if (o->kind == OP_RENAME)
        disk_rename(d, o->name, o->to);
    else if (o->kind == OP_UNLINK)
        disk_name(d->now, o->name)->file = -1;
    else if (o->kind == OP_SYNC_FOLDER)
        memcpy(d->synced, d->now, sizeof d->synced);
    else if (o->kind == OP_WRITE && f)
        content_put(&f->now, o->at, o->bytes, o->n);
    else if (o->kind == OP_TRUNCATE && f)
        content_resize(&f->now, o->at);
    else if (o->kind == OP_SYNC && f)
        content_copy(&f->synced, &f->now);
}

/* All in the folder of kept.h as it is, on the disk. */
static inline void disk_init(struct cut_disk *d)
{
    struct dirent *e;
    struct stat st;
    DIR *folder = opendir(kept_folder);
    assert_non_null(folder);
    memset(d, 0, sizeof *d);
    for (int i = 0; i < CUT_NAMES; i++)
        d->now[i].file = d->synced[i].file = -1;
    while ((e = readdir(folder))) {
        size_t n;
        if (fstatat(dirfd(folder), e->d_name, &st, 0) || !S_ISREG(st.st_mode))
            continue;
        uint8_t *bytes = get_bytes(e->d_name, &n);
        int i = disk_create(d, e->d_name, st.st_ino);
        content_put(&d->files[i].now, 0, bytes, n);
        content_copy(&d->files[i].synced, &d->files[i].now);
        free(bytes);
    }
    memcpy(d->synced, d->now, sizeof d->synced);
    closedir(folder);
}

static inline void disk_fini(struct cut_disk *d)
{
    for (int i = 0; i < d->n_files; i++) {
        free(d->files[i].now.bytes);
        free(d->files[i].synced.bytes);
    }
}

static inline void leave_file(const struct cut_file *f, const char *name,
                              const struct cut *cut)
{
    bool is_old = cut->content == CUT_AS_SYNCED ||
                  (cut->content == CUT_EITHER &&
                   (cut->seed >> (f->inode * 2654435761U >> 3) % 64 & 1));
    if (cut->content != CUT_ZEROED) {
        const struct cut_content *c = is_old ? &f->synced : &f->now;
        put_bytes(name, c->bytes, c->n);
        return;
    }
    struct cut_content zeroed = {0}; /* the room is there, and not yet the bytes */
    content_copy(&zeroed, &f->synced);
    if (f->now.n > zeroed.n)
        content_resize(&zeroed, f->now.n);
    put_bytes(name, zeroed.bytes, zeroed.n);
    free(zeroed.bytes);
}

static inline void empty_kept_folder(void)
{
    struct dirent *e;
    DIR *folder = opendir(kept_folder);
    assert_non_null(folder);
    while ((e = readdir(folder)))
        if (e->d_type == DT_REG)
            unlinkat(dirfd(folder), e->d_name, 0);
    closedir(folder);
}

/* The folder of kept.h becomes what is left. */
static inline void disk_leave(const struct cut_disk *d, const struct cut *cut)
{
    const struct cut_name *names = cut->old_names ? d->synced : d->now;
    empty_kept_folder();
    for (int i = 0; i < CUT_NAMES; i++)
        if (names[i].file >= 0)
            leave_file(&d->files[names[i].file], names[i].name, cut);
}

#endif
