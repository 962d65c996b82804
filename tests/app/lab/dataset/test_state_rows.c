/* The state of tokens in a file, for another trainer. */
#include "tests/check.h"
#include "app/lab/dataset/tokens_array.h"
#include "tests/app/own_folder.h"
#include "tests/model/toy_state.h"

enum { WINDOWS = 3, LENGTH = 20, HEADER = 128 };

static int32_t token(int window, int i)
{
    return (window * 7 + i * i * 3 + i) % 29;
}

static void write_windows(void)
{
    struct state_rows s;
    assert_true(state_rows_open(&s, &TOY_STATE, in_folder("states"), WINDOWS, LENGTH));
    for (int w = 0; w < WINDOWS; w++) {
        int32_t tokens[LENGTH];
        for (int i = 0; i < LENGTH; i++)
            tokens[i] = token(w, i);
        state_rows_put(&s, tokens, LENGTH);
    }
    assert_true(state_rows_close(&s));
}

TEST(every_window_begins_anew)
{
    size_t n_bytes;
    write_windows();
    auto_free uint8_t *bytes = get_bytes("states", &n_bytes);
    const uint8_t *at = bytes + HEADER;
    assert_int_equal(n_bytes, HEADER + WINDOWS * LENGTH * MODEL_STATE_MOST * 2);
    assert_non_null(strstr((char *)bytes + 10, "'shape': (3, 20, 32)"));
    for (int w = 0; w < WINDOWS; w++) {
        struct toy_state toy;
        TOY_STATE.start(&toy);
        for (int i = 0; i < LENGTH; i++) {
            uint16_t rows[MODEL_STATE_MOST];
            int n = TOY_STATE.next(&toy, token(w, i), rows);
            for (int k = 0; k < MODEL_STATE_MOST; k++, at += 2)
                assert_int_equal((int16_t)(at[0] | at[1] << 8), k < n ? rows[k] : -1);
        }
    }
}

TEST(a_full_disk_is_told)
{
    struct state_rows s;
    int32_t tokens[LENGTH] = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_true(state_rows_open(&s, &TOY_STATE, "/dev/full", WINDOWS, LENGTH));
    for (int w = 0; w < WINDOWS; w++)
        state_rows_put(&s, tokens, LENGTH);
    assert_false(state_rows_close(&s));
}

TEST(without_a_state_there_is_no_file)
{
    struct state_rows s;
    int32_t tokens[LENGTH] = {0};
    unlink(in_folder("states"));
    assert_true(state_rows_open(&s, NULL, in_folder("states"), WINDOWS, LENGTH));
    state_rows_put(&s, tokens, LENGTH);
    assert_true(state_rows_close(&s));
    assert_false(is_there("states"));
}

GROUP(make_own_folder, remove_own_folder)
