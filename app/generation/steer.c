/* The table of steering values. */
#include "app/generation/steer.h"

#include "app/base/values.h"
#include "app/generation/draws.h"
#include "app/decoding/metadata.h"
#include "midi/score/general_midi.h"
#include "midi/tokens/piece.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct steering STEERING_DEFAULT = {
    .temperature = 0.8f,
    .top_p = 1,
    .min_p = 0.05f,
    .seed = 1,
    .n_takes = 4,
    .n_draws = 16,
    .style = CONTINUATION_STYLE_GUESS,
    .guidance = 2.5f,
};

/* NULL: after the last. */
static const char *style_choice(int style)
{
    return style == CONTINUATION_STYLE_GUESS ? "guess"
           : style < STYLE_COUNT             ? style_name((enum style)style)
                                             : NULL;
}

static const char *const KEEP_WORDS[] = {
    [HOLE_PLAN_NONE] = "nothing",
    [HOLE_PLAN_RHYTHM] = "rhythm",
    [HOLE_PLAN_PITCHES] = "pitches",
    NULL,
};
static const char *const ON_OFF[] = {"off", "on", NULL};

/* -- scales -- */

static bool read_scale(const struct field *f, void *of, const char *text)
{
    if (strcmp(text, f->none) != 0 && strcmp(text, "0") != 0)
        return scale_parse(text, field_at(f, of));
    *(struct scale *)field_at(f, of) = (struct scale){0};
    return true;
}

static void write_scale(const struct field *f, const void *of, char *buf, size_t n_buf)
{
    const struct scale *scale = field_at(f, of);
    char text[SCALE_TEXT];
    snprintf(buf, n_buf, "%s", scale->letter ? scale_format(scale, text) : f->none);
}

/* Major keys by fifths: neighbours share six pitch classes. "any" is before the first
 * and after the last, and where any other scale is. */
static void step_scale(const struct field *f, void *of, int by)
{
    static const char *const KEYS[] = {"C",  "G",  "D",  "A",  "E",  "B",
                                       "F#", "Db", "Ab", "Eb", "Bb", "F"};
    enum { N_KEYS = sizeof KEYS / sizeof KEYS[0], N = N_KEYS + 1 };
    struct scale *at = field_at(f, of), key;
    char text[STEER_TEXT_BYTES], name[SCALE_TEXT];
    int i = 0;
    for (write_scale(f, of, text, sizeof text); i < N_KEYS; i++)
        if (scale_parse(KEYS[i], &key) && !strcmp(scale_format(&key, name), text))
            break;
    i = ((i + by % N) % N + N) % N;
    if (i == N_KEYS)
        *at = (struct scale){0};
    else
        scale_parse(KEYS[i], at);
}

static const struct field_kind SCALE = {.read = read_scale,
                                        .write = write_scale,
                                        .step = step_scale,
                                        .wants =
                                            "a scale: C, F# minor, Bb dorian, E blues"};

/* -- the table -- */

#define ROW(field, kind, help) NULL, help, &(kind), FIELD_OF(steering, field)
#define RANGE(from, to, by)    .low = (from), .high = (to), .step = (by)
#define ANY(first)             .none = "any", .start = (first)
/* The range of the levels of midi/tokens/fill.h, in steps of half an octave. */
#define HALF_OCTAVES           RANGE(0.125, 5.66, 1.4142135623730951)

