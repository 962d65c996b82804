/* Registers through their file, also when that is hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/registers_file.h"
#include "tests/app/copied_notes.h"
#include "tests/app/own_folder.h"

#include <sys/stat.h>

static void assert_same(const struct registers *a, const struct registers *b)
{
    for (int i = 0; i < N_REGISTERS; i++) {
        const struct passage *x = &a->at[i], *y = &b->at[i];
        assert_int_equal(x->n, y->n);
        if (!x->n)
            continue;
        assert_int_equal(x->span, y->span);
        assert_int_equal(x->at_track, y->at_track);
        assert_int_equal(x->ticks_per_quarter, y->ticks_per_quarter);
        assert_memory_equal(x->notes, y->notes, x->n * sizeof *x->notes);
        assert_int_equal(x->n_points, y->n_points);
        assert_memory_equal(x->points, y->points, x->n_points * sizeof *x->points);
    }
}

static void fill(struct registers *r)
{
    struct passage_note notes[] = {
        {
            -240,
            480,
            0,
            60,
            80,
            64,
        },
        {0, PASSAGE_FURTHEST, 0, 0, 1, 0},
        {PASSAGE_FURTHEST, 0, PASSAGE_TRACKS - 1, 127, 127, 127}};
    struct passage_point points[] = {{0, 0, CONTROL_CHANGE, 64, 127},
                                     {9, 0, CONTROL_CHANGE, 64, 0},
                                     {0, 3, CONTROL_BEND, 0, 16383}};
    struct passage p = {480, PASSAGE_FURTHEST / 2, notes, 3, points, 3, 7};
    assert_true(passage_is_sane(&p));
    assert_true(registers_put(r, 'a', &p, false));
    p.n = 1;
    assert_true(registers_put(r, 0, &p, true));
    assert_true(registers_put(r, 0, &p, true));
    assert_true(registers_put(r, 'z', &p, true));
    assert_false(registers_put(r, 'A', &p, false)); /* too long */
}

static void they_come_back(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    struct registers r = {0}, t;
    assert_int_equal(registers_read(&t, in_folder("r"), why), SIDECAR_NONE);
    assert_int_equal(registers_write(&r, in_folder("r"), why), SIDECAR_NONE);
    fill(&r);
    assert_int_equal(registers_write(&r, in_folder("r"), why), SIDECAR_OK);
    assert_int_equal(registers_write(&r, in_folder("r"), why), SIDECAR_NONE);
    assert_int_equal(registers_read(&t, in_folder("r"), why), SIDECAR_OK);
    assert_same(&r, &t);
    assert_int_equal(registers_get(&t, '"')->n, registers_get(&t, 'z')->n);
    assert_int_equal(t.last, 'z' - 'a');
    registers_fini(&t);
    registers_fini(&r);
}

#define REGISTER(body) "{\"continuo\":1,\"registers\":{\"a\":" body "}}"
#define POINTS(list)                                                                   \
    REGISTER("{\"division\":480,\"span\":9,\"notes\":[[0,1,0,60,80,64]],"              \
             "\"points\":" list "}")
#define NOTES(list) REGISTER("{\"division\":480,\"span\":9,\"notes\":" list "}")

