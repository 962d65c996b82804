#include "app/base/user_paths.h"

#include "app/base/paths.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool user_config_file(char *path, size_t n_path)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = -1;
    if (config && *config == '/')
        n = snprintf(path, n_path, "%s/continuo/continuo.conf", config);
    else if (home && *home == '/')
        n = snprintf(path, n_path, "%s/.config/continuo/continuo.conf", home);
    return n > 0 && (size_t)n < n_path;
}

bool user_is_new(void)
{
    char path[4096];
    if (!paths_state(path, sizeof path, "welcomed"))
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}
