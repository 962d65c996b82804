/* See take_decoder.h. A take begins, reads the last bars or those around a part of its hole, and
 * goes on, part by part, until the grammar is done. take_decoder_draw.c draws its tokens. */
#include "app/decoding/take_decoder.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/chord_guess.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_BARS = 4, /* of a band: the bars that each track is filled at a time */
    /* Takes of more bars are long, and of more very long. */
    SHORT_BARS = 8,
    LONG_BARS = 16,
    SPARE = 16,     /* tokens a note or a bar line takes, with plenty to spare */
    TEN_NOTES = 33, /* tokens that ten notes take, as music of all kinds has */
    LEAST_BAR = 24, /* tokens, judging a bar */
    MOST_BARS = 32, /* filled at once */
};

/* The temperature of long and of very long takes, times that which is asked for: a model that
 * reads its own notes becomes ever surer of them, and plainer than the pieces. */
#define BOLD   1.06f
#define BOLDER 1.33f

enum model_status take_decoder_init(struct take_decoder *t, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel)
{
    t->model = model;
    t->pool = pool;
    t->cancel = cancel;
    t->state = CONTINUATION_DONE;
    t->error = "";
    t->grammar = grammar_create();
    return t->grammar ? model_reader_create(&t->readers[0], model, pool, cancel)
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
    chord_plan_fini(&t->harmony);
    t->n_bars = t->n_bars_read = 0;
    t->origin = 0;
    t->sampler = NULL;
    t->rules.taste = NULL;
    t->given = NULL;
    t->n_given = 0;
}