static void hostile_files_are_refused_and_kept(void **state)
{
    (void)state;
    static const char *const FILES[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"continuo\":2,\"registers\":{}}",
        "{\"continuo\":1,\"registers\":[]}",
        REGISTER("1"),
        REGISTER("{}"),
        NOTES("[]"),
        NOTES("{}"),
        NOTES("[1]"),
        NOTES("[[]]"),
        NOTES("[[0,1,0,60,80]]"),
        NOTES("[[0,1,0,60,80,64,1]]"),
        NOTES("[[0,-1,0,60,80,64]]"),
        NOTES("[[0,1,0,128,80,64]]"),
        NOTES("[[0,1,0,60,0,64]]"),
        NOTES("[[0,1,0,60,80,null]]"),
        NOTES("[[0,1,1,60,80,64]]"),
        NOTES("[[0,1,256,60,80,64]]"),
        NOTES("[[1e300,1,0,60,80,64]]"),
        NOTES("[[0,1,0,60,80,6.5]]"),
        NOTES("[[5,1,0,60,80,64],[4,1,0,60,80,64]]"),
        NOTES("[[0,1,0,60,80,64],[4,1,-1,60,80,64]]"),
        POINTS("[]"),
        POINTS("[[0,0,1,64]]"),
        POINTS("[[9,0,1,64,0]]"),
        POINTS("[[0,0,1,64,128]]"),
        POINTS("[[0,0,1,0,1]]"),
        POINTS("[[0,0,0,0,64]]"),
        POINTS("[[0,0,77,0,64]]"),
        POINTS("[[0,0,5,0,64]]"),
        POINTS("[[0,999,1,64,0]]"),
        POINTS("[[5,0,1,64,0],[4,0,1,64,0]]"),
        REGISTER("{\"division\":0,\"span\":9,\"notes\":[[0,1,0,60,80,64]]}"),
        REGISTER("{\"division\":480,\"span\":-1,\"notes\":[[0,1,0,60,80,64]]}"),
        REGISTER("{\"division\":480,\"span\":9,\"notes\":[[0,1,0,60,80,64]]},"
                 "\"a\":{\"division\":480,\"span\":9,\"notes\":[[0,1,0,60,80,64]]}"),
    };
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char why[SIDECAR_WHY_BYTES];
        struct registers r;
        put_in_folder("r", FILES[i], strlen(FILES[i]));
        if (registers_read(&r, in_folder("r"), why) != SIDECAR_FAILED)
            fail_msg("%s was read", FILES[i]);
        assert_null(r.at[0].notes);
        assert_int_equal(registers_get(&r, 0)->n, 0);
    }
    char why[SIDECAR_WHY_BYTES];
    struct registers r = {0}, t;
    struct stat st;
    fill(&r);
    put_in_folder("r", "mine", 4);
    assert_int_equal(registers_write(&r, in_folder("r"), why), SIDECAR_OK);
    assert_int_equal(stat(in_folder("r.bad"), &st), 0);
    assert_int_equal(st.st_size, 4);
    assert_int_equal(registers_read(&t, in_folder("r"), why), SIDECAR_OK);
    assert_same(&r, &t);
    registers_fini(&t);
    registers_fini(&r);
}

/* Bytes changed or cut: read or refused; what is read can be pasted. */
static void mutations_do_no_harm(void **state)
{
    struct session *s = *state;
    static const char GOOD[] =
        "{\"continuo\":1,\"last\":\"a\",\"registers\":{\"a\":{\"division\":480,"
        "\"span\":"
        "1920,\"notes\":[[0,240,0,60,80,64],[480,240,1,64,90,64]]}}}";
    uint32_t seed = 3;
    int n_read = 0;
    for (int i = 0; i < 1500; i++) {
        char bad[sizeof GOOD], why[SIDECAR_WHY_BYTES];
        memcpy(bad, GOOD, sizeof GOOD);
        for (int k = 0; k < 1 + i % 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            bad[(seed >> 8) % (sizeof GOOD - 1)] =
                "{}[],:0123456789e-"[(seed >> 4) % 18];
        }
        put_in_folder("m", bad, i % 5 ? sizeof GOOD - 1 : (seed >> 8) % sizeof GOOD);
        registers_fini(&s->registers);
        if (registers_read(&s->registers, in_folder("m"), why) != SIDECAR_OK)
            continue;
        n_read++;
        keys(s, "2\"ap");
        if (n_notes(s) > 2)
            keys(s, "u");
        assert_int_equal(n_notes(s), 2);
    }
    assert_true(n_read > 50 && n_read < 1200);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_back),
        cmocka_unit_test(hostile_files_are_refused_and_kept),
        CASE(mutations_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
