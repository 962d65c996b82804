/* A test program holds all tests of one folder, tests/ROOM/test_x.c and its neighbours. The name
 * that it is called by, test_x, says which file's tests run: each name is a link to the program,
 * and each file runs in a process of its own, so that a crash is one file's result. */
#include "tests/check.h"

static struct check_file *files;

void check_join(struct check_file *file)
{
    file->next = files;
    files = file;
}

/* The length of the name in a path, without its folders and ".c". */
static size_t find_name(const char **path)
{
    const char *slash = strrchr(*path, '/');
    if (slash)
        *path = slash + 1;
    size_t length = strlen(*path);
    return length > 2 && !strcmp(*path + length - 2, ".c") ? length - 2 : length;
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 0 ? argv[0] : "";
    size_t length = find_name(&wanted);
    for (struct check_file *f = files; f; f = f->next) {
        const char *name = f->path;
        if (find_name(&name) == length && !strncmp(name, wanted, length))
            return _cmocka_run_group_tests("tests", f->tests, f->n, f->begin, f->end);
    }
    fprintf(stderr, "%s: no file of this name has tests here\n", wanted);
    return 2;
}
