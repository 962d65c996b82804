/* The state of tokens in a file, for another trainer. */
#include "tests/check.h"
#include "app/lab/dataset/corpus.h"
#include "tests/app/own_folder.h"
#include "tests/model/toy_state.h"

enum { WINDOWS = 3, LENGTH = 20, HEADER = 128 };

static int32_t token(int window, int i)
{
    return (window * 7 + i * i * 3 + i) % 29;
}

static bool write_windows(const char *path)
{
    int32_t tokens[WINDOWS * LENGTH];
    const struct corpus_batch windows = {
        .n = WINDOWS, .length = LENGTH, .tokens = tokens};
    for (int i = 0; i < WINDOWS * LENGTH; i++)
        tokens[i] = token(i / LENGTH, i % LENGTH);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0); /* so that a full disk is met at once */
    bool ok = corpus_batch_write_state(&windows, &TOY_STATE, f);
    fclose(f);
    return ok;
}

TEST(every_window_begins_anew)
{
    size_t n_bytes;
    assert_true(write_windows(in_folder("states")));
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
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_false(write_windows("/dev/full"));
}

GROUP(make_own_folder, remove_own_folder)
