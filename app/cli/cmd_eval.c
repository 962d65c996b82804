/* continuo eval: how well a model predicts unseen music, compared with two baselines
 * counted from the training music; what it writes after such music, compared with the
 * original; and how it fills holes in it. */
#include "app/cli/verbs.h"

#include "app/evaluation/eval_loss.h"
#include "app/evaluation/eval_holes.h"
#include "app/evaluation/eval_music.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "app/decoding/metadata.h"
#include "app/decoding/model_file.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

struct evaluation {
    const struct options *options;
    enum corpus_split split;
    struct model *model;
    struct pool *pool;
    struct corpus *corpus; /* the music, for the model's kind of tokens */

    struct eval_loss loss;    /* of score tokens */
    struct eval_loss missing; /* of parts that are missing, likewise */

    bool is_grid; /* and of grid tokens */
    struct grid_corpus *grid;
    struct grid_score_request grid_request;
    struct eval_grid grid_loss;

    struct music_writer writer;
    struct music_request request;
    struct music music;

    bool fills; /* the model can fill holes, and should */
    struct eval_holes_request holes_request;
    struct eval_holes holes;
};

static atomic_bool stop_asked;

static void ask_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = true;
}

/* Adds it to j; NULL: prints it. */
static void report_loss(const struct evaluation *e, cJSON *j)
{
    if (e->is_grid) {
        eval_grid_report(&e->grid_loss, j);
        return;
    }
    json_add(j, "windows %d", e->options->windows);
    eval_loss_report(&e->loss, e->corpus, j);
    if (!e->options->missing)
        return;
    if (!j)
        puts("\neight bars with one part missing: that part");
    eval_loss_report(&e->missing, e->corpus, cJSON_AddObjectToObject(j, "missing"));
}

static void print_json(const struct evaluation *e)
{
    cJSON *j = describe_model(e->model, e->options->file);
    json_add(j, "split %s", e->options->split);
    report_loss(e, j);
    if (e->options->examples)
        cJSON_AddItemToObject(j, "music", music_json(&e->music, &e->request));
    if (e->fills)
        cJSON_AddItemToObject(j, "holes",
                              eval_holes_json(&e->holes, &e->holes_request));
    if (!say_json_once(stdout, j))
        puts("{}");
}

static int open_model(struct evaluation *e)
{
    char path[4096];
    int status = verb_model_open(&e->model, e->options->file, path, sizeof path);
    if (status)
        return status;
    e->is_grid = e->model->config.vocab == GRID_COUNT;
    if (!e->is_grid && !metadata_fits_score(e->model))
        return say_model_error(path, MODEL_OTHER_TOKENS, NULL);
    e->fills = e->model->config.vocab == TOKEN_COUNT && e->options->held_out_holes;
    if (e->is_grid && !metadata_grid_lesson(e->model, &e->grid_request.lesson))
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
    int status = evaluated_music_open(&e->corpus, &e->grid, e->options);
    e->grid_request.model = e->model;
    e->grid_request.pool = e->pool;
    e->grid_request.corpus = e->grid;
    e->grid_request.split = e->split;
    e->grid_request.cancel = &stop_asked;
    return status;
}

static int measure_loss(struct evaluation *e)
{
    const struct options *o = e->options;
    if (e->is_grid)
        return eval_grid_measure(&e->grid_loss, &e->grid_request, o->data, o->file);
    int status = eval_loss_measure(&e->loss, o, e->corpus, e->split, CORPUS_PLAIN,
                                   o->windows, e->model, e->pool);
    if (!status && o->missing)
        status = eval_loss_measure(&e->missing, o, e->corpus, e->split, CORPUS_MISSING,
                                   o->missing, e->model, e->pool);
    return status;
}

