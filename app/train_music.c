#include "app/train_music.h"

#include "app/metadata.h"
#include "app/say.h"
#include "midi/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static void count_files(int n)
{
    if (n % 100 == 0)
        fprintf(stderr, "\rreading music: %d files", n);
}

/* Names are of folders and files, which may be called anything. */
static void tell_group(struct train_report *report, const char *name, const char *kind,
                       const int *n_pieces, const int64_t *n_tokens)
{
    char safe[80];
    if (n_pieces[CORPUS_TRAIN] + n_pieces[CORPUS_VALID])
        train_report_line(
            report, "%s: %s, %d + %d pieces, %" PRId64 " + %" PRId64 " tokens",
            say_copy(safe, sizeof safe, name), kind, n_pieces[CORPUS_TRAIN],
            n_pieces[CORPUS_VALID], n_tokens[CORPUS_TRAIN], n_tokens[CORPUS_VALID]);
}

static void tell_folder(const struct corpus *c, struct train_report *report)
{
    char safe[sizeof c->skipped];
    for (int i = 0; i < c->n_groups; i++)
        tell_group(report, c->groups[i].name, style_name(c->groups[i].style),
                   c->groups[i].n_pieces, c->groups[i].n_tokens);
    if (c->n_skipped)
        train_report_line(report, "%d files could not be used, the first is %s",
                          c->n_skipped, say_copy(safe, sizeof safe, c->skipped));
}

static int open_folder(struct train_music *m, const char *data, const char *corpora,
                       struct train_report *report)
{
    errno = 0;
    enum midi_status st =
        corpus_open(&m->folder, data, corpora, report->terminal ? count_files : NULL);
    if (st == MIDI_EMPTY)
        return say_error(data, "holds no MIDI files to train on");
    if (st)
        return say_midi_error(data, st);
    tell_folder(m->folder, report);
    return 0;
}

static int open_grid(struct train_music *m, const char *data, const char *corpora,
                     struct train_report *report)
{
    char fault[128];
    if (corpora)
        return say_error(data, "is one corpus; --corpora chooses among folders");
    if (!grid_corpus_open(&m->grid, data, fault, sizeof fault))
        return say_error(data, fault);
    tell_group(report, m->grid->name, "four voices", m->grid->n_pieces,
               m->grid->n_cells);
    return 0;
}

int train_music_open(struct train_music *m, const char *data, const char *corpora,
                     struct train_report *report)
{
    struct stat s;
    *m = (struct train_music){0};
    bool is_file = stat(data, &s) == 0 && !S_ISDIR(s.st_mode);
    return (is_file ? open_grid : open_folder)(m, data, corpora, report);
}

void train_music_close(struct train_music *m)
{
    corpus_close(m->folder);
    grid_corpus_close(m->grid);
    *m = (struct train_music){0};
}

int train_music_vocab(const struct train_music *m)
{
    return m->grid ? GRID_COUNT : TOKEN_COUNT;
}

char *train_music_tokenizer(const struct train_music *m)
{
    return m->grid ? grid_tokenizer_json(false) : tokenizer_json();
}

static enum midi_status draw_row(const struct train_music *m, uint64_t seed,
                                 uint64_t step, int row, const struct train_rows *rows)
{
    size_t at = (size_t)row * (size_t)rows->length;
    int32_t *tokens = rows->tokens + at, *targets = rows->targets + at;
    if (!m->grid) {
        enum midi_status st =
            corpus_draw(m->folder, seed, step, row, rows->length, tokens, targets);
        clock_times(tokens, (size_t)rows->length, rows->times + at);
        return st;
    }
    grid_times((size_t)rows->length, rows->times + at);
    return grid_corpus_draw(m->grid, seed, step, row, rows->length, tokens, targets);
}

enum midi_status train_music_draw(const struct train_music *m, uint64_t seed,
                                  uint64_t step, const struct train_rows *rows)
{
    for (int i = 0; i < rows->batch; i++) {
        enum midi_status st = draw_row(m, seed, step, i, rows);
        if (st)
            return st;
    }
    return MIDI_OK;
}
