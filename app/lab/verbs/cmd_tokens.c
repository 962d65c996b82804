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

#include "app/decoding/metadata.h"
#include "app/base/say.h"
#include "app/document/overwrite.h"
#include "app/lab/training/train_music.h"
#include "app/base/json_fields.h"
#include "app/base/paths.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 8 /* corpus_n_windows */ };

struct dump {
    const struct options *o;
    struct train_report report; /* lines only */
    struct train_music music;
    enum corpus_split split;
    int n_windows;
    struct corpus_batch windows;
    const struct model_state_kind *state; /* of the tokens; NULL: none */
};

static enum midi_status sample_windows(struct dump *d)
{
    const struct corpus *c = d->music.corpus;
    const uint64_t seed = d->o->continuation.sampling.seed;
    enum midi_status st = corpus_batch_init(&d->windows, c, d->n_windows, d->o->length);
    for (int i = 0; !st && i < d->n_windows; i++) {
        const struct corpus_sequence to = corpus_batch_at(&d->windows, i);
        st = d->split == CORPUS_TRAIN
                 ? corpus_sample(c, seed, (uint64_t)i, 0, &to)
                 : corpus_window(c, d->split, CORPUS_PLAIN, i, d->n_windows, &to);
    }
    return st;
}

static cJSON *describe(const struct dump *d)
{
    const struct train_music *m = &d->music;
    const int vocab = corpus_vocab(m->corpus);
    char *tokenizer = train_music_tokenizer(m);
    cJSON *about = cJSON_CreateObject();
    cJSON *provenance = cJSON_AddObjectToObject(about, "provenance");
    json_add(about, "vocab %d", vocab);
    if (d->state)
        json_add(about, "state %d", d->state->n_rows);
    cJSON_AddItemToObject(about, "tokenizer", cJSON_Parse(tokenizer ? tokenizer : ""));
    cJSON *corpora = cJSON_AddArrayToObject(provenance, "corpora");
    for (int i = 0; i < m->corpus->n_groups; i++)
        json_append_text(corpora, m->corpus->groups[i].name);
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

static int open_music(struct dump *d)
{
    const struct options *o = d->o;
    struct train_music *m = &d->music;
    if (!corpus_split_parse(o->split, &d->split))
        return say_error(o->split, "must be train, valid or test");
    if (train_music_open(m, o->data, o->corpora, INFINITY, &d->report))
        return 1;
    struct corpus *c = m->corpus;
    if (!c->is_grid && (o->melody || o->hold))
        return say_error(
            o->data, "is not a file of four voices, which --melody and --hold need");
    c->lesson = grid_lesson_for(o->melody, o->hold);
    c->shares = (struct corpus_shares){(double)o->holes, (double)o->chords};
    d->state = c->is_grid ? NULL : model_file_score_state();
    if (train_music_mix(m, (struct corpus_mixture){.power = (double)o->power}, NULL))
        return 1;
    if (!c->n_pieces[d->split])
        return say_error(o->data, "holds no music of that split");
    if (c->is_grid &&
        (o->length < SHORTEST || corpus_source_length(c, o->length) > o->length))
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
            : corpus_n_windows(d->music.corpus, d->split, wanted, d->o->length);
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
    if (d->music.corpus->is_grid)
        return say_error(o->data, "is not a folder of music, which excerpts need");
    if (!output_file_open(&out, o->output))
        return say_error(o->output, strerror(errno));
    enum midi_status st = corpus_excerpts_write(d->music.corpus, d->split, o->windows,
                                                o->length, out.stream);
    bool is_written = output_file_close(&out, !st);
    return st || !is_written ? say_midi_error(o->output, st ? st : MIDI_CANNOT_WRITE)
                             : 0;
}

/* The windows or, if is_state, the state of their tokens. */
static int write_array(const struct dump *d, const char *path, bool is_state)
{
    struct output_file out;
    const bool ok =
        output_file_open(&out, path) &&
        output_file_close(
            &out, is_state ? corpus_batch_write_state(&d->windows, d->state, out.stream)
                           : corpus_batch_write(&d->windows, out.stream));
    return ok ? 0 : say_error(path, strerror(errno));
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
    enum midi_status st = sample_windows(d);
    if (st)
        return say_midi_error(d->o->data, st);
    if ((d->state && write_array(d, state, true)) || write_array(d, out, false))
        return 1;
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
    corpus_batch_fini(&d.windows);
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