static const struct field ROWS[] = {
    {"temperature",
     ROW(temperature, FIELD_REAL,
         "how bold: 0 always the likeliest, 1 as learnt, more is wilder"),
     RANGE(0, 5, 0.05)},
    {"top-p",
     ROW(top_p, FIELD_REAL, "draws from the likeliest that make up this share"),
     RANGE(0.01, 1, 0.01)},
    {"min-p",
     ROW(min_p, FIELD_REAL,
         "drops what is less likely than this share of the likeliest"),
     RANGE(0, 0.99, 0.01)},
    {"seed", ROW(seed, FIELD_SEED, "random seed: same seed and values, same notes"),
     .step = 1},
    {"takes", ROW(n_takes, FIELD_WHOLE, "takes written at a time"),
     RANGE(1, CONTINUATION_MAX_TAKES, 1)},
    {"draws",
     ROW(n_draws, FIELD_WHOLE, "draws so many takes and shows the best that differ"),
     RANGE(1, DRAWS_MOST, 1)},
    {"style", ROW(style, FIELD_WORDS, "the style; guess: that of this piece"),
     RANGE(CONTINUATION_STYLE_GUESS, STYLE_COUNT - 1, 1), .word = style_choice},
    {"scale", ROW(scale, SCALE, "the scale of new notes"), .none = "any"},
    {"keep", ROW(keep, FIELD_WORDS, "what new notes keep of those they replace"),
     RANGE(HOLE_PLAN_NONE, HOLE_PLAN_PITCHES, 1), .words = KEEP_WORDS},
    {"stays", ROW(stays, FIELD_REAL, "share of the notes there that stay"),
     RANGE(0, 0.95, 0.05)},
    {"density", ROW(density, FIELD_RATIO, "wish: notes per quarter on each track"),
     HALF_OCTAVES, ANY(1)},
    {"voices", ROW(voices, FIELD_WHOLE, "wish: notes at once, on average"),
     RANGE(1, FILL_POLYPHONIES, 1), ANY(1)},
    {"note-length",
     ROW(note_length, FIELD_RATIO, "wish: length of a note in quarters, on average"),
     HALF_OCTAVES, ANY(1)},
    {"register", ROW(register_pitch, FIELD_PITCH, "wish: pitch, on average"),
     RANGE(24, 102, 6), ANY(60)},
    {"close", ROW(close, FIELD_WORDS, "wish: the piece ends with it, in its last bar"),
     RANGE(0, 1, 1), .words = ON_OFF, .wants = "on or off"},
    {"guidance",
     ROW(guidance, FIELD_REAL,
         "how strictly it follows wishes: 1 as learnt, more is stricter"),
     RANGE(0, 10, 0.5)},
    {"min-notes",
     ROW(min_notes, FIELD_WHOLE, "at least so many notes, if there is room"),
     RANGE(1, 1000, 1), ANY(1)},
    {"polyphony", ROW(max_polyphony, FIELD_WHOLE, "most notes at once on a track"),
     RANGE(1, 128, 1), ANY(1)},
};
#define N_ROWS ((int)(sizeof ROWS / sizeof ROWS[0]))
static_assert(N_ROWS <= STEER_MAX_ROWS, "a panel has so many lines");

int steer_n_rows(void)
{
    return N_ROWS;
}

const struct field *steer_row(int i)
{
    assert(i >= 0 && i < N_ROWS);
    return &ROWS[i];
}

const struct field *steer_find(const char *name)
{
    for (int i = 0; i < N_ROWS; i++)
        if (!strcmp(name, ROWS[i].name))
            return &ROWS[i];
    return NULL;
}

bool steer_is_style(const struct field *f)
{
    return f->offset == offsetof(struct steering, style);
}

bool steer_is_flag(const struct field *f)
{
    return f->words == ON_OFF;
}

void steer_tell(const struct steering *s, const struct steering *than, char *buf,
                size_t n_buf)
{
    size_t n = 0;
    char text[STEER_TEXT_BYTES];
    buf[0] = '\0';
    for (int i = 0; i < N_ROWS && n < n_buf; i++)
        if (!field_is_equal(&ROWS[i], s, than))
            n += (size_t)snprintf(buf + n, n_buf - n, "%s%s %s", n ? ", " : "",
                                  ROWS[i].name,
                                  field_write(&ROWS[i], s, text, sizeof text));
}

