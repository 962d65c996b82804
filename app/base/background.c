#include "app/base/background.h"

#include <sys/resource.h>
#include <unistd.h>

enum { NICENESS = 5 };

void background_step_back(void)
{
#ifdef __linux__
    const int before = getpriority(PRIO_PROCESS, (id_t)gettid());
    setpriority(PRIO_PROCESS, (id_t)gettid(), before + NICENESS);
#endif
}
