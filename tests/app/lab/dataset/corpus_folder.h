/* A folder of corpora made of scores that are saved as MIDI files, for tests of training data. */
#ifndef TESTS_APP_CORPUS_FOLDER_H
#define TESTS_APP_CORPUS_FOLDER_H

#include "app/lab/dataset/corpus.h"
#include "tests/app/own_folder.h"
#include "tests/midi/score_of.h"

#define auto_corpus __attribute__((cleanup(free_corpus))) struct corpus
FREES(corpus, corpus_close)

/* A walk up and down a scale, two voices, `bars` of common time. */
static inline void make_piece(const char *name, int bars, int first_pitch)
{
    struct score *s =
        score_of("480 | voice: | voice: %dq*%d", first_pitch - 12, 4 * bars);
    for (int i = 0; i < 4 * bars; i++)
        score_put(s, 0, "=%dq %dq", i, first_pitch + i % 12);
    save_score(name, s);
}

static inline int make_corpora(void **state)
{
    static const char *const FOLDERS[] = {"bach-chorales", "bach-chorales/train",
                                          "bach-chorales/train/deep",
                                          "bach-chorales/valid", "unsplit"};
    if (make_own_folder(state))
        return -1;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        assert_ok(mkdir(in_folder(FOLDERS[i]), 0700));
    make_piece("bach-chorales/train/a.mid", 40, 60);
    make_piece("bach-chorales/train/deep/b.MID", 3, 62);
    make_piece("bach-chorales/valid/c.mid", 20, 64);
    for (int i = 0; i < 40; i++)
        make_piece(formatted("unsplit/%d.mid", i), 2, 60);
    put_text("unsplit/broken.mid", "no music");
    return 0;
}

static inline struct corpus *open_all(const char *names)
{
    struct corpus *c = NULL;
    assert_ok(corpus_open(&c, folder, names, INFINITY));
    return c;
}

/* Thirty-two of these corpora, of so many tokens each. */
static inline void write_excerpts(const char *name, const char *corpora, int length)
{
    auto_corpus *c = open_all(corpora);
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_ok(corpus_excerpts_write(c, CORPUS_TRAIN, 32, length, f));
    assert_ok(fclose(f));
}

static inline const struct corpus_group *group(const struct corpus *c, const char *name)
{
    for (int i = 0; i < c->n_groups; i++)
        if (!strcmp(c->groups[i].name, name))
            return &c->groups[i];
    fail_msg("no corpus called %s", name);
    return NULL;
}

enum { LENGTH = 300 };

/* A sequence of these; its times are not looked at. */
static inline struct corpus_sequence sequence_in(int length, int32_t *tokens,
                                                 int32_t *targets)
{
    static int32_t times[2 * LENGTH];
    assert_true(length <= 2 * LENGTH);
    return (struct corpus_sequence){length, tokens, targets, times, NULL, NULL};
}

/* The window `index` of `count` of held-out pieces. */
static inline enum midi_status fixed_row(const struct corpus *c,
                                         enum corpus_split split,
                                         enum corpus_window_kind kind, int index,
                                         int count, int32_t *tokens, int32_t *targets)
{
    const struct corpus_sequence to = sequence_in(LENGTH, tokens, targets);
    return corpus_window(c, split, kind, index, count, &to);
}

#endif
