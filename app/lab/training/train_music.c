#include "app/lab/training/train_music.h"

#include "app/base/paths.h"
#include "app/lab/dataset/corpus_excerpts.h"
#include "app/decoding/metadata.h"
#include "app/decoding/style_guess.h"
#include "app/base/say.h"
#include "midi/base/clock.h"
#include "midi/tokens/token_time.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of the folder that is being read. */
static struct reading {
    bool shows;   /* on a terminal */
    double until; /* seconds, monotonic */
    int n_files;
    bool is_cut; /* it was not read completely */
} reading;

static bool count_file(int n)
{
    if (reading.shows && n % 100 == 0)
        fprintf(stderr, "\rreading music: %d files", n);
    reading.n_files = n;
    reading.is_cut = clock_now_seconds() > reading.until;
    return !reading.is_cut;
}

/* Names are of folders and files, which may be called anything. */
static void tell_group(struct train_report *report, const char *name, const char *kind,
                       const int *n_pieces, const int64_t *n_tokens)
{
    char safe[80];
    if (report && n_pieces[CORPUS_TRAIN] + n_pieces[CORPUS_VALID])
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
    if (report && c->n_skipped)
        train_report_line(report, "%d files could not be used; the first is %s",
                          c->n_skipped, say_copy(safe, sizeof safe, c->skipped));
}

static int open_folder(struct train_music *m, const char *data, const char *corpora,
                       struct train_report *report)
{
    reading = (struct reading){.shows = report && report->terminal, .until = m->until};
    errno = 0;
    enum midi_status st = corpus_open(&m->folder, data, corpora, count_file);
    if (st == MIDI_EMPTY)
        return say_error(data, "holds no MIDI files to train on");
    if (st)
        return say_midi_error(data, st);
    tell_folder(m->folder, report);
    if (reading.is_cut)
        train_report_line(report, "read %d files: more would take too much of the time",
                          reading.n_files);
    return 0;
}

static int open_grid(struct train_music *m, const char *data, const char *corpora,
                     struct train_report *report)
{
    char fault[128];
    if (corpora)
        return say_error(data, "is one corpus; --corpora chooses from several folders");
    if (!grid_corpus_open(&m->grid, data, fault, sizeof fault))
        return say_error(data, fault);
    tell_group(report, m->grid->name, "four voices", m->grid->n_pieces,
               m->grid->n_cells);
    return 0;
}

bool train_music_is_grid(const char *data)
{
    struct stat s;
    return stat(data, &s) == 0 && !S_ISDIR(s.st_mode) && !corpus_is_midi(data);
}

int train_music_open(struct train_music *m, const char *data, const char *corpora,
                     double until, struct train_report *report)
{
    *m = (struct train_music){.lesson = grid_lesson_for(false, false), .until = until};
    return (train_music_is_grid(data) ? open_grid : open_folder)(m, data, corpora,
                                                                 report);
}

int train_music_rehearse(struct train_music *m, const char *file, double share,
                         struct train_report *report)
{
    char path[4096];
    if (share <= 0)
        return 0;
    if (m->grid)
        return say_error("--rehearse", "is only for a folder of music");
    if (!file && !paths_find(path, sizeof path, PATHS_REHEARSAL))
        return say_error(PATHS_REHEARSAL, "was not found");
    errno = 0;
    enum midi_status st = corpus_excerpts_open(&m->rehearsal, file ? file : path);
    if (st)
        return say_midi_error(file ? file : path, st);
    m->rehearse = share;
    tell_folder(m->rehearsal, report);
    return 0;
}

/* -- music without a style is learnt under the style that the model guesses for it: when it
 * continues such music, it will guess the same -- */

enum { FIRST_BARS = 16 };

static enum model_status guess(struct style_guess *g, struct piece *p)
{
    struct piece beginning = {0};
    struct tokens t = {0};
    enum model_status st = MODEL_OK;
    bool has_begun = !piece_window(&beginning, p, 0, FIRST_BARS);
    beginning.n_chords = 0;
    if (has_begun && !tokens_encode(&t, &beginning, false)) {
        if (t.n > style_guess_max_tokens(g))
            t.n = style_guess_max_tokens(g);
        st = style_guess_run(g, &t, &beginning, &p->style);
    }
    tokens_fini(&t);
    piece_fini(&beginning);
    return st;
}

enum model_status train_music_guess_styles(struct train_music *m,
                                           const struct model *from, struct pool *pool,
                                           double until)
{
    struct style_guess *g = NULL;
    enum model_status st = style_guess_create(&g, from, pool);
    for (int split = 0; split < CORPUS_SPLITS; split++)
        for (int i = 0; !st && i < m->folder->n_pieces[split]; i++)
            if (m->folder->pieces[split][i].piece.style == STYLE_ANY &&
                clock_now_seconds() < until)
                st = guess(g, &m->folder->pieces[split][i].piece);
    style_guess_destroy(g);
    return st;
}