void take_decoder_fini(struct take_decoder *t)
{
    forget_request(t);
    model_reader_destroy(t->readers[0]);
    model_reader_destroy(t->readers[1]);
    grammar_destroy(t->grammar);
    *t = (struct take_decoder){0};
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

/* Plans the harmony, unless chords are written; a band from nothing gets common changes. An answer
 * cannot wait for chords of the model, and a motif has its own place: for these only a form's are
 * known, and not told; the model does not read an answer's. */
static enum midi_status plan_harmony(struct take_decoder *t,
                                     const struct continuation_options *o)
{
    const uint64_t seed = t->out->seed;
    struct context *c = &t->music;
    struct piece *p = &c->music;
    const struct chord_plan_request q = {.from = c->hole.from,
                                         .to = c->hole.to,
                                         .tracks = hole_tracks(&c->hole),
                                         .style = t->out->style,
                                         .signature = &c->signature,
                                         .closes = o->hole.close,
                                         .returns = seed % 2};
    const bool is_quiet = c->begins_there || o->motif.kind != MOTIF_NONE,
               is_left_out = rules_leave_out(&t->rules, "plan");
    if (!is_left_out && c->guesses_chords) {
        /* A tune that knows of no chords stays on one. */
        enum midi_status st = chord_plan_of_nothing(&t->harmony, p, &q, seed);
        c->guesses_chords = false;
        take_harmony(t);
        return st;
    }
    if (is_left_out || t->music.is_band || p->n_chords ||
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
    const struct piece_key key = piece_key(p, &c->signature, c->hole.from, c->hole.to);
    t->flats = key.tonic >= 0 && scale_sharps(&key.scale) < 0;
    take_harmony(t);
    return MIDI_OK;
}

/* Biases [from, to) towards the music around it. */
static void aim(struct take_decoder *t, int64_t from, int64_t to)
{
    rules_aim(&t->rules, &t->music,
              &(struct rules_aim){from, to, t->out->style, t->guidance, t->turn.track,
                                  &t->harmony});
    t->pitch = -1;
}

/* -- reading: feeds the grammar and the model -- */

/* Blocks [from, to), steps of the music, for other notes of this pitch. is_voice: it counts among
 * those that sound together. */
static enum midi_status block(struct take_decoder *t, int64_t from, int64_t to,
                              int track, int pitch, bool is_voice)
{
    to -= t->origin;
    from = larger(from - t->origin, 0);
    if (to <= from || from >= t->part_to - t->origin)
        return MIDI_OK;
    return grammar_block(t->grammar, track, pitch, from, to - from, is_voice);
}

/* Feeds the grammar: with the hole, what it keeps, its chords, what sounds, and the window's tokens. */
static enum midi_status feed_window(struct take_decoder *t,
                                    const struct context_window *w)
{
    struct hole hole = t->music.hole;
    hole.from = t->part_from - w->origin;
    hole.to = t->part_to - w->origin;
    t->origin = w->origin;
    grammar_start(t->grammar, &hole);
    /* The part keeps this of the notes that were in it. */
    const struct hole_plan *plan =
        t->music.motif.is_varying ? &t->music.motif.plan : &t->plan;
    struct hole_plan part = {0};
    enum midi_status st = MIDI_OK;
    if (plan->kind != HOLE_PLAN_NONE)
        st = hole_plan_part(&part, plan, t->part_from, t->part_to, t->origin);
    if (!st && plan->kind != HOLE_PLAN_NONE)
        st = grammar_keep(t->grammar, &part);
    hole_plan_fini(&part);
    /* Chords that are still to come in this part are written with its notes. */
    const struct piece *p = &t->music.music;
    struct grid_chord *due = st ? NULL : calloc(p->n_chords + 1, sizeof *due);
    size_t n = 0;
    for (size_t i = 0; due && i < p->n_chords; i++)
        if (p->chords[i].step >= t->music.chords_to_come &&
            p->chords[i].step < t->part_to) {
            due[n] = p->chords[i];
            due[n++].step -= (int32_t)t->origin;
        }
    if (!st)
        st = due ? grammar_harmonise(t->grammar, due, n,
                                     t->harmony.free_from - t->origin,
                                     t->harmony.free_to - t->origin)
                 : MIDI_NO_MEMORY;
    free(due);
    /* Notes may sound in the hole and not be in the tokens: those before them, and around a hole any.
     * Voices are for a hole the drawn notes, which have no id; else all. */
    const struct context *c = &t->music;
    for (size_t i = 0; !st && i < (c->is_hole ? p->n_notes : w->first_note); i++) {
        const struct grid_note *note = &p->notes[i];
        const bool is_voice =
            !c->is_hole || (note->id == 0 && note->step <= t->part_from);
        st = block(t, note->step, (int64_t)note->step + note->length, note->track,
                   note->pitch, is_voice);
    }
    for (size_t i = 0; !st && i < c->n_standing; i++) {
        const struct standing *o = &c->standing[i];
        st = block(t, o->from, o->to, o->track, o->pitch, false);
    }
    for (size_t i = 0; !st && i < w->tokens.n; i++)
        st = grammar_feed(t->grammar, w->tokens.id[i]);
    return st;
}

/* Reads a window; the position is then its end. Takes the window. */
static enum continuation_state stand_at(struct take_decoder *t,
                                        struct context_window *w)
{
    if (t->n_bars <= 0) {
        /* The first window: how many of the bars before the hole it has. */
        const struct piece *p = &t->music.music;
        const int64_t from = t->music.hole.from, bar = piece_bar_at(p, from),
                      end = bar + (piece_bar_start(p, bar) < from);
        t->n_bars = (int32_t)(end - t->music.first_bar);
        t->n_bars_read = (int32_t)(end - piece_bar_at(p, w->origin));
    }
    w->tokens.id[1] = TOKEN_STYLE + (int32_t)t->out->style;
    t->last = w->tokens.id[w->tokens.n - 1];
    enum midi_status fed = feed_window(t, w);
    enum model_status st =
        fed ? MODEL_OK : model_reader_read(t->readers[0], &w->tokens);
    if (!fed && !st && t->n_readers > 1) {
        /* The same without controls; most of it is copied. */
        size_t n = 0;
        for (size_t i = 0; i < w->tokens.n; i++)
            if (!token_is_control(w->tokens.id[i]))
                w->tokens.id[n++] = w->tokens.id[i];
        w->tokens.n = n;
        st = model_reader_copy(t->readers[1], t->readers[0], READ_ALL);
        if (!st)
            st = model_reader_read(t->readers[1], &w->tokens);
    }
    t->after_bar = false;
    tokens_fini(&w->tokens);
    if (fed)
        return take_decoder_end_midi(t, fed);
    return st ? take_decoder_end_model(t, st) : CONTINUATION_BEGUN;
}

/* Reads the last bars of the music, and where it continues. Tokens are left free for the request,
 * estimated from the tokens per bar so far. */
static enum continuation_state read_end(struct take_decoder *t, int bars)
{
    const size_t context = (size_t)t->model->config.context;
    struct hole *hole = &t->music.hole;
    struct piece *p = &t->music.music;
    struct context_window w;
    t->part_to = hole->to;
    for (;;) {
        t->part_from = hole->from;
        enum midi_status st = context_encode(&t->music, 0, 0, 0, context * 3 / 4, &w);
        const size_t n_bars = w.n_bars > 0 ? (size_t)w.n_bars : 1,
                     need = (w.tokens.n / n_bars + 1) * (size_t)(bars + 1) * 3 / 2,
                     room = CLAMP(need, context / 4, context / 2);
        if (!st && w.tokens.n + room > context) {
            tokens_fini(&w.tokens);
            st = context_encode(&t->music, 0, 0, 0, context - room, &w);
        }
        if (!st && t->music.begins_there) { /* the position of the first note follows */
            enum { MOST = 2 };
            int32_t *id = array_resize(w.tokens.id, w.tokens.n + MOST, sizeof *id);
            const int64_t position =
                hole->from - piece_bar_start(p, piece_bar_at(p, hole->from));
            w.tokens.id = id ? id : w.tokens.id;
            if (id && position >= TOKEN_RADIX)
                id[w.tokens.n++] = TOKEN_POSX + (int32_t)(position / TOKEN_RADIX) - 1;
            if (id)
                id[w.tokens.n++] = TOKEN_POS + (int32_t)(position % TOKEN_RADIX);
            st = id ? MIDI_OK : MIDI_NO_MEMORY;
        }
        if (st) {
            tokens_fini(&w.tokens);
            return take_decoder_end_midi(t, st);
        }
        /* The most allowed notes sound there, or every pitch does. */
        const bool is_in_vain = t->music.begins_there && !feed_window(t, &w) &&
                                grammar_allow(t->grammar, t->allowed) == 0;
        if (!is_in_vain) {
            /* The meter stays that of the music's last bar. The model reads no other, even if notes
             * sound past a later change of meter. */
            const int64_t last = piece_bar_start(p, p->n_bars);
            while (p->n_meters > 1 && p->meters[p->n_meters - 1].step >= last)
                p->n_meters--;
            return stand_at(t, &w);
        }
        tokens_fini(&w.tokens);
        if (hole->from + 1 >= hole->to)
            return take_decoder_end(t, CONTINUATION_DONE, "");
        hole->from++; /* a step later */
        p->n_bars = (int32_t)piece_bar_at(p, hole->from) + 1;
    }
}

/* The tokens that this many bars may take, with half as many to spare: those to be written
 * on its tracks, with as many notes in a bar as the track has in its usual bars; a track without
 * notes, as many as its kind has in busy bars. */
static size_t tokens_for(const struct take_decoder *t, int64_t bars)
{
    enum { BUSY_DRUMS = 20, BUSY = 12 };
    const struct piece *p = &t->music.music;
    size_t a_bar = 0;
    for (int track = 0; track < TOKEN_MAX_TRACKS; track++) {
        size_t n = 0, n_bars = 0;
        int64_t next = 0; /* the first step after the bars counted */
        if (t->music.is_band ? t->turn.track != track : !t->music.hole.tracks[track])
            continue;
        for (const struct grid_note *of = p->notes; of < p->notes + p->n_notes; of++) {
            if (of->track != track)
                continue;
            n++;
            if (of->step < next)
                continue;
            n_bars++;
            next = piece_bar_start(p, piece_bar_at(p, of->step) + 1);
        }
        n = n_bars                               ? (n + n_bars - 1) / n_bars
            : p->families[track] == FAMILY_DRUMS ? BUSY_DRUMS
                                                 : BUSY;
        a_bar += n * TEN_NOTES * 3 / 2 / 10;
    }
    a_bar = a_bar < LEAST_BAR ? LEAST_BAR : a_bar;
    return a_bar * (size_t)bars;
}

/* The tokens of these bars as they are. */
static size_t tokens_of(const struct piece *p, int64_t first, int64_t bars)
{
    const size_t n = piece_note_at(p, piece_bar_start(p, first + bars)) -
                     piece_note_at(p, piece_bar_start(p, first));
    return n * TEN_NOTES / 10 + (size_t)bars + SPARE;
}

/* Reads the bars around the next part of the hole, from this step on, as far as they leave it room. */
static enum continuation_state read_hole(struct take_decoder *t, int64_t from)
{
    struct context *c = &t->music;
    const struct piece *p = &c->music;
    const size_t context = (size_t)t->model->config.context;
    struct context_window w;
    if (from >= c->hole.to && t->music.motif.is_varying) { /* the rest comes next */
        enum midi_status settled = motif_settle(c);
        if (settled)
            return take_decoder_end_midi(t, settled);
        from = c->hole.from;
        t->origin = 0;
    }
    struct take_turn *turn = &t->turn;
    if (c->is_band && from >= turn->to && (turn->later || turn->to < c->hole.to)) {
        /* A band goes on to the next track of these bars, or to the first one of the next bars. */
        const int before = turn->track;
        if (!turn->later) {
            turn->from = turn->to;
            turn->to =
                smaller(piece_bar_start(p, piece_bar_at(p, turn->from) + TURN_BARS),
                        c->hole.to);
            turn->later = turn->asked.tracks;
        }
        /* the first by role, then by track */
        turn->track = __builtin_ctzll(turn->later);
        for (int i = turn->track + 1; i < TOKEN_MAX_TRACKS; i++)
            if (turn->later >> i & 1 && c->roles[i] < c->roles[turn->track])
                turn->track = i;
        turn->later &= ~(UINT64_C(1) << turn->track);
        /* Once its tune is written, a band that has no chords plays over what it suggests. */
        if (c->guesses_chords && band_role_is_first(c->roles[before]) &&
            !band_role_is_first(c->roles[turn->track]) && chord_guess(&c->music))
            return take_decoder_end_midi(t, MIDI_NO_MEMORY);
        c->request = turn->asked;
        c->request.tracks = UINT64_C(1) << turn->track;
        c->request.close &= turn->to == c->hole.to;
        band_role_ask(c->roles[turn->track], &c->request);
        aim(t, turn->from, turn->to);
        from = turn->from;
    }
    /* The part goes up to a bar line, or to the end of the hole or of a band's turn. Half the model's
     * context is very likely enough for it, beside these bars as they are. */
    int64_t first = piece_bar_at(p, from), bars = 1;
    int64_t most = piece_bar_start(p, first) + FILL_MAX_STEP;
    if (from >= most) { /* the last step of a bar of 64 whole notes has no name */
        from = piece_bar_start(p, ++first);
        most = from + FILL_MAX_STEP;
    }
    while (bars < MOST_BARS && tokens_for(t, bars + 1) <= context / 2 &&
           tokens_for(t, bars + 1) + tokens_of(p, first, bars + 1) <= context &&
           piece_bar_start(p, first + bars + 1) <= most)
        bars++;
    const int64_t to = smaller(piece_bar_start(p, first + bars), most);
    t->part_from = from;
    t->part_to = smaller(to, c->is_band ? turn->to : c->hole.to);
    if (c->chords_to_come < from)
        c->chords_to_come = from;
    if (from >= t->part_to)
        return take_decoder_end(t, CONTINUATION_DONE, "");
    context_add_bars_to(c, from);
    rules_aim_again(&t->rules, c, from);
    /* How much of the music around it is read: the rest of the tokens for a hole, but with
     * room in case the part needs far more than expected. */
    bars = piece_bar_at(p, t->part_to - 1) - piece_bar_at(p, from) + 1;
    const size_t limit = context * 5 / 6, /* of a hole: a full context does worse */
        need = tokens_for(t, bars), room = CLAMP(need, context / 4, context / 2),
                 own = tokens_of(p, piece_bar_at(p, from), bars),
                 around = CLAMP(limit - MIN(need, limit / 2), MIN(own, context - room),
                                context - room);
    enum midi_status st = context_encode(c, from, t->part_to, t->origin, around, &w);
    if (st == MIDI_TOO_LONG)
        return take_decoder_end_model(t, MODEL_TOO_LONG);
    return st ? take_decoder_end_midi(t, st) : stand_at(t, &w);
}

/* -- from the first note to the last -- */

/* The notes that tokens can hold, in canonical order. The caller owns them. NULL: out of
 * memory. */
static struct grid_note *grid_notes(const struct context *music,
                                    const struct continued_note *notes, size_t n,
                                    size_t *n_out)
{
    struct piece p = {.notes = calloc(n + 1, sizeof *p.notes)};
    memcpy(p.families, music->music.families, sizeof p.families);
    for (size_t i = 0; p.notes && i < n; i++) {
        const struct note *note = &notes[i].note;
        int track = context_token_track(music, notes[i].track);
        int64_t end =
            step_from_tick(note->start + note->length, music->ticks_per_quarter);
        if (track >= 0 && end < TOKEN_MAX_STEPS)
            p.notes[p.n_notes++] = context_grid_note(music, note, track);
    }
    if (p.notes)
        piece_sort(&p);
    *n_out = p.n_notes;
    return p.notes;
}

/* The marked takes of a request as a taste. *out NULL with MIDI_OK: nothing is liked or disliked. */
static enum midi_status make_taste(struct taste **out, const struct context *music,
                                   const struct continuation_options *o)
{
    bool has_opinion = false;
    *out = NULL;
    for (size_t i = 0; i < o->n_marks; i++)
        has_opinion |= o->marks[i].how_much != 0.0f;
    if (!has_opinion)
        return MIDI_OK;
    struct taste *t = taste_create();
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < o->n_marks; i++) {
        const struct continuation_mark *m = &o->marks[i];
        size_t n;
        struct grid_note *notes = grid_notes(music, m->notes, m->n_notes, &n);
        ok = notes && taste_add(t, &music->music, notes, n, m->how_much);
        free(notes);
    }
    if (!ok) {
        taste_destroy(t);
        return MIDI_NO_MEMORY;
    }
    taste_start(t, TASTE_WEIGHT);
    *out = t;
    return MIDI_OK;
}

enum continuation_state take_decoder_begin(struct take_decoder *t,
                                           struct context *music,
                                           const struct continuation_options *o,
                                           struct take *out,
                                           const struct take_decoder *from)
{
    const uint64_t seed = out->seed;
    struct sampling sampling = o->sampling;
    forget_request(t);
    t->out = out;
    t->music = *music;
    *music = (struct context){0};
    t->rules.without = o->without;
    t->turn = (struct take_turn){.to = t->music.hole.from, .asked = t->music.request};
    t->guidance = continuation_has_controls(o) || t->music.is_band ||
                          (t->music.is_hole && t->music.request.polyphony != FILL_ANY)
                      ? o->guidance
                      : 1.0f;
    enum midi_status st = plan_harmony(t, o);
    if (st)
        return take_decoder_end_midi(t, st);
    aim(t, t->music.hole.from, t->music.hole.to);
    /* A band, a hole, an answer, a motif and a long take that closes have a form of their own. */
    const bool is_short = o->bars <= SHORT_BARS,
               closes = o->hole.close && o->hole.to_tick == 0 && is_short,
               forms = (!t->music.is_hole || closes) && !t->music.is_band &&
                       o->end_tick == 0 && o->motif.kind == MOTIF_NONE &&
                       (!o->hole.close || closes);
    rules_choose_form(&t->rules, &t->music, seed, o, forms);
    t->bold = !forms || is_short ? 1 : o->bars <= LONG_BARS ? BOLD : BOLDER;
    t->last = TOKEN_BOS;
    t->take = t->note = (struct tally){0};
    st = motif_begin(&t->music, &o->motif, seed);
    if (st == MIDI_EMPTY)
        return take_decoder_end(t, CONTINUATION_ERROR,
                                "the motif does not fit into those bars");
    sampling.seed = seed;
    t->sampler = sampler_create(t->model->config.vocab, &sampling);
    if (!st)
        st = t->sampler ? make_taste(&t->rules.taste, &t->music, o) : MIDI_NO_MEMORY;
    /* The notes of its hole are a plan, in steps from the start of the music. A hole without notes has
     * nothing to keep and is filled freely. If some notes may stay and none is to be replaced, all of them
     * stay. */
    const bool held_notes = o->n_replaced > 0 || o->stays > 0.0f;
    if (!st && o->keep != HOLE_PLAN_NONE && o->hole.to_tick > 0 && held_notes) {
        size_t n;
        struct grid_note *notes = grid_notes(&t->music, o->replaced, o->n_replaced, &n);
        st = notes ? hole_plan_make(&t->plan, o->keep, notes, n) : MIDI_NO_MEMORY;
        free(notes);
    }
    t->given = array_copy(o->given, o->n_given, sizeof *t->given);
    t->n_given = o->n_given;
    if (st || !t->given)
        return take_decoder_end_midi(t, st ? st : MIDI_NO_MEMORY);
    enum model_status made = MODEL_OK;
    t->n_readers = t->guidance == 1.0f ? 1 : 2;
    if (t->n_readers > 1 && !t->readers[1])
        made = model_reader_create(&t->readers[1], t->model, t->pool, t->cancel);
    for (int i = 0; !made && i < t->n_readers; i++) {
        made = model_reader_mute(t->readers[i], o->muted, o->n_muted);
        if (!made && from)
            made = model_reader_copy(t->readers[i], from->readers[i], READ_ALL);
    }
    if (made)
        return take_decoder_end_model(t, made);
    take_decoder_end(t, CONTINUATION_BEGUN, "");
    return t->music.is_hole ? read_hole(t, t->music.hole.from) : read_end(t, o->bars);
}

void take_decoder_stats(struct take_decoder *t)
{
    struct continuation_stats *out = &t->out->stats;
    const struct context *c = &t->music;
    const struct piece *p = &c->music;
    const struct hole *hole =
        t->music.motif.is_varying ? &t->music.motif.hole : &c->hole;
    const struct take_turn *turn = &t->turn;
    const int tpq = c->ticks_per_quarter > 0 ? c->ticks_per_quarter : 1,
              n = __builtin_popcountll(turn->asked.tracks),
              n_done = n - 1 - __builtin_popcountll(turn->later);
    int64_t at = t->origin + grammar_step(t->grammar);
    if (t->music.is_band) { /* the steps done in all tracks together */
        const int64_t length = turn->to - turn->from,
                      done = smaller(larger(at - turn->from, 0), length);
        at = turn->from + (length * n_done + done) / n;
    }
    at = smaller(larger(at, hole->from), hole->to);
    *out = (struct continuation_stats){
        .from_tick = tick_from_step(hole->from, tpq),
        .to_tick = tick_from_step(hole->to, tpq),
        .at_tick = tick_from_step(at, tpq),
        .n_bars = t->n_bars,
        .n_bars_read = t->n_bars_read,
        .n_tokens = t->take.n_tokens,
        .log_prob = t->take.log_prob,
        .own_log_prob = t->take.own_log_prob,
        .masked = t->take.n_tokens ? t->take.masked / t->take.n_tokens : 0.0,
        .motif = t->music.motif.place,
        .is_done = t->state != CONTINUATION_BEGUN,
    };
    const int64_t end = smaller(
        c->hole.to, t->harmony.source == CHORDS_MODEL ? c->chords_to_come : INT64_MAX);
    for (size_t i = 0; t->harmony.source != CHORDS_NONE && i < p->n_chords; i++) {
        const struct grid_chord *chord = &p->chords[i];
        const bool is_over = i + 1 < p->n_chords && chord[1].step <= c->hole.from,
                   is_again = out->n_chords && grid_chord_equal(chord - 1, chord);
        if (!is_over && !is_again && chord->step < end &&
            out->n_chords < CONTINUATION_CHORDS)
            out->chords[out->n_chords++] = (struct planned_chord){
                tick_from_step(chord->step, c->ticks_per_quarter), chord->root,
                chord->quality, chord->bass, t->flats};
    }
}

enum continuation_state take_decoder_prepare(struct take_decoder *t)
{
    const struct context *c = &t->music;
    const int context = t->model->config.context;
    struct grid_note n;
    struct context_window w;
    /* A part of a hole that is done makes way for the next. */
    while (t->state == CONTINUATION_BEGUN && c->is_hole && grammar_done(t->grammar))
        read_hole(t, t->part_to);
    if (t->state != CONTINUATION_BEGUN && t->state != CONTINUATION_DONE)
        return t->state;
    if (t->state == CONTINUATION_DONE || grammar_done(t->grammar)) {
        enum midi_status st = take_decoder_add(t, NULL);
        return st ? take_decoder_end_midi(t, st)
                  : take_decoder_end(t, CONTINUATION_DONE, "");
    }
    /* Between notes, if the cache may not hold the next one, a window of half its size is read. */
    const bool is_between = t->after_bar || grammar_note(t->grammar, &n);
    if (!is_between || model_reader_reading(t->readers[0]).n + SPARE <= context)
        return CONTINUATION_BEGUN;
    /* The rest of a hole begins after the last note, or at the bar line; for a rhythm, with the other
     * notes that begin with that note. */
    const bool is_passed = !t->after_bar && t->plan.kind != HOLE_PLAN_RHYTHM;
    if (c->is_hole)
        return read_hole(t, t->origin + grammar_step(t->grammar) + is_passed);
    enum midi_status st = context_encode(c, 0, 0, 0, (size_t)context / 2, &w);
    return st ? take_decoder_end_midi(t, st) : stand_at(t, &w);
}
