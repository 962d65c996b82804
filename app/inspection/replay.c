/* See inspection_internal.h. A take decoder without a model repeats the steps that
 * wrote the take; it is given the token that the parser needs for the next note. */
#include "app/inspection/inspection_internal.h"

#include "app/decoding/take_decoder.h"
#include "midi/base/array.h"
#include "midi/tokens/parser.h"

#include <stdlib.h>
#include <string.h>

/* A note of the take, in steps of the music. */
struct take_note {
    struct grid_note note;
    bool is_motif; /* of a motif that was varied, before all the rest */
    bool is_drawn; /* by now */
};

struct run {
    struct replay *out;
    struct take_decoder decoder;
    struct parser at; /* of the reading that is going on */
    uint64_t reading;
    struct take_note *notes; /* those that were drawn, in canonical order */
    size_t n_notes, n_drawn;
    uint64_t wanted; /* id of the requested note */
    bool is_found;   /* it came, */
    bool is_sealed;  /* and its reading is over */
    int context;
};

void replay_fini(struct replay *r)
{
    free(r->ids);
    free(r->known);
    free(r->drawn);
    free(r->drawn_id);
    *r = (struct replay){0};
}

/* Of a motif only what was varied was drawn, and no hits. false: the take does not fit. */
static bool put_on_grid(struct run *r, const struct inspected_take *take)
{
    const struct context *music = &r->decoder.music;
    const struct motif *motif = &r->decoder.motif;
    for (size_t i = 0; i < take->n_notes; i++) {
        const struct note *n = &take->notes[i].note;
        const int track = context_token_track(music, take->notes[i].track);
        if (track < 0 || n->start < 0 || n->length < 1)
            return false;
        struct grid_note on_grid = context_grid_note(music, n, track);
        const bool is_hit = piece_is_hit(&music->music, &on_grid),
                   is_motif = motif_has(motif, &on_grid);
        if (is_motif && (is_hit || !motif->is_varying))
            continue;
        if (on_grid.step + on_grid.length > TOKEN_MAX_STEPS)
            return false;
        on_grid.length = is_hit ? HIT_STEPS : on_grid.length;
        on_grid.id = n->id;
        r->notes[r->n_notes++] =
            (struct take_note){.note = on_grid, .is_motif = is_motif};
    }
    qsort(r->notes, r->n_notes, sizeof *r->notes, grid_note_compare);
    return true;
}

/* The note that comes next: in this part of the hole, in a band's turn, or while the motif is
 * varied. NULL: none does. */
static struct take_note *next_note(const struct run *r)
{
    const struct take_decoder *t = &r->decoder;
    for (struct take_note *n = r->notes; n < r->notes + r->n_notes; n++)
        if (!n->is_drawn && n->is_motif == t->motif.is_varying &&
            (!t->music.is_hole || n->note.step < t->part_to) &&
            (!t->is_band || n->note.track == t->turn.track))
            return n;
    return NULL;
}

/* -- which token comes next -- */

static int32_t position_token(const struct run *r, int position)
{
    return r->at.state != AFTER_POSX && position >= TOKEN_RADIX
               ? TOKEN_POSX + position / TOKEN_RADIX - 1
               : TOKEN_POS + position % TOKEN_RADIX;
}

/* Of the chord that is due next, or its bass; -1: a note or a bar comes before. */
static int32_t chord_token(const struct run *r, const struct take_note *next)
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
        (next && next->note.step - t->origin < due->step))
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

/* next NULL: no other note comes in this part of the hole, or in this continuation. */
static int32_t next_token(const struct run *r, const struct take_note *next)
{
    const struct take_decoder *t = &r->decoder;
    const struct parser *p = &r->at;
    const int32_t chord = chord_token(r, next);
    if (chord >= 0)
        return chord;
    if (!next)
        return t->music.is_hole && !grammar_due(t->grammar) ? TOKEN_FILL_END
                                                            : TOKEN_BAR;
    const struct grid_note *n = &next->note;
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
        r->out->origin = r->decoder.origin;
    }
    parser_init(&r->at);
    for (int i = 0; i < now.n; i++)
        if (!parser_feed(&r->at, now.tokens[i]))
            return MIDI_BAD_TOKEN;
    return MIDI_OK;
}

