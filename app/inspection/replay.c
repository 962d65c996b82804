/* See inspection_internal.h. A take decoder without a model repeats the steps that
 * wrote the take; it is given the token that the parser needs for the next note. */
#include "app/inspection/inspection_internal.h"

#include "app/decoding/take_decoder.h"
#include "midi/base/array.h"
#include "midi/tokens/parser.h"

#include <stdlib.h>
#include <string.h>

struct run {
    struct replay *out;
    struct take_decoder decoder;
    struct parser at; /* of the reading that is going on */
    uint64_t reading;
    /* Of the take, in steps of the music, as they were drawn: of a motif only one that was
     * varied was, before all the rest. */
    struct grid_note *notes;
    size_t n_notes, n_varied, next;
    size_t wanted;
    bool is_found;  /* the requested note came, */
    bool is_sealed; /* and its reading is over */
    int context;
};

void replay_fini(struct replay *r)
{
    free(r->ids);
    free(r->known);
    free(r->is_take);
    free(r->drawn);
    free(r->drawn_note);
    free(r->ids_of);
    *r = (struct replay){0};
}

/* -- the take's notes on the grid -- */

/* Those that are of the motif, or those that are not. */
static bool put_on_grid(struct run *r, const struct inspected_take *take, bool is_motif)
{
    const struct context *music = &r->decoder.music;
    for (size_t i = 0; i < take->n_notes; i++) {
        const struct note *n = &take->notes[i].note;
        const int track = context_token_track(music, take->notes[i].track);
        if (track < 0 || n->start < 0 || n->length < 1)
            return false;
        struct grid_note on_grid = context_grid_note(music, n, track);
        const bool is_hit = piece_is_hit(&music->music, &on_grid);
        if (motif_has(&r->decoder.motif, &on_grid) != is_motif || (is_motif && is_hit))
            continue;
        if (on_grid.step + on_grid.length > TOKEN_MAX_STEPS)
            return false;
        on_grid.length = is_hit ? HIT_STEPS : on_grid.length;
        on_grid.id = n->id;
        r->notes[r->n_notes++] = on_grid;
    }
    return true;
}

struct in_turn {
    int64_t turn;
    struct grid_note note;
};

static int compare_turns(const void *a, const void *b)
{
    const struct in_turn *x = a, *y = b;
    return x->turn != y->turn ? (x->turn > y->turn) - (x->turn < y->turn)
                              : grid_note_compare(&x->note, &y->note);
}

/* As the instruments of a band came. */
static bool put_in_turn(struct run *r)
{
    struct in_turn *list = calloc(r->n_notes + 1, sizeof *list);
    for (size_t i = 0; list && i < r->n_notes; i++)
        list[i] = (struct in_turn){take_decoder_turn_of(&r->decoder, &r->notes[i]),
                                   r->notes[i]};
    if (!list)
        return false;
    qsort(list, r->n_notes, sizeof *list, compare_turns);
    for (size_t i = 0; i < r->n_notes; i++)
        r->notes[i] = list[i].note;
    free(list);
    return true;
}

/* -- which token comes next -- */

static int32_t position_token(const struct run *r, int position)
{
    return r->at.state != AFTER_POSX && position >= TOKEN_RADIX
               ? TOKEN_POSX + position / TOKEN_RADIX - 1
               : TOKEN_POS + position % TOKEN_RADIX;
}

/* Of the chord that is due next, or its bass; -1: a note or a bar comes before. */
static int32_t chord_token(const struct run *r, const struct grid_note *next)
{
    const struct take_decoder *t = &r->decoder;
    const struct parser *p = &r->at;
    uint8_t allowed[TOKEN_COUNT];
    const struct grid_chord *due = grammar_due(t->grammar);
    const bool may_come = p->state & (AFTER_POS | AFTER_CHORD | AFTER_SAME_CHORD);
    for (int32_t i = may_come && grammar_allow(t->grammar, allowed) == 1 ? TOKEN_CHORD
                                                                         : TOKEN_HOLE;
         i < TOKEN_HOLE; i++)
        if (allowed[i])
            return i;
    if (!due || (p->state != AFTER_POSX && !parser_is_between(p)) ||
        due->step >= p->bar_start + p->bar_steps ||
        (next && next->step - t->origin < due->step))
        return -1;
    return position_token(r, due->step - p->bar_start);
}

/* Call after its position. */
static int32_t note_token(const struct run *r, const struct grid_note *n)
{
    const struct parser *p = &r->at;
    if (p->state & (AFTER_PITCH | AFTER_DURX)) {
        const int left = n->length - p->high, far = (left - 1) / TOKEN_RADIX;
        return far < 1 ? TOKEN_DUR + left - 1
                       : TOKEN_DURX + (far < TOKEN_MAX_DURX ? far : TOKEN_MAX_DURX) - 1;
    }
    if (p->track != n->track && !(p->state & (AFTER_TRACK | AFTER_VEL)))
        return TOKEN_TRACK + n->track;
    if (p->velocities[n->track] != (int8_t)n->velocity && p->state != AFTER_VEL)
        return TOKEN_VEL + n->velocity;
    if (p->families[n->track] == FAMILY_DRUMS)
        return TOKEN_HIT + n->pitch - HIT_FIRST;
    return TOKEN_PITCH + n->pitch;
}

