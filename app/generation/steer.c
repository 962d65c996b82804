/* The table of steering values. */
#include "app/generation/steer.h"

#include "app/generation/draws.h"
#include "app/decoding/metadata.h"
#include "app/generation/steer_kinds.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
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

static const char *style_choice(int style)
{
    return style == CONTINUATION_STYLE_GUESS ? "guess" : style_name((enum style)style);
}

static const char *keep_choice(int keep)
{
    static const char *const NAMES[] = {
        [HOLE_PLAN_NONE] = "nothing",
        [HOLE_PLAN_RHYTHM] = "rhythm",
        [HOLE_PLAN_PITCHES] = "pitches",
    };
    return NAMES[keep];
}

/* -- the table -- */

#define AT(field)    offsetof(struct steering, field)
/* The range of the levels of midi/tokens/fill.h, in steps of half an octave. */
#define HALF_OCTAVES .low = 0.125, .high = 5.66, .step = 1.4142135623730951

static const struct steer_row ROWS[] = {
    {"temperature", &STEER_REAL, AT(temperature),
     "how bold: 0 always the likeliest, 1 as learnt, more is wilder", .high = 5,
     .step = 0.05},
    {"top-p", &STEER_REAL, AT(top_p),
     "draws from the likeliest that make up this share", .low = 0.01, .high = 1,
     .step = 0.01},
    {"min-p", &STEER_REAL, AT(min_p),
     "drops what is less likely than this share of the likeliest", .high = 0.99,
     .step = 0.01},
    {"seed", &STEER_SEED, AT(seed), "random seed: same seed and values, same notes",
     .step = 1},
    {"takes", &STEER_COUNT, AT(n_takes), "takes written at a time", .low = 1,
     .high = CONTINUATION_MAX_TAKES, .step = 1},
    {"draws", &STEER_COUNT, AT(n_draws),
     "draws so many takes and shows the best that differ", .low = 1, .high = DRAWS_MOST,
     .step = 1},
    {"style", &STEER_CHOICE, AT(style), "the style; guess: that of this piece",
     .low = CONTINUATION_STYLE_GUESS, .high = STYLE_COUNT - 1, .step = 1,
     .choice = style_choice},
    {"scale", &STEER_SCALE, AT(scale), "the scale of new notes", .none = "any"},
    {"keep", &STEER_CHOICE, AT(keep), "what new notes keep of those they replace",
     .low = HOLE_PLAN_NONE, .high = HOLE_PLAN_PITCHES, .step = 1,
     .choice = keep_choice},
    {"stays", &STEER_REAL, AT(stays), "share of the notes there that stay",
     .high = 0.95, .step = 0.05},
    {"density", &STEER_RATIO, AT(density), "wish: notes per quarter on each track",
     HALF_OCTAVES, .none = "any", .start = 1},
    {"voices", &STEER_COUNT, AT(voices), "wish: notes at once, on average", .low = 1,
     .high = FILL_POLYPHONIES, .step = 1, .none = "any", .start = 1},
    {"note-length", &STEER_RATIO, AT(note_length),
     "wish: length of a note in quarters, on average", HALF_OCTAVES, .none = "any",
     .start = 1},
    {"register", &STEER_PITCH, AT(register_pitch), "wish: pitch, on average", .low = 24,
     .high = 102, .step = 6, .none = "any", .start = 60},
    {"close", &STEER_FLAG, AT(close), "wish: the piece ends with it, in its last bar",
     .step = 1},
    {"guidance", &STEER_REAL, AT(guidance),
     "how strictly it follows wishes: 1 as learnt, more is stricter", .high = 10,
     .step = 0.5},
    {"min-notes", &STEER_COUNT, AT(min_notes),
     "at least so many notes, if there is room", .low = 1, .high = 1000, .step = 1,
     .none = "any", .start = 1},
    {"polyphony", &STEER_COUNT, AT(max_polyphony), "most notes at once on a track",
     .low = 1, .high = 128, .step = 1, .none = "any", .start = 1},
};
#define N_ROWS ((int)(sizeof ROWS / sizeof ROWS[0]))
static_assert(N_ROWS <= STEER_MAX_ROWS, "a panel has so many lines");

int steer_n_rows(void)
{
    return N_ROWS;
}

const struct steer_row *steer_row(int i)
{
    assert(i >= 0 && i < N_ROWS);
    return &ROWS[i];
}

const struct steer_row *steer_find(const char *name)
{
    for (int i = 0; i < N_ROWS; i++)
        if (!strcmp(name, ROWS[i].name))
            return &ROWS[i];
    return NULL;
}

const char *steer_get(const struct steer_row *r, const struct steering *s,
                      char buf[STEER_TEXT_BYTES])
{
    r->kind->write(r, (const char *)s + r->offset, buf);
    return buf;
}

bool steer_is_style(const struct steer_row *r)
{
    return r->offset == AT(style);
}

bool steer_is_flag(const struct steer_row *r)
{
    return r->kind == &STEER_FLAG;
}

bool steer_set(const struct steer_row *r, struct steering *s, const char *text)
{
    return r->kind->read(r, (char *)s + r->offset, text);
}

const char *steer_wants(const struct steer_row *r, char buf[STEER_WANTS_BYTES])
{
    const struct steer_kind *k = r->kind;
    size_t n =
        (size_t)snprintf(buf, STEER_WANTS_BYTES, "%s", k->wants ? k->wants : "one of:");
    if (!k->wants)
        for (int i = (int)r->low; i <= (int)r->high && n < STEER_WANTS_BYTES; i++)
            n += (size_t)snprintf(buf + n, STEER_WANTS_BYTES - n, " %s", r->choice(i));
    if (k->share)
        n += (size_t)snprintf(buf + n, STEER_WANTS_BYTES - n, " from %g to %g", r->low,
                              r->high);
    if (r->none)
        snprintf(buf + n, STEER_WANTS_BYTES - n, "%s or %s", k->share ? "," : ";",
                 r->none);
    return buf;
}

bool steer_is_number(const struct steer_row *r, const struct steering *s)
{
    char text[STEER_TEXT_BYTES];
    return r->kind->is_number && !(r->none && !strcmp(steer_get(r, s, text), r->none));
}

bool steer_is_default(const struct steer_row *r, const struct steering *s)
{
    char is[STEER_TEXT_BYTES], learnt[STEER_TEXT_BYTES];
    return !strcmp(steer_get(r, s, is), steer_get(r, &STEERING_DEFAULT, learnt));
}

void steer_reset(const struct steer_row *r, struct steering *s)
{
    char learnt[STEER_TEXT_BYTES];
    steer_set(r, s, steer_get(r, &STEERING_DEFAULT, learnt));
}

void steer_step(const struct steer_row *r, struct steering *s, int by)
{
    r->kind->step(r, (char *)s + r->offset, by);
}

double steer_share(const struct steer_row *r, const struct steering *s)
{
    return r->kind->share ? r->kind->share(r, (const char *)s + r->offset) : -1;
}

void steer_tell(const struct steering *s, const struct steering *than, char *buf,
                size_t n_buf)
{
    size_t n = 0;
    buf[0] = '\0';
    for (int i = 0; i < N_ROWS && n < n_buf; i++) {
        char is[STEER_TEXT_BYTES], was[STEER_TEXT_BYTES];
        if (strcmp(steer_get(&ROWS[i], s, is), steer_get(&ROWS[i], than, was)) != 0)
            n += (size_t)snprintf(buf + n, n_buf - n, "%s%s %s", n ? ", " : "",
                                  ROWS[i].name, is);
    }
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
