/* See streams.h. */
#include "app/base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The lowest that is closed is what open gives. */
void streams_fill(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int streams_finish(int status)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "continuo: not all of the output could be written%s%s\n",
            errno ? ": " : "", errno ? strerror(errno) : "");
    return status ? status : 1;
}
