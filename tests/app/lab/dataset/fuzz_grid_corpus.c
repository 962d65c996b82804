/* Whatever bytes are opened as four-voice pieces to learn from: they are refused with a
 * phrase, or every cell has a pitch or none, and a window of them can be drawn. */
#include "app/lab/dataset/corpus.h"
#include "tests/memory_file.h"

enum { MOST_BYTES = 1 << 14, LENGTH = 33 };

static int64_t check_piece(const struct grid *g)
{
    for (int step = 0; step < g->n_steps; step++)
        for (int voice = 0; voice < GRID_VOICES; voice++) {
            int pitch = grid_at(g, step, voice)->pitch;
            require(pitch >= -1 && pitch < 128);
        }
    return (int64_t)g->n_steps * GRID_VOICES;
}

static void check_split(const struct corpus *c, enum corpus_split split)
{
    int64_t n_cells = 0;
    for (int i = 0; i < c->n_pieces[split]; i++)
        n_cells += check_piece(&c->pieces[split][i].grid);
    require(n_cells == c->groups->n_tokens[split]);
}

static void check_drawn(struct corpus *c)
{
    int32_t tokens[LENGTH], targets[LENGTH], times[LENGTH];
    struct corpus_sequence row = {
        .length = LENGTH, .tokens = tokens, .targets = targets, .times = times};
    c->lesson = grid_lesson_for(false, true);
    for (int i = 0; c->n_pieces[CORPUS_TRAIN] && i < 3; i++) {
        require(!corpus_sample(c, 7, 1, i, &row));
        for (int k = 0; k < LENGTH; k++)
            require(tokens[k] >= 0 && tokens[k] < GRID_COUNT &&
                    targets[k] < GRID_COUNT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct corpus *c = NULL;
    char fault[160] = "";
    if (n_bytes > MOST_BYTES)
        return 0;
    const char *path = memory_file_with("pieces.json", bytes, n_bytes);
    if (!corpus_open_grid(&c, path, fault, sizeof fault)) {
        require(*fault && is_plain_line(fault));
        return 0;
    }
    for (int split = 0; split < CORPUS_SPLITS; split++)
        check_split(c, (enum corpus_split)split);
    check_drawn(c);
    corpus_close(c);
    return 0;
}
