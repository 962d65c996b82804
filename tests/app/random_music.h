/* Random music and random requests: nastier than any user's, and small, so that very many can
 * run. Odd meters, divisions that the model's steps do not divide, drums, tracks that are muted
 * or empty, overlapping unisons, notes across every edge. */
#ifndef TESTS_APP_RANDOM_MUSIC_H
#define TESTS_APP_RANDOM_MUSIC_H

#include "app/document/rewrite.h"
#include "midi/score/general_midi.h"
#include "tests/midi/random_fill.h"

enum { MUSIC_MOST_TRACKS = 6, MUSIC_MOST_NOTES = 40, MUSIC_MOST_METERS = 3 };

/* What is asked, and of what. */
struct asking_for {
    struct score *before;            /* the piece, */
    struct score *given;             /* and what of it the model gets */
    struct continued_note *replaced; /* [o.n_replaced] notes removed for that */
    struct continuation_mark mark;
    struct continuation_options o;
};

/* -- the music -- */

/* One of those that are given. */
#define RANDOM_OF(r, type, ...)                                                        \
    ((const type[]){__VA_ARGS__})[random_below(                                        \
        r, sizeof((const type[]){__VA_ARGS__}) / sizeof(type))]

static inline void set_random_meters(struct score *s, uint64_t *r)
{
    struct meter meters[MUSIC_MOST_METERS];
    const size_t n = (size_t)random_below(r, MUSIC_MOST_METERS + 1);
    for (size_t i = 0; i < n; i++)
        meters[i] = (struct meter){
            .tick = (int64_t)i * random_below(r, 9 * s->ticks_per_quarter),
            .numerator = 1 + random_below(r, random_below(r, 8) ? 7 : 20),
            .denominator = 2 << random_below(r, 4)};
    timeline_fini(&s->timeline);
    assert_int_equal(
        timeline_init(&s->timeline, s->ticks_per_quarter, NULL, 0, meters, n), MIDI_OK);
}

