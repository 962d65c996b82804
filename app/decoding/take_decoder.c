/* See take_decoder.h. Beginning, ending, and going on until the grammar is done. */
#include "app/decoding/take_decoder.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/chord_guess.h"

#include <stdlib.h>
#include <string.h>

/* For a band: the bars that each track is filled at a time. */
enum { TURN_BARS = 4 };

/* Takes of more bars are long. */
enum { SHORT_BARS = 8 };

enum model_status take_decoder_init(struct take_decoder *t, const struct model *model,
                                    struct pool *pool)
{
    t->model = model;
    t->pool = pool;
    t->state = CONTINUATION_DONE;
    t->error = "";
    t->grammar = grammar_create();
    t->biased = calloc(TOKEN_COUNT, sizeof *t->biased);
    return t->grammar && t->biased ? model_reader_create(&t->reader, model, pool)
                                   : MODEL_NO_MEMORY;
}

enum model_status take_decoder_init_dry(struct take_decoder *t, int context, int vocab)
{
    t->state = CONTINUATION_DONE;
    t->error = "";
    t->grammar = grammar_create();
    return t->grammar ? model_reader_create_dry(&t->reader, context, vocab)
                      : MODEL_NO_MEMORY;
}

/* Frees what the last request left; harmless if that is nothing. */
static void forget_request(struct take_decoder *t)
{
    context_fini(&t->music);
    sampler_destroy(t->sampler);
    taste_destroy(t->rules.taste);
    hole_plan_fini(&t->plan);
    free(t->given);
    free(t->tokens);
    chord_plan_fini(&t->harmony);
    t->n_bars = t->n_bars_read = 0;
    t->sampler = NULL;
    t->rules.taste = NULL;
    t->given = t->tokens = NULL;
    t->n_given = t->n_tokens = 0;
}

void take_decoder_fini(struct take_decoder *t)
{
    forget_request(t);
    model_reader_destroy(t->reader);
    model_reader_destroy(t->unconditional);
    grammar_destroy(t->grammar);
    motif_fini(&t->motif);
    free(t->biased);
    *t = (struct take_decoder){0};
}

void take_decoder_set_cancel(struct take_decoder *t, const atomic_bool *flag)
{
    t->cancel = flag;
    model_reader_set_cancel(t->reader, flag);
    if (t->unconditional)
        model_reader_set_cancel(t->unconditional, flag);
}

enum model_status take_decoder_set_up(struct take_decoder *t,
                                      const struct attention_head *heads, size_t n,
                                      const struct take_decoder *from)
{
    enum model_status st = model_reader_mute(t->reader, heads, n);
    if (!st && t->unconditional)
        st = model_reader_mute(t->unconditional, heads, n);
    if (!st && from)
        st = model_reader_copy(t->reader, from->reader);
    if (!st && from && t->unconditional && from->unconditional)
        st = model_reader_copy(t->unconditional, from->unconditional);
    return st;
}

enum continuation_state take_decoder_end(struct take_decoder *t,
                                         enum continuation_state state,
                                         const char *error)
{
    t->state = state;
    t->error = error;
    return state;
}

enum continuation_state take_decoder_end_midi(struct take_decoder *t,
                                              enum midi_status st)
{
    return take_decoder_end(t, CONTINUATION_ERROR, midi_strerror(st));
}

enum continuation_state take_decoder_end_model(struct take_decoder *t,
                                               enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return take_decoder_end(t, CONTINUATION_CANCELLED, "");
    if (st == MODEL_TOO_LONG)
        return take_decoder_end(t, CONTINUATION_ERROR,
                                "the music is too dense for this model");
    return take_decoder_end(t, CONTINUATION_ERROR, model_strerror(st));
}

/* The planned chords are the music's. */
static void take_harmony(struct take_decoder *t)
{
    struct piece *p = &t->music.music;
    free(p->chords);
    p->chords = t->harmony.chords;
    p->n_chords = t->harmony.n;
    t->harmony.chords = NULL;
    t->harmony.n = 0;
}

/* Plans the harmony, unless chords are written; a band from nothing gets common changes. An answer cannot wait for
 * chords of the model, and a motif has its own place: for these only a form's are known, and not
 * told; the model does not read an answer's. */
