/* What may become of an open file: cut short, written over, deleted. */
#ifndef TESTS_SPOIL_FILE_H
#define TESTS_SPOIL_FILE_H

#include "tests/check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPOIL_KINDS = 3 };

static inline void spoil_file(const char *path, int kind)
{
    static const char bytes[16] = "written over it";
    struct stat s;
    if (kind == 0)
        assert_int_equal(truncate(path, 100), 0);
    if (kind == 1) {
        int fd = open(path, O_WRONLY);
        assert_true(fd >= 0 && !fstat(fd, &s));
        for (off_t at = 0; at < s.st_size; at += 16)
            assert_int_equal(pwrite(fd, bytes, sizeof bytes, at), sizeof bytes);
        close(fd);
    }
    if (kind == 2)
        assert_int_equal(unlink(path), 0);
}

#endif
