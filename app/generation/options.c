/* See options.h. */
#include "app/generation/options.h"

#include "app/decoding/styles.h"
#include "app/decoding/metadata.h"
#include "app/biases/rules.h"
#include "app/base/values.h"
#include "midi/score/scale_guess.h"
#include "midi/sound/audio_file.h"
#include "midi/tokens/tokens.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* "guess": the scale of the file, which is not read yet. */
static bool read_scale(const struct field *f, void *of, const char *text)
{
    struct options *o = of;
    o->guesses_scale = strcmp(text, "guess") == 0;
    return o->guesses_scale || field_read_like(f, of, text);
}

/* The file, which is not read yet, has the positions of its bars. */
static bool read_motif(const struct field *f, void *of, const char *text)
{
    return motif_read(text, field_at(f, of));
}

static bool read_without(const struct field *f, void *of, const char *text)
{
    uint32_t *without = field_at(f, of);
    *without = 0;
    for (size_t n; *text; text += n + (text[n] == ',')) {
        n = strcspn(text, ",");
        const uint32_t bits = rules_bits(text, n);
        if (!bits)
            return false;
        *without |= bits;
    }
    return *without;
}

static void list_rules(const struct field *f, const void *of,
                       char buf[FIELD_WANTS_BYTES])
{
    (void)f;
    (void)of;
    const int n = snprintf(buf, FIELD_WANTS_BYTES, "one of ");
    rules_list(buf + n, FIELD_WANTS_BYTES - (size_t)n);
}

/* Lists the styles that the model has learnt. */
static void list_styles(const struct field *f, const void *of,
                        char buf[FIELD_WANTS_BYTES])
{
    const struct options *o = of;
    (void)f;
    learnt_list(learnt_styles_of_file(o ? o->model : NULL), buf);
}

static const struct field_kind SCALE = {.read = read_scale};
static const struct field_kind STYLE = {.read = field_read_like, .list = list_styles};
static const struct field_kind WITHOUT = {.read = read_without, .list = list_rules};
static const struct field_kind MOTIF = {
    .read = read_motif,
    .wants = "bars, and how they return: 5, 1-2, 1-2:transposed or 1-2:varied"};

#define ROW(its_kind, verbs, field)                                                    \
    .kind = &(its_kind), .set = OPTION_##verbs, FIELD_OF(options, field)
/* A value that steers, of the same name. */
#define STEERS_AS(its_kind, verbs)                                                     \
    ROW(its_kind, verbs, steering), .like = steer_find, .usual = &STEERING_DEFAULT
#define STEERS(verbs)      STEERS_AS(FIELD_LIKE, verbs)
#define TEXT(verbs, field) ROW(FIELD_ARGUMENT, verbs, field)
#define FLAG(verbs, field) ROW(FIELD_FLAG, verbs, field)
#define COUNT(verbs, field, from, to)                                                  \
    ROW(FIELD_WHOLE, verbs, field), .low = (from), .high = (to)
#define REAL(verbs, field, from, to)                                                   \
    ROW(FIELD_REAL, verbs, field), .low = (from), .high = (to)

#define CHOICE(verbs, field, list) ROW(FIELD_WORDS, verbs, field), .words = (list)

const char *const OPTION_WEIGHT_TYPES[] = {"bf16", "int8", NULL};
const char *const OPTION_PARTS[] = {"weight", "content", "index", "time", NULL};
static const char *const SHADES[] = {"linear", "log", "rank", NULL};