static enum midi_status plan_harmony(struct take_decoder *t, uint64_t seed,
                                     const struct continuation_options *o)
{
    struct context *c = &t->music;
    struct piece *p = &c->music;
    const struct chord_plan_request q = {.from = c->hole.from,
                                         .to = c->hole.to,
                                         .tracks = hole_tracks(&c->hole),
                                         .style = t->style,
                                         .signature = &c->signature,
                                         .closes = o->hole.close,
                                         .returns = seed % 2};
    const bool is_quiet = c->begins_there || o->motif.kind != MOTIF_NONE,
               is_left_out = o->without & rules_bits("plan", 4);
    if (!is_left_out && c->guesses_chords) {
        /* A tune that knows of no chords stays on one. */
        enum midi_status st = chord_plan_of_nothing(&t->harmony, p, &q, seed);
        c->guesses_chords = false;
        take_harmony(t);
        return st;
    }
    if (is_left_out || t->is_band || p->n_chords ||
        (o->keep != HOLE_PLAN_NONE && o->n_replaced))
        return MIDI_OK;
    enum midi_status st = chord_plan_make(&t->harmony, p, &q);
    if (is_quiet && t->harmony.source != CHORDS_FORM)
        chord_plan_fini(&t->harmony);
    if (st || t->harmony.source == CHORDS_NONE)
        return st;
    if (is_quiet)
        t->harmony.source = CHORDS_NONE;
    if (c->begins_there)
        return MIDI_OK;
    if (t->harmony.source == CHORDS_FORM || t->harmony.source == CHORDS_MODEL)
        c->chords_to_come = c->hole.from;
    struct scale key;
    t->flats = closing_key(p, &c->signature, c->hole.from, c->hole.to, &key) &&
               scale_sharps(&key) < 0;
    take_harmony(t);
    return MIDI_OK;
}

/* Biases [from, to) towards the music around it. */
static void aim(struct take_decoder *t, int64_t from, int64_t to)
{
    rules_aim(&t->rules, &t->music,
              &(struct rules_aim){from, to, t->without, t->style, t->guidance,
                                  t->turn.track, &t->harmony});
    t->pitch = -1;
}

/* Those of bands, holes, answers and motifs have a form of their own, and long takes that close. */
static bool may_form(const struct context *c, const struct continuation_options *o)
{
    const bool closes = o->hole.close && o->hole.to_tick == 0 && o->bars <= SHORT_BARS;
    return (!c->is_hole || closes) && !c->is_band && o->end_tick == 0 &&
           o->motif.kind == MOTIF_NONE && (!o->hole.close || closes);
}

/* The temperature of takes of many bars, times that which is asked for, and of very many: a model
 * that reads its own notes becomes ever surer of them, and plainer than the pieces. */
static float boldness(int bars)
{
    enum { LONG_BARS = 16 };
    return bars <= LONG_BARS ? 1.06f : 1.33f;
}

bool take_decoder_next_turn(struct take_decoder *t)
{
    struct context *c = &t->music;
    const struct piece *p = &c->music;
    const int64_t end = c->hole.to;
    const int before = t->turn.track;
    struct take_turn *turn = &t->turn;
    if (!turn->later && turn->to >= end)
        return false;
    if (!turn->later) {
        turn->from = turn->to;
        turn->to = piece_bar_start(p, piece_bar_at(p, turn->from) + TURN_BARS);
        turn->to = turn->to < end ? turn->to : end;
        turn->later = turn->asked.tracks;
    }
    turn->track = __builtin_ctzll(turn->later); /* the first by role, then by track */
    for (int i = turn->track + 1; i < TOKEN_MAX_TRACKS; i++)
        if (turn->later >> i & 1 && c->roles[i] < c->roles[turn->track])
            turn->track = i;
    turn->later &= ~(UINT64_C(1) << turn->track);
    /* Once its tune is written, a band that has no chords plays over what it suggests. */
    if (c->guesses_chords && band_role_is_first(c->roles[before]) &&
        !band_role_is_first(c->roles[turn->track]) && chord_guess(&c->music))
        return false;
    c->request = turn->asked;
    c->request.tracks = UINT64_C(1) << turn->track;
    c->request.close &= turn->to == end;
    band_role_ask(c->roles[turn->track], &c->request);
    aim(t, turn->from, turn->to);
    return true;
}

int64_t take_decoder_at(const struct take_decoder *t)
{
    const struct take_turn *turn = &t->turn;
    const int64_t step = t->origin + grammar_step(t->grammar);
    if (!t->is_band)
        return step;
    const int64_t done = step < turn->from ? 0
                         : step > turn->to ? turn->to - turn->from
                                           : step - turn->from;
    const int n = __builtin_popcountll(turn->asked.tracks),
              n_done = n - 1 - __builtin_popcountll(turn->later);
    return turn->from + ((turn->to - turn->from) * n_done + done) / n;
}

