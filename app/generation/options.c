/* See options.h. A value is read by the kind of its row and stored at the
 * row's offset. */
#include "app/generation/options.h"

#include "app/decoding/learnt_styles.h"
#include "app/decoding/metadata.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "midi/sound/audio_file.h"
#include "midi/tokens/tokens.h"

#include <getopt.h>
#include <stddef.h>

enum kind {
    TEXT,
    COUNT,
    REAL,
    FLAG,
    PRECISION,
    STEER /* a row of app/generation/steer.h */
};

struct row {
    const char *name, *argument, *help;
    enum kind kind;
    unsigned set; /* enum option_set */
    size_t offset;
    double low, high;
};

#define AT(field) offsetof(struct options, field)

static const struct row ROWS[] = {
    {"output", "FILE", "where to write (also -o)", TEXT, OPTION_OUTPUT, AT(output), 0,
     0},
    {"model", "FILE", "a model; else the bundled one", TEXT, OPTION_MODEL, AT(model), 0,
     0},
    {"track", "N", "the melody's track, from 1", COUNT, OPTION_TRACK, AT(track), 1,
     1 << 20},
    {"from", "B[:B]", "the bar, and beat, where the hole begins", TEXT, OPTION_HOLE,
     AT(from), 0, 0},
    {"to", "B[:B]", "and where it ends", TEXT, OPTION_HOLE, AT(to), 0, 0},
    {"pitch", "LO-HI", "its pitches, names or numbers (all)", TEXT, OPTION_HOLE,
     AT(pitch), 0, 0},
    {"tracks", "1,3", "its tracks, from 1 (all with notes)", TEXT, OPTION_HOLE,
     AT(tracks), 0, 0},
    {"lead-in", "N", "put N bars before the music: the hole", COUNT, OPTION_HOLE,
     AT(lead_in), 1, 64},
    {"new-tracks", "N", "write on N tracks that are added (1 to 16)", COUNT,
     OPTION_HOLE, AT(new_tracks), 1, 16},
    {"keep", "WHAT", NULL, STEER, OPTION_HOLE, 0, 0, 0},
    {"stays", "X", NULL, STEER, OPTION_HOLE, 0, 0, 0},
    {"more-like", "FILE", "lean to what that file has in the hole", TEXT, OPTION_HOLE,
     AT(more_like), 0, 0},
    {"less-like", "FILE", "lean away from it", TEXT, OPTION_HOLE, AT(less_like), 0, 0},
    {"density", "X", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"voices", "N", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"note-length", "X", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"register", "PITCH", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"close", NULL, NULL, STEER, OPTION_MUSIC, 0, 0, 0}, /* said, it is on */
    {"guidance", "G", NULL, STEER, OPTION_MUSIC | OPTION_GUIDANCE, 0, 0, 0},
    {"min-notes", "N", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"bars", "N", "how many bars, 1 to 256", COUNT, OPTION_BARS, AT(continuation.bars),
     1, CONTINUATION_MAX_BARS},
    {"takes", "K", "write K takes, OUT-1.mid to OUT-K.mid, seeds counting up", COUNT,
     OPTION_TAKES, AT(takes), 1, 99},
    {"draws", "N", NULL, STEER, OPTION_TAKES, 0, 0, 0},
    {"seed", "S", NULL, STEER, OPTION_SAMPLING, 0, 0, 0},
    {"temperature", "T", NULL, STEER, OPTION_SAMPLING, 0, 0, 0},
    {"top-p", "P", NULL, STEER, OPTION_SAMPLING, 0, 0, 0},
    {"min-p", "P", NULL, STEER, OPTION_SAMPLING, 0, 0, 0},
    {"top-k", "K", "draw among the K likeliest, 0 for all (0)", COUNT, OPTION_SAMPLING,
     AT(continuation.sampling.top_k), 0, 100000},
    {"style", "NAME", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"polyphony", "N", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"scale", "KEY", NULL, STEER, OPTION_MUSIC, 0, 0, 0},
    {"format", "F", "wav, flac or ogg; else as OUT ends", TEXT, OPTION_SOUND,
     AT(sound_format), 0, 0},
    {"rate", "HZ", "samples a second, 8000 to 192000 (44100)", COUNT, OPTION_SOUND,
     AT(sample_rate), AUDIO_LEAST_RATE, AUDIO_MOST_RATE},
    {"bits", "N", "of a sample: 16, 24, or 32 for float in a WAV file (16)", COUNT,
     OPTION_SOUND, AT(sound_bits), 16, 32},
    {"soundfont", "FILE", "a soundfont; else the system's, else our own", TEXT,
     OPTION_SOUNDFONT, AT(soundfont), 0, 0},
    {"data", "PATH", "the music, most often a folder", TEXT,
     OPTION_DATA | OPTION_CORPORA, AT(data), 0, 0},
    {"corpora", "A,B", "only these folders of it", TEXT, OPTION_DATA | OPTION_CORPORA,
     AT(corpora), 0, 0},
    {"passages", "N", "how many passages to learn from (1200)", COUNT, OPTION_PASSAGES,
     AT(passages), 10, 100000},
    {"split", "NAME", "train, valid or test (valid)", TEXT, OPTION_DATA, AT(split), 0,
     0},
    {"windows", "N", "how many windows of the music, at most (64)", COUNT, OPTION_DATA,
     AT(windows), 1, 100000},
    {"length", "N", "tokens in a window (1024)", COUNT, OPTION_LENGTH, AT(length), 2,
     8192},
    {"melody", NULL,
     "of four voices: the melody apart, for a model with an encoder:\n"
     "                     two more rows, of its tokens (then -1) and times",
     FLAG, OPTION_LESSON, AT(melody), 0, 0},
    {"hold", NULL, "of four voices: tell struck notes from held ones", FLAG,
     OPTION_LESSON, AT(hold), 0, 0},
    {"holes", "X", "share of a folder's training windows with a hole to fill (0.5)",
     REAL, OPTION_HOLES, AT(holes), 0, 1},
    {"chords", "X", "share of them in which chords are said (0.5)", REAL, OPTION_HOLES,
     AT(chords), 0, 1},
    {"music", "N", "continue N pieces of each corpus, and compare (8)", COUNT,
     OPTION_EXAMPLES, AT(examples), 0, 10000},
    {"holes", "N", "and N holes in each corpus, to be filled and compared (6)", COUNT,
     OPTION_EXAMPLES, AT(held_out_holes), 0, 10000},
    {"tokens", "IDS", "token numbers, with spaces between", TEXT, OPTION_TOKENS,
     AT(tokens), 0, 0},
    {"times", "N", "their times", TEXT, OPTION_TOKENS, AT(times), 0, 0},
    {"source", "IDS", "what an encoder reads", TEXT, OPTION_TOKENS, AT(source), 0, 0},
    {"source-times", "N", "the times of that", TEXT, OPTION_TOKENS, AT(source_times), 0,
     0},
    {"weights", "TYPE", "bf16 or int8 (int8)", TEXT, OPTION_WEIGHTS, AT(weights), 0, 0},
    {"layer", "N", "a layer, from 1, or all (all)", TEXT, OPTION_ATTENTION, AT(layer),
     0, 0},
    {"head", "N", "one of its heads, from 1, or all (all)", TEXT, OPTION_ATTENTION,
     AT(head), 0, 0},
    {"note", "N", "what this note looked at; `continuo score` numbers them", COUNT,
     OPTION_ATTENTION, AT(note), 1, 1 << 30},
    {"bar", "N", "what the notes of this bar looked at", COUNT, OPTION_ATTENTION,
     AT(bar), 1, 1 << 30},
    {"by", NULL, "what looked at it, instead", FLAG, OPTION_ATTENTION, AT(by), 0, 0},
    {"heard", NULL, "attention to the melody that an encoder hears", FLAG,
     OPTION_ATTENTION, AT(heard), 0, 0},
    {"part", "P", "weight, or content, index or time of the score (weight)", TEXT,
     OPTION_ATTENTION, AT(part), 0, 0},
    {"shade", "S", "linear, log or rank: how weights become colours (log)", TEXT,
     OPTION_ATTENTION, AT(shade), 0, 0},
    {"tokens", NULL, "in .csv and .json each token by itself, not summed by note", FLAG,
     OPTION_ATTENTION, AT(by_token), 0, 0},
    {"survey", NULL, "what each head looks at in the music of --data", FLAG,
     OPTION_ATTENTION, AT(survey), 0, 0},
    {"alternatives", "N", "the model's N likeliest pitches beside each (0)", COUNT,
     OPTION_ALTERNATIVES, AT(alternatives), 0, 16},
    {"threads", "N", "0: one for each processor (0); changes no result", COUNT,
     OPTION_THREADS, AT(threads), 0, 256},
    {"all", NULL, "the largest shape too, and a training step of M", FLAG, OPTION_ALL,
     AT(all), 0, 0},
    {"all", NULL, "every track, also those that are muted", FLAG, OPTION_ALL_TRACKS,
     AT(all), 0, 0},
    {"precision", "P", "weights of single steps: f32, bf16 or int8", PRECISION,
     OPTION_PRECISION, AT(precision), 0, 0},
    {"json", NULL, "answer in JSON", FLAG, OPTION_JSON, AT(json), 0, 0},
};
enum { N_ROWS = sizeof ROWS / sizeof ROWS[0], HELP = 'h' };

