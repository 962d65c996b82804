#include "midi/base/clock.h"

double clock_now_ms(void)
{
    struct timespec t = clock_after_ms(0);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int64_t clock_whole_ms(void)
{
    struct timespec t = clock_after_ms(0);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

double clock_now_seconds(void)
{
    return clock_now_ms() / 1e3;
}

struct timespec clock_after_ms(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t ns = t.tv_nsec + ms * INT64_C(1000000);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}