int train_music_mix(struct train_music *m, struct corpus_mixture mixture,
                    const char *parts)
{
    if (!m->folder)
        return parts ? say_error("--mixture", "is only for a folder of music") : 0;
    const int line = parts ? mixture_read_parts(&mixture, parts) : 0;
    if (line < 0)
        return say_error(parts, strerror(errno));
    if (line > 0) {
        char what[128];
        snprintf(
            what, sizeof what,
            "line %d must be a share and names of corpora; all shares together are at "
            "most 1",
            line);
        return say_error(parts, what);
    }
    enum midi_status st = corpus_mix(m->folder, &mixture);
    return st ? say_midi_error("training", st) : 0;
}

void train_music_close(struct train_music *m)
{
    corpus_close(m->rehearsal);
    corpus_close(m->folder);
    grid_corpus_close(m->grid);
    *m = (struct train_music){0};
}

int train_music_vocab(const struct train_music *m)
{
    return m->grid ? GRID_COUNT : TOKEN_COUNT;
}

char *train_music_tokenizer(const struct train_music *m, int vocab)
{
    return m->grid ? grid_tokenizer_json(&m->lesson) : tokenizer_json(vocab);
}

int train_music_source_length(const struct train_music *m, int length)
{
    return m->grid ? grid_lesson_source_length(&m->lesson, length) : 0;
}

enum midi_status train_rows_init(struct train_rows *rows, const struct train_music *m,
                                 int n, int length)
{
    size_t all = (size_t)n * (size_t)length;
    *rows = (struct train_rows){
        .n = n,
        .length = length,
        .source_length = train_music_source_length(m, length),
        .tokens = calloc(all, sizeof *rows->tokens),
        .targets = malloc(all * sizeof *rows->targets),
        .times = calloc(all, sizeof *rows->times),
    };
    size_t heard = (size_t)n * (size_t)rows->source_length;
    if (heard) {
        rows->sources = calloc(heard, sizeof *rows->sources);
        rows->source_times = calloc(heard, sizeof *rows->source_times);
    }
    if (!rows->tokens || !rows->targets || !rows->times ||
        (heard && (!rows->sources || !rows->source_times)))
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < all; i++)
        rows->targets[i] = -1;
    return MIDI_OK;
}

void train_rows_fini(struct train_rows *rows)
{
    free(rows->tokens);
    free(rows->targets);
    free(rows->times);
    free(rows->sources);
    free(rows->source_times);
    *rows = (struct train_rows){0};
}

struct grid_row train_rows_at(const struct train_rows *rows, int i)
{
    size_t at = (size_t)i * (size_t)rows->length;
    size_t heard = (size_t)i * (size_t)rows->source_length;
    return (struct grid_row){
        .length = rows->length,
        .tokens = rows->tokens + at,
        .targets = rows->targets + at,
        .times = rows->times + at,
        .sources = rows->sources ? rows->sources + heard : NULL,
        .source_times = rows->sources ? rows->source_times + heard : NULL,
    };
}

struct train_batch train_rows_batch(const struct train_rows *rows, int first)
{
    const struct grid_row row = train_rows_at(rows, first);
    return (struct train_batch){row.tokens, row.targets, row.times, row.sources,
                                row.source_times};
}

enum midi_status train_music_draw(const struct train_music *m, uint64_t seed,
                                  uint64_t step, struct train_rows *rows)
{
    const int length = m->folder ? corpus_row_length(m->folder, seed, step) : 0;
    if (length) {
        rows->n = rows->n * rows->length / length;
        rows->length = length;
    }
    const int n_old = (int)lround(m->rehearse * rows->n);
    for (int i = 0; i < rows->n; i++) {
        const struct grid_row row = train_rows_at(rows, i);
        const struct corpus *from = i < n_old ? m->rehearsal : m->folder;
        enum midi_status st =
            m->grid ? grid_corpus_draw(m->grid, &m->lesson, seed, step, i, &row)
                    : corpus_draw(from, m->shares, seed, step, i, row.length,
                                  row.tokens, row.targets);
        if (st)
            return st;
        if (!m->grid)
            token_times(row.tokens, (size_t)row.length, row.times);
    }
    return MIDI_OK;
}

int train_music_n_windows(const struct train_music *m, enum corpus_split split,
                          int wanted, int length)
{
    struct grid_window unused;
    if (m->grid)
        return grid_corpus_find_window(m->grid, &m->lesson, split, length, -1, &unused);
    return m->folder && m->folder->n_pieces[split] ? wanted : 0;
}

enum midi_status train_music_window(const struct train_music *m,
                                    enum corpus_split split,
                                    enum corpus_window_kind kind, int index, int count,
                                    const struct grid_row *row)
{
    struct grid_window w = {0};
    if (m->grid) {
        grid_corpus_find_window(m->grid, &m->lesson, split, row->length, index, &w);
        return grid_corpus_window(m->grid, &m->lesson, split, &w, row);
    }
    enum midi_status st = corpus_window(m->folder, split, kind, index, count,
                                        row->length, row->tokens, row->targets);
    token_times(row->tokens, (size_t)row->length, row->times);
    return st;
}
