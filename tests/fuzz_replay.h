/* What every fuzz target is made of. tests/ROOM/fuzz_x.c defines LLVMFuzzerTestOneInput;
 * libFuzzer brings the program that calls it, or with FUZZ_REPLAY it is the one below: each
 * file given, and each file of the folders given, once. */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include "tests/auto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes);

/* Says what does not hold, and ends. */
#define require(holds) require_at(holds, __FILE__, __LINE__, #holds)
static inline void require_at(bool holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

/* The bytes, one by one; zeros after the last. */
struct source {
    const uint8_t *at, *end;
};

static inline int take(struct source *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

#ifdef FUZZ_REPLAY
#include <ftw.h>
#include <sys/stat.h>

static int n_replayed;

/* The bytes end where their memory does, so that ASan sees the first too many. */
static int replay(const char *path, const struct stat *about, int kind,
                  struct FTW *where)
{
    (void)where;
    if (kind != FTW_F)
        return 0;
    size_t n = (size_t)about->st_size;
    uint8_t *bytes = malloc(n ? n : 1);
    FILE *f = fopen(path, "rb");
    if (!f || !bytes || fread(bytes, 1, n, f) != n) {
        perror(path);
        exit(1);
    }
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
    fclose(f);
    n_replayed++;
    return 0;
}

/* Nothing replayed is a failure: a folder that moved must not pass. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (nftw(argv[i], replay, 8, FTW_PHYS)) {
            perror(argv[i]);
            return 1;
        }
    printf("%d replayed\n", n_replayed);
    return n_replayed == 0;
}
#endif

#endif
