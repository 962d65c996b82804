/* Models and the example are found in $CONTINUO_HOME before anywhere else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/check.h"
#include "app/base/paths.h"
#include "tests/app/tiny_model.h"

#include <sys/stat.h>

struct home {
    char *dir, *models;
};

static void touch(const char *dir, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
}

static int set_up(void **state)
{
    struct home *h = calloc(1, sizeof *h);
    char models[1024];
    h->dir = temp_folder();
    assert_non_null(h->dir);
    snprintf(models, sizeof models, "%s/models", h->dir);
    h->models = strdup(models);
    assert_int_equal(mkdir(models, 0700), 0);
    setenv("CONTINUO_HOME", h->dir, 1);
    *state = h;
    return 0;
}

static int tear_down(void **state)
{
    struct home *h = *state;
    remove_folder(h->dir);
    free(h->models);
    free(h);
    return 0;
}

static void assert_inside(const struct home *h, const char *path, const char *name)
{
    char expected[2048];
    snprintf(expected, sizeof expected, "%s/%s", h->models, name);
    assert_string_equal(path, expected);
}

TEST_IN(test_first_model_by_name, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024];
    touch(h->models, "zither.safetensors");
    touch(h->models, "alto.safetensors");
    touch(h->models, ".hidden.safetensors");
    touch(h->models, "aaa.state");
    assert_true(paths_model(path, sizeof path, NULL));
    assert_inside(h, path, "alto.safetensors");
    touch(h->models, "continuo.safetensors");
    assert_true(paths_model(path, sizeof path, NULL));
    assert_inside(h, path, "continuo.safetensors");
}

TEST_IN(test_wanted_model, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024];
    touch(h->models, "alto.safetensors");
    assert_true(paths_model(path, sizeof path, "alto"));
    assert_inside(h, path, "alto.safetensors");
    assert_true(paths_model(path, sizeof path, "alto.safetensors"));
    assert_inside(h, path, "alto.safetensors");
    assert_true(paths_model(path, sizeof path, "no/such.safetensors"));
    assert_string_equal(path, "no/such.safetensors");
    assert_true(paths_model(path, sizeof path, "missing"));
    assert_string_equal(path, "missing");
}

static void make_folder(const struct home *h, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", h->models, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

/* After those beside it, and named with the folder. */
TEST_IN(test_models_in_folders, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024], **names;
    make_folder(h, "chorales");
    make_folder(h, ".hidden");
    make_folder(h, "empty");
    touch(h->models, "chorales/shaw.safetensors");
    touch(h->models, ".hidden/x.safetensors");
    touch(h->models, "zither.safetensors");
    assert_int_equal(paths_list_models(0, &names), 2);
    assert_inside(h, names[0], "zither.safetensors");
    assert_inside(h, names[1], "chorales/shaw.safetensors");
    paths_free_list(names, 2);
    assert_true(paths_model(path, sizeof path, "chorales/shaw"));
    assert_inside(h, path, "chorales/shaw.safetensors");
    assert_true(paths_model(path, sizeof path, "chorales/none"));
    assert_string_equal(path, "chorales/none");
}

TEST_IN(test_no_room, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024];
    touch(h->models, "alto.safetensors");
    assert_false(paths_model(path, 4, "a-longer-name"));
    assert_false(paths_model(path, 8, NULL));
    assert_false(paths_example(path, 0));
}

TEST_IN(test_example, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024];
    touch(h->models, "example.mid");
    assert_true(paths_example(path, sizeof path));
    assert_inside(h, path, "example.mid");
}

TEST_IN(test_lists_models, set_up, tear_down)
{
    struct home *h = *state;
    char **names;
    touch(h->models, "b.safetensors");
    touch(h->models, "a.safetensors");
    touch(h->models, "README.md");
    assert_int_equal(paths_list_models(0, &names), 2);
    assert_inside(h, names[0], "a.safetensors");
    assert_inside(h, names[1], "b.safetensors");
    paths_free_list(names, 2);
    setenv("CONTINUO_HOME", "/no/such/folder", 1);
    assert_int_equal(paths_list_models(0, &names), 0);
    paths_free_list(names, 0);
}

TEST_IN(test_data_dirs, set_up, tear_down)
{
    struct home *h = *state;
    char path[4096];
    bool present;
    int n = 0;
    assert_true(paths_data_dir(0, path, sizeof path, &present));
    assert_true(present);
    assert_string_equal(path, h->dir);
    while (paths_data_dir(n, path, sizeof path, &present))
        n++;
    assert_true(n >= 3);
    unsetenv("CONTINUO_HOME");
    assert_true(paths_data_dir(0, path, sizeof path, &present));
    assert_false(present);
}

TEST_IN(test_log_folder_is_made, set_up, tear_down)
{
    struct home *h = *state;
    char path[1024], folder[1024];
    struct stat st;
    snprintf(folder, sizeof folder, "%s/deep/state", h->dir);
    setenv("XDG_STATE_HOME", folder, 1);
    assert_true(paths_log(path, sizeof path));
    *strrchr(path, '/') = '\0';
    assert_int_equal(stat(path, &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(st.st_mode & 077, 0);
    setenv("XDG_STATE_HOME", "relative", 1); /* the standard has it ignored */
    setenv("HOME", h->dir, 1);
    assert_true(paths_log(path, sizeof path));
    assert_int_equal(strncmp(path, h->dir, strlen(h->dir)), 0);
}
