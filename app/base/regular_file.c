/* See regular_file.h. */
#include "app/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(int fd)
{
    struct stat about;
    if (fstat(fd, &about))
        return false;
    errno = EINVAL;
    return S_ISREG(about.st_mode);
}

FILE *regular_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *f = fd >= 0 && is_regular(fd) ? fdopen(fd, "rb") : NULL;
    int why = errno;
    if (fd >= 0 && !f)
        close(fd);
    errno = why;
    return f;
}
