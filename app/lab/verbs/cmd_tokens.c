/* continuo tokens: windows of the training music as numbers, for models/train.py.
 *
 * OUT.npy has for each window a row of tokens, one of targets (-1: does not count) and one
 * of times, and with --melody one of the tokens of the melody (then -1) and one of their
 * times; OUT.json describes them, and OUT.state.npy has the state of tokens that have one.
 * Window i of the training split is the first that `continuo train` draws in step i,
 * transposed in the same way.
 *
 * OUT.excerpts has the same number of excerpts instead, for `continuo train --rehearse`. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/decoding/model_file.h"
#include "app/base/say.h"
#include "app/document/overwrite.h"
#include "app/lab/dataset/corpus_excerpts.h"
#include "app/lab/dataset/tokens_array.h"
#include "app/lab/training/train_music.h"
#include "app/base/json_fields.h"
#include "app/base/paths.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SHORTEST: see grid_corpus_find_window. */
enum { N_ROWS = 3, N_ROWS_HEARD = 5, SHORTEST = 8 };

struct dump {
    const struct options *o;
    struct train_report report; /* lines only */
    struct train_music music;
    enum corpus_split split;
    int n_windows;
    struct train_rows row; /* one */
    struct tokens_array array;
    struct state_rows state;
};

static enum midi_status draw(struct dump *d, int i)
{
    const struct grid_row row = train_rows_at(&d->row, 0);
    if (d->split == CORPUS_TRAIN)
        return train_music_draw(&d->music, d->o->continuation.sampling.seed,
                                (uint64_t)i, &d->row);
    return train_music_window(&d->music, d->split, CORPUS_PLAIN, i, d->n_windows, &row);
}

static enum midi_status fill(struct dump *d)
{
    const int length = d->o->length;
    int n_rows = train_music_source_length(&d->music, length) ? N_ROWS_HEARD : N_ROWS;
    enum midi_status st = train_rows_init(&d->row, &d->music, 1, length);
    if (!st && !tokens_array_init(&d->array, n_rows, d->n_windows, length))
        st = MIDI_NO_MEMORY;
    const struct train_rows *r = &d->row;
    for (int i = 0; !st && i < d->n_windows; i++) {
        st = draw(d, i);
        tokens_array_put(&d->array, 0, i, r->tokens, length, 0);
        tokens_array_put(&d->array, 1, i, r->targets, length, -1);
        tokens_array_put(&d->array, 2, i, r->times, length, 0);
        if (n_rows == N_ROWS_HEARD) {
            tokens_array_put(&d->array, 3, i, r->sources, r->source_length, -1);
            tokens_array_put(&d->array, 4, i, r->source_times, r->source_length, 0);
        }
        if (!st)
            state_rows_put(&d->state, r->tokens, length);
    }
    return st;
}

static cJSON *describe(const struct dump *d)
{
    const struct train_music *m = &d->music;
    char *tokenizer = train_music_tokenizer(m, train_music_vocab(m));
    cJSON *about = cJSON_CreateObject();
    cJSON *provenance = cJSON_AddObjectToObject(about, "provenance");
    json_add(about, "vocab %d", train_music_vocab(m));
    if (d->state.kind)
        json_add(about, "state %d", d->state.kind->n_rows);
    cJSON_AddItemToObject(about, "tokenizer", cJSON_Parse(tokenizer ? tokenizer : ""));
    cJSON *corpora = cJSON_AddArrayToObject(provenance, "corpora");
    if (m->grid)
        json_append_text(corpora, m->grid->name);
    for (int i = 0; m->folder && i < m->folder->n_groups; i++)
        json_append_text(corpora, m->folder->groups[i].name);
    json_add(provenance, "length %d windows %d", d->o->length, d->n_windows);
    free(tokenizer);
    return about;
}

/* OUT.json and OUT.state.npy beside OUT.npy. */
static int name_beside(const char *array, const char *suffix, char *name, size_t n_name)
{
    const char *dot = strrchr(array, '.');
    if (!dot || strcmp(dot, ".npy") != 0)
        return say_error(array, "must end in .npy or .excerpts");
    int n = snprintf(name, n_name, "%.*s.%s", (int)(dot - array), array, suffix);
    if (n < 0 || (size_t)n >= n_name)
        return say_error(array, "the name is too long");
    return 0;
}

/* Of tokens that have a state: written as the windows are drawn, being the most of it. */
static int fill_beside(struct dump *d, const char *state)
{
    const struct model_state_kind *kind =
        d->music.grid ? NULL : model_file_score_state();
    if (!state_rows_open(&d->state, kind, state, d->n_windows, d->o->length))
        return say_error(state, strerror(errno));
    enum midi_status st = fill(d);
    if (st) {
        d->state.has_failed = true;
        return say_midi_error(d->o->data, st);
    }
    return state_rows_close(&d->state) ? 0 : say_error(state, strerror(errno));
}