/* false: not a value of this option. */
static bool store(struct options *o, const struct row *r, const char *text)
{
    void *at = (char *)o + r->offset;
    double x = 0;
    switch (r->kind) {
    case TEXT:
        *(const char **)at = text;
        return true;
    case COUNT:
        return value_count(text, (int)r->low, (int)r->high, at);
    case REAL:
        if (!value_real(text, r->low, r->high, &x))
            return false;
        *(float *)at = (float)x;
        return true;
    case STEER:
        return steer_set(steer_find(r->name), &o->steering, r->argument ? text : "on");
    case PRECISION:
        o->has_precision = value_precision(text, at);
        return o->has_precision;
    case FLAG:
        *(bool *)at = true;
        return true;
    }
    return false;
}

/* With what it is when it is not said. */
static void print_steering(const char *left, const struct steer_row *r)
{
    char value[STEER_TEXT_BYTES];
    printf("  %-18s %s (%s)\n", left, steer_help(r),
           steer_get(r, &STEERING_DEFAULT, value));
}

static void print_help(const struct verb *v)
{
    printf("usage: continuo %s %s\n\n%s\n\n", v->name, v->arguments, v->about);
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *r = &ROWS[i];
        char left[40];
        if (!(r->set & v->takes))
            continue;
        snprintf(left, sizeof left, "--%s %s", r->name, r->argument ? r->argument : "");
        if (r->kind == STEER)
            print_steering(left, steer_find(r->name));
        else
            printf("  %-18s %s\n", left, r->help);
    }
    printf("  %-18s %s\n", "--help", "this");
}