static void keep_allowed(struct run *r, enum inspected_part part)
{
    const struct take_decoder *t = &r->decoder;
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
    struct take_note *next = next_note(r);
    const int32_t token = next_token(r, next);
    const enum token kind = token_kind(token);
    const bool is_of_note = token != TOKEN_BAR && token != TOKEN_FILL_END &&
                            kind != TOKEN_CHORD && kind != TOKEN_BASS;
    const uint64_t id = next && is_of_note ? next->note.id : 0;
    size_t n = out->n_all_drawn;
    if (id == r->wanted)
        keep_allowed(r, reading_part_of_note(kind));
    if (!array_push(&out->drawn, &n, &token, sizeof token) ||
        !array_push(&out->drawn_id, &out->n_all_drawn, &id, sizeof id))
        return MIDI_NO_MEMORY;
    if (!parser_feed(&r->at, token) || (!r->is_sealed && out->n_ids >= r->context))
        return MIDI_BAD_TOKEN;
    if (!r->is_sealed)
        out->ids[out->n_ids++] = token;
    if (r->at.event == PARSER_NOTE && next) {
        next->is_drawn = true;
        r->n_drawn++;
        r->is_found |= id == r->wanted;
    }
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
            return r->n_drawn == r->n_notes ? MIDI_OK : MIDI_BAD_TOKEN;
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

/* The notes of the take, and those of the music and the take by which the notes of the reading
 * are known. */
static enum midi_status keep_music(struct run *r, const struct inspected_take *take)
{
    struct replay *out = r->out;
    const struct piece *music = &r->decoder.music.music;
    bool has_wanted = false;
    memcpy(out->track_map, r->decoder.music.track_map, sizeof out->track_map);
    r->notes = calloc(take->n_notes + 1, sizeof *r->notes);
    out->known = calloc(music->n_notes + take->n_notes + 1, sizeof *out->known);
    if (!r->notes || !out->known)
        return MIDI_NO_MEMORY;
    if (!put_on_grid(r, take))
        return MIDI_BAD_TOKEN;
    for (size_t i = 0; i < music->n_notes; i++) {
        struct known_note *k = &out->known[out->n_known++];
        k->note = music->notes[i];
        k->note.id = id_in_take(r, &music->notes[i], take);
    }
    for (size_t i = 0; i < r->n_notes; i++) {
        out->known[out->n_known++] = (struct known_note){r->notes[i].note, true};
        has_wanted |= r->notes[i].note.id == r->wanted;
    }
    qsort(out->known, out->n_known, sizeof *out->known, grid_note_compare);
    return has_wanted ? MIDI_OK : MIDI_EMPTY;
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

enum midi_status replay_take(struct replay *r, const struct score *s,
                             const struct inspected_take *take, uint64_t note,
                             int context, int vocab)
{
    const struct continuation_options o = layout_options(take);
    struct run run = {.out = r, .context = context, .wanted = note};
    struct context music = {0};
    *r = (struct replay){.ids = calloc((size_t)context + 1, sizeof *r->ids)};
    enum midi_status st = r->ids && !take_decoder_init_dry(&run.decoder, context, vocab)
                              ? context_init(&music, s, &o)
                              : MIDI_NO_MEMORY;
    if (!st && take_decoder_begin(&run.decoder, &music, take->style, o.sampling.seed,
                                  &o) != CONTINUATION_BEGUN)
        st = MIDI_BAD_TOKEN;
    if (!st)
        st = keep_music(&run, take);
    if (!st)
        st = draw_all(&run);
    context_fini(&music);
    take_decoder_fini(&run.decoder);
    free(run.notes);
    if (st)
        replay_fini(r);
    return st;
}