/* Most often on a sixteenth and of a usual length; else of any, also of one tick. */
static inline struct note random_music_note(int quarter, int64_t span, uint64_t *r)
{
    const int step = random_below(r, 4) && quarter >= 4 ? quarter / 4 : 1,
              kind = random_below(r, 8);
    const int64_t start = random_below(r, (int)span),
                  usual =
                      (quarter << random_below(r, 2)) / (1 + random_below(r, 4)) + 1;
    return (struct note){.start = start - start % step,
                         .length = kind == 0   ? 1 + random_below(r, 12 * quarter)
                                   : kind == 1 ? 1 + random_below(r, quarter)
                                   : kind == 2 ? 1
                                               : usual,
                         .pitch =
                             (uint8_t)(random_below(r, 8) ? 48 + random_below(r, 32)
                                                          : random_below(r, 128)),
                         .velocity = (uint8_t)(1 + random_below(r, 127)),
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
}

/* Tracks of any instrument, or of drums; some are muted, or have no notes. */
static inline struct score *random_music(uint64_t *r)
{
    struct score *s =
        score_create(RANDOM_OF(r, int, 480, 480, 480, 96, 24, 120, 960, 100, 7, 4));
    const int n_tracks =
                  random_below(r, 40) ? 1 + random_below(r, MUSIC_MOST_TRACKS) : 0,
              n = random_below(r, random_below(r, 4) ? 20 : MUSIC_MOST_NOTES),
              sounding = 1 | random_below(r, 64), quarter = s->ticks_per_quarter;
    const int64_t span = (int64_t)quarter * (1 + random_below(r, 16));
    for (int t = 0; t < n_tracks; t++) {
        const int channel = random_below(r, 4) ? t % 16 : GM_DRUM_CHANNEL;
        const int program = random_below(r, 2) ? random_below(r, GM_PROGRAMS) : 0;
        assert_int_equal(
            score_add_track(s, "a track", (uint8_t)channel, (uint8_t)program), t);
        s->tracks[t].mute = random_below(r, 12) == 0;
    }
    set_random_meters(s, r);
    for (int i = 0; n_tracks && i < n; i++) {
        const int track = random_below(r, n_tracks);
        const struct note note = random_music_note(quarter, span, r);
        assert_true(!(sounding >> track & 1) || score_add_note(s, track, note));
    }
    return s;
}

/* -- what is asked -- */

/* On a note, on a bar line, or anywhere, also past the end. */
static inline int64_t random_place(const struct score *s, uint64_t *r)
{
    const int64_t any =
        random_below(r, (int)score_end_tick(s) + 2 * s->ticks_per_quarter);
    const struct track *t =
        s->n_tracks ? &s->tracks[random_below(r, (int)s->n_tracks)] : NULL;
    if (random_below(r, 3) == 0)
        return timeline_bar_at(&s->timeline, any).start;
    return t && t->n_notes && random_below(r, 2)
               ? t->notes[random_below(r, (int)t->n_notes)].start
               : any;
}

static inline struct sampling random_sampling(uint64_t *r)
{
    return (struct sampling){
        .temperature = RANDOM_OF(r, float, 0.0f, 0.5f, 1.0f, 1.0f, 1.0f, 1.4f, 4.0f),
        .top_k = random_below(r, 8) ? 0 : 1 + random_below(r, 9),
        .top_p = random_below(r, 2) ? 0.95f : 0.1f * (float)(1 + random_below(r, 10)),
        .min_p = random_below(r, 4) ? 0.0f : 0.05f * (float)random_below(r, 20),
        .seed = (uint64_t)random_below(r, 1 << 30)};
}

static inline void ask_wishes(struct continuation_hole *h, uint64_t *r)
{
    h->density = random_level(r, FILL_DENSITIES);
    h->polyphony = random_level(r, FILL_POLYPHONIES);
    h->length = random_level(r, FILL_LENGTHS);
    h->height = random_level(r, FILL_REGISTERS);
}

/* A beat or so; a bar; rarely so many that the model's context does not hold them. */
static inline int64_t random_span(const struct score *s, int64_t from, uint64_t *r)
{
    const int quarter = s->ticks_per_quarter;
    const struct bar bar = timeline_bar_at(&s->timeline, from);
    if (random_below(r, 400) == 0)
        return (40 + random_below(r, 40)) * (int64_t)quarter;
    if (random_below(r, 8) == 0 && bar.length <= 3 * (int64_t)quarter)
        return bar.start + bar.length - from;
    return 1 + random_below(r, random_below(r, 8) ? quarter : 2 * quarter);
}

static inline void ask_where(struct continuation_options *o, const struct score *s,
                             uint64_t *r)
{
    struct continuation_hole *h = &o->hole;
    *h = CONTINUATION_HOLE_DEFAULT;
    h->from_tick = random_place(s, r);
    h->to_tick = h->from_tick + random_span(s, h->from_tick, r);
    if (random_below(r, 2)) {
        h->pitch_lo = (uint8_t)(36 + random_below(r, 48));
        h->pitch_hi =
            (uint8_t)(h->pitch_lo + random_below(r, random_below(r, 2) ? 4 : 44));
    }
    h->min_notes = random_below(r, 3) ? 0 : random_below(r, 6);
    if (random_below(r, 3) == 0)
        ask_wishes(h, r);
}

/* What goes on after the music: a bar of it, or an answer from one tick to another. */
static inline void ask_after(struct continuation_options *o, const struct score *s,
                             uint64_t *r)
{
    o->bars = 1;
    if (random_below(r, 2) == 0)
        ask_wishes(&o->hole, r);
    else if (random_below(r, 2)) {
        o->begin_tick = random_place(s, r);
        o->end_tick = o->begin_tick + 1 + random_below(r, 2 * s->ticks_per_quarter);
        o->hear_tick = random_below(r, 2) ? random_place(s, r) : 0;
    }
}

/* A scale may have most pitch classes, or one alone. */
static inline void ask_how(struct continuation_options *o, uint64_t *r)
{
    o->style =
        random_below(r, 16) ? random_below(r, STYLE_COUNT) : CONTINUATION_STYLE_GUESS;
    o->max_polyphony = random_below(r, 2) ? 0 : 1 + random_below(r, 3);
    o->tracks =
        random_below(r, 2) ? 0 : (uint64_t)random_below(r, 1 << MUSIC_MOST_TRACKS);
    o->scale = random_below(r, 3)
                   ? 0
                   : RANDOM_OF(r, uint16_t, 0xAB5, 0x5AD, 0x295, 0x001, 0x091, 0xFFE);
    o->guidance = random_below(r, 12) ? 1.0f : (float)random_below(r, 5);
    o->sampling = random_sampling(r);
}

/* Requests as the workstation does: the notes in the hole usually go; some may be kept, or
 * stay. */
static inline void ask_to_rewrite(struct asking_for *a, uint64_t *r)
{
    struct continuation_options *o = &a->o;
    if (o->hole.to_tick == 0 || random_below(r, 4) == 0)
        return;
    o->stays = random_below(r, 4) ? 0.0f : 0.25f * (float)random_below(r, 4);
    o->stays_seed = (uint64_t)random_below(r, 1000);
    a->replaced = rewrite_list(a->before, o, NULL, &o->n_replaced);
    assert_non_null(a->replaced);
    assert_true(rewrite_take_out(a->given, o, NULL));
    o->replaced = a->replaced;
    o->keep = random_below(r, 4)
                  ? HOLE_PLAN_NONE
                  : HOLE_PLAN_RHYTHM + (enum hole_plan_kind)random_below(r, 2);
    a->mark = (struct continuation_mark){a->replaced, o->n_replaced,
                                         (float)(random_below(r, 3) - 1)};
    o->marks = &a->mark;
    o->n_marks = random_below(r, 6) == 0;
}

/* The same number gives the same request. Finish with asking_fini. */
static inline void random_asking(struct asking_for *a, uint64_t number, int n_takes)
{
    uint64_t r = number;
    *a = (struct asking_for){.before = random_music(&r), .o = CONTINUATION_DEFAULT};
    a->given = score_clone(a->before);
    assert_non_null(a->given);
    if (random_below(&r, 16))
        ask_where(&a->o, a->before, &r);
    else
        ask_after(&a->o, a->before, &r);
    ask_how(&a->o, &r);
    a->o.n_takes = n_takes;
    ask_to_rewrite(a, &r);
}

#define auto_asking __attribute__((cleanup(asking_fini))) struct asking_for

static inline void asking_fini(struct asking_for *a)
{
    score_destroy(a->before);
    score_destroy(a->given);
    free(a->replaced);
}

#endif