enum continuation_state take_decoder_begin(struct take_decoder *t,
                                           struct context *music, enum style style,
                                           uint64_t seed,
                                           const struct continuation_options *o)
{
    struct sampling sampling = o->sampling;
    forget_request(t);
    t->music = *music;
    *music = (struct context){0};
    t->style = style;
    t->without = o->without;
    t->is_band = t->music.is_band;
    t->turn = (struct take_turn){.to = t->music.hole.from, .asked = t->music.request};
    t->guidance = continuation_has_controls(o) || t->is_band ||
                          (t->music.is_hole && t->music.request.polyphony != FILL_ANY)
                      ? o->guidance
                      : 1.0f;
    enum midi_status st = plan_harmony(t, seed, o);
    if (st)
        return take_decoder_end_midi(t, st);
    aim(t, t->music.hole.from, t->music.hole.to);
    const bool forms = may_form(&t->music, o);
    rules_choose_form(&t->rules, &t->music, seed, o, forms);
    t->bold = forms && o->bars > SHORT_BARS ? boldness(o->bars) : 1;
    t->last = TOKEN_BOS;
    t->take = t->note = (struct tally){0};
    st = motif_begin(&t->motif, &t->music, &o->motif, seed);
    if (st == MIDI_EMPTY)
        return take_decoder_end(t, CONTINUATION_ERROR,
                                "the motif does not fit into those bars");
    sampling.seed = seed;
    t->sampler = sampler_create(model_reader_vocab(t->reader), &sampling);
    if (!st)
        st = t->sampler ? marks_taste(&t->rules.taste, &t->music, o) : MIDI_NO_MEMORY;
    if (!st)
        st = marks_plan(&t->plan, &t->music, o);
    t->given = array_copy(o->given, o->n_given, sizeof *t->given);
    t->n_given = o->n_given;
    if (st || !t->given)
        return take_decoder_end_midi(t, st ? st : MIDI_NO_MEMORY);
    enum model_status made = MODEL_OK;
    if (t->guidance != 1.0f && !t->unconditional) {
        made = model_reader_create(&t->unconditional, t->model, t->pool);
        if (!made)
            model_reader_set_cancel(t->unconditional, t->cancel);
    }
    if (!made && t->unconditional)
        made = model_reader_mute(t->unconditional, o->muted, o->n_muted);
    if (made)
        return take_decoder_end_model(t, made);
    take_decoder_end(t, CONTINUATION_BEGUN, "");
    if (t->is_band)
        take_decoder_next_turn(t);
    return t->music.is_hole ? take_decoder_read_hole(t, t->music.hole.from)
                            : take_decoder_read_end(t, o->bars);
}

void take_decoder_chords(const struct take_decoder *t, struct continuation_stats *out)
{
    const struct context *c = &t->music;
    const struct piece *p = &c->music;
    const int64_t end = smaller(
        c->hole.to, t->harmony.source == CHORDS_MODEL ? c->chords_to_come : INT64_MAX);
    for (size_t i = 0; t->harmony.source != CHORDS_NONE && i < p->n_chords; i++) {
        const struct grid_chord *chord = &p->chords[i];
        const bool is_over = i + 1 < p->n_chords && chord[1].step <= c->hole.from;
        if (!is_over && chord->step < end && out->n_chords < CONTINUATION_CHORDS)
            out->chords[out->n_chords++] = (struct planned_chord){
                tick_from_step(chord->step, c->ticks_per_quarter), chord->root,
                chord->quality, chord->bass, t->flats};
    }
}

int take_decoder_readers(const struct take_decoder *t, struct model_reader **readers)
{
    readers[0] = t->reader;
    readers[1] = t->unconditional;
    return t->guidance == 1.0f ? 1 : 2;
}

enum continuation_state take_decoder_prepare(struct take_decoder *t)
{
    const struct context *c = &t->music;
    /* A part of a hole that is done makes way for the next. */
    while (t->state == CONTINUATION_BEGUN && c->is_hole && grammar_done(t->grammar))
        take_decoder_read_hole(t, t->part_to);
    if (t->state == CONTINUATION_BEGUN && !grammar_done(t->grammar))
        return take_decoder_make_room(t);
    if (t->state != CONTINUATION_BEGUN && t->state != CONTINUATION_DONE)
        return t->state;
    return take_decoder_end(t, CONTINUATION_DONE, "");
}