static int make_music(struct evaluation *e)
{
    e->request = (struct music_request){
        .corpus = e->corpus,
        .split = e->split,
        .n_pieces = e->options->examples,
        .bars = e->options->continuation.bars,
        .sampling = e->options->continuation.sampling,
        .writer = &e->writer,
    };
    enum model_status st =
        e->is_grid ? grid_writer_open(&e->writer, &e->grid_request)
                   : music_writer_open(&e->writer, e->model, e->pool, &stop_asked);
    if (st)
        return say_model_error(e->options->file, st, NULL);
    if (music_generate(&e->music, &e->request))
        return 1;
    if (!music_find_copies(&e->music, &e->request))
        return say_midi_error(e->options->data, MIDI_NO_MEMORY);
    return 0;
}

static int fill_holes(struct evaluation *e)
{
    e->holes_request = (struct eval_holes_request){
        .model_name = e->options->file,
        .corpus = e->corpus,
        .split = e->split,
        .n_holes = e->options->held_out_holes,
        .how = e->options->continuation,
        .model = e->model,
        .pool = e->pool,
        .cancel = &stop_asked,
    };
    return eval_holes_measure(&e->holes, &e->holes_request);
}

/* The loss was already printed; these take minutes. */
static int print_rest(const struct evaluation *e)
{
    cJSON *music = e->options->examples ? music_json(&e->music, &e->request) : NULL;
    cJSON *holes = e->fills ? eval_holes_json(&e->holes, &e->holes_request) : NULL;
    const bool ok = (music || !e->options->examples) && (holes || !e->fills);
    if (music)
        music_print(music);
    if (holes)
        eval_holes_print(holes);
    cJSON_Delete(music);
    cJSON_Delete(holes);
    return ok ? 0 : say_midi_error(e->options->data, MIDI_NO_MEMORY);
}

static int run(struct evaluation *e)
{
    const struct options *o = e->options;
    if (open_model(e) || open_music(e) || measure_loss(e))
        return 1;
    if (!o->json)
        report_loss(e, NULL);
    /* The first signal; the second ends the program at once. */
    struct sigaction action = {.sa_handler = ask_stop, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if ((o->examples && make_music(e)) || (e->fills && fill_holes(e)))
        return 1;
    if (o->json)
        print_json(e);
    else if (print_rest(e))
        return 1;
    if (e->music.is_cancelled || e->holes.is_cancelled)
        return say_error(o->file, "was interrupted; the figures cover the part before");
    return 0;
}

static int cmd_eval(struct options *o)
{
    struct evaluation e = {.options = o};
    if (!corpus_split_parse(o->split, &e.split))
        return say_wrong("--split", "must be train, valid or test");
    int status = run(&e);
    eval_holes_fini(&e.holes);
    music_fini(&e.music);
    music_writer_close(&e.writer);
    eval_loss_fini(&e.loss);
    eval_loss_fini(&e.missing);
    pool_destroy(e.pool);
    model_close(e.model);
    corpus_close(e.corpus);
    grid_corpus_close(e.grid);
    return status;
}

const struct verb VERB_EVAL = {
    .name = "eval",
    .summary = "measure a model on held-out music",
    .run = cmd_eval,
    .arguments = "MODEL --data DIR|FILE.json [options]",
    .about =
        "Measures a model on the held-out music of DIR: nats per token and per note,\n"
        "compared with a unigram and a bigram of the training music. Then the model\n"
        "continues the first bars of some pieces, and statistics of its music are\n"
        "compared with those of the pieces and of as much training music. A model\n"
        "that fills holes also fills some: the verb measures the loss of the original\n"
        "notes with more or less music around them, how close the new notes come, and\n"
        "whether they follow constraints. --missing measures how well it predicts one\n"
        "part of eight bars from the others, in turns. Ctrl-C ends these parts early. "
        "Weights are\n"
        "f32 and tokens are read many at a time; --precision measures single steps.\n"
        "\n"
        "A model of four voices in sixteenths is measured on the pieces of a\n"
        "FILE.json, voice by voice; one with an encoder writes the voices below the\n"
        "melody.",
    .n_files = 1,
    .bars = 16,
    .takes = OPTION_DATA | OPTION_THREADS | OPTION_PRECISION | OPTION_JSON |
             OPTION_EXAMPLES | OPTION_BARS | OPTION_SAMPLING | OPTION_GUIDANCE,
    .needs = OPTION_DATA,
};