static const struct field ROWS[] = {
    {"output", "FILE", "the output file (also -o)", TEXT(OUTPUT, output)},
    {"force", NULL,
     "write over a damaged input, a file with a hard link," OPTION_NEXT_LINE
     "with unsaved edits in its store, or open elsewhere",
     FLAG(OUTPUT, force)},
    {"model", "FILE", "a model (the bundled one)", TEXT(MODEL, model)},
    {"track", "N", "the melody's track, from 1", COUNT(TRACK, track, 1, 1 << 20)},
    {"with", "A,B", "the instruments to add: \"bass, drums, electric piano\"",
     TEXT(WITH, with)},
    {"from", "B[:B]", "the bar and beat where the hole begins",
     TEXT(HOLE | OPTION_PLACE, from)},
    {"to", "B[:B]", "where the hole ends, exclusive", TEXT(HOLE | OPTION_PLACE, to)},
    {"pitch", "LO-HI", "its pitches, as names or numbers (all)", TEXT(HOLE, pitch)},
    {"tracks", "1,3", "its tracks, from 1 (all with notes)",
     TEXT(HOLE | OPTION_PLACE, tracks)},
    {"lead-in", "N", "fill N new bars before the music", COUNT(HOLE, lead_in, 1, 64)},
    {"new-tracks", "N", "add N tracks and write on them (1 to 16)",
     COUNT(HOLE, new_tracks, 1, 16)},
    {"keep", "WHAT", NULL, STEERS(HOLE)},
    {"stays", "X", NULL, STEERS(HOLE)},
    {"more-like", "FILE", "prefer music like that file's hole", TEXT(HOLE, more_like)},
    {"less-like", "FILE", "avoid music like that file's hole", TEXT(HOLE, less_like)},
    {"density", "X", NULL, STEERS(MUSIC)},
    {"voices", "N", NULL, STEERS(MUSIC)},
    {"note-length", "X", NULL, STEERS(MUSIC)},
    {"register", "PITCH", NULL, STEERS(MUSIC)},
    {"close", NULL, NULL, STEERS(MUSIC | OPTION_PLACE)}, /* given, it is on */
    {"guidance", "G", NULL, STEERS(MUSIC)},
    {"min-notes", "N", NULL, STEERS(MUSIC)},
    {"bars", "N", "the number of bars, 1 to 256",
     COUNT(BARS, continuation.bars, 1, CONTINUATION_MAX_BARS)},
    {"takes", "K", "write K takes, OUT-1.mid to OUT-K.mid, with ascending seeds",
     COUNT(TAKES, takes, 1, 99)},
    {"draws", "N", NULL, STEERS(TAKES)},
    {"seed", "S", NULL, STEERS(SAMPLING)},
    {"temperature", "T", NULL, STEERS(SAMPLING)},
    {"top-p", "P", NULL, STEERS(SAMPLING)},
    {"min-p", "P", NULL, STEERS(SAMPLING)},
    {"top-k", "K", "draw from the K likeliest tokens, 0 for all (0)",
     COUNT(SAMPLING, continuation.sampling.top_k, 0, 100000)},
    {"style", "NAME", NULL, STEERS_AS(STYLE, MUSIC)},
    {"polyphony", "N", NULL, STEERS(MUSIC)},
    {"scale", "KEY", "the scale of new notes; guess: the scale of the file",
     STEERS_AS(SCALE, MUSIC | OPTION_PLACE)},
    {"motif", "BARS[:HOW]",
     "a motif: these bars return, as 1-2 (exactly)," OPTION_NEXT_LINE
     "1-2:transposed within the key, or 1-2:varied",
     ROW(MOTIF, MUSIC, motif)},
    {"motif-track", "N", "the motif's track, from 1 (the highest)",
     COUNT(MUSIC, motif_track, 1, TOKEN_MAX_TRACKS)},
    {"harmony", "C Am F G",
     "write these chords above the new notes, one a bar" OPTION_NEXT_LINE
     "and over again, and follow them; % holds one",
     TEXT(MUSIC, harmony)},
    {"without", "A,B",
     "leave out parts of the machine: plan, which decides the" OPTION_NEXT_LINE
     "harmony before the notes, or rules, by their names",
     ROW(WITHOUT, MUSIC, continuation.without)},
    {"format", "F", "wav, flac or ogg (by the ending of OUT)",
     TEXT(SOUND, sound_format)},
    {"rate", "HZ", "samples per second, 8000 to 192000 (44100)",
     COUNT(SOUND, sample_rate, AUDIO_LEAST_RATE, AUDIO_MOST_RATE)},
    {"bits", "N", "bits per sample: 16, 24, or 32 for float in a WAV file (16)",
     COUNT(SOUND, sound_bits, 16, 32)},
    {"gain", "DB", "gain over the synthesiser, in dB (one that sets the peak to -1)",
     REAL(SOUND, gain_db, -96, 48), .given = offsetof(struct options, has_gain)},
    {"soundfont", "FILE", "a soundfont (the system's, or continuo's own)",
     TEXT(SOUNDFONT, soundfont)},
    {"data", "PATH", "the music, usually a folder", TEXT(DATA, data)},
    {"corpora", "A,B", "only these folders of the music", TEXT(DATA, corpora)},
    {"split", "NAME", "train, valid or test (valid)", TEXT(DATA, split)},
    {"windows", "N", "the most windows of the music to read (64)",
     COUNT(DATA, windows, 1, 100000)},
    {"length", "N", "tokens in a window (1024)", COUNT(LENGTH, length, 2, 8192)},
    {"melody", NULL,
     "four voices: separate the melody, for a model with an encoder;" OPTION_NEXT_LINE
     "adds two rows: its tokens (then -1) and times",
     FLAG(LESSON, melody)},
    {"hold", NULL, "four voices: use different tokens for struck and held notes",
     FLAG(LESSON, hold)},
    {"holes", "X", "share of a folder's training windows with a hole (0.5)",
     REAL(HOLES, holes, 0, 1)},
    {"chords", "X", "share of training windows with chord tokens (0.5)",
     REAL(HOLES, chords, 0, 1)},
    {"power", "X", "draw corpora in proportion to this power of their size (0.5)",
     REAL(HOLES, power, 0, 1)},
    {"holes", "N", "also measure N windows with a hole (0)",
     COUNT(EXAMPLES, held_out_holes, 0, 100000)},
    {"missing", "N", "also measure N windows in which one part is missing (0)",
     COUNT(EXAMPLES, missing, 0, 100000)},
    {"tokens", "IDS", "token ids, separated by spaces", TEXT(TOKENS, tokens)},
    {"times", "N", "the times of the tokens", TEXT(TOKENS, times)},
    {"source", "IDS", "the tokens that an encoder reads", TEXT(TOKENS, source)},
    {"source-times", "N", "the times of the source's tokens",
     TEXT(TOKENS, source_times)},
    {"weights", "TYPE", "bf16 or int8 (int8)",
     CHOICE(WEIGHTS, weights, OPTION_WEIGHT_TYPES)},
    {"mean-with", "MODEL", "the mean of both models' weights, of equal shape",
     TEXT(WEIGHTS, mean_with)},
    {"layer", "N", "a layer, from 1, or all (all)", TEXT(ATTENTION, layer)},
    {"head", "N", "one of its heads, from 1, or all (all)", TEXT(ATTENTION, head)},
    {"note", "N", "show what this note attended to; `continuo score` numbers notes",
     COUNT(ATTENTION, note, 1, 1 << 30)},
    {"bar", "N", "show what the notes of this bar attended to",
     COUNT(ATTENTION, bar, 1, 1 << 30)},
    {"by", NULL, "show what attended to it instead", FLAG(ATTENTION, by)},
    {"heard", NULL, "show attention to the melody that an encoder reads",
     FLAG(ATTENTION, heard)},
    {"part", "P", "weight, or content, index or time part of the score (weight)",
     CHOICE(ATTENTION, part, OPTION_PARTS)},
    {"shade", "S", "linear, log or rank scale of colours (log)",
     CHOICE(ATTENTION, shade, SHADES)},
    {"tokens", NULL, "write single tokens to .csv and .json, not sums by note",
     FLAG(ATTENTION, by_token)},
    {"alternatives", "N", "also show the N likeliest pitches of each note (0)",
     COUNT(ALTERNATIVES, alternatives, 0, 16)},
    {"threads", "N", "0: one for each processor (0); does not change results",
     COUNT(THREADS, threads, 0, 256)},
    {"all", NULL, "vast: measure also with a million notes", FLAG(ALL, all)},
    {"all", NULL, "render every track, also muted ones", FLAG(ALL_TRACKS, all)},
    {"precision", "P", "type of the weights in single steps: f32, bf16 or int8",
     ROW(FIELD_PRECISION, PRECISION, precision),
     .given = offsetof(struct options, has_precision)},
    {"json", NULL, "print JSON", FLAG(JSON, json)},
    OPTION_HELP,
};