static int open_music(struct dump *d)
{
    const struct options *o = d->o;
    struct train_music *m = &d->music;
    if (!corpus_split_parse(o->split, &d->split))
        return say_error(o->split, "must be train, valid or test");
    if (train_music_open(m, o->data, o->corpora, INFINITY, &d->report))
        return 1;
    if (!m->grid && (o->melody || o->hold))
        return say_error(
            o->data, "is not a file of four voices, which --melody and --hold need");
    m->lesson = grid_lesson_for(o->melody, o->hold);
    m->shares = (struct corpus_shares){(double)o->holes, (double)o->chords};
    if (train_music_mix(m, (struct corpus_mixture){.power = (double)o->power}, NULL))
        return 1;
    const int *n_pieces = m->grid     ? m->grid->n_pieces
                          : m->folder ? m->folder->n_pieces
                                      : NULL;
    if (!n_pieces || !n_pieces[d->split])
        return say_error(o->data, "holds no music of that split");
    if (m->grid &&
        (o->length < SHORTEST || train_music_source_length(m, o->length) > o->length))
        return say_error("--length", "is too short for a window of four voices");
    return 0;
}

/* The requested number; of four voices that are held out at most all. */
static void count_windows(struct dump *d)
{
    const int wanted = d->o->windows;
    d->n_windows =
        d->split == CORPUS_TRAIN
            ? wanted
            : train_music_n_windows(&d->music, d->split, wanted, d->o->length);
    if (d->n_windows > wanted) {
        train_report_line(&d->report, "the first %d windows; --windows %d takes all",
                          wanted, d->n_windows);
        d->n_windows = wanted;
    }
}

static int write_excerpts(struct dump *d)
{
    const struct options *o = d->o;
    struct output_file out;
    if (open_music(d))
        return 1;
    if (!d->music.folder)
        return say_error(o->data, "is not a folder of music, which excerpts need");
    if (!output_file_open(&out, o->output))
        return say_error(o->output, strerror(errno));
    enum midi_status st = corpus_excerpts_write(d->music.folder, d->split, o->windows,
                                                o->length, out.stream);
    bool is_written = output_file_close(&out, !st);
    return st || !is_written ? say_midi_error(o->output, st ? st : MIDI_CANNOT_WRITE)
                             : 0;
}

static int run(struct dump *d)
{
    char about[4096], state[4096];
    const char *out = d->o->output;
    const char *dot = strrchr(out, '.');
    if (dot && !strcmp(dot, ".excerpts"))
        return write_excerpts(d);
    if (name_beside(out, "json", about, sizeof about) ||
        name_beside(out, "state.npy", state, sizeof state) ||
        overwrite_check(about, d->o->force, &d->o->data, 1) ||
        overwrite_check(state, d->o->force, &d->o->data, 1) || open_music(d))
        return 1;
    count_windows(d);
    if (fill_beside(d, state))
        return 1;
    struct output_file file;
    if (!output_file_open(&file, out) ||
        !output_file_close(&file, tokens_array_write(&d->array, file.stream)))
        return say_error(out, strerror(errno));
    cJSON *description = describe(d);
    bool ok = json_write_file(description, about);
    cJSON_Delete(description);
    return ok ? 0 : say_error(about, strerror(errno));
}

static int cmd_tokens(struct options *o)
{
    struct dump d = {.o = o};
    int status = run(&d);
    train_music_close(&d.music);
    train_rows_fini(&d.row);
    state_rows_close(&d.state);
    tokens_array_fini(&d.array);
    return status;
}

const struct verb VERB_TOKENS = {
    .name = "tokens",
    .summary = "write training data for models/train.py",
    .run = cmd_tokens,
    .arguments = "--data PATH -o OUT.npy|OUT.excerpts [options]",
    .about =
        "Writes windows of music for models/train.py. OUT.npy is int16 [3, windows,\n"
        "length]: tokens, targets and times. OUT.json describes them. OUT.state.npy\n"
        "has the state of the tokens, if they have one. PATH is a folder of MIDI\n"
        "files, or a JSON file of four voices in sixteenths, such as\n"
        "Jsb16thSeparated.json. OUT.excerpts, instead of OUT.npy, is a file for\n"
        "`continuo train --rehearse`: --windows excerpts of --length tokens.",
    .n_files = 0,
    .takes = OPTION_DATA | OPTION_OUTPUT | OPTION_LENGTH | OPTION_LESSON | OPTION_HOLES,
    .needs = OPTION_DATA | OPTION_OUTPUT,
};
