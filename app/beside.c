/* See beside.h. */
#include "app/beside.h"

#include "app/sidecar_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum sidecar_status fail(struct beside *b, const char *why)
{
    snprintf(b->why, sizeof b->why, "%s", why);
    return b->status = SIDECAR_FAILED;
}

/* What it says, if it is whole: what is not goes out of the way and stays there. The line
 * is without its end, which writing adds. */
static char *copy_of(const char *midi_path, const char *path)
{
    struct sidecar there;
    struct sidecar_bytes bytes = {0};
    char why[SIDECAR_WHY_BYTES];
    bool is_whole = sidecar_load(&there, midi_path, why) == SIDECAR_OK &&
                    sidecar_file_read(&bytes, path, why) == SIDECAR_OK;
    sidecar_fini(&there);
    if (is_whole && bytes.n && bytes.text[bytes.n - 1] == '\n')
        bytes.text[bytes.n - 1] = '\0';
    if (is_whole)
        return bytes.text;
    sidecar_bytes_free(&bytes);
    return NULL;
}

static bool remember_before(struct beside *b)
{
    if (b->is_over)
        return true;
    char *path = sidecar_file_path(b->path);
    if (!path)
        return false;
    b->before = copy_of(b->path, path);
    free(path);
    return true;
}

/* Takes the text. */
static void write_over(struct beside *b, char *text)
{
    free(b->text);
    b->text = text;
    if (!remember_before(b)) {
        fail(b, "out of memory");
        return;
    }
    if (b->left_out && sidecar_put_aside(b->path, b->why) == SIDECAR_FAILED) {
        b->status = SIDECAR_FAILED;
        return;
    }
    b->left_out = false;
    b->status = sidecar_save(&b->want, b->path, b->why);
    b->is_over |= b->status != SIDECAR_NONE;
}

/* Without the dice where they do not count. */
static char *text_to_compare(const struct beside *b)
{
    struct sidecar same = b->want; /* borrowed */
    if (!b->is_there)
        same.steering.seed = STEERING_DEFAULT.seed;
    return sidecar_text(&same);
}

static bool is_same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

void beside_write(void *beside)
{
    struct beside *b = beside;
    char *text = text_to_compare(b);
    b->status = SIDECAR_OK;
    if (!text)
        fail(b, "out of memory");
    else if (is_same(text, b->saved))
        beside_give_back(b);
    else if (!is_same(text, b->text)) {
        write_over(b, text);
        text = NULL;
    }
    free(text);
    sidecar_fini(&b->want);
}

static enum sidecar_status give_back(struct beside *b, const char *path)
{
    if (b->before)
        return sidecar_file_write(path, b->before, b->why);
    if (unlink(path) && errno != ENOENT)
        return fail(b, strerror(errno));
    return SIDECAR_OK;
}

enum sidecar_status beside_give_back(struct beside *b)
{
    if (!b->is_over)
        return SIDECAR_OK;
    char *path = sidecar_file_path(b->path);
    b->status = path ? give_back(b, path) : fail(b, "out of memory");
    free(path);
    if (b->status == SIDECAR_FAILED)
        return SIDECAR_FAILED;
    b->is_over = false;
    free(b->text);
    free(b->before);
    b->text = b->before = NULL;
    return SIDECAR_OK;
}

void beside_forget(struct beside *b)
{
    free(b->path);
    free(b->saved);
    free(b->text);
    free(b->before);
    sidecar_fini(&b->want);
    *b = (struct beside){0};
}