bool options_about(const struct verb *v, int i, struct option_about *out)
{
    for (int row = 0; row < N_ROWS; row++) {
        const struct row *r = &ROWS[row];
        if (!(r->set & v->takes) || i-- > 0)
            continue;
        *out = (struct option_about){r->name, r->argument,
                                     r->kind == STEER ? steer_help(steer_find(r->name))
                                                      : r->help};
        return true;
    }
    return false;
}

static int wrong(const struct verb *v, const char *subject, const char *what)
{
    fputs("continuo: ", stderr);
    if (subject) {
        say_safe(stderr, subject);
        fputs(": ", stderr);
    }
    fprintf(stderr, "%s; see continuo %s --help\n", what, v->name);
    return 2;
}

/* getopt's table: values are HELP, or 256 and the row's index. */
static void list_options(const struct verb *v, struct option *list)
{
    int n = 0;
    for (int i = 0; i < N_ROWS; i++)
        if (ROWS[i].set & v->takes)
            list[n++] = (struct option){
                .name = ROWS[i].name,
                .has_arg = ROWS[i].argument ? required_argument : no_argument,
                .val = 256 + i,
            };
    list[n++] = (struct option){.name = "help", .val = HELP};
    list[n] = (struct option){0};
}

static int check_needs(const struct options *o, const struct verb *v, int n_files)
{
    if (n_files < v->n_files || n_files > v->n_files + v->n_more)
        return wrong(v, NULL,
                     n_files < v->n_files ? "a file is missing" : "too many files");
    if ((v->needs & OPTION_OUTPUT) && !o->output)
        return wrong(v, NULL, "-o says where to write, and is missing");
    if ((v->needs & (OPTION_DATA | OPTION_CORPORA)) && !o->data)
        return wrong(v, NULL, "--data, the music, is missing");
    if ((v->needs & OPTION_TOKENS) && !o->tokens)
        return wrong(v, NULL, "--tokens \"1 2 3\" is missing");
    return -1;
}

