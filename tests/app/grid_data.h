/* Made-up four-voice music as a JSON file in the benchmark's format: chords that move round a
 * circle, each piece in its own key, with a few rests. And a little trained model of it. */
#ifndef TESTS_APP_GRID_DATA_H
#define TESTS_APP_GRID_DATA_H

#include "app/lab/dataset/corpus.h"
#include "app/lab/training/train_run.h"
#include <stdint.h>
#include <stdio.h>

static inline int grid_data_pitch(int piece, int step, int voice)
{
    static const int BASE[4] = {72, 65, 58, 46};
    static const int CHORD[4] = {0, 2, 4, 2};
    if (step % 32 == 31 && voice == 1)
        return -1;
    return BASE[voice] + 2 * piece + CHORD[(step / 4 + piece) % 4] +
           (voice == 0 && step % 2);
}

static inline void grid_data_split(FILE *f, const char *name, int n_pieces, int n_steps)
{
    fprintf(f, "\"%s\": [", name);
    for (int i = 0; i < n_pieces; i++) {
        fprintf(f, "%s[", i ? ", " : "");
        for (int k = 0; k < n_steps + 5 * i; k++)
            fprintf(f, "%s[%d, %d, %d, %d]", k ? ", " : "", grid_data_pitch(i, k, 0),
                    grid_data_pitch(i, k, 1), grid_data_pitch(i, k, 2),
                    grid_data_pitch(i, k, 3));
        fputs("]", f);
    }
    fputs("]", f);
}

/* Three pieces of so many steps and more to train on, two to validate, and one to test, or none. */
static inline int grid_data_write_of(const char *path, int train, int valid, int test)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return 1;
    fputs("{", f);
    grid_data_split(f, "train", 3, train);
    fputs(", ", f);
    grid_data_split(f, "valid", 2, valid);
    fputs(", ", f);
    grid_data_split(f, "test", test > 0, test);
    fputs("}\n", f);
    return fclose(f);
}

static inline int grid_data_write(const char *path)
{
    return grid_data_write_of(path, 90, 50, 9);
}

/* Trains on a file of grid_data.h; hears: with an encoder and hold. Returns the exit status. */
static inline int tiny_grid_train(const char *data, const char *out, bool hears)
{
    const struct train_request request = {
        .data = data,
        .out = out,
        .hold = hears,
        .threads = 1,
        .config = {.context = 96,
                   .d_model = 16,
                   .n_heads = 2,
                   .n_layers = 1,
                   .d_ff = 32,
                   .n_encoder_layers = hears,
                   .relative = RELATIVE_ROTARY,
                   .time = TIME_ROTARY,
                   .tied = true},
        .options = {.batch = 2,
                    .max_steps = 40,
                    .warmup_steps = 2,
                    .lr = 1e-2f,
                    .beta1 = 0.9f,
                    .beta2 = 0.95f,
                    .eps = 1e-8f,
                    .clip = 1.0f,
                    .seed = 1},
    };
    return train_run(&request);
}

#endif
