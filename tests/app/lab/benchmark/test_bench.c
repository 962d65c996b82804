/* continuo bench: that every part runs and tells what it is to tell. Speeds themselves are never
 * judged. */
#include "tests/check.h"
#include "model/kernels/product.h"
#include "tests/app/bench_lines.h"

BENCH_TEST(test_the_machine_is_told)
{
    bench_about(&quick);
    read_lines(1);
    assert_non_null(strstr(lines.text, "\", \"threads\": 2, "));
    assert_true(cJSON_IsString(json_at(lines.all[0], "openblas_core")));
}

BENCH_TEST(test_start)
{
    assert_ok(bench_start(&quick));
    read_lines(3);
    for (int i = 0; i < 3; i++) {
        const cJSON *line = lines.all[i];
        double parts = number(line, "open_ms") + number(line, "create_ms") +
                       number(line, "first_token_ms");
        assert_true(fabs(parts - number(line, "total_ms")) < 0.05);
    }
}

/* Of each part there are so many lines, and each has what every figure has. A trainer multiplies
 * bf16 only where it is faster. */
TEST(test_figures_are_told)
{
    const struct {
        const char *part;
        int (*run)(const struct bench *b);
        int n_lines;
    } PARTS[] = {
        {"decode", bench_decode, 9 * 3},
        {"takes", bench_takes, 4},
        {"prefill", bench_prefill, 4},
        {"train", bench_train, product_best(true) != product_best(false) ? 2 : 1}};
    for (size_t k = 0; k < sizeof PARTS / sizeof *PARTS; k++) {
        struct model_config shape = tiny_config(2048);
        assert_ok(set_up(state));
        quick.shape = &shape;
        quick.shape_name = k % 2 ? NULL : "S";
        assert_ok(PARTS[k].run(&quick));
        read_lines(PARTS[k].n_lines);
        for (int i = 0; i < lines.n; i++) {
            const cJSON *line = lines.all[i];
            assert_string_equal(string_at(line, "part"), PARTS[k].part);
            assert_true(cJSON_IsString(json_at(line, "model")));
            assert_true(cJSON_IsString(json_at(line, "numbers")));
            assert_true(number(line, "tokens_per_second") > 0);
            assert_true(number(line, "quartile_low") <= number(line, "quartile_high"));
        }
        if (k == 0)
            assert_true(number(lines.all[8], "context") == 1900 &&
                        number(lines.all[8], "takes") == 8);
        if (k == 1)
            assert_int_equal((int)(100 * number(lines.all[0], "cost_of_one")), 100);
        tear_down(state);
    }
}