const struct option_table OPTIONS = {ROWS, sizeof ROWS / sizeof ROWS[0], NULL};

int options_parse(struct options *o, const struct verb *v, int argc, char **argv)
{
    *o = (struct options){.continuation = CONTINUATION_DEFAULT,
                          .takes = 1,
                          .windows = 64,
                          .length = 1024,
                          .holes = 0.5f,
                          .chords = 0.5f,
                          .power = 0.5f,
                          .split = "valid",
                          .weights = 1, /* int8 */
                          .shade = 1,   /* log */
                          .precision = PRECISION_DEFAULT};
    o->continuation.bars = v->bars;
    o->steering = STEERING_DEFAULT;
    o->steering.n_takes = 1;
    int status = option_table_parse(&OPTIONS, v, o, &o->file, argc, argv);
    o->arguments = argv + optind;
    o->n_arguments = argc - optind;
    const int style = o->steering.style;
    const uint64_t learnt = status >= 0 || style == STEERING_DEFAULT.style
                                ? 0 /* any */
                                : learnt_styles_of_file(o->model);
    if (status < 0 && !learnt_has(learnt, style)) {
        char subject[64], what[LEARNT_LIST_BYTES + 16], list[LEARNT_LIST_BYTES];
        snprintf(subject, sizeof subject, "--style %s", style_name((enum style)style));
        snprintf(what, sizeof what, "must be %s", learnt_list(learnt, list));
        status = option_wrong(v, subject, what);
    }
    const bool has_output = o->output && *o->output;
    const char *missing =
        (v->needs & OPTION_OUTPUT) && !has_output  ? "-o, the output, is missing"
        : (v->needs & OPTION_DATA) && !o->data     ? "--data, the music, is missing"
        : (v->needs & OPTION_TOKENS) && !o->tokens ? "--tokens \"1 2 3\" is missing"
                                                   : NULL;
    if (status < 0 && missing)
        status = option_wrong(v, NULL, missing);
    steer_apply(&o->steering, &o->continuation);
    return status;
}

void options_follow(struct options *o, const struct score *s)
{
    if (o->motif.first)
        o->continuation.motif = motif_of_bars(&o->motif, s, o->motif_track - 1);
    if (!o->guesses_scale)
        return;
    scale_guess(s, 0, INT64_MAX, &o->steering.scale); /* without notes: any */
    steer_apply(&o->steering, &o->continuation);
}
