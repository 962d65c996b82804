/* A folder for the tests of a program, which is their state folder, too; removed with all
 * that is in it. Include cmocka.h before it. */
#ifndef TESTS_APP_OWN_FOLDER_H
#define TESTS_APP_OWN_FOLDER_H

#include "midi/smf/smf.h"
#include "tests/app/tiny_model.h"

#include <dirent.h>
#include <stdarg.h>

static char *folder;

static inline int make_own_folder(__attribute__((unused)) void **state)
{
    folder = temp_folder();
    return folder && !setenv("XDG_STATE_HOME", folder, 1) ? 0 : -1;
}

static inline int remove_own_folder(__attribute__((unused)) void **state)
{
    remove_folder(folder);
    return 0;
}

/* One of eight names is good at a time. */
static inline const char *in_folder(const char *name)
{
    static char paths[8][256];
    static int turn;
    char *path = paths[turn++ % 8];
    snprintf(path, sizeof paths[0], "%s/%.200s", folder, name);
    return path;
}

/* As by printf; one of eight texts is good at a time. */
__attribute__((format(printf, 1, 2))) static inline const char *
formatted(const char *format, ...)
{
    static char texts[8][2048];
    static int turn;
    char *text = texts[turn++ % 8];
    va_list arguments;
    va_start(arguments, format);
    assert_in_range(vsnprintf(text, sizeof texts[0], format, arguments), 0,
                    sizeof texts[0] - 1);
    va_end(arguments);
    return text;
}

static inline bool is_there(const char *name)
{
    struct stat st;
    return lstat(in_folder(name), &st) == 0;
}

static inline mode_t mode_of(const char *name)
{
    struct stat st;
    assert_int_equal(lstat(in_folder(name), &st), 0);
    return st.st_mode & 0777;
}

/* malloc'd, with a zero after it; NULL: there is no such file. */
static inline void *get_bytes(const char *name, size_t *n)
{
    enum { MOST_BYTES = 1 << 24 };
    FILE *f = fopen(in_folder(name), "rb");
    char *bytes = f ? malloc(MOST_BYTES + 1) : NULL;
    *n = bytes ? fread(bytes, 1, MOST_BYTES, f) : 0;
    if (bytes)
        bytes[*n] = '\0';
    if (f)
        fclose(f);
    return bytes;
}

/* A new file each time: what is written over is flushed to the disk by ext4. */
static inline void put_bytes(const char *name, const void *bytes, size_t n)
{
    unlink(in_folder(name));
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static inline void put_text(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static inline void copy_file(const char *to, const char *from)
{
    size_t n;
    void *bytes = get_bytes(from, &n);
    assert_non_null(bytes);
    put_bytes(to, bytes, n);
    free(bytes);
}

/* Music, which is freed. */
static inline void save_score(const char *name, struct score *s)
{
    assert_int_equal(smf_save(s, in_folder(name)), MIDI_OK);
    score_destroy(s);
}

/* The caller frees it. */
static inline struct score *load_score(const char *name)
{
    struct score *s = NULL;
    assert_int_equal(smf_load(&s, in_folder(name), NULL), MIDI_OK);
    return s;
}

/* What a program that is killed now would leave of a piece, as another one. */
static inline void copy_piece(const char *to, const char *from)
{
    static const char *const KINDS[] = {"", ".continuo", ".continuo-wal"};
    for (int i = 0; i < 3; i++) {
        unlink(in_folder(formatted("%s%s", to, KINDS[i])));
        if (is_there(formatted("%s%s", from, KINDS[i])))
            copy_file(formatted("%s%s", to, KINDS[i]),
                      formatted("%s%s", from, KINDS[i]));
    }
}

/* Its files go; folders in it stay. */
static inline void empty_folder(void)
{
    struct dirent *e;
    DIR *all = opendir(folder);
    assert_non_null(all);
    while ((e = readdir(all)))
        if (e->d_type == DT_REG)
            unlinkat(dirfd(all), e->d_name, 0);
    closedir(all);
}

/* A tiny model in it, too. */
static char model[600];

static inline int make_model(void **state)
{
    if (make_own_folder(state) || mkdir(in_folder("model"), 0700))
        return -1;
    snprintf(model, sizeof model, "%s/model/tiny.safetensors", folder);
    return tiny_model_save(model, 512, 1) ? 0 : -1;
}

/* The program's files, and those of relative names, are in it. */
static inline int live_in_folder(void)
{
    return setenv("HOME", folder, 1) || setenv("XDG_CONFIG_HOME", folder, 1) ||
           chdir(folder);
}

#endif
