/* continuo tokens: windows of the training music as numbers, for models/train.py.
 *
 * OUT.npy is an array of NumPy's, int16 [3, windows, length]: tokens, targets (-1:
 * not to be learnt) and times; OUT.json beside it says what they mean. Training
 * windows are those that `continuo train` draws, transposed and all. */
#include "app/commands.h"

#include "app/corpus.h"
#include "app/metadata.h"
#include "app/options.h"
#include "app/say.h"
#include "app/values.h"
#include "midi/clock.h"

#include <cjson/cJSON.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct verb VERB = {
    .name = "tokens",
    .arguments = "--data DIR -o OUT.npy [options]",
    .about = "Writes windows of the music in DIR as numbers for models/train.py:\n"
             "OUT.npy, int16 [3, windows, length] of tokens, targets and times, and\n"
             "OUT.json, which says what they mean.",
    .n_files = 0,
    .takes = OPTION_DATA | OPTION_OUTPUT | OPTION_LENGTH,
    .needs = OPTION_DATA | OPTION_OUTPUT,
};

enum { N_ROWS = 3 };

struct dump {
    const struct options *o;
    struct corpus *corpus;
    enum corpus_split split;
    int32_t *tokens, *targets, *times; /* [length] */
    int16_t *all;                      /* [3, windows, length], little-endian */
};

static int16_t narrow(int32_t x)
{
    return (int16_t)htole16((uint16_t)(x > INT16_MAX ? INT16_MAX : x));
}

static enum midi_status draw(struct dump *d, int i)
{
    const struct options *o = d->o;
    if (d->split == CORPUS_TRAIN)
        return corpus_draw(d->corpus, o->continuation.sampling.seed, (uint64_t)i, 0,
                           o->length, d->tokens, d->targets);
    return corpus_window(d->corpus, d->split, i, o->windows, o->length, d->tokens,
                         d->targets);
}

static enum midi_status fill(struct dump *d)
{
    const size_t length = (size_t)d->o->length;
    const size_t plane = (size_t)d->o->windows * length;
    for (int i = 0; i < d->o->windows; i++) {
        enum midi_status st = draw(d, i);
        if (st)
            return st;
        clock_times(d->tokens, length, d->times);
        int16_t *row = d->all + (size_t)i * length;
        for (size_t j = 0; j < length; j++) {
            row[j] = narrow(d->tokens[j]);
            row[plane + j] = narrow(d->targets[j]);
            row[2 * plane + j] = narrow(d->times[j]);
        }
    }
    return MIDI_OK;
}

/* The .npy format, version 1.0: the header ends on a multiple of 64 bytes. */
static bool write_array(const struct dump *d, FILE *f)
{
    char header[118];
    size_t n = (size_t)N_ROWS * (size_t)d->o->windows * (size_t)d->o->length;
    int used = snprintf(header, sizeof header,
                        "{'descr': '<i2', 'fortran_order': False, 'shape': (%d, %d, "
                        "%d), }",
                        N_ROWS, d->o->windows, d->o->length);
    memset(header + used, ' ', sizeof header - (size_t)used);
    header[sizeof header - 1] = '\n';
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M',           'P',
                                     'Y',  1,   0,   sizeof header, 0};
    return fwrite(magic, sizeof magic, 1, f) == 1 &&
           fwrite(header, sizeof header, 1, f) == 1 &&
           fwrite(d->all, sizeof *d->all, n, f) == n;
}

static cJSON *describe(const struct dump *d)
{
    char *tokenizer = tokenizer_json();
    cJSON *about = cJSON_CreateObject(), *names = cJSON_CreateArray();
    cJSON *provenance = cJSON_AddObjectToObject(about, "provenance");
    cJSON_AddNumberToObject(about, "vocab", TOKEN_COUNT);
    cJSON_AddItemToObject(about, "tokenizer", cJSON_Parse(tokenizer ? tokenizer : ""));
    for (int i = 0; i < d->corpus->n_groups; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(d->corpus->groups[i].name));
    cJSON_AddItemToObject(provenance, "corpora", names);
    cJSON_AddNumberToObject(provenance, "length", d->o->length);
    cJSON_AddNumberToObject(provenance, "windows", d->o->windows);
    free(tokenizer);
    return about;
}

static bool write_about(const struct dump *d, FILE *f)
{
    cJSON *about = describe(d);
    char *text = cJSON_Print(about);
    bool ok = text && fprintf(f, "%s\n", text) > 0;
    free(text);
    cJSON_Delete(about);
    return ok;
}

static int write_file(const struct dump *d, const char *path,
                      bool (*write)(const struct dump *d, FILE *f))
{
    FILE *f = fopen(path, "wb");
    bool ok = f && write(d, f);
    if (f && fclose(f))
        ok = false;
    return ok ? 0 : say_error(path, strerror(errno));
}

/* OUT.json beside OUT.npy. */
static int write_both(const struct dump *d)
{
    char about[4096];
    const char *dot = strrchr(d->o->output, '.');
    if (!dot || strcmp(dot, ".npy") != 0)
        return say_error(d->o->output, "must end in .npy");
    int n = snprintf(about, sizeof about, "%.*s.json", (int)(dot - d->o->output),
                     d->o->output);
    if (n < 0 || (size_t)n >= sizeof about)
        return say_error(d->o->output, "the name is too long");
    int status = write_file(d, d->o->output, write_array);
    return status ? status : write_file(d, about, write_about);
}

static bool allocate(struct dump *d)
{
    size_t length = (size_t)d->o->length;
    d->tokens = calloc(length, sizeof *d->tokens);
    d->targets = calloc(length, sizeof *d->targets);
    d->times = calloc(length, sizeof *d->times);
    d->all = calloc((size_t)N_ROWS * (size_t)d->o->windows, length * sizeof *d->all);
    return d->tokens && d->targets && d->times && d->all;
}

static int run(struct dump *d)
{
    if (!value_split(d->o->split, &d->split))
        return say_error(d->o->split, "is none of train, valid and test");
    enum midi_status st = corpus_open(&d->corpus, d->o->data, d->o->corpora, NULL);
    if (st)
        return say_midi_error(d->o->data, st);
    if (!d->corpus->n_pieces[d->split])
        return say_error(d->o->data, "holds no music of that split");
    st = allocate(d) ? fill(d) : MIDI_NO_MEMORY;
    return st ? say_midi_error(d->o->data, st) : write_both(d);
}

int cmd_tokens(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    struct dump d = {.o = &o};
    status = run(&d);
    corpus_close(d.corpus);
    free(d.tokens);
    free(d.targets);
    free(d.times);
    free(d.all);
    return status;
}