void steer_apply(const struct steering *s, struct continuation_options *o)
{
    o->sampling.temperature = s->temperature;
    o->sampling.top_p = s->top_p;
    o->sampling.min_p = s->min_p;
    o->sampling.seed = s->seed;
    o->n_takes = s->n_takes;
    o->n_draws = s->n_draws;
    o->style = s->style;
    o->max_polyphony = s->max_polyphony;
    o->scale = s->scale.letter ? scale_mask(&s->scale) : 0;
    o->keep = (enum hole_plan_kind)s->keep;
    o->stays = s->stays;
    o->stays_seed = s->seed;
    o->guidance = s->guidance;

    const double quarter = STEPS_PER_QUARTER;
    struct continuation_hole *h = &o->hole;
    h->min_notes = s->min_notes;
    h->density = s->density > 0 ? fill_density_level((double)s->density) : FILL_ANY;
    h->polyphony = s->voices ? s->voices - 1 : FILL_ANY;
    h->length = s->note_length > 0 ? fill_length_level(quarter * (double)s->note_length)
                                   : FILL_ANY;
    h->height =
        s->register_pitch ? fill_height_level((double)s->register_pitch) : FILL_ANY;
    h->close = s->close;
}

/* -- the motif -- */

const char *const MOTIF_KINDS[] = {"off", "exact", "transposed", "varied", NULL};

bool motif_read(const char *text, struct motif_bars *out)
{
    enum { MOST = 1 << 20 };
    struct motif_bars b = {.kind = MOTIF_EXACT};
    char bars[VALUE_BYTES], first[VALUE_BYTES];
    const char *how, *last;
    int kind = MOTIF_EXACT;
    if (!value_split(text, ":", bars, &how) || !value_split(bars, "-", first, &last) ||
        !value_count(first, 1, MOST, &b.first) ||
        !value_count(last ? last : first, b.first, MOST, &b.last) ||
        (how && (!value_word(how, MOTIF_KINDS, &kind) || !kind)))
        return false;
    b.kind = (enum motif_kind)kind;
    *out = b;
    return true;
}

struct continuation_motif motif_of_bars(const struct motif_bars *b,
                                        const struct score *s, int track)
{
    struct continuation_motif m = {
        .kind = b->kind,
        .from_tick = timeline_bar(&s->timeline, b->first - 1).start,
        .to_tick = timeline_bar(&s->timeline, b->last).start,
        .pitch_hi = 127,
    };
    /* The highest track is that by the mean pitch of what begins there. */
    double most = -1;
    for (int t = 0; track < 0 && t < (int)s->n_tracks && t < TOKEN_MAX_TRACKS; t++) {
        const struct track *it = &s->tracks[t];
        const bool is_heard = !it->mute && piece_family(it) != FAMILY_DRUMS;
        double sum = 0;
        int n = 0;
        for (size_t i = 0; is_heard && i < it->n_notes; i++)
            if (it->notes[i].start >= m.from_tick && it->notes[i].start < m.to_tick) {
                sum += it->notes[i].pitch;
                n++;
            }
        if (n && sum / n > most) {
            most = sum / n;
            m.tracks = UINT64_C(1) << t;
        }
    }
    if (track >= 0 && track < TOKEN_MAX_TRACKS)
        m.tracks = UINT64_C(1) << track;
    return m;
}

const char *motif_say(const struct motif_place *at, const struct timeline *t,
                      char buf[MOTIF_TEXT])
{
    static const char *const INTERVALS[] = {"",          "a second", "a third",
                                            "a fourth",  "a fifth",  "a sixth",
                                            "a seventh", "an octave"};
    const int n = abs(at->steps);
    char how[MOTIF_TEXT / 2] = "";
    if (at->kind == MOTIF_VARIED)
        snprintf(how, sizeof how, ", varied");
    else if (n && n < (int)(sizeof INTERVALS / sizeof *INTERVALS))
        snprintf(how, sizeof how, ", %s %s", INTERVALS[n],
                 at->steps > 0 ? "up" : "down");
    *buf = '\0';
    if (at->kind)
        snprintf(buf, MOTIF_TEXT, "motif in bar %" PRId64 "%s",
                 timeline_bar_at(t, at->tick).index + 1, how);
    return buf;
}
