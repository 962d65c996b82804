/* Models and the example are found in $CONTINUO_HOME before anywhere else. */
#include "tests/check.h"
#include "app/base/paths.h"
#include "tests/app/own_folder.h"

static char path[1024];

static int set_up(void **state)
{
    return make_own_folder(state) || mkdir(in_folder("models"), 0700) ||
           setenv("CONTINUO_HOME", folder, 1);
}

static void touch(const char *name)
{
    put_text(formatted("models/%s", name), "");
}

/* A model of that name is there. */
static void assert_found(const char *name, const char *wanted)
{
    assert_true(paths_model(path, sizeof path, name));
    assert_string_equal(path, wanted);
}

static void assert_inside(const char *found, const char *name)
{
    assert_string_equal(found, in_folder(formatted("models/%s", name)));
}

TEST_IN(test_first_model_by_name, set_up, remove_own_folder)
{
    touch("zither.safetensors");
    touch("alto.safetensors");
    touch(".hidden.safetensors");
    touch("aaa.state");
    assert_found(NULL, in_folder("models/alto.safetensors"));
    touch("continuo.safetensors");
    assert_found(NULL, in_folder("models/continuo.safetensors"));
}

TEST_IN(test_wanted_model, set_up, remove_own_folder)
{
    touch("alto.safetensors");
    assert_found("alto", in_folder("models/alto.safetensors"));
    assert_found("alto.safetensors", in_folder("models/alto.safetensors"));
    assert_found("no/such.safetensors", "no/such.safetensors");
    assert_found("missing", "missing");
}

/* After those beside it, and named with the folder. */
TEST_IN(test_models_in_folders, set_up, remove_own_folder)
{
    char **names;
    mkdir(in_folder("models/chorales"), 0700);
    mkdir(in_folder("models/.hidden"), 0700);
    mkdir(in_folder("models/empty"), 0700);
    touch("chorales/shaw.safetensors");
    touch(".hidden/x.safetensors");
    touch("zither.safetensors");
    assert_int_equal(paths_list_models(0, &names), 2);
    assert_inside(names[0], "zither.safetensors");
    assert_inside(names[1], "chorales/shaw.safetensors");
    paths_free_list(names, 2);
    assert_found("chorales/shaw", in_folder("models/chorales/shaw.safetensors"));
    assert_found("chorales/none", "chorales/none");
}

TEST_IN(test_no_room, set_up, remove_own_folder)
{
    touch("alto.safetensors");
    assert_false(paths_model(path, 4, "a-longer-name"));
    assert_false(paths_model(path, 8, NULL));
    assert_false(paths_find(path, 0, PATHS_EXAMPLE));
}

TEST_IN(test_example, set_up, remove_own_folder)
{
    touch("example.mid");
    assert_true(paths_find(path, sizeof path, PATHS_EXAMPLE));
    assert_inside(path, "example.mid");
}

TEST_IN(test_lists_models, set_up, remove_own_folder)
{
    char **names;
    touch("b.safetensors");
    touch("a.safetensors");
    touch("README.md");
    assert_int_equal(paths_list_models(0, &names), 2);
    assert_inside(names[0], "a.safetensors");
    assert_inside(names[1], "b.safetensors");
    paths_free_list(names, 2);
    setenv("CONTINUO_HOME", "/no/such/folder", 1);
    assert_int_equal(paths_list_models(0, &names), 0);
    paths_free_list(names, 0);
}

TEST_IN(test_data_dirs, set_up, remove_own_folder)
{
    bool present;
    int n = 0;
    assert_true(paths_data_dir(0, path, sizeof path, &present));
    assert_true(present);
    assert_string_equal(path, folder);
    while (paths_data_dir(n, path, sizeof path, &present))
        n++;
    assert_true(n >= 3);
    unsetenv("CONTINUO_HOME");
    assert_true(paths_data_dir(0, path, sizeof path, &present));
    assert_false(present);
}

TEST_IN(test_log_folder_is_made, set_up, remove_own_folder)
{
    struct stat st;
    setenv("XDG_STATE_HOME", in_folder("deep/state"), 1);
    assert_true(paths_state(path, sizeof path, "messages.log"));
    *strrchr(path, '/') = '\0';
    assert_ok(stat(path, &st));
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(st.st_mode & 077, 0);
    setenv("XDG_STATE_HOME", "relative", 1); /* the standard has it ignored */
    setenv("HOME", folder, 1);
    assert_true(paths_state(path, sizeof path, "messages.log"));
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
}