/* 2, after saying which styles there are: those that the model has learnt. */
static int wrong_style(const struct options *o, const struct verb *v, const char *value)
{
    char what[LEARNT_LIST_BYTES + 16], list[LEARNT_LIST_BYTES];
    snprintf(what, sizeof what, "--style wants %s",
             learnt_list(learnt_styles_of_file(o->model), list));
    return wrong(v, value, what);
}

/* -1: the model has learnt it, or none was asked for. */
static int check_style(const struct options *o, const struct verb *v)
{
    int style = o->steering.style;
    if (style == STEERING_DEFAULT.style ||
        learnt_has(learnt_styles_of_file(o->model), style))
        return -1;
    return wrong_style(o, v, style_name((enum style)style));
}

static bool is_style(const struct row *r)
{
    return r->kind == STEER && steer_is_style(steer_find(r->name));
}

int options_parse(struct options *o, const struct verb *v, int argc, char **argv)
{
    struct option list[N_ROWS + 2];
    const char *letters = v->takes & OPTION_OUTPUT ? ":o:h" : ":h";
    list_options(v, list);
    *o = (struct options){.continuation = CONTINUATION_DEFAULT,
                          .takes = 1,
                          .windows = 64,
                          .length = 1024,
                          .passages = 1200,
                          .examples = 8,
                          .held_out_holes = 6,
                          .holes = 0.5f,
                          .chords = 0.5f,
                          .split = "valid",
                          .weights = "int8",
                          .precision = PRECISION_DEFAULT};
    o->continuation.bars = v->bars;
    o->steering = STEERING_DEFAULT;
    o->steering.n_takes = 1;
    opterr = 0;
    optind = 0; /* begin afresh, in glibc */
    int c;
    while ((c = getopt_long(argc, argv, letters, list, NULL)) != -1) {
        if (c == HELP) {
            print_help(v);
            return 0;
        }
        if (c == 'o') {
            o->output = optarg;
        } else if (c == '?' || c == ':') {
            const char *what = c == ':' ? "wants a value" : "is not an option here";
            return wrong(v, argv[optind - 1], what);
        } else if (!store(o, &ROWS[c - 256], optarg)) {
            if (is_style(&ROWS[c - 256]))
                return wrong_style(o, v, optarg);
            return wrong(v, argv[optind - 1], "is out of range, or not such a value");
        }
    }
    steer_apply(&o->steering, &o->continuation);
    o->file = optind < argc ? argv[optind] : NULL;
    int status = check_style(o, v);
    return status >= 0 ? status : check_needs(o, v, argc - optind);
}