static int32_t next_token(const struct run *r)
{
    const struct take_decoder *t = &r->decoder;
    const struct parser *p = &r->at;
    const struct grid_note *n = &r->notes[r->next];
    const int32_t chord = chord_token(r, r->next < r->n_notes ? n : NULL);
    if (chord >= 0)
        return chord;
    /* In this part of the hole, or in this continuation, no other note comes. */
    if (r->next == r->n_notes || (t->motif.is_varying && r->next == r->n_varied) ||
        (t->music.is_hole && n->step >= t->part_to) ||
        (t->is_band && n->track != t->turn.track))
        return t->music.is_hole && !grammar_due(t->grammar) ? TOKEN_FILL_END
                                                            : TOKEN_BAR;
    const int position = (int)(n->step - t->origin - p->bar_start);
    if (p->state != AFTER_POSX && !parser_is_between(p))
        return note_token(r, n);
    if (p->state != AFTER_POSX) {
        const struct piece *music = &t->music.music;
        const int64_t bar = t->origin + grammar_bar_start(t->grammar);
        if (n->step >= piece_bar_start(music, (int32_t)piece_bar_at(music, bar) + 1))
            return TOKEN_BAR;
        if (p->onset == position)
            return note_token(r, n);
    }
    return position_token(r, position);
}

/* -- the run -- */

/* The take decoder may have read the music again: then the parser restarts too, and so does
 * the record, unless it has the requested note. */
static enum midi_status follow_reading(struct run *r)
{
    const struct model_reading now = model_reader_reading(r->decoder.reader);
    if (now.number == r->reading)
        return MIDI_OK;
    r->reading = now.number;
    r->is_sealed = r->is_found;
    if (!r->is_sealed) {
        memcpy(r->out->ids, now.tokens, (size_t)now.n * sizeof *now.tokens);
        r->out->n_ids = now.n;
        r->out->n_drawn = 0;
        r->out->origin = r->decoder.origin;
    }
    parser_init(&r->at);
    for (int i = 0; i < now.n; i++)
        if (!parser_feed(&r->at, now.tokens[i]))
            return MIDI_BAD_TOKEN;
    return MIDI_OK;
}

static void keep_allowed(struct run *r, int32_t token)
{
    const struct take_decoder *t = &r->decoder;
    const enum token kind = token_kind(token);
    if (r->next != r->wanted || kind == TOKEN_BAR || kind == TOKEN_FILL_END ||
        kind == TOKEN_CHORD || kind == TOKEN_BASS)
        return;
    const enum inspected_part part = reading_part_of_note(kind);
    if (!r->out->is_said[part]) {
        grammar_allow(t->grammar, r->out->allowed[part]);
        motif_mask(&t->motif, t->origin + grammar_step(t->grammar),
                   grammar_track(t->grammar), r->out->allowed[part]);
    }
    r->out->is_said[part] = true;
}

static enum midi_status draw(struct run *r)
{
    struct replay *out = r->out;
    struct continued_note note;
    bool has_note;
    const int32_t token = next_token(r);
    const bool is_of_note = token != TOKEN_BAR && token != TOKEN_FILL_END &&
                            token_kind(token) != TOKEN_CHORD &&
                            token_kind(token) != TOKEN_BASS;
    const int32_t of = is_of_note ? (int32_t)r->next : -1;
    size_t n = out->n_all_drawn;
    keep_allowed(r, token);
    if (!array_push(&out->drawn, &n, &token, sizeof token) ||
        !array_push(&out->drawn_note, &out->n_all_drawn, &of, sizeof of))
        return MIDI_NO_MEMORY;
    if (!parser_feed(&r->at, token) || (!r->is_sealed && out->n_ids >= r->context))
        return MIDI_BAD_TOKEN;
    if (!r->is_sealed) {
        out->ids[out->n_ids++] = token;
        out->n_drawn++;
    }
    bool is_note = r->at.event == PARSER_NOTE;
    r->is_found = r->is_found || (is_note && r->next == r->wanted);
    r->next += is_note;
    return take_decoder_force(&r->decoder, token, &note, &has_note) ==
                   CONTINUATION_BEGUN
               ? MIDI_OK
               : MIDI_BAD_TOKEN;
}

static enum midi_status draw_all(struct run *r)
{
    enum midi_status st = MIDI_OK;
    while (!st) {
        enum continuation_state state = take_decoder_prepare(&r->decoder);
        if (state == CONTINUATION_DONE)
            return r->next == r->n_notes ? MIDI_OK : MIDI_BAD_TOKEN;
        st = state == CONTINUATION_BEGUN ? follow_reading(r) : MIDI_BAD_TOKEN;
        if (!st)
            st = draw(r);
    }
    return st;
}

