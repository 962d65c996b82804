/* continuo eval: how well a model predicts unseen music, compared with two baselines counted from
 * the training music. models/evaluate.py measures what it writes. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "app/lab/evaluation/eval_loss.h"
#include "app/lab/training/train_music.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

struct evaluation {
    const struct options *options;
    enum corpus_split split;
    struct model *model;
    struct pool *pool;
    struct train_music music;
    bool is_grid;
    struct grid_lesson lesson; /* of grid tokens */
    cJSON *json;               /* NULL: print tables */
};

static int open_model(struct evaluation *e)
{
    char path[4096];
    int status = verb_model_open(&e->model, e->options->file, path, sizeof path);
    if (status)
        return status;
    e->is_grid = e->model->config.vocab == GRID_COUNT;
    if (!e->is_grid && !metadata_fits_score(e->model))
        return say_model_error(path, MODEL_OTHER_TOKENS, NULL);
    if (e->is_grid && !metadata_grid_lesson(e->model, &e->lesson))
        return say_error(path, "does not name the voices of its tokens");
    if (e->options->has_precision)
        e->model->precision = e->options->precision;
    e->pool = pool_create(e->options->threads);
    return e->pool ? 0 : say_model_error(path, MODEL_NO_THREAD, NULL);
}

/* Each kind of token has its kind of data. */
static int open_music(struct evaluation *e)
{
    const char *data = e->options->data;
    struct stat s;
    errno = 0;
    if (stat(data, &s))
        return say_midi_error(data, MIDI_NO_FILE);
    if (e->is_grid && S_ISDIR(s.st_mode))
        return say_error(data, "is a folder; this model writes four voices in "
                               "sixteenths and is measured on a JSON file of them");
    if (!e->is_grid && !S_ISDIR(s.st_mode))
        return say_error(data, "is a file; this model writes scores and is measured on "
                               "a folder of MIDI files");
    if (train_music_open(&e->music, data, e->options->corpora, INFINITY, NULL))
        return 1;
    e->music.corpus->lesson = e->lesson;
    return 0;
}

/* n windows of a kind, reported under that name or, for plain ones, at the top. */
static int measure_windows(const struct evaluation *e, enum corpus_window_kind kind,
                           int n, const char *name, const char *title)
{
    const struct eval_loss_request request = {.corpus = e->music.corpus,
                                              .model = e->model,
                                              .pool = e->pool,
                                              .split = e->split,
                                              .kind = kind,
                                              .n_windows = n,
                                              .by_steps = e->options->has_precision,
                                              .data_name = e->options->data,
                                              .model_name = e->options->file};
    struct eval_loss loss;
    if (n == 0)
        return 0;
    int status = eval_loss_measure(&loss, &request);
    if (!status && title && !e->json)
        printf("\n%s\n", title);
    if (!status)
        eval_loss_report(&loss,
                         name ? cJSON_AddObjectToObject(e->json, name) : e->json);
    eval_loss_fini(&loss);
    return status;
}

static int run(struct evaluation *e)
{
    const struct options *o = e->options;
    if (open_model(e) || open_music(e))
        return 1;
    if (o->json) {
        e->json = json_add(
            cJSON_CreateObject(), "model %s hash %016llx split %s windows %d", o->file,
            (unsigned long long)model_hash(e->model), o->split, o->windows);
    }
    int status = measure_windows(e, CORPUS_PLAIN, o->windows, NULL, NULL);
    if (!status && !e->is_grid)
        status = measure_windows(e, CORPUS_HOLE, o->held_out_holes, "holes",
                                 "holes: what fills them, given all around them");
    if (!status && !e->is_grid)
        status = measure_windows(e, CORPUS_MISSING, o->missing, "missing",
                                 "eight bars with one part missing: that part");
    if (!status && e->json)
        say_json(stdout, e->json);
    return status;
}

static int cmd_eval(struct options *o)
{
    struct evaluation e = {.options = o};
    if (!corpus_split_parse(o->split, &e.split))
        return say_wrong("--split", "must be train, valid or test");
    int status = run(&e);
    cJSON_Delete(e.json);
    pool_destroy(e.pool);
    model_close(e.model);
    train_music_close(&e.music);
    return status;
}

const struct verb VERB_EVAL = {
    .name = "eval",
    .summary = "measure a model on held-out music",
    .run = cmd_eval,
    .arguments = "MODEL --data DIR|FILE.json [options]",
    .about =
        "Measures a model on the held-out music of DIR: nats per token and per note,\n"
        "compared with a unigram and a bigram of the training music. --holes measures\n"
        "what fills holes, given the music around them; --missing one part of eight\n"
        "bars, given the others, in turns. Weights are f32 and tokens are read many\n"
        "at a time; --precision measures single steps.\n"
        "\n"
        "A model of four voices in sixteenths is measured on the pieces of a\n"
        "FILE.json, voice by voice.",
    .n_files = 1,
    .takes =
        OPTION_DATA | OPTION_THREADS | OPTION_PRECISION | OPTION_JSON | OPTION_EXAMPLES,
    .needs = OPTION_DATA,
};
