/* Models and the example are found in $CONTINUO_HOME before anywhere else. */
#include "tests/check.h"
#include "tests/app/own_folder.h"

static char path[1024];

static int set_up(void **state)
{
    return make_own_folder(state) || mkdir(in_folder("models"), 0700) ||
           mkdir(in_folder("models/chorales"), 0700) ||
           mkdir(in_folder("models/.hidden"), 0700) ||
           setenv("CONTINUO_HOME", folder, 1);
}

#define PATHS_TEST(name) TEST_IN(name, set_up, remove_own_folder)

/* These files are among the models, with spaces between. */
static void put(const char *names)
{
    char text[256], *rest = NULL;
    snprintf(text, sizeof text, "%s", names);
    for (char *n = strtok_r(text, " ", &rest); n; n = strtok_r(NULL, " ", &rest))
        put_text(formatted("models/%s", n), "");
}

static const char *of_models(const char *name)
{
    return in_folder(formatted("models/%s", name));
}

/* A model of that name (NULL: none is named) is there. */
static void assert_found(const char *name, const char *wanted)
{
    assert_true(paths_model(path, sizeof path, name));
    assert_string_equal(path, wanted);
}

/* They are listed so. */
static void assert_listed(const char *a, const char *b)
{
    glob_t found;
    paths_list_models(&found);
    assert_in_range(found.gl_pathc, 2, 100); /* those of the program's folder follow */
    assert_string_equal(found.gl_pathv[0], of_models(a));
    assert_string_equal(found.gl_pathv[1], of_models(b));
    assert_null(strstr(found.gl_pathv[found.gl_pathc - 1], in_folder("continuo/")));
    globfree(&found);
}

PATHS_TEST(a_model_is_found_by_its_name_or_is_the_first)
{
    put("zither.safetensors alto.safetensors .hidden.safetensors aaa.state");
    assert_found(NULL, of_models("alto.safetensors"));
    assert_found("alto", of_models("alto.safetensors"));
    assert_found("alto.safetensors", of_models("alto.safetensors"));
    assert_found("no/such.safetensors", "no/such.safetensors");
    assert_found("missing", "missing");
    put("continuo.safetensors");
    assert_found(NULL, of_models("continuo.safetensors"));
    assert_false(paths_model(path, 4, "a-longer-name"));
    assert_false(paths_model(path, 8, NULL));
}

/* Those in folders come after those beside them, and are named with the folder. */
PATHS_TEST(models_are_listed)
{
    assert_ok(symlink(".", in_folder("continuo"))); /* the last folder is the first */
    setenv("XDG_DATA_HOME", folder, 1);
    put("chorales/shaw.safetensors .hidden/x.safetensors zither.safetensors README.md");
    assert_listed("zither.safetensors", "chorales/shaw.safetensors");
    assert_found("chorales/shaw", of_models("chorales/shaw.safetensors"));
    assert_found("chorales/none", "chorales/none");
    assert_ok(unlink(of_models("chorales/shaw.safetensors")));
    put("a.safetensors");
    assert_listed("a.safetensors", "zither.safetensors");
}

PATHS_TEST(the_folder_of_the_log_is_made)
{
    struct stat st;
    setenv("XDG_STATE_HOME", in_folder("deep/state"), 1);
    assert_true(paths_state(path, sizeof path, "messages.log"));
    *strrchr(path, '/') = '\0';
    assert_ok(stat(path, &st));
    assert_true(S_ISDIR(st.st_mode) && !(st.st_mode & 077));
    setenv("XDG_STATE_HOME", "relative", 1); /* the standard has it ignored */
    setenv("HOME", folder, 1);
    assert_true(paths_state(path, sizeof path, "messages.log"));
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
}