/* A note of the motif that was not drawn is the take's, too. */
static uint64_t id_in_take(const struct run *r, const struct grid_note *n,
                           const struct inspected_take *take)
{
    const struct context *music = &r->decoder.music;
    const int track = context_score_track(music, n->track, n->pitch);
    for (size_t i = 0; motif_has(&r->decoder.motif, n) && i < take->n_notes; i++) {
        const struct note *it = &take->notes[i].note;
        if (take->notes[i].track == track && it->pitch == n->pitch &&
            step_from_tick(it->start, music->ticks_per_quarter) == n->step)
            return it->id;
    }
    return n->id;
}

/* What the notes of the reading are known by: those of the music, and of the take. */
static enum midi_status keep_known(struct run *r, const struct inspected_take *take)
{
    struct replay *out = r->out;
    const struct piece *music = &r->decoder.music.music;
    size_t n = music->n_notes + r->n_notes, a = 0, b = 0;
    struct grid_note *drawn = array_copy(r->notes, r->n_notes, sizeof *drawn);
    out->known = calloc(n + 1, sizeof *out->known);
    out->is_take = calloc(n + 1, sizeof *out->is_take);
    if (!drawn || !out->known || !out->is_take) {
        free(drawn);
        return MIDI_NO_MEMORY;
    }
    qsort(drawn, r->n_notes, sizeof *drawn, grid_note_compare);
    for (size_t i = 0; i < n; i++) {
        bool from_take =
            a == music->n_notes ||
            (b < r->n_notes && grid_note_compare(&drawn[b], &music->notes[a]) < 0);
        out->known[i] = from_take ? drawn[b++] : music->notes[a++];
        out->known[i].id =
            from_take ? out->known[i].id : id_in_take(r, &out->known[i], take);
        out->is_take[i] = from_take;
    }
    free(drawn);
    out->n_known = n;
    return MIDI_OK;
}

/* Guidance, marks and random draws choose tokens; they do not change the layout. The seed
 * chooses the place of a motif. */
static struct continuation_options layout_options(const struct inspected_take *take)
{
    struct continuation_options o = *take->options;
    o.style = take->style;
    o.guidance = 1.0f;
    o.marks = NULL;
    o.n_marks = 0;
    o.given = NULL;
    o.n_given = 0;
    o.muted = NULL;
    o.n_muted = 0;
    return o;
}

static enum midi_status keep_music(struct run *r, const struct inspected_take *take,
                                   uint64_t note)
{
    memcpy(r->out->track_map, r->decoder.music.track_map, sizeof r->out->track_map);
    r->notes = calloc(take->n_notes + 1, sizeof *r->notes);
    r->out->ids_of = calloc(take->n_notes + 1, sizeof *r->out->ids_of);
    if (!r->notes || !r->out->ids_of)
        return MIDI_NO_MEMORY;
    if (r->decoder.motif.is_varying && !put_on_grid(r, take, true))
        return MIDI_BAD_TOKEN;
    r->n_varied = r->n_notes;
    if (!put_on_grid(r, take, false) || (r->decoder.is_band && !put_in_turn(r)))
        return MIDI_BAD_TOKEN;
    for (size_t i = 0; i < r->n_notes; i++)
        r->out->ids_of[i] = r->notes[i].id;
    while (r->wanted < r->n_notes && r->notes[r->wanted].id != note)
        r->wanted++;
    return r->wanted < r->n_notes ? keep_known(r, take) : MIDI_EMPTY;
}

static enum midi_status run(struct run *r, const struct score *s,
                            const struct inspected_take *take, uint64_t note)
{
    const struct continuation_options o = layout_options(take);
    struct context music;
    enum midi_status st = context_init(&music, s, &o);
    if (st)
        return st;
    if (take_decoder_begin(&r->decoder, &music, take->style, o.sampling.seed, &o) !=
        CONTINUATION_BEGUN)
        st = MIDI_BAD_TOKEN;
    if (!st)
        st = keep_music(r, take, note);
    context_fini(&music);
    return st ? st : draw_all(r);
}

enum midi_status replay_take(struct replay *r, const struct score *s,
                             const struct inspected_take *take, uint64_t note,
                             int context, int vocab)
{
    struct run run_of = {.out = r, .context = context};
    *r = (struct replay){.ids = calloc((size_t)context + 1, sizeof *r->ids)};
    bool ok = r->ids && !take_decoder_init_dry(&run_of.decoder, context, vocab);
    enum midi_status st = ok ? run(&run_of, s, take, note) : MIDI_NO_MEMORY;
    take_decoder_fini(&run_of.decoder);
    free(run_of.notes);
    if (st)
        replay_fini(r);
    return st;
}
