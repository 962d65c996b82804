#include "app/document/file_seen.h"

#include "midi/base/file.h"

#include <stdlib.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

struct file_seen file_look(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return (struct file_seen){.exists = false};
    return (struct file_seen){
        .exists = true,
        .device = st.st_dev,
        .inode = st.st_ino,
        .size = st.st_size,
        .seconds = st.st_mtim.tv_sec,
        .nanoseconds = st.st_mtim.tv_nsec,
    };
}

enum file_news file_compare(struct file_seen *seen, const char *path)
{
    struct file_seen now = file_look(path);
    uint8_t *bytes;
    size_t n;
    if (seen->exists == now.exists && seen->device == now.device &&
        seen->inode == now.inode && seen->size == now.size &&
        seen->seconds == now.seconds && seen->nanoseconds == now.nanoseconds)
        return FILE_SAME;
    if (!now.exists)
        return FILE_GONE;
    if (file_read(path, &bytes, &n))
        return FILE_CHANGED;
    now.content = fingerprint_of(bytes, n);
    free(bytes);
    if (!seen->exists || !fingerprint_equal(now.content, seen->content))
        return FILE_CHANGED;
    *seen = now;
    return FILE_SAME;
}
